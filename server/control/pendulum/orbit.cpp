#include "control/pendulum/orbit.h"

#include <algorithm>
#include <cmath>

namespace promenade::control::pendulum {

// Both laws follow from symmetry in time. With y = x - p, y'' = w^2 y in both phases. Ahead: y is
// odd about the middle of each phase, so y = A sinh(w t) in single support. Sideways it is even
// about the middle of single support: y = C cosh(w t). Position and velocity agree at lift-off.

OrbitPoint ahead_orbit(double length, double rate, const StepTiming& timing) {
  const double both = std::max(timing.both, kLeastBoth);
  const double s = 0.5 * rate * timing.single, d = 0.5 * rate * both;
  const double a = length / (both * rate * (std::cosh(s) + std::sinh(s) / std::tanh(d)));  // A
  return {a * std::sinh(s), a * rate * std::cosh(s)};
}

OrbitPoint sway_orbit(double width, double rate, const StepTiming& timing) {
  const double both = std::max(timing.both, kLeastBoth);
  const double s = 0.5 * rate * timing.single, d = 0.5 * rate * both;
  const double c = width / (both * rate * (std::sinh(s) + std::cosh(s) / std::tanh(d)));  // C
  return {-c * std::cosh(s), -c * rate * std::sinh(s)};
}

double placing_gain(double rate, const StepTiming& timing) {
  const double d = rate * std::max(timing.both, kLeastBoth);
  const double grown = std::exp(d);
  return grown / (1 + (grown - 1 - d) / d);
}

OrbitPoint fall(double offset, double velocity, double rate, double time) {
  const double grown = std::exp(rate * time), shrunk = 1 / grown;
  const double away = 0.5 * (offset + velocity / rate) * grown;
  const double back = 0.5 * (offset - velocity / rate) * shrunk;
  return {away + back, rate * (away - back)};
}

}  // namespace promenade::control::pendulum
