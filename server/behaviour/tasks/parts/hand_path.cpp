#include "behaviour/tasks/parts/hand_path.h"

#include <algorithm>
#include <cmath>

namespace promenade::behaviour::tasks {

namespace {

// A hand that goes up in the world rises this share of the time before it goes level, so that it
// comes over an edge of what its goal stands on.
constexpr double kFirst = 0.35;
constexpr double kHardlyUp = 0.05, kFarUp = 0.3;  // m, between which that comes

}  // namespace

void HandPath::begin(const Vec3& from, double time) {
  from_ = from;
  time_ = std::max(0.05, time);
  clock_ = 0;
}

control::HandGoal HandPath::move(control::HandGoal::Frame frame, const Vec3& goal,
                                 const Vec3& velocity, double dt) {
  clock_ = std::min(time_, clock_ + dt);
  const Vec3 way = goal - from_;
  const double first =
      frame == control::HandGoal::Frame::kWorld
          ? kFirst * std::clamp((way.z() - kHardlyUp) / (kFarUp - kHardlyUp), 0.0, 1.0)
          : 0;
  const double span = (1 - first) * time_;
  control::HandGoal out;
  out.frame = frame;
  for (const int axis : {0, 1, 2}) {
    const double u = std::clamp((clock_ - (axis < 2 ? first * time_ : 0)) / span, 0.0, 1.0);
    const double s = u * u * u * (10 - 15 * u + 6 * u * u);
    const double rate = 30 * u * u * (1 - u) * (1 - u) / span;
    out.at[axis] = from_[axis] + s * way[axis];
    out.velocity[axis] = rate * way[axis] + s * velocity[axis];
  }
  return out;
}

void HandPath::visit(StateVisitor& state) {
  state(from_);
  state.within(time_, 0.05, 1000);
  state.within(clock_, 0, 1000);
}

double time_of_way(double way, double scale) {
  constexpr double kSpeed = 0.7, kLeast = 0.45;  // m/s, of a human's hand on the mean; s
  return std::sqrt(scale) * std::max(kLeast, way / (kSpeed * scale));
}

}  // namespace promenade::behaviour::tasks
