#include "control/pendulum/swing.h"

#include <algorithm>
#include <cmath>

#include "math/rotation.h"

namespace promenade::control::pendulum {
namespace {

// Times the height. The third point makes the peak, the second moves it forward in time.
constexpr double kRise = 1.55;  // the curve 0, kRise, kRise, 0, 0 has its peak of about 1 at 0.42
constexpr double kPitchOver = 0.55;  // share of the swing after which the toes are turned up

}  // namespace

double bezier(double p0, double p1, double p2, double p3, double p4, double at) {
  const double u = 1 - at;
  return u * u * u * u * p0 + 4 * u * u * u * at * p1 + 6 * u * u * at * at * p2 +
         4 * u * at * at * at * p3 + at * at * at * at * p4;
}

SwingPoint swing_point(const Vec3& from, const Vec3& to, double from_yaw, double to_yaw,
                       const SwingShape& shape, double share) {
  const double at = std::clamp(share, 0.0, 1.0);
  const double along = smooth(at);
  SwingPoint point;
  point.position = from + along * (to - from);
  // The foot goes up at once to a higher place, and down late to a lower one.
  const double rise = to.z() - from.z();
  const double early = smooth(std::min(1.0, at / 0.6)),
               late = smooth(std::max(0.0, (at - 0.4) / 0.6));
  point.position.z() = from.z() + (rise > 0 ? early : late) * rise +
                       shape.clearance * bezier(0, kRise, kRise, 0, 0, at);
  point.yaw = wrap_angle(from_yaw + along * wrap_angle(to_yaw - from_yaw));
  const double step = (to - from).head<2>().norm();
  const double size = std::min(1.0, step / 0.5);  // small steps are taken flat
  point.pitch =
      size * (at < kPitchOver ? bezier(0.5, 1.5, 1, 0, 0, at / kPitchOver) * shape.toe_down
                              : -smooth((at - kPitchOver) / (1 - kPitchOver)) * shape.toe_up);
  return point;
}

}  // namespace promenade::control::pendulum
