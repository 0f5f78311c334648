// A character that becomes light, or full again, is drawn as before.
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "creature/biped/biped.h"
#include "math/random.h"
#include "math/rotation.h"
#include "math/statistics.h"
#include "study/report/plan.h"
#include "study/trial/link_poses.h"
#include "world/room.h"

namespace promenade::study {
namespace {

constexpr int kChanges = 1000;
constexpr int kPerRoom = 40;   // changes of one walker
constexpr double kSteady = 4;  // s, until it walks

/// What is drawn before a change less what is drawn after, at most.
struct Jumps {
  double joint = 0;          // rad
  double com = 0, foot = 0;  // m
  int falls = 0;
  /// rad, that a joint goes in a tick otherwise than in the one before, at most: with a change
  /// between the two, and in the tick before that.
  std::vector<double> with, without;
};

/// What of one character is compared.
struct Drawn {
  std::vector<float> joints;
  Vec3 com = Vec3::Zero();
  std::array<Vec3, 2> feet;
};

Drawn drawn_of(const world::Room& room) {
  const auto snapshot = room.snapshot();
  const world::CharacterSnapshot& one = snapshot->characters.front();
  const auto& entry = snapshot->roster->entries.front();
  const auto& creature = *snapshot->roster->bodies[std::size_t(entry.body)];
  Drawn out;
  out.joints = snapshot->coordinates;
  std::vector<Pose> links;
  trial::place_links(
      *creature.model, one.root, [&](std::size_t k) { return double(out.joints[k]); }, links);
  double mass = 0;
  for (std::size_t i = 0; i < links.size(); ++i) {
    const double m = creature.model->links[i].mass;
    out.com += m * links[i].position;
    mass += m;
  }
  out.com /= mass;
  const Biped biped = biped_of(creature).value();
  for (std::size_t side = 0; side < 2; ++side)
    out.feet[side] = links[std::size_t(biped.link[kLeftFoot + side])].position;
  return out;
}

double most_between(const Drawn& a, const Drawn& b, const Drawn& c) {
  double most = 0;
  for (std::size_t k = 0; k < a.joints.size(); ++k) {
    const double first = wrap_angle(double(b.joints[k] - a.joints[k]));
    const double second = wrap_angle(double(c.joints[k] - b.joints[k]));
    most = std::max(most, std::abs(second - first));
  }
  return most;
}

Jumps change_levels(const std::shared_ptr<const Library>& library, const std::string& body,
                    const std::string& style, std::uint64_t seed) {
  world::RoomSettings settings;
  settings.scene = "one";
  settings.seed = seed;
  world::Room room(library, settings);
  for (const auto& one : room.snapshot()->characters) room.apply(world::Remove{one.id});
  Random random(seed);
  world::Spawn spawn{};
  spawn.body = body;
  spawn.style = style;
  spawn.position = Vec2::Zero();
  const world::CommandResult made = room.apply(spawn);
  if (made.error) throw std::runtime_error(made.error->message);
  const world::CharacterId id = made.character;
  const auto run = [&](double seconds) {
    int falls = 0;
    for (int i = 0; i < int(seconds / room.tick_seconds()); ++i) {
      for (const world::RoomEvent& event : room.tick())
        falls += event.kind == world::RoomEvent::Kind::kFell;
    }
    return falls;
  };
  const auto walk = [&] {
    const double scale = std::sqrt(library->find_creature(body)->body->leg_scale());
    room.apply(world::SetVelocity{
        id, Vec2(scale * random.uniform(0.2, 1.3), scale * random.uniform(-0.1, 0.1)),
        world::Frame::kCharacter});
  };
  walk();
  Jumps out;
  run(kSteady);
  for (int i = 0; i < kPerRoom; ++i) {
    if (i % 8 == 7) walk();
    const int falls = run(random.uniform(0.6, 1.6));
    out.falls += falls;
    if (falls > 0) {
      run(kSteady + 3);
      walk();
      run(kSteady);
    }
    const Drawn one = drawn_of(room);
    room.tick();
    const Drawn two = drawn_of(room);
    room.tick();
    const Drawn before = drawn_of(room);
    room.apply(world::SetController{id, i % 2 == 0 ? "pendulum" : "gbwc"});
    const Drawn after = drawn_of(room);
    for (std::size_t k = 0; k < before.joints.size(); ++k) {
      const double turned = wrap_angle(double(after.joints[k] - before.joints[k]));
      out.joint = std::max(out.joint, std::abs(turned));
    }
    out.com = std::max(out.com, (after.com - before.com).norm());
    for (std::size_t side = 0; side < 2; ++side)
      out.foot = std::max(out.foot, (after.feet[side] - before.feet[side]).norm());
    room.tick();
    out.without.push_back(most_between(one, two, before));
    out.with.push_back(most_between(two, after, drawn_of(room)));
  }
  return out;
}

}  // namespace

void plan_pendulum_levels(ReportPlan& plan) {
  const char* const ids[] = {"level-joints", "level-mass", "level-feet", "level-ticks",
                             "level-falls"};
  if (std::none_of(std::begin(ids), std::end(ids), [&](const char* id) { return plan.wants(id); }))
    return;
  const int rooms = plan.trials(kChanges / kPerRoom);
  auto all = std::make_shared<std::vector<Jumps>>(std::size_t(rooms));
  const char* const bodies[] = {"human", "athlete", "lanky", "stout", "child"};
  const char* const styles[] = {"normal", "stroll", "lean_forward"};
  for (int i = 0; i < rooms; ++i) {
    plan.job(
        [=, library = plan.library, body = std::string(bodies[i % 5]),
         style = std::string(styles[i % 3]), seed = plan.seed_of("levels", i)] {
          (*all)[std::size_t(i)] = change_levels(library, body, style, seed);
        },
        60);
  }
  plan.finish([=, &plan](std::vector<ReportRow>& rows, std::string&) {
    Jumps worst;
    for (const Jumps& one : *all) {
      worst.joint = std::max(worst.joint, one.joint / kRadFromDeg);
      worst.com = std::max(worst.com, 100 * one.com);
      worst.foot = std::max(worst.foot, 100 * one.foot);
      worst.falls += one.falls;
      worst.with.insert(worst.with.end(), one.with.begin(), one.with.end());
      worst.without.insert(worst.without.end(), one.without.begin(), one.without.end());
    }
    const auto add = [&](const char* id, const std::string& claim, double asked, double got,
                         const char* unit) {
      if (!plan.wants(id)) return;
      ReportRow row;
      row.id = id;
      row.claim = claim;
      row.asked = asked;
      row.got = got;
      row.unit = unit;
      row.holds = got <= asked;
      rows.push_back(std::move(row));
    };
    add("level-joints",
        formatted("%d changes between full physics and light at any moment of walks at 0.2 to 1.3 "
                  "m/s, five bodies, three styles: the most that a joint is drawn elsewhere",
                  rooms * kPerRoom),
        3, worst.joint, "degrees");
    add("level-mass", "the same: the centre of mass", 1, worst.com, "cm");
    add("level-feet", "the same: a foot", 0.5, worst.foot, "cm");
    add("level-ticks",
        formatted("the same: in 99 of 100 the joints' motion of a tick differs from that of the "
                  "tick before by no more than; without a change %.1f; half of them %.2f, without "
                  "%.2f",
                  percentile(worst.without, 99) / kRadFromDeg,
                  percentile(worst.with, 50) / kRadFromDeg,
                  percentile(worst.without, 50) / kRadFromDeg),
        3, percentile(worst.with, 99) / kRadFromDeg, "degrees");
    add("level-falls", "the same: falls", 0, worst.falls, "");
  });
}

}  // namespace promenade::study
