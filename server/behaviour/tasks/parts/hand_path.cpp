#include "behaviour/tasks/parts/hand_path.h"

#include <algorithm>
#include <cmath>

namespace promenade::behaviour::tasks {

void HandPath::begin(const Vec3& from, double time) {
  from_ = from;
  time_ = std::max(0.05, time);
  clock_ = 0;
}

control::HandGoal HandPath::move(const v1::HandPathParameters& p, control::HandGoal::Frame frame,
                                 const Vec3& goal, const Vec3& velocity, double dt) {
  clock_ = std::min(time_, clock_ + dt);
  const Vec3 way = goal - from_;
  const double first =
      frame == control::HandGoal::Frame::kWorld
          ? p.first() *
                std::clamp((way.z() - p.hardly_up_m()) / (p.far_up_m() - p.hardly_up_m()), 0.0, 1.0)
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

double time_of_way(const v1::HandPathParameters& p, double way, double scale) {
  return std::sqrt(scale) * std::max(p.least_s(), way / (p.speed_mps() * scale));
}

}  // namespace promenade::behaviour::tasks
