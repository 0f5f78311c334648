// Steps whose footholds are given: before and over what is stepped over, and on stairs. The foot
// cannot land where the body would need it, so the pressure under the stance foot, and over an
// obstacle the time, take the body to where the next step needs it.
// Source: not in Coros2010; the law of the capture point is that of Englsberger, Ott and
// Albu-Schaeffer 2015, "Three-dimensional bipedal walking control based on divergent component of
// motion".
#include "control/gbwc/steps/given_steps.h"

#include <algorithm>
#include <cmath>

#include "control/gbwc/frame.h"
#include "control/gbwc/steps/planning.h"
#include "control/gbwc/steps/stairs.h"
#include "control/gbwc/swing/push_off.h"

namespace promenade::control::gbwc {

double given_share(const Frame& f) {
  const v1::GbwcGiven& p = f.p.given();
  if (f.step.standing || !f.plan.given() || f.plan.is(StepKind::kDown)) return 0;
  if (f.plan.is(StepKind::kOver)) return 1;
  double most = 1;
  if (f.plan.is(StepKind::kUp) || f.plan.is(StepKind::kNearFlight)) {
    // On high treads the heel is beyond the edge and bears nothing.
    if (f.plan.height <= 0) return 0;
    most = 1 - ramp01(f.plan.height / f.body.length_scale, p.low_tread_m(), p.high_tread_m());
    if (f.plan.is(StepKind::kUp)) return p.climb_share() * most;
  }
  // Who is asked to stop does not go on to it.
  return f.plan.speed > 0
             ? std::clamp(p.per_speed() * f.course.velocity.x() / f.plan.speed, 0.0, most)
             : 0;
}

double given_capture(const Frame& f) {
  const double step = f.plan.place - f.features.along(f.s.ankle[f.step.stance]);
  if (f.plan.on_flight()) return step + beyond_tread(f);
  if (f.plan.is(StepKind::kOver))
    return step + (trailing(f) ? f.p.given().beyond_trail_m() : f.p.given().beyond_lead_m()) *
                      f.body.length_scale;
  const double growth = f.pendulum.growth();
  return step * growth / (growth - 1);
}

Vec2 given_pressure(const Frame& f) {
  const double end = std::lerp(f.step.usual_end, 1.0, f.unrest);
  const double left = std::max(f.p.given().soonest_s(), (end - f.step.phase) / f.phase_rate);
  const double growth = std::exp(f.omega * left), whole = f.pendulum.growth();
  const Vec2 capture = f.in_heading(f.s.com - f.s.ankle[f.step.stance]) + f.velocity / f.omega;
  const double aside = side_sign(1 - f.step.stance) * f.width * whole / (1 + whole);
  const Vec2 place = (Vec2(given_capture(f), aside) - growth * capture) / (1 - growth);
  const Vec3 reach = f.p.given().sole_share() * f.body.foot_reach[f.step.stance];
  return {std::clamp(place.x(), -reach.y(), ball_ahead(f, f.step.stance)),
          std::clamp(place.y(), -reach.z(), reach.z())};
}

double rate_over(const Frame& f, double capture, double to_go, double regular) {
  const double heel = -f.p.given().sole_share() * f.body.foot_reach[f.step.stance].y();
  const double slowest = f.p.given().slowest_rate() * regular;
  if (capture <= heel) return slowest;
  const double left =
      std::log(std::max(1.0, (given_capture(f) - heel) / (capture - heel))) / f.omega;
  return left * regular > to_go ? std::max(slowest, to_go / left) : regular;
}

}  // namespace promenade::control::gbwc
