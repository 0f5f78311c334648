#include "behaviour/tasks/parts/carried.h"

#include <algorithm>
#include <cmath>

#include "behaviour/tasks/parts/box_sides.h"
#include "math/rotation.h"
#include "physics/gravity.h"

namespace promenade::behaviour::tasks {

void Carried::hold_before(const Now& now, const ThingSeen& seen, const std::array<Vec3, 2>& hands,
                          double heading, double least) {
  const v1::CarriedParameters& p = now.parameters.carried();
  const double width = 0.5 * (seen.rotation * (hands[kLeft] - hands[kRight])).norm();
  const double depth = side_towards(seen, rotated(Vec2(1, 0), heading)).depth;
  const double down = p.held_down() * now.body.arm;
  const double shoulder = 0.5 * (now.body.shoulder[0] - now.body.shoulder[1]).norm();
  const double reach = p.held_reach() * now.body.arm;
  const double most = std::sqrt(
      std::max(0.01, reach * reach - down * down - (width - shoulder) * (width - shoulder)));
  const double out = std::min(most, p.chest_free_m() * now.scale() + depth);
  ahead = std::max(0.0, out + depth - p.own_room_m() * now.scale());
  for (const int side : {kLeft, kRight}) {
    place[side] = Vec3(out, side == kLeft ? width : -width,
                       std::max(-down, least - now.body.shoulder_height));
  }
}

void hold_carried(const Now& now, const Carried& carried, control::Goal* goal) {
  if (carried.thing == 0) return;
  for (const int side : {kLeft, kRight}) {
    if (now.body.holds[side] != carried.thing) continue;
    control::HandGoal& hand = goal->hand[side];
    hand.frame = control::HandGoal::Frame::kChest;
    hand.at = carried.place[side];
    hand.velocity.setZero();
    hand.effort = Vec3(0, 0, 0.5 * carried.mass * physics::kGravity);
  }
}

void draw_near(const Now& now, const Carried& carried, double dt, std::array<HandPath, 2>* path,
               control::Goal* goal) {
  hold_carried(now, carried, goal);
  for (const int side : {kLeft, kRight}) {
    const control::HandGoal on_way = (*path)[std::size_t(side)].move(
        now.parameters.hand_path(), control::HandGoal::Frame::kChest, carried.place[side],
        Vec3::Zero(), dt);
    control::HandGoal& hand = goal->hand[side];
    if (hand.frame == control::HandGoal::Frame::kChest) hand.at = on_way.at;
  }
}

}  // namespace promenade::behaviour::tasks
