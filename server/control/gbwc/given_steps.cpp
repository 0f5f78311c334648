// Steps whose footholds are given: before and over what is stepped over, and on stairs. The foot
// cannot land where the body would need it, so the pressure under the stance foot, and over an
// obstacle the time, take the body to where the next step needs it.
// Source: not in Coros2010; the law of the capture point is that of Englsberger, Ott and
// Albu-Schaeffer 2015, "Three-dimensional bipedal walking control based on divergent component of
// motion".
#include <algorithm>
#include <cmath>

#include "control/gbwc/frame.h"

namespace promenade::control {
namespace {

// m beyond the foothold, where the capture point is to be when the leading and when the trailing
// foot lands: part of the speed is lost on landing behind what is high.
constexpr double kBeyondLead = 0.12, kBeyondTrail = 0.05;
constexpr double kOfSole = 0.9;        // of the way to its edges, that the pressure goes
constexpr double kSlowestRate = 0.56;  // of the usual rate of the phase
constexpr double kSoonest = 0.08;      // s: what is left of a step is not taken to be less
constexpr double kGoesOn = 2;          // over the speed asked for: half of it counts in full
constexpr double kUsualTread = 0.2, kHighTread = 0.25;  // m
constexpr double kClimbShare = 0.25;  // of this pressure, going up: a tread bears the toes alone

}  // namespace

/// How much of the pressure under the stance foot is what a given foothold asks for, 0 to 1.
double Gbwc::given_share() const {
  if (step_.standing || !places_ || descend_ > 0) return 0;
  if (over_ >= 0) return 1;
  double most = 1;
  if (climb_ > 0 || nears_stairs_) {
    // On high treads the heel is beyond the edge and bears nothing.
    if (tread_ <= 0) return 0;
    most = 1 - ramp01(tread_ / body_.length_scale, kUsualTread, kHighTread);
    if (climb_ > 0) return kClimbShare * most;
  }
  // Who is asked to stop does not go on to it.
  return over_speed_ > 0 ? std::clamp(kGoesOn * course_.velocity.x() / over_speed_, 0.0, most) : 0;
}

/// Where the capture point is to be when the step ends, m ahead of the stance ankle.
/// Law:    before what is in the way, as in steps that are all alike: x_end = s g / (g - 1), s the
///         length of the step, g the growth of a deviation in one
double Gbwc::given_capture(const Frame& f) const {
  const double step = placed_ - along_way(f.s.ankle[step_.stance]);
  if (climb_ > 0 || descend_ > 0) return step + beyond_tread(f);
  if (over_ >= 0) return step + (trailing() ? kBeyondTrail : kBeyondLead) * body_.length_scale;
  const double growth = f.pendulum.growth();
  return step * growth / (growth - 1);
}

/// Where the pressure under the stance foot takes the capture point there in what is left of the
/// step, m from the ankle, heading frame, within the sole. Sideways, where the foothold is free,
/// the capture point is to be where regular steps have it.
/// Law:    x(t) = p + (x - p) exp(omega t), so p = (x_end - x exp(omega t)) / (1 - exp(omega t)) on
///         each axis, x the place of the capture point now, p that of the pressure, t the time
///         left. Sideways x_end = W g / (1 + g), W the width of the step
Vec2 Gbwc::given_pressure(const Frame& f) const {
  const double end = std::lerp(step_.usual_end, 1.0, f.unrest);
  const double left = std::max(kSoonest, (end - step_.phase) / f.phase_rate);
  const double growth = std::exp(f.omega * left), whole = f.pendulum.growth();
  const Vec2 capture = f.in_heading(f.s.com - f.s.ankle[step_.stance]) + f.velocity / f.omega;
  const double aside = side_sign(1 - step_.stance) * f.width * whole / (1 + whole);
  const Vec2 place = (Vec2(given_capture(f), aside) - growth * capture) / (1 - growth);
  const Vec3 reach = kOfSole * body_.foot_reach[step_.stance];
  return {std::clamp(place.x(), -reach.y(), ball_ahead(step_.stance)),
          std::clamp(place.y(), -reach.z(), reach.z())};
}

/// The rate of the phase of a step over an obstacle, 1/s: slower where the body would not get there
/// in the usual time with the pressure at the heel.
/// Law:    t = log((x_end - p) / (x - p)) / omega
/// @param capture  m, x
/// @param to_go    of the phase
double Gbwc::rate_over(const Frame& f, double capture, double to_go, double regular) const {
  const double heel = -kOfSole * body_.foot_reach[step_.stance].y();
  const double slowest = kSlowestRate * regular;
  if (capture <= heel) return slowest;
  const double left =
      std::log(std::max(1.0, (given_capture(f) - heel) / (capture - heel))) / f.omega;
  return left * regular > to_go ? std::max(slowest, to_go / left) : regular;
}

}  // namespace promenade::control
