// The swing foot over an obstacle. Source: Coros2010 §5.4: a spline of four Catmull-Rom segments
// guides the ankle until the heel is past the obstacle; then the pendulum places it.
#include <algorithm>
#include <cmath>

#include "control/gbwc/five_points.h"
#include "control/gbwc/frame.h"

namespace promenade::control {
namespace {

// Shares of the swing at which the ankle is before, over and behind the obstacle.
constexpr double kBefore = 0.33, kBehind = 0.73;
constexpr double kByLength = 0.5;       // how far these shares are moved by the length of the parts
constexpr double kDownFaster = 0.9;     // the way down counts for this share of its length
constexpr double kTrailsHigher = 0.04;  // m: toes of the trailing foot hang
constexpr double kTrailsAhead =
    0.1;  // of the height, that the trailing foot moves on while it rises
// Shares of the swing over which the knee is turned out, and in again.
constexpr double kOutUntil = 0.23, kInFrom = 0.6, kInUntil = 0.73;
constexpr double kArch = 0.03;       // m, higher over the middle
constexpr double kLow = 0.2;         // m: lower obstacles need no leg that is turned out
constexpr double kHigh = 0.5;        // m: higher ones need it fully
constexpr double kToesLifted = 0.2;  // rad, over an obstacle

}  // namespace

/// How much of the swing is over, 0 to 1.
double Gbwc::clearing_done(double phase) const {
  return std::clamp((phase - lift_phase_) / (1 - lift_phase_), 0.0, 1.0);
}

/// The ankle's place over the obstacle; along the way and in height alone, aside it is as usual.
Vec3 Gbwc::clearing_ankle(const Frame& f, double phase, const Vec3& usual) const {
  const Obstacle* o = stepped_over();
  if (!o) return climb_ > 0 ? climbing_ankle(f, phase, usual) : usual;
  const int side = 1 - stance_;
  const double l = length_scale_, flat = biped_.ankle_height[side];
  const double from = along_way(lift_ankle_);
  const bool trails = trailing();
  const double high = o->top + flat + (p_->over_clear_m() + (trails ? kTrailsHigher : 0)) * l;
  const double near =
      trails ? from + kTrailsAhead * over_height_ : std::max(from, before(*o, side));
  const double far = behind(*o, side);
  const double end = std::max(far, obstacle_way_.dot(landing(f)));
  const double ground = way_height(f, landing(f)) + flat;
  // Each part takes a share of the time by its length.
  const double up = std::hypot(near - from, high - lift_ankle_.z()), across = far - near;
  const double down = kDownFaster * std::hypot(end - far, high - ground);
  const double all = up + across + down;
  const double first = std::lerp(kBefore, up / all, kByLength);
  const double last = std::lerp(kBehind, (up + across) / all, kByLength);
  const std::array<double, 5> at{0, first, 0.5 * (first + last), last, 1};
  const FivePoints along{at, {from, near, 0.5 * (near + far), far, end}};
  const FivePoints height{at, {lift_ankle_.z(), high, high + kArch * l, high, ground}};
  const double done = clearing_done(phase);
  Vec3 out = usual;
  out.head<2>() += (along(done) - obstacle_way_.dot(usual.head<2>())) * obstacle_way_;
  out.z() = height(done);
  return out;
}

/// Whether the foot that swings over is the one that stood before the obstacle.
bool Gbwc::trailing() const {
  const Obstacle* o = stepped_over();
  return o && along_way(anchor_) > o->near;
}

/// By how much the knee is turned outwards, rad: otherwise the knee of the trailing leg would meet
/// the obstacle before it is high enough.
double Gbwc::clearing_twist() const {
  const Obstacle* o = stepped_over();
  if (!o || pushing_) return 0;
  const double done = clearing_done(phase_);
  const double shape = ramp01(done, 0.0, kOutUntil) * (1 - ramp01(done, kInFrom, kInUntil));
  return p_->over_twist_rad() * shape * ramp01(over_height_ / length_scale_, kLow, kHigh) *
         (trailing() ? 1 : p_->over_lead_twist());
}

/// Pitch of the swing foot, rad.
double Gbwc::clearing_pitch(double usual) const {
  const double done = clearing_done(phase_);
  if (climb_ > 0) return 0;
  if (!stepped_over()) return usual;
  return std::lerp(-kToesLifted, usual, ramp01(done, 0.65, 0.9));
}

}  // namespace promenade::control
