#include "control/pendulum/landing.h"

#include "control/pendulum/orbit.h"
#include "control/pendulum/step_law.h"

namespace promenade::control::pendulum {

Landing LandingLaw::after(double left) const {
  Landing then;
  then.left = left;
  const Fall fall(rate, left);
  for (int i = 0; i < 2; ++i) {
    const OrbitPoint at = fall.from(mass[i] - cop[i] + against[i], velocity[i]);
    // eq. 3.4, with the sign that its text asks for: faster than wanted, a longer step. The last
    // term makes a steady walk at the wanted speed a fixed point of it.
    const double distance =
        scale * capture_distance(at.velocity, height) + bias * (at.velocity - wanted_velocity[i]) +
        (-from_landed[i] - scale * capture_distance(wanted_velocity[i], height));
    then.mass[i] = cop[i] - against[i] + at.offset;
    // Double support lets the mass fall on for a while before the new foot carries.
    const double astray = (gain - 1) * (then.mass[i] - stand[i] + against[i] - from_stand[i]);
    then.foot[i] = then.mass[i] + distance + astray + against[i];
  }
  return then;
}

}  // namespace promenade::control::pendulum
