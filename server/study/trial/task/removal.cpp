#include "study/trial/task/removal.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

#include "math/random.h"
#include "math/rotation.h"
#include "study/trial/rig/workshop.h"
#include "world/showing/snapshot.h"

namespace promenade::trial {
namespace {

using behaviour::tasks::Task;
using behaviour::tasks::TaskKind;
using world::CharacterId;
using world::RoomEvent;

constexpr double kSettles = 1.5;      // s, before the work begins
constexpr double kPeopleApart = 1.2;  // m
constexpr double kAskew = 0.1;        // rad, of boxes in a stack
constexpr int kLooksEvery = 6;        // ticks
constexpr double kSank = 0.08;        // m, by which a box that nobody holds may sink
constexpr double kTilted = 0.6;       // rad, by which such a box may tilt
constexpr double kBeside = 0.15;      // m, from its place

/// Whether a box falls while nobody holds it.
struct Watched {
  CharacterId box = 0;
  bool held = false, fell = false;
  double rests_at = 0;  // m, when nobody holds it
  Vec2 goal = Vec2::Zero();
  double goal_height = 0;  // m, of its middle

  void look(const Pose& pose, bool holds) {
    if (holds) fell = false;
    if (holds || held) rests_at = pose.position.z();
    held = holds;
  }
  /// @return whether it has just begun to fall
  bool falls(const Pose& pose) {
    const double upright = pose.rotation.toRotationMatrix().row(2).cwiseAbs().maxCoeff();
    const bool now = !held && (pose.position.z() < rests_at - kSank || upright < std::cos(kTilted));
    return now && !std::exchange(fell, true);
  }
};

Task carry(const Watched& box, CharacterId on) {
  Task out;
  out.kind = TaskKind::kCarry;
  out.thing = box.box;
  out.on = on;
  if (on == 0) {
    out.point.head<2>() = box.goal;
    out.coordinates = 2;
  }
  return out;
}

Vec2 start_place(Random& random, std::vector<Vec2>& taken) {
  for (;;) {
    Vec2 at(random.uniform(-2, 2), random.uniform(-3, 3));
    const bool free = std::all_of(taken.begin(), taken.end(), [&](const Vec2& other) {
      return (other - at).norm() > kPeopleApart;
    });
    if (!free) continue;
    taken.push_back(at);
    return at;
  }
}

}  // namespace

RemovalRun remove_boxes(const std::shared_ptr<const Library>& library, const RemovalSpec& spec,
                        std::uint64_t seed, double longest) {
  Random random = Random::stream(seed, 0x5e30ULL);
  std::vector<Vec2> taken;
  Workshop shop(library, seed, true);
  for (int i = 0; i < spec.people; ++i)
    shop.spawn("human", "normal", start_place(random, taken), random.uniform(-kPi, kPi));
  BoxSpec box;
  box.size.setConstant(spec.side);
  box.mass = spec.mass;
  std::vector<Watched> boxes;
  std::vector<std::vector<Task>> piles;
  for (int s = 0; s < spec.stacks; ++s) {
    const double across = spec.between * (s - 0.5 * (spec.stacks - 1));
    const Vec2 goal(0.5 * spec.way, across + random.uniform(-0.1, 0.1));
    std::vector<Task>& pile = piles.emplace_back();
    const std::size_t first = boxes.size();
    for (int k = 0; k < spec.high; ++k) {
      Watched one;
      one.box = shop.add(box, Vec2(-0.5 * spec.way, across), random.uniform(-kAskew, kAskew));
      one.goal = goal;
      one.rests_at = spec.side * (k + 0.5);
      one.goal_height = spec.side * (spec.high - k - 0.5);
      boxes.push_back(one);
    }
    for (int k = spec.high - 1; k >= 0; --k) {
      const std::size_t i = first + std::size_t(k);
      pile.push_back(carry(boxes[i], k == spec.high - 1 ? 0 : boxes[i + 1].box));
    }
  }
  // Each pile from its top, and the piles in any order.
  world::ShareTasks share;
  for (int i = 0; i < spec.people; ++i) share.characters.push_back(CharacterId(i + 1));
  std::vector<std::size_t> next(piles.size(), 0);
  while (share.tasks.size() < boxes.size()) {
    const auto s = std::size_t(random.uniform(0, double(piles.size()) - 1e-9));
    if (next[s] < piles[s].size()) share.tasks.push_back(piles[s][next[s]++]);
  }
  world::Room& room = shop.room();
  const double dt = room.tick_seconds();
  for (int i = 0; i < int(kSettles / dt); ++i) room.tick();
  shop.apply(share);
  RemovalRun out;
  const auto note = [&](const std::string& text) {
    char when[32];
    std::snprintf(when, sizeof when, "%.1f s: ", out.seconds);
    out.told.push_back(when + text);
  };
  bool over = false;
  while (!over && out.seconds < longest) {
    for (const RoomEvent& event : room.tick()) {
      note(event.text);
      over = over || event.kind == RoomEvent::Kind::kSharedTasksDone;
      out.falls += event.kind == RoomEvent::Kind::kFell;
    }
    out.seconds += dt;
    if (!over && room.tick_count() % kLooksEvery != 0) continue;
    const auto snapshot = room.make_snapshot(false);
    for (Watched& one : boxes) {
      const auto& ties = snapshot->roster->ties;
      const bool holds = std::any_of(ties.begin(), ties.end(),
                                     [&](const auto& tie) { return tie.b.id == one.box; });
      const Pose pose = shop.pose_of(one.box);
      one.look(pose, holds);
      if (!one.falls(pose)) continue;
      ++out.dropped;
      note("box " + std::to_string(one.box) + " falls");
    }
  }
  bool placed = true;
  for (const Watched& one : boxes) {
    const Vec3 at = shop.pose_of(one.box).position;
    const double missed = (at.head<2>() - one.goal).norm();
    out.missed = std::max(out.missed, missed);
    placed = placed && missed < kBeside && std::abs(at.z() - one.goal_height) < kSank;
  }
  out.done = over && placed;
  return out;
}

}  // namespace promenade::trial
