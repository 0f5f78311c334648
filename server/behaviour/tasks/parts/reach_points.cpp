#include "behaviour/tasks/parts/reach_points.h"

#include <algorithm>
#include <cmath>

#include "behaviour/tasks/parts/box_sides.h"
#include "behaviour/tasks/parts/reach_place.h"
#include "math/rotation.h"

namespace promenade::behaviour::tasks {
namespace {

/// The nearest point of a thing, link frame.
Vec3 nearest_of(const ThingSeen& thing, const Vec3& world) {
  const Vec3 from = thing.in_link(world);
  if (thing.round) return thing.center + thing.half.x() * (from - thing.center).normalized();
  return from.cwiseMax(thing.center - thing.half).cwiseMin(thing.center + thing.half);
}

}  // namespace

bool rolls(const Now& now, const ThingSeen& thing) {
  const v1::ReachPointsParameters& p = now.parameters.reach_points();
  return thing.omega.norm() > p.rolls_radps();
}

double beside_from(const Now& now) {
  const v1::ReachPointsParameters& p = now.parameters.reach_points();
  return p.walks_beside_mps() * now.slow();
}

void ReachPoints::choose(const Now& now, const Task& task, const ThingSeen& thing,
                         const Vec2& drift) {
  const bool nearest = task.thing != 0 && task.coordinates == 0;
  at_[0] = nearest ? nearest_of(thing, now.body.chest()) : task.point;
  at_[1] = at_[0];
  choose_hand(now, task, thing, drift, false);
  if (nearest && task.hand == HandChoice::kBoth) choose_two_sides(now, thing);
}

void ReachPoints::choose_hand(const Now& now, const Task& task, const ThingSeen& thing,
                              const Vec2& drift, bool comes) {
  const v1::ReachPointsParameters& p = now.parameters.reach_points();
  if (task.hand != HandChoice::kEither) {
    const bool both = task.hand == HandChoice::kBoth;
    uses_ = {both || task.hand == HandChoice::kLeft, both || task.hand == HandChoice::kRight};
    return;
  }
  const bool left_full = now.body.holds[kLeft] != 0, right_full = now.body.holds[kRight] != 0;
  const Vec3 at = task.thing != 0 ? thing.at(at_[0]) : at_[0];
  const bool beside = drift.norm() > beside_from(now);
  // Beside what moves along: the hand on whose side it is already.
  const double faces = beside ? std::atan2(drift.y(), drift.x()) : now.self.heading;
  const Vec2 way = rotated(Vec2(at.head<2>() - now.self.position), -faces);
  if (beside && comes && std::abs(way.y()) < p.aside_before_m() * now.scale()) return;
  const bool left = left_full != right_full ? right_full : way.y() > 0;
  uses_ = {left, !left};
}

/// Two sides of a thing between which the palms can have it: the ones before which one stands with
/// the least way. Sets where the palms go.
void ReachPoints::choose_two_sides(const Now& now, const ThingSeen& thing) {
  const v1::ReachPointsParameters& p = now.parameters.reach_points();
  double least = 1e9;
  for (const BoxSide& side : sides_of(thing)) {
    if (side.width > now.parameters.abilities().widest() * now.body.arm) continue;
    const double far = distance_before(now, thing, side, side.width + now.body.hand);
    if (far == 0) continue;
    const Vec2 feet = thing.middle().head<2>() - far * side.way;
    const double heading = std::atan2(side.way.y(), side.way.x());
    const double turn = std::abs(wrap_angle(heading - now.self.heading));
    const double cost = (feet - now.self.position).norm() + p.turn_costs_m() * turn;
    if (cost >= least) continue;
    least = cost;
    distance_ = far;
    // At the height of the chest, as far as it has that.
    const double up = (thing.in_link(now.body.chest()) - thing.center).dot(side.up);
    const double most = p.side_height() * side.height;
    const Vec3 high = std::clamp(up, -most, most) * side.up;
    const Vec3 aside = (side.width + now.body.hand) * side.left;
    at_ = {thing.center + high + aside, thing.center + high - aside};
  }
}

void ReachPoints::take_near_side(const Now& now, const ThingSeen& thing) {
  at_[0] = at_[1] = nearest_of(thing, now.body.chest());
}

void ReachPoints::let_palms_meet(const Now& now, const Task& task, const ThingSeen& thing,
                                 double heading) {
  const ReachTarget to = target(now, task, thing);
  if (!both() || (to.at[kLeft] - to.at[kRight]).norm() >= 1e-6) return;
  const Vec3 left = Vec3::UnitZ().cross(Vec3(std::cos(heading), std::sin(heading), 0));
  for (const std::size_t side : {kLeft, kRight}) {
    const Vec3 apart = now.body.hand * (side == kLeft ? left : Vec3(-left));
    at_[side] += task.thing != 0 ? Vec3(thing.rotation.conjugate() * apart) : apart;
  }
}

ReachTarget ReachPoints::target(const Now& now, const Task& task, const ThingSeen& thing) const {
  ReachTarget out;
  int hands = 0;
  for (const std::size_t side : {kLeft, kRight}) {
    out.at[side] = task.thing != 0 ? thing.at(at_[side]) : at_[side];
    if (task.thing != 0) {
      // The near side of what rolls stays where it is on its way.
      const bool stays = task.coordinates == 0 && rolls(now, thing);
      out.moves[side] = stays ? thing.velocity : thing.velocity_at(at_[side]);
    }
    if (!uses_[side]) continue;
    out.middle += out.at[side];
    out.velocity += out.moves[side].head<2>();
    ++hands;
  }
  out.middle /= std::max(1, hands);
  out.velocity /= std::max(1, hands);
  return out;
}

}  // namespace promenade::behaviour::tasks
