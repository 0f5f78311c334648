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
#include "promenade/v1/checkpoint.pb.h"
#include "study/report/plan.h"
#include "study/trial/rig/link_poses.h"
#include "world/room/room.h"

namespace promenade::study {
namespace {

constexpr int kChanges = 1000;
constexpr int kPerRoom = 40;       // changes of level of one walker
constexpr double kSteady = 4;      // s, until it walks
constexpr int kLongestWait = 240;  // ticks, for a step

/// How the drawn pose goes on where the level changes. A change is at a tick's end; without one, a
/// body moves in a tick as in the tick before but for what its muscles and the ground do.
struct Changes {
  int falls = 0;
  /// How far joints (rad), the centre of mass and feet (m) are apart, at most.
  struct Jump {
    double joint = 0, com = 0, foot = 0;
    void widen(const Jump& other) {
      joint = std::max(joint, other.joint);
      com = std::max(com, other.com);
      foot = std::max(foot, other.foot);
    }
  };
  std::vector<Jump> with, without;  // by which a tick goes otherwise than the one before
  std::vector<Jump> off;  // in the first tick of the new level, from what the old one would draw
};

/// The part of a character's state that is compared.
struct LevelPose {
  std::vector<float> joints;
  Vec3 com = Vec3::Zero();
  std::array<Vec3, 2> feet;
  bool light = false;
};

LevelPose level_pose(const world::Room& room) {
  const auto snapshot = room.snapshot();
  const world::CharacterSnapshot& one = snapshot->characters.front();
  const auto& entry = snapshot->roster->entries.front();
  const auto& creature = *snapshot->roster->bodies[std::size_t(entry.body)];
  LevelPose out;
  out.light = (one.flags & world::kFlagLight) != 0;
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

/// How far c is from where b would go on to, having come from a.
Changes::Jump jump_between(const LevelPose& a, const LevelPose& b, const LevelPose& c) {
  Changes::Jump most;
  for (std::size_t k = 0; k < a.joints.size(); ++k) {
    const double first = wrap_angle(double(b.joints[k] - a.joints[k]));
    const double second = wrap_angle(double(c.joints[k] - b.joints[k]));
    most.joint = std::max(most.joint, std::abs(second - first));
  }
  most.com = (c.com - 2 * b.com + a.com).norm();
  for (std::size_t side = 0; side < 2; ++side)
    most.foot = std::max(most.foot, (c.feet[side] - 2 * b.feet[side] + a.feet[side]).norm());
  return most;
}

Changes::Jump between(const LevelPose& a, const LevelPose& b) {
  Changes::Jump most;
  for (std::size_t k = 0; k < a.joints.size(); ++k)
    most.joint = std::max(most.joint, std::abs(wrap_angle(double(b.joints[k] - a.joints[k]))));
  most.com = (b.com - a.com).norm();
  for (std::size_t side = 0; side < 2; ++side)
    most.foot = std::max(most.foot, (b.feet[side] - a.feet[side]).norm());
  return most;
}

/// The last poses of a room.
struct Film {
  std::array<LevelPose, 4> poses;
  void take(const world::Room& room) {
    std::rotate(poses.begin(), poses.begin() + 1, poses.end());
    poses.back() = level_pose(room);
  }
  /// The greater of the jumps in the last two ticks.
  Changes::Jump jump() const {
    Changes::Jump most = jump_between(poses[0], poses[1], poses[2]);
    most.widen(jump_between(poses[1], poses[2], poses[3]));
    return most;
  }
};

Changes change_levels(const std::shared_ptr<const Library>& library, const std::string& body,
                      const std::string& style, std::uint64_t seed) {
  world::RoomSettings settings;
  settings.scene = "one";
  settings.seed = seed;
  world::Room room(library, settings), other(library, settings);  // the other stays as it is
  const auto before = room.snapshot();
  for (const auto& one : before->characters) room.apply(world::Remove{one.id});
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
  Changes out;
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
    Film film;
    for (std::size_t k = 0; k < film.poses.size(); ++k) {
      room.tick();
      film.take(room);
    }
    Film unchanged = film;
    if (const auto error = other.restore(room.save())) throw std::runtime_error(error->message);
    const world::CommandResult told =
        room.apply(world::SetLevel{id, i % 2 == 0 ? world::Level::kLight : world::Level::kPhysics});
    if (told.error) throw std::runtime_error(told.error->message);
    const auto tick = [&] {
      room.tick();
      other.tick();
      film.take(room);
      unchanged.take(other);
    };
    bool changed = false;
    for (int wait = 0; wait < kLongestWait && !changed; ++wait) {
      tick();
      changed = film.poses[2].light != film.poses[3].light;
    }
    if (!changed) continue;  // it fell
    tick();
    out.with.push_back(film.jump());
    out.without.push_back(unchanged.jump());
    out.off.push_back(between(unchanged.poses.back(), film.poses.back()));
  }
  return out;
}

}  // namespace

void plan_pendulum_levels(ReportPlan& plan) {
  const char* const ids[] = {"level-joints",     "level-mass",     "level-feet",    "level-falls",
                             "level-off-joints", "level-off-mass", "level-off-feet"};
  if (std::none_of(std::begin(ids), std::end(ids), [&](const char* id) { return plan.wants(id); }))
    return;
  const int rooms = plan.trials(kChanges / kPerRoom);
  auto all = std::make_shared<std::vector<Changes>>(std::size_t(rooms));
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
    using Value = double Changes::Jump::*;
    const auto jumps = [&](Value value, std::vector<Changes::Jump> Changes::*list) {
      std::vector<double> out;
      for (const Changes& one : *all)
        for (const Changes::Jump& jump : one.*list) out.push_back(jump.*value);
      return out;
    };
    const auto add = [&](const char* id, std::string claim, double asked, double got,
                         const char* unit) {
      if (!plan.wants(id)) return;
      ReportRow row;
      row.id = id;
      row.claim = std::move(claim);
      row.asked = asked;
      row.got = got;
      row.unit = unit;
      row.holds = got <= asked;
      rows.push_back(std::move(row));
    };
    const auto add_jump = [&](const char* id, const std::string& what, Value value, double scale,
                              double asked, const char* unit) {
      std::vector<double> with = jumps(value, &Changes::with);
      std::vector<double> without = jumps(value, &Changes::without);
      add(id,
          formatted("%s goes in a tick otherwise than in the tick before, 99 of 100 at most; half "
                    "of them %.2f; in the same ticks without the change 99 of 100 %.2f, half %.2f",
                    what.c_str(), scale * percentile(with, 50), scale * percentile(without, 99),
                    scale * percentile(without, 50)),
          asked, scale * percentile(with, 99), unit);
    };
    const auto add_off = [&](const char* id, const char* what, Value value, double scale,
                             double asked, const char* unit) {
      std::vector<double> off = jumps(value, &Changes::off);
      add(id,
          formatted("the same: in the first tick of the new level %s is from where the old level "
                    "would draw it, 99 of 100 at most; half of them %.2f",
                    what, scale * percentile(off, 50)),
          asked, scale * percentile(off, 99), unit);
    };
    std::size_t count = 0;
    int falls = 0;
    for (const Changes& one : *all) count += one.with.size(), falls += one.falls;
    add_jump("level-joints",
             formatted("%zu changes between full physics and light, walks at 0.2 to 1.3 m/s, five "
                       "bodies, three styles: a joint",
                       count),
             &Changes::Jump::joint, 1 / kRadFromDeg, 3, "degrees");
    add_jump("level-mass", "the same: the centre of mass", &Changes::Jump::com, 100, 1, "cm");
    add_jump("level-feet", "the same: a foot", &Changes::Jump::foot, 100, 0.5, "cm");
    add_off("level-off-joints", "a joint", &Changes::Jump::joint, 1 / kRadFromDeg, 3, "degrees");
    add_off("level-off-mass", "the centre of mass", &Changes::Jump::com, 100, 1, "cm");
    add_off("level-off-feet", "a foot", &Changes::Jump::foot, 100, 0.5, "cm");
    add("level-falls", "the same: falls", 0, falls, "");
  });
}

}  // namespace promenade::study
