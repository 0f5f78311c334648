// Several skills one after another: handing over, and all of Coros2010 figure 12.
#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "math/random.h"
#include "math/rotation.h"
#include "study/report/plan.h"
#include "study/trial/rig/rollout.h"
#include "study/trial/rig/workshop.h"
#include "world/showing/snapshot.h"

namespace promenade::study {
namespace {

using behaviour::tasks::Task;
using behaviour::tasks::TaskKind;
using trial::BoxSpec;
using trial::task;
using trial::task_at;
using trial::Workshop;
using world::CharacterId;
using world::RoomEvent;

constexpr int kTrials = 100;
constexpr double kSettlesFor = 1.5;  // s, before the work begins
constexpr double kHeldFor = 2;       // s, of standing with it in the end

/// How a list of tasks went.
struct ChainRun {
  int done = 0;  // tasks of the worker that were done
  bool fell = false, failed = false, dropped = false;

  bool ok(int tasks) const { return done == tasks && !fell && !failed && !dropped; }
};

/// Runs until somebody's tasks are over, somebody falls, something fails or the time is up, and a
/// while on.
/// @param low  whether what is carried is lower than anybody holds it
ChainRun run_chain(Workshop& shop, CharacterId who, const std::vector<Task>& tasks, double seconds,
                   const std::function<bool()>& low) {
  world::Room& room = shop.room();
  ChainRun out;
  shop.apply(world::SetTasks{who, tasks, true, false});
  bool lifted = false;
  const auto look = [&](const RoomEvent& event) {
    out.fell = out.fell || event.kind == RoomEvent::Kind::kFell;
    out.failed = out.failed || event.kind == RoomEvent::Kind::kTaskFailed;
    if (event.kind == RoomEvent::Kind::kTaskDone && event.character == who) ++out.done;
  };
  const int ticks = int(seconds / room.tick_seconds());
  const int after = int(kHeldFor / room.tick_seconds());
  const bool puts_down = tasks.back().kind == TaskKind::kPutDown;
  for (int i = 0, over = 0; i < ticks && over < after && !out.fell && !out.failed; ++i) {
    for (const RoomEvent& event : room.tick()) look(event);
    lifted = lifted || out.done > 0;
    const bool all = out.done == int(tasks.size());
    if (lifted && !puts_down && low()) out.dropped = true;
    over += all;
  }
  return out;
}

void settle(Workshop& shop) {
  const int ticks = int(kSettlesFor / shop.room().tick_seconds());
  for (int i = 0; i < ticks; ++i) shop.room().tick();
}

struct HandingRun {
  bool handed = false, put_down = false;
};

/// One lifts a box, brings it to the other and hands it over; the other then puts it down.
HandingRun hands_over(const std::shared_ptr<const Library>& library, double mass,
                      std::uint64_t seed) {
  constexpr double kLow = 0.5;  // m
  Random random(seed);
  Workshop shop(library, "human", "normal", seed);
  const Vec2 from = rotated(Vec2(random.uniform(1.2, 2.5), 0), random.uniform(-kPi, kPi));
  Vec2 to;
  do {
    to = rotated(Vec2(random.uniform(2.0, 4.5), 0), random.uniform(-kPi, kPi));
  } while ((to - from).norm() < 1.5);
  const CharacterId taker = shop.spawn("human", "normal", to, random.uniform(-kPi, kPi));
  BoxSpec box;
  box.mass = mass;
  const CharacterId crate = shop.add(box, from, random.uniform(-kPi, kPi));
  settle(shop);
  Task hand = task(TaskKind::kHandOver);
  hand.somebody = taker;
  const auto height = [&] { return shop.pose_of(crate).position.z(); };
  HandingRun out;
  ChainRun run = run_chain(shop, Workshop::kWorker, {task(TaskKind::kPickUp, crate), hand}, 90,
                           [&] { return height() < kLow; });
  out.handed = run.ok(2) && height() > kLow;
  if (!out.handed) return out;
  const Vec2 end = to + rotated(Vec2(random.uniform(1.5, 3), 0), random.uniform(-kPi, kPi));
  run = run_chain(shop, taker, {task_at(TaskKind::kPutDown, end)}, 60, [] { return false; });
  out.put_down = run.ok(1) && (shop.pose_of(crate).position.head<2>() - end).norm() <= 0.05;
  return out;
}

void plan_handing(ReportPlan& plan, double mass, const std::string& id, const std::string& put_id) {
  if (!plan.wants(id) && !plan.wants(put_id)) return;
  const auto library = trial::workshop_library(plan.options.data_dir);
  auto runs = std::make_shared<std::vector<HandingRun>>(std::size_t(plan.trials(kTrials)));
  for (std::size_t i = 0; i < runs->size(); ++i) {
    plan.job(
        [=, &plan] { (*runs)[i] = hands_over(library, mass, plan.seed_of("hand-over", int(i))); },
        60);
  }
  plan.finish([=, &plan](std::vector<ReportRow>& rows, std::string&) {
    int handed = 0, put = 0;
    for (std::size_t i = 0; i < runs->size(); ++i) {
      const HandingRun& run = (*runs)[i];
      handed += run.handed;
      put += run.put_down;
    }
    const double count = double(runs->size());
    if (plan.wants(id))
      rows.push_back(rate_row(
          id, formatted("a crate of %.0f kg lifted and handed over to somebody else", mass), "", 95,
          100 * handed / count));
    if (plan.wants(put_id))
      rows.push_back(rate_row(put_id, "the same, and put down by them 1.5 to 3 m off, within 5 cm",
                              "", 95, 100 * put / count));
  });
}

constexpr int kCourses = 20;  // courses drawn; each trial goes one, from a start of its own
constexpr int kCourseStairs = 3, kCourseBars = 2;
constexpr double kTreadDeep = 0.3;  // m, of stairs
constexpr double kBroad = 4;        // m, of all that the course has

/// Stairs up to a platform with obstacles across it, for somebody who starts at the origin. m
struct ChainCourse {
  double edge = 0;    // of the first stair along x
  double top = 0;     // height of the platform
  double begins = 0;  // along x, where nothing is in the way on it
  double ends = 0;    // where to stop
  v1::Scene scene;
};

void add_block(v1::Scene& scene, double near, double far, double bottom, double top) {
  v1::Block& block = *scene.add_blocks();
  for (const double v : {0.5 * (near + far), 0.0, 0.5 * (bottom + top)}) block.add_center_m(v);
  for (const double v : {far - near, kBroad, top - bottom}) block.add_size_m(v);
  block.set_floor(true);
}

ChainCourse draw_course(const std::string& name, double scale, std::uint64_t seed) {
  constexpr double kRise = 0.15, kBar = 0.2;  // m: Coros2010
  Random random = Random::stream(seed, 0xc0f5ULL);
  ChainCourse out;
  out.scene.set_name(name);
  out.scene.set_title("Stairs and obstacles");
  out.scene.set_get_up_delay_s(-1);
  out.edge = random.uniform(4.5, 6.5);
  const double platform = out.edge + (kCourseStairs - 1) * kTreadDeep;
  out.top = kCourseStairs * kRise;
  out.begins = platform + 1;
  double at = platform + random.uniform(2.2, 3.5);
  std::vector<std::array<double, 2>> bars;
  for (int i = 0; i < kCourseBars; ++i) {
    bars.push_back({at, at + random.uniform(0.05, 0.2)});
    at = bars.back()[1] + random.uniform(1.2, 2.2);
  }
  out.ends = at + 0.5;
  for (int i = 0; i < kCourseStairs; ++i) {
    const double near = out.edge + i * kTreadDeep;
    const double far = i + 1 < kCourseStairs ? near + kTreadDeep : out.ends + 3;
    add_block(out.scene, scale * near, scale * far, 0, scale * (i + 1) * kRise);
  }
  for (const auto& [near, far] : bars)
    add_block(out.scene, scale * near, scale * far, scale * out.top, scale * (out.top + kBar));
  for (double* length : {&out.edge, &out.top, &out.begins, &out.ends}) *length *= scale;
  return out;
}

ChainRun goes_all(const std::shared_ptr<const Library>& library, const ChainCourse& course,
                  const std::string& body, double scale, double mass, std::uint64_t seed) {
  Random random(seed);
  Workshop shop(library, course.scene.name(), seed);
  const Vec2 start(random.uniform(-0.5, 0.5), random.uniform(-0.5, 0.5));
  shop.spawn(body, "normal", scale * start, random.uniform(-kPi, kPi));
  const Vec2 from = scale * Vec2(random.uniform(1.3, 2.3), random.uniform(-0.6, 0.6));
  BoxSpec box;
  box.size *= scale;
  box.mass = mass;
  const CharacterId crate = shop.add(box, from, random.uniform(-kPi, kPi));
  settle(shop);
  Task stop = task_at(TaskKind::kGoTo, Vec2(course.ends, 0));
  stop.turned = true;
  const double speed = random.uniform(0.4, 0.7) * std::sqrt(scale);
  std::vector<Task> tasks{task(TaskKind::kPickUp, crate),
                          task_at(TaskKind::kGoTo, Vec2(course.edge - 1.2 * scale, 0)),
                          task_at(TaskKind::kClimb, Vec2(course.begins, 0)), stop};
  for (std::size_t i = 1; i < tasks.size(); ++i) tasks[i].speed = speed;
  const auto low = [&] {
    const Vec3 at = shop.pose_of(crate).position;
    const double ground = at.x() > course.begins ? course.top : 0;
    return at.z() < ground + 0.5 * scale;
  };
  ChainRun run = run_chain(shop, Workshop::kWorker, tasks, 120, low);
  const Pose end = shop.pose_of(Workshop::kWorker);
  if (run.ok(4) && end.position.x() < course.ends - 0.5 * scale) run.failed = true;
  return run;
}

struct Figure12 {
  std::string id, body;
  double mass = 15;  // kg, of a human
  double asked = 95;
};

void plan_figure12(ReportPlan& plan, const Figure12& row) {
  if (!plan.wants(row.id)) return;
  const auto human = trial::Walker::of(*plan.library, "human", "normal");
  const auto walker = trial::Walker::of(*plan.library, row.body, "normal");
  const double scale = walker.body->leg_scale();
  const double mass = row.mass * walker.body->total_mass / human.body->total_mass;
  auto courses = std::make_shared<std::vector<ChainCourse>>();
  std::vector<v1::Scene> scenes;
  for (int k = 0; k < kCourses; ++k) {
    courses->push_back(
        draw_course("chain-" + std::to_string(k), scale, plan.seed_of("figure-12-course", k)));
    scenes.push_back(courses->back().scene);
  }
  const auto library = trial::workshop_library(plan.options.data_dir, scenes);
  auto runs = std::make_shared<std::vector<ChainRun>>(std::size_t(plan.trials(kTrials)));
  for (std::size_t i = 0; i < runs->size(); ++i) {
    plan.job(
        [=, &plan] {
          (*runs)[i] = goes_all(library, (*courses)[i % kCourses], row.body, scale, mass,
                                plan.seed_of(row.id, int(i)));
        },
        60);
  }
  plan.finish([=](std::vector<ReportRow>& rows, std::string&) {
    int good = 0;
    std::array<int, 5> through{};
    for (std::size_t i = 0; i < runs->size(); ++i) {
      const ChainRun& run = (*runs)[i];
      good += run.ok(4);
      for (int k = 0; k <= run.done; ++k) ++through[std::size_t(k)];
    }
    const double share = 100.0 / double(runs->size());
    rows.push_back(rate_row(
        row.id,
        formatted(
            "%s: walks to a crate of %.1f kg, picks it up, climbs %d stairs of %.0f cm, steps "
            "over %d obstacles of %.0f cm and stops; picked up in %.0f %%, up the stairs in "
            "%.0f %%",
            row.body.c_str(), mass, kCourseStairs, 15 * scale, kCourseBars, 20 * scale,
            share * through[1], share * through[3]),
        "shown", row.asked, share * good));
  });
}

}  // namespace

void plan_chains(ReportPlan& plan) {
  plan_handing(plan, 5, "hand-over", "hand-over-put-down");
  plan_figure12(plan, {"figure-12", "human", 15});
  plan_figure12(plan, {"figure-12-5", "human", 5});
  for (const char* body : {"giant", "athlete", "lanky", "stout"})
    plan_figure12(plan, {std::string("figure-12-body-") + body, body, 5});
}

}  // namespace promenade::study
