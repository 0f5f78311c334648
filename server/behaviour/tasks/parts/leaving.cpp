#include "behaviour/tasks/parts/leaving.h"

#include <algorithm>
#include <cmath>

#include "behaviour/tasks/parts/stand_before.h"
#include "math/rotation.h"

namespace promenade::behaviour::tasks {
namespace {

constexpr double kStepBack = 0.4;      // m, from what something was taken from
constexpr int kStepsSeen = 4;          // places of that way ahead that are looked at
constexpr double kSteppedBack = 0.75;  // of that, when it is far enough
constexpr double kBackStance = 0.2;    // m
constexpr double kBackGain = 1.1;      // 1/s, of the way left
constexpr double kLeastBack = 0.12;    // m/s
constexpr double kComesUp = 0.5;       // s, in which it stands before
constexpr double kStepBackIn = 6;      // s, that this is given

}  // namespace

bool free_ahead(const Now& now, const Stand& stand, ThingId except) {
  const Vec2 ahead = rotated(Vec2(1, 0), stand.heading);
  for (int k = 1; k <= kStepsSeen; ++k) {
    const double far = now.body.toes + kStepBack * now.scale() * k / kStepsSeen;
    if (now.place.height(now.body.feet + far * ahead, except) > now.body.sole + kLevel)
      return false;
  }
  return true;
}

control::Goal step_back(const Now& now, const Work& work) {
  const double slow = now.slow();
  const Stand& stand = work.walk.stand();
  control::Goal goal;
  goal.heading = stand.heading;
  goal.stand = work.attempt.clock < (work.carried.thing == 0 ? kComesUp * slow : 0);
  goal.width = kBackStance;
  const double left = kStepBack * now.scale() - (now.body.feet - stand.place).norm();
  if (!goal.stand) goal.velocity = Vec2(-std::max(kLeastBack * slow, kBackGain / slow * left), 0);
  hold_carried(now, work.carried, &goal);
  return goal;
}

bool stepped_back(const Now& now, const Work& work) {
  return (now.body.feet - work.walk.stand().place).norm() >
             kSteppedBack * kStepBack * now.scale() ||
         work.attempt.clock > kStepBackIn * now.slow();
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
  const double scale = now.scale();
  const Vec3 apart = (from_[kLeft] - from_[kRight]).normalized();
  for (const std::size_t side : {kLeft, kRight}) {
    const Vec3 away = (side == kLeft ? 0.1 : -0.1) * scale * apart + Vec3(0, 0, 0.08 * scale);
    goal->hand[side] = path_[side].move(control::HandGoal::Frame::kWorld, from_[side] + away,
                                        Vec3::Zero(), now.dt);
  }
  return path_[kLeft].arrived();
}

void LeavingHands::visit(StateVisitor& state) {
  state(from_);
  for (HandPath& path : path_) path.visit(state);
}

}  // namespace promenade::behaviour::tasks
