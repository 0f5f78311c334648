#include "behaviour/tasks/hand_path.h"

#include <algorithm>
#include <cmath>

namespace promenade::behaviour::tasks {

void HandPath::begin(const Vec3& from, double time) {
  from_ = from;
  time_ = std::max(0.05, time);
  clock_ = 0;
}

control::HandGoal HandPath::move(control::HandGoal::Frame frame, const Vec3& goal,
                                 const Vec3& velocity, double dt) {
  clock_ = std::min(time_, clock_ + dt);
  const double u = clock_ / time_;
  const double s = u * u * u * (10 - 15 * u + 6 * u * u);
  const double rate = 30 * u * u * (1 - u) * (1 - u) / time_;
  control::HandGoal out;
  out.frame = frame;
  out.at = from_ + s * (goal - from_);
  out.velocity = rate * (goal - from_) + s * velocity;
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
