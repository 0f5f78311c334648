#include "control/pendulum/orbit.h"

#include <algorithm>
#include <cmath>

namespace promenade::control::pendulum {

// Both laws follow from symmetry in time. With y = x - p, y'' = w^2 y in both phases. Ahead: y is
// odd about the middle of each phase, so y = A sinh(w t) in single support. Sideways it is even
// about the middle of single support: y = C cosh(w t). Position and velocity agree at lift-off.

// Hyperbolic functions from two exponentials: a crowd needs thousands of orbits a tick.
Orbits::Orbits(double rate, const StepTiming& timing) : rate_(rate) {
  const double d = rate * std::max(timing.both, kLeastBoth);
  const double single = std::exp(0.5 * rate * timing.single), both = std::exp(d);
  sinh_ = 0.5 * (single - 1 / single);
  cosh_ = 0.5 * (single + 1 / single);
  const double coth = (both + 1) / (both - 1);  // of d / 2
  a_ = 1 / (d * (cosh_ + sinh_ * coth));        // A
  c_ = 1 / (d * (sinh_ + cosh_ * coth));        // C
  gain_ = both / (1 + (both - 1 - d) / d);
}

Fall::Fall(double rate, double time)
    : rate_(rate), grown_(std::exp(rate * time)), shrunk_(1 / grown_) {}

}  // namespace promenade::control::pendulum
