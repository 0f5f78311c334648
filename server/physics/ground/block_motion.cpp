#include "physics/ground/block_motion.h"

#include <algorithm>
#include <cmath>

#include "math/rotation.h"

namespace promenade::physics {

BlockTrack::BlockTrack(const GroundBlock& block) {
  const BlockMotion& motion = *block.motion;
  std::vector<Vec3> stops{block.pose.position};
  if (motion.speed > 0) {
    stops.insert(stops.end(), motion.path.begin(), motion.path.end());
    if (motion.closed) {
      stops.push_back(stops.front());
    } else {
      for (std::size_t i = motion.path.size(); i-- > 0;) stops.push_back(stops[i]);
    }
  }
  for (std::size_t i = 0; i + 1 < stops.size(); ++i) {
    const double distance = (stops[i + 1] - stops[i]).norm();
    legs_.push_back({stops[i], stops[i + 1], round_, distance / motion.speed});
    round_ += motion.pause + legs_.back().duration;
  }
  // A turning block stays within the circle of its corners.
  Vec3 half = block.pose.rotation.toRotationMatrix().cwiseAbs() * block.half;
  if (motion.spin != 0) half.head<2>().setConstant(block.half.norm());
  for (const Vec3& stop : stops) reach_.extend(stop - half).extend(stop + half);
}

BlockNow BlockTrack::at(const GroundBlock& block, double time) const {
  const BlockMotion& motion = *block.motion;
  BlockNow now{block.pose, Vec3::Zero(), motion.spin};
  if (motion.spin != 0) {
    // Whole turns are taken off first, so that rounding does not grow with time.
    const double angle = std::remainder(motion.spin * time, kTwoPi);
    now.pose.rotation = rotation_z(angle) * block.pose.rotation;
  }
  if (round_ <= 0) return now;
  const double in_round = time - round_ * std::floor(time / round_);
  const auto next = std::upper_bound(legs_.begin() + 1, legs_.end(), in_round,
                                     [](double t, const Leg& leg) { return t < leg.starts; });
  const Leg& leg = *(next - 1);
  const double going = in_round - leg.starts - motion.pause;
  now.pose.position = leg.from;
  if (going <= 0 || leg.duration <= 0) return now;
  const double u = std::min(1.0, going / leg.duration);
  const Vec3 way = leg.to - leg.from;
  now.pose.position += way * (u - std::sin(kTwoPi * u) / kTwoPi);
  now.velocity = way * ((1 - std::cos(kTwoPi * u)) / leg.duration);
  return now;
}

Vec3 BlockNow::surface_velocity(const Vec3& at, const Vec3& normal,
                                const BlockMotion& motion) const {
  const Vec3 lever = at - pose.position;
  Vec3 result = velocity + spin * Vec3(-lever.y(), lever.x(), 0);
  if (!motion.surface.isZero()) {
    const Vec3 belt = pose.rotation * Vec3(motion.surface.x(), motion.surface.y(), 0);
    result += belt - normal * normal.dot(belt);
  }
  return result;
}

}  // namespace promenade::physics
