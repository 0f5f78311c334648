// Hands: reaching, lifting and carrying, pushing and pulling (Coros2010 §5.4).
#include "study/report/coros2010/tasks_work.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "creature/biped/biped_names.h"
#include "math/random.h"
#include "math/rotation.h"
#include "study/report/plan.h"
#include "study/trial/rig/rollout.h"
#include "study/trial/rig/workshop.h"

namespace promenade::study {
namespace {

using behaviour::tasks::Task;
using behaviour::tasks::TaskKind;
using trial::BoxSpec;
using trial::task;
using trial::task_at;
using trial::WorkRun;
using trial::Workshop;

constexpr int kTrials = 100;
constexpr double kLonger = 120;  // s of simulated time, after which a trial has failed

/// Loads the data of the workshop when the first row needs them.
using WorkLibrary = std::function<std::shared_ptr<const Library>()>;

Vec2 around(Random& random, double near, double far) {
  return rotated(Vec2(random.uniform(near, far), 0), random.uniform(-kPi, kPi));
}

}  // namespace

Somebody somebody(const Library& library, const std::string& body, const std::string& style) {
  const auto creature = [&](const std::string& name) {
    return trial::Walker::of(library, name, style).body;
  };
  const auto arm = [](const Creature& one) {
    const Biped biped = biped_of(one).value();
    return std::min(biped.upper_arm[kLeft] + biped.forearm[kLeft],
                    biped.upper_arm[kRight] + biped.forearm[kRight]);
  };
  const auto own = creature(body), human = creature("human");
  return {body, style, own->leg_scale(), arm(*own) / arm(*human),
          own->total_mass / human->total_mass};
}

bool reaches(const std::shared_ptr<const Library>& library, const Somebody& who, double height,
             double speed, std::uint64_t seed) {
  Random random(seed);
  Workshop shop(library, who.body, who.style, seed);
  Task reach = task(TaskKind::kReach);
  reach.point << who.scale * around(random, 0.3, 3), who.scale * height;
  reach.coordinates = 3;
  reach.speed = speed;
  const WorkRun run = shop.work({reach}, kLonger);
  return run.up && run.done == 1 && run.reach_error[0] <= 0.03;
}

namespace {

bool reached(const WorkRun& run) {
  return run.up && run.done == 1 && run.failed == 0 && run.reach_error[0] <= 0.03;
}

/// Both hands: to a point, or to two sides of a box that stands somewhere.
bool reaches_with_both(const std::shared_ptr<const Library>& library, std::uint64_t seed) {
  Random random(seed);
  Workshop shop(library, "human", "normal", seed);
  Task reach = task(TaskKind::kReach);
  reach.hand = behaviour::tasks::HandChoice::kBoth;
  const Vec2 at = around(random, 0.8, 3);
  if (random.chance(0.5)) {
    reach.point << at, random.uniform(0.1, 1.8);
    reach.coordinates = 3;
  } else {
    const double yaw = random.uniform(-kPi, kPi), under = random.uniform(0, 1.2);
    BoxSpec box;
    for (int k = 0; k < 3; ++k) box.size[k] = random.uniform(0.2, 0.5);
    box.mass = 10;
    BoxSpec table;
    table.size = Vec3(0.5, 0.5, under);
    if (under > 0.3) shop.add(table, at, yaw);
    reach.thing = shop.add(box, at, yaw);
  }
  return reached(shop.work({reach}, kLonger));
}

/// A box that glides along without friction.
bool reaches_moving(const std::shared_ptr<const Library>& library, std::uint64_t seed) {
  Random random(seed);
  Workshop shop(library, "human", "normal", seed);
  BoxSpec box;
  box.size = Vec3(0.4, 0.4, random.uniform(0.8, 1.4));
  box.mass = 20;
  box.friction = 1e-8;  // hardly any; 0 would be the usual one
  const Vec2 at = around(random, 1.5, 3), velocity = around(random, 0.1, 0.6);
  const auto thing = shop.add(box, at, random.uniform(-kPi, kPi), velocity);
  return reached(shop.work({task(TaskKind::kReach, thing)}, kLonger));
}

/// A crate that somebody else picks up and carries to and fro.
bool reaches_carried(const std::shared_ptr<const Library>& library, std::uint64_t seed) {
  Random random(seed);
  Workshop shop(library, "human", "normal", seed);
  const Vec2 from = around(random, 3, 5);
  BoxSpec box;
  box.mass = 4;
  const auto crate = shop.add(box, from, random.uniform(-kPi, kPi));
  const auto other = shop.spawn("human", "normal", from + around(random, 1.2, 2), 0);
  std::vector<Task> tasks{task(TaskKind::kPickUp, crate)};
  for (int i = 0; i < 4; ++i) tasks.push_back(task_at(TaskKind::kGoTo, around(random, 3, 5)));
  world::Room& room = shop.room();
  const long last = std::lround(kLonger / room.tick_seconds());
  long tick = 0;
  // Runs until somebody's task is over.
  const auto next_over = [&](world::CharacterId who) -> std::optional<world::RoomEvent> {
    for (; tick < last; ++tick) {
      for (const world::RoomEvent& event : room.tick()) {
        if (event.kind == world::RoomEvent::Kind::kFell) return {};
        if (event.character == who && event.kind == world::RoomEvent::Kind::kTaskDone) return event;
        if (event.character == who && event.kind == world::RoomEvent::Kind::kTaskFailed) return {};
      }
    }
    return {};
  };
  shop.apply(world::SetTasks{other, tasks, false, false});
  if (!next_over(other)) return false;
  shop.apply(world::SetTasks{Workshop::kWorker, {task(TaskKind::kReach, crate)}, false, false});
  const auto over = next_over(Workshop::kWorker);
  return over && over->missed_by <= 0.03;
}

void plan_other_reaches(ReportPlan& plan, const WorkLibrary& library_of) {
  const struct {
    const char *id, *what;
    bool (*does)(const std::shared_ptr<const Library>&, std::uint64_t);
  } rows[] = {
      {"reach-both",
       "both hands to a point 0.1 to 1.8 m high, or to two sides of a box of 20 to 50 cm that is "
       "up to 1.2 m high: within 3 cm",
       reaches_with_both},
      {"reach-moving", "a hand to a box that glides at 0.1 to 0.6 m/s: within 3 cm",
       reaches_moving},
      {"reach-carried", "a hand to a crate that somebody else carries about: within 3 cm",
       reaches_carried}};
  for (const auto& row : rows) {
    const std::string id = row.id;
    if (!plan.wants(id)) continue;
    const auto library = library_of();
    plan_share(
        plan, plan.trials(kTrials), 40,
        [=, &plan, does = row.does](int i) { return does(library, plan.seed_of(id, i)); },
        {id, row.what, "", "", "", ""}, 90);
  }
}

void plan_reaches(ReportPlan& plan, const WorkLibrary& library_of) {
  for (const int cm : {10, 40, 80, 120, 160, 180, 190, 200}) {
    const std::string id = "reach-" + std::to_string(cm);
    if (!plan.wants(id)) continue;
    const auto library = library_of();
    plan_share(
        plan, plan.trials(kTrials), 30,
        [=, &plan](int i) { return reaches(library, {}, 0.01 * cm, 0, plan.seed_of(id, i)); },
        {id, formatted("a hand to a point %d cm high, anywhere within 3 m: within 3 cm", cm),
         "shown", "", "", ""},
        95);
  }
  for (const double speed : {0.3, 1.2}) {
    const std::string id = formatted("reach-coming-at-%.1f", speed);
    if (!plan.wants(id)) continue;
    const auto library = library_of();
    plan_share(
        plan, plan.trials(kTrials), 30,
        [=, &plan](int i) {
          const std::uint64_t seed = plan.seed_of(id, i);
          const double height = Random::stream(seed, 0x6e16ULL).uniform(0.1, 1.9);
          return reaches(library, {}, height, speed, seed);
        },
        {id,
         formatted("a hand to a point 0.1 to 1.9 m high, coming at %.1f m/s: within 3 cm", speed),
         "shown", "", "", ""},
        95);
  }
}

struct Lift {
  std::string id;
  double mass = 15;   // kg
  double under = 0;   // m, height of what it stands on
  double push = 0;    // N for 0.1 s, while it is carried
  double asked = 95;  // %
  bool onto = false;  // in the end it is put on another of these
};

struct Lifted {
  WorkRun run;
  double missed = 0;  // m
  bool holds() const { return run.up && run.done == 4 && missed <= 0.05; }
};

/// Carries a box 10 m with two turns.
Lifted lift_of(const std::shared_ptr<const Library>& library, const Lift& lift, std::uint64_t seed,
               const Somebody& who = {}) {
  Random random(seed);
  Workshop shop(library, who.body, who.style, seed);
  const Vec2 from = who.scale * around(random, 1.2, 2.5);
  const double yaw = random.uniform(-kPi, kPi);
  BoxSpec table;
  table.size = Vec3(0.5 * who.arm, 0.5 * who.arm, lift.under * who.scale);
  if (lift.under > 0) shop.add(table, from, yaw);
  BoxSpec box;
  box.size *= who.arm;
  box.mass = who.weight * lift.mass;
  const auto crate = shop.add(box, from, yaw);
  const double way = random.uniform(-kPi, kPi), turn = random.chance(0.5) ? 1 : -1;
  const Vec2 first = from + rotated(Vec2(4, 0), way);
  const Vec2 second = first + rotated(Vec2(3, 0), way + turn * 0.5 * kPi);
  const Vec2 end = second + rotated(Vec2(3, 0), way);
  Task put_down = task_at(TaskKind::kPutDown, end);
  if (lift.onto) {
    put_down = task(TaskKind::kPutDown);
    put_down.on = shop.add(table, end, way);
  }
  Lifted out;
  out.run = shop.work({task(TaskKind::kPickUp, crate), task_at(TaskKind::kGoTo, first),
                       task_at(TaskKind::kGoTo, second), put_down},
                      kLonger, [&, pushed = false](world::Room& room) mutable {
                        if (lift.push == 0 || pushed) return;
                        const Vec2 at = shop.pose_of(Workshop::kWorker).position.head<2>();
                        if ((at - from).norm() < 2) return;
                        pushed = true;
                        const Vec2 force = rotated(Vec2(lift.push, 0), random.uniform(-kPi, kPi));
                        room.apply(world::Push{Workshop::kWorker, "torso", Vec3::Zero(),
                                               Vec3(force.x(), force.y(), 0), 0.1});
                      });
  out.missed = (shop.pose_of(crate).position.head<2>() - end).norm();
  return out;
}

}  // namespace

bool carries(const std::shared_ptr<const Library>& library, const Somebody& who,
             std::uint64_t seed) {
  Lift lift{"", 5};
  const Lifted low = lift_of(library, lift, seed, who);
  if (low.run.why.find("it is too low") == std::string::npos) return low.holds();
  lift.under = 0.75;
  lift.onto = true;
  return low.run.up && lift_of(library, lift, seed, who).holds();
}

namespace {

void plan_lifts(ReportPlan& plan, const WorkLibrary& library_of) {
  std::vector<Lift> lifts_of;
  for (const int kg : {4, 10, 15, 20, 25, 30}) {
    lifts_of.push_back({"lift-" + std::to_string(kg), double(kg)});
  }
  lifts_of.push_back({"lift-15-low-table", 15, 0.55});
  lifts_of.push_back({"lift-15-table", 15, 0.75});
  lifts_of.push_back({"lift-15-shelf", 15, 1.2});
  lifts_of.push_back({"lift-15-pushed", 15, 0, 200});
  for (const Lift& lift : lifts_of) {
    if (!plan.wants(lift.id)) continue;
    const auto library = library_of();
    const std::string place =
        lift.under > 0 ? formatted("%.2f m high", lift.under) : "on the ground";
    plan_share(
        plan, plan.trials(kTrials), 60,
        [=, &plan](int i) { return lift_of(library, lift, plan.seed_of(lift.id, i)).holds(); },
        {lift.id,
         formatted("a crate of %.0f kg, %s, carried 10 m with two turns%s, put down within 5 cm",
                   lift.mass, place.c_str(), lift.push > 0 ? ", pushed with 200 N" : ""),
         lift.mass <= 25 ? "5 to 25 kg" : "", "", "", ""},
        lift.asked);
  }
}

}  // namespace

bool hauls(const std::shared_ptr<const Library>& library, const Haul& haul, std::uint64_t seed,
           const Somebody& who) {
  constexpr double kFriction = 0.2, kSoles = 0.8, kWay = 5;  // m
  Random random(seed);
  Workshop shop(library, who.body, who.style, seed);
  const Vec2 from = who.scale * around(random, 1.5, 2.5);
  const double yaw = random.uniform(-kPi, kPi);
  BoxSpec box;
  box.size = who.scale * Vec3(0.8, 0.8, 1.0);
  box.mass = who.weight * haul.mass;
  box.friction = kFriction * kFriction / kSoles;  // with the ground's: their geometric mean
  const auto crate = shop.add(box, from, yaw);
  Task move = task_at(haul.kind, from + rotated(Vec2(kWay, 0), random.uniform(-kPi, kPi)), crate);
  move.turned = true;
  move.heading = yaw + random.uniform(-0.5, 0.5);
  const WorkRun run = shop.work({move}, kLonger);
  const Pose at = shop.pose_of(crate);
  const double missed = (at.position - move.point).head<2>().norm();
  const double off = std::abs(wrap_angle(heading_of(at.rotation) - move.heading));
  return run.up && run.done == 1 && missed <= 0.2 && off <= kPi / 18;
}

namespace {

void plan_hauls(ReportPlan& plan, const WorkLibrary& library_of) {
  const Haul all[] = {
      {"push-crate-20", TaskKind::kPushTo, 20},   {"push-crate-50", TaskKind::kPushTo, 50},
      {"push-crate-100", TaskKind::kPushTo, 100}, {"push-crate-150", TaskKind::kPushTo, 150, 80},
      {"pull-crate-20", TaskKind::kPullTo, 20},   {"pull-crate-50", TaskKind::kPullTo, 50},
      {"pull-crate-65", TaskKind::kPullTo, 65},   {"pull-crate-80", TaskKind::kPullTo, 80},
      {"pull-crate-100", TaskKind::kPullTo, 100}, {"pull-crate-150", TaskKind::kPullTo, 150, 80}};
  for (const Haul& haul : all) {
    if (!plan.wants(haul.id)) continue;
    const auto library = library_of();
    plan_share(
        plan, plan.trials(kTrials), 60,
        [=, &plan](int i) { return hauls(library, haul, plan.seed_of(haul.id, i)); },
        {haul.id,
         formatted("a crate of %.0f kg on friction 0.2 %s 5 m and turned by up to 30 degrees: "
                   "within 0.2 m and 10 degrees",
                   haul.mass, haul.kind == TaskKind::kPushTo ? "pushed" : "pulled"),
         "80 kg", "", "", ""},
        haul.asked);
  }
}

/// One trial of a task with each body in each style.
void plan_pairs(ReportPlan& plan, const std::string& id, const std::string& what,
                const WorkLibrary& library_of,
                const std::function<bool(const std::shared_ptr<const Library>&, const Somebody&,
                                         std::uint64_t)>& does) {
  if (!plan.wants(id)) return;
  const auto library = library_of();
  std::vector<Somebody> all;
  for (const std::string& body : biped_names(library->bodies())) {
    for (const std::string& style : library->styles().names())
      all.push_back(somebody(*library, body, style));
  }
  // A quick report takes every few of them, each time others.
  const int count = plan.trials(int(all.size()));
  const int apart = int(all.size()) / count;
  plan_share(
      plan, count, 60,
      [=, &plan](int i) {
        const std::uint64_t seed = plan.seed_of(id, i);
        const std::size_t at = std::size_t(i * apart) + seed % std::size_t(apart);
        return does(library, all[at], seed);
      },
      {id, formatted("%s, scaled by the body: %d pairs of body and style", what.c_str(), count),
       "3 bodies", "", "", ""},
      90);
}

void plan_everybodys_work(ReportPlan& plan, const WorkLibrary& library_of) {
  plan_pairs(plan, "everybody-reaches", "a hand to a point 0.3 to 1.7 m high", library_of,
             [](const auto& library, const Somebody& who, std::uint64_t seed) {
               const double height = Random::stream(seed, 0x6e17ULL).uniform(0.3, 1.7);
               return reaches(library, who, height, 0, seed);
             });
  plan_pairs(plan, "everybody-lifts",
             "a crate of 5 kg carried 10 m and put down within 5 cm, on tables where arms do "
             "not come down to the ground",
             library_of, carries);
  plan_pairs(plan, "everybody-pushes", "a crate of 20 kg on friction 0.2 pushed 5 m", library_of,
             [](const auto& library, const Somebody& who, std::uint64_t seed) {
               return hauls(library, {"", TaskKind::kPushTo, 20}, seed, who);
             });
}

}  // namespace

void plan_work(ReportPlan& plan) {
  plan.begin_section("Hands");
  std::shared_ptr<const Library> loaded;
  const WorkLibrary library = [&] {
    if (!loaded) loaded = trial::workshop_library(plan.options.data_dir);
    return loaded;
  };
  plan_reaches(plan, library);
  plan_other_reaches(plan, library);
  plan_lifts(plan, library);
  plan_hauls(plan, library);
  plan_everybodys_work(plan, library);
}

}  // namespace promenade::study
