#include "behaviour/tasks/parts/leaving.h"

#include <algorithm>
#include <cmath>

#include "behaviour/tasks/parts/stand_before.h"
#include "math/rotation.h"

namespace promenade::behaviour::tasks {

bool free_ahead(const Now& now, const Stand& stand, ThingId except) {
  const v1::LeavingParameters& p = now.parameters.leaving();
  const Vec2 ahead = rotated(Vec2(1, 0), stand.heading);
  for (int k = 1; k <= p.places_seen(); ++k) {
    const double far = now.body.toes + p.step_back_m() * now.scale() * k / p.places_seen();
    if (now.place.height(now.body.feet + far * ahead, except) >
        now.body.sole + now.parameters.stand().level_m())
      return false;
  }
  return true;
}

control::Goal step_back(const Now& now, const Work& work) {
  const v1::LeavingParameters& p = now.parameters.leaving();
  const double slow = now.slow();
  const Stand& stand = work.walk.stand();
  control::Goal goal;
  goal.heading = stand.heading;
  goal.stand = work.attempt.clock < (work.carried.thing == 0 ? p.comes_up_s() * slow : 0);
  goal.width = p.stance_m();
  const double left = p.step_back_m() * now.scale() - (now.body.feet - stand.place).norm();
  if (!goal.stand)
    goal.velocity = Vec2(-std::max(p.least_back_mps() * slow, p.back_gain() / slow * left), 0);
  hold_carried(now, work.carried, &goal);
  return goal;
}

bool stepped_back(const Now& now, const Work& work) {
  const v1::LeavingParameters& p = now.parameters.leaving();
  return (now.body.feet - work.walk.stand().place).norm() >
             p.stepped_back() * p.step_back_m() * now.scale() ||
         work.attempt.clock > p.step_back_in_s() * now.slow();
}

void LeavingHands::let_go(const Now& now, double time, Work& work) {
  for (const std::size_t side : {kLeft, kRight}) {
    work.put_from_hand(side);
    from_[side] = now.body.palm[side];
    path_[side].begin(now.body.palm[side], time);
  }
  work.carried = Carried{};
}

bool LeavingHands::update(const Now& now, control::Goal* goal) {
  const v1::LeavingParameters& p = now.parameters.leaving();
  const double scale = now.scale();
  const Vec3 apart = (from_[kLeft] - from_[kRight]).normalized();
  for (const std::size_t side : {kLeft, kRight}) {
    const Vec3 away = (side == kLeft ? p.hands_aside_m() : -p.hands_aside_m()) * scale * apart +
                      Vec3(0, 0, p.hands_up_m() * scale);
    goal->hand[side] =
        path_[side].move(now.parameters.hand_path(), control::HandGoal::Frame::kWorld,
                         from_[side] + away, Vec3::Zero(), now.dt);
  }
  return path_[kLeft].arrived();
}

void LeavingHands::visit(StateVisitor& state) {
  state(from_);
  for (HandPath& path : path_) path.visit(state);
}

}  // namespace promenade::behaviour::tasks
