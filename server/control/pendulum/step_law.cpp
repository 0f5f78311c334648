#include "control/pendulum/step_law.h"

#include <algorithm>
#include <cmath>

namespace promenade::control::pendulum {

double fall_rate(double height) { return std::sqrt(kGravity / height); }

double capture_distance(double speed, double height) {
  const double h = std::max(height, kLeastHeight);
  return speed / (2 * kGravity) * std::sqrt(speed * speed + 4 * kGravity * h);
}

double captured_speed(double distance, double height) {
  // d^2 (2 g)^2 = v^4 + 4 g h v^2, a quadratic in v^2.
  const double half = 2 * kGravity * std::max(height, kLeastHeight);
  const double square = std::sqrt(half * half + 4 * kGravity * kGravity * distance * distance);
  return std::copysign(std::sqrt(std::max(0.0, square - half)), distance);
}

double distance_against(double force, double mass, double lean, double scale) {
  return scale * force / (mass * kGravity * std::max(0.1, std::cos(lean)));
}

CaptureHeight capture_height(double speed, double height, double distance, double wanted,
                             double shortest, double longest) {
  // The new leg takes away the part of the velocity along it: the rest turns about the foot.
  const double leg = std::hypot(distance, height);
  const double kept = leg > 0 ? std::abs(speed) * height / leg : 0;
  // Energy left when upright; falls as the leg gets longer.
  const auto surplus = [&](double upright) {
    return kept * kept - wanted * wanted + 2 * kGravity * (height - upright);
  };
  if (surplus(shortest) < 0) return {shortest, false};
  if (surplus(longest) > 0) return {longest, false};
  double low = shortest, high = longest;
  for (int i = 0; i < 24; ++i) {  // to a ten-millionth of the range
    const double middle = 0.5 * (low + high);
    (surplus(middle) > 0 ? low : high) = middle;
  }
  return {0.5 * (low + high), true};
}

}  // namespace promenade::control::pendulum
