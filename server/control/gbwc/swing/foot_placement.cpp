// Where the swing foot is to land: where the pendulum needs it, and where a sole can stand.
// Source: Coros2010 §3.2, whose walkers know level ground and slopes only; the look at the ground
// is ours.
#include "control/gbwc/swing/foot_placement.h"

#include <algorithm>
#include <cmath>

#include "control/ahead/surface.h"
#include "control/gbwc/frame.h"
#include "control/gbwc/ground/underfoot.h"
#include "control/gbwc/steps/planning.h"
#include "control/gbwc/swing/push_off.h"
#include "control/gbwc/timing.h"
#include "control/stopping.h"

namespace promenade::control::gbwc {
namespace {

constexpr double kNoPlace = 10;  // m, of unevenness: no foot lands there

/// Velocity of the COM when the step ends, m/s, heading frame, if the body moves as a pendulum over
/// the stance foot. With it the swing foot sets out at once for where it will be needed.
/// Law: v(t) = v cosh(omega t) + omega (x - x_support) sinh(omega t), x the place of the COM
Vec2 velocity_at_strike(const Frame& f) {
  const v1::GbwcPlacement& p = f.p.placement();
  // On course only a small share of the change is foreseen: a body that answers late would limp.
  const double share = std::lerp(p.calm_predict(), p.predict(), f.trouble);
  const double t = share * std::max(0.0, 1 - f.step.phase) / f.phase_rate;
  Vec2 offset = f.in_heading(f.s.com - f.s.ankle[f.step.stance]);
  offset.x() -= stood_ahead(f) * f.body.foot_reach[f.step.stance].x();
  const Hyperbolic later(f.omega * t);
  const Vec2 velocity = f.velocity * later.cosh() + f.omega * offset * later.sinh();
  const double most = p.most_foreseen_mps() * f.body.time_scale;
  return velocity.cwiseMin(f.velocity + Vec2::Constant(most))
      .cwiseMax(f.velocity - Vec2::Constant(most));
}

/// Where the swing ankle is to land, m from the COM, heading frame.
/// Law: goal = d(v) - v_d T / (exp(omega T) - 1) - learnt correction on each axis; sideways also
///      W / (1 + exp(omega T)) outwards. d(v) is the distance that would stop a pendulum of speed v
///      (capture_distance), v_d the velocity wanted, T the step time, W the step width. The second
///      term is how much less the pendulum must be stopped to go on at v_d. It stands in place of
///      the paper's alpha V_d, which it equals near T = 0.6 s.
Vec2 foot_goal(const Frame& f) {
  const v1::GbwcPlacement& p = f.p.placement();
  const Vec2 velocity = velocity_at_strike(f);
  const double growth = f.pendulum.growth();
  const double shortfall = f.step_time / (growth - 1);
  const double out = side_sign(1 - f.step.stance);
  Vec2 goal = Vec2::Zero();
  if (p.pendulum() > 0) {
    goal.x() = p.forward_gain() * capture_distance(velocity.x(), f.height);
    // The gain acts on the deviation alone: sideways walking that is asked for counts in full. On a
    // walk aside the deviation does, too: its steps differ, so that no sway can build up.
    const double regular = f.pendulum.pace_at_end() * f.course.velocity.y();
    goal.y() = capture_distance(regular, f.height) +
               std::lerp(p.sideways_gain(), 1.0, sideways_share(f)) *
                   (capture_distance(velocity.y(), f.height) - capture_distance(regular, f.height));
  } else {
    goal = 0.5 * f.step_time * f.course.velocity;
    goal.y() += out * 0.5 * f.width;
  }
  goal -= shortfall * f.course.velocity + f.learnt.correction;
  goal.y() += out * f.width / (1 + growth);
  goal.x() -= stood_ahead(f) * f.body.foot_reach[1 - f.step.stance].x();

  const double most =
      p.max_step() * 0.5 * (f.body.biped.leg_length[0] + f.body.biped.leg_length[1]);
  goal.x() = std::clamp(goal.x(), -most, most);
  goal.y() = std::clamp(goal.y(), -most, most);
  // The feet keep apart; far off course they may cross.
  const double stance_y = f.in_heading(f.s.ankle[f.step.stance] - f.s.com).y();
  const double apart = (p.keep_width() * f.width + p.keep_apart_m() * f.body.length_scale) -
                       p.cross_m() * f.body.length_scale * f.trouble;
  if (out * (goal.y() - stance_y) < apart) goal.y() = stance_y + out * apart;
  return goal;
}

/// How badly a sole stands with its ankle at `at` and the foot along the heading: the greatest
/// distance of the ground under it from a straight line, m. A step up right before the toes counts
/// too.
double bump_at(const Frame& f, int side, const Vec2& at) {
  const v1::GbwcFoothold& p = f.p.foothold();
  const Vec3& reach = f.body.foot_reach[side];
  const double ball = ball_ahead(f, side), heel = -p.sole_back() * reach.y();
  const auto height = [&](double x, double y) {
    return f.ground_at(Vec2(at + f.in_world(Vec2(x, y))));
  };
  double worst = 0;
  for (double y : {-p.sole_aside() * reach.z(), p.sole_aside() * reach.z()}) {
    const double back = height(heel, y), front = height(ball, y);
    const double slope = (front - back) / (ball - heel);
    for (double share : {0.25, 0.5, 0.75}) {
      const double x = std::lerp(heel, ball, share);
      worst = std::max(worst, std::abs(height(x, y) - back - slope * (x - heel)));
    }
    const double tip = reach.x() + p.before_riser_m() * f.body.length_scale;
    worst = std::max(worst, height(tip, y) - front - std::max(0.0, slope) * (tip - ball));
  }
  return worst;
}

/// Whether a foot along the heading with its ankle at `at` would be on, in or behind a wall, from
/// heel to toes.
bool behind_wall(const Frame& f, int side, const Vec2& at) {
  const double l = f.body.length_scale;
  const Vec2 from = f.s.ankle[f.step.stance].head<2>();
  const double most = f.ground + f.body.sight.wall.rise;
  const Vec2 toes =
      at + f.in_world(Vec2(f.body.foot_reach[side].x() + f.p.foothold().before_riser_m() * l, 0));
  const Vec2 heel =
      at - f.in_world(Vec2(f.body.foot_reach[side].y() + f.p.foothold().before_riser_m() * l, 0));
  const int points = int(std::ceil((at - from).norm() / f.body.sight.wall.spacing));
  for (int i = 1; i <= points; ++i) {
    if (f.way_height(Vec2(from + (double(i) / points) * (at - from))) > most) return true;
  }
  return f.way_height(Vec2(0.5 * (at + toes))) > most || f.way_height(toes) > most ||
         f.way_height(heel) > most;
}

}  // namespace

Vec2 landing(const Frame& f) {
  const double left = std::max(0.0, f.step.usual_end - f.step.phase) / f.phase_rate;
  return f.s.com.head<2>() + left * f.s.com_velocity.head<2>() + f.in_world(f.swing.goal);
}

void choose_foothold(const Frame& f, double dt, SwingState& swing) {
  const v1::GbwcFoothold& p = f.p.foothold();
  swing.goal = foot_goal(f);
  if (!f.view.has_relief() || p.shift_m() <= 0) {
    swing.shift = 0;
    return;
  }
  const int side = 1 - f.step.stance;
  const double l = f.body.length_scale, most = p.shift_m() * l, bump = p.bump_m() * l;
  const Vec2 end = landing(f);
  const double sole = f.s.ankle[side].z() - f.body.biped.ankle_height[side];
  if (f.plan.given()) {  // the obstacle says where
    swing.shift = std::lerp(swing.shift, placed_ahead(f, landing(f)), dt / (dt + p.shift_in_s()));
    swing.goal.x() += swing.shift;
    return;
  }
  const auto bump_of = [&](double shift) {
    const Vec2 at = end + f.in_world(Vec2(shift, 0));
    if (near_wall(f) && behind_wall(f, side, at)) return kNoPlace;
    const double above = f.step.phase > p.too_late() ? std::max(0.0, f.ground_at(at) - sole) : 0;
    return std::max(above, bump_at(f, side, at));
  };
  double best = 0, least = bump_of(0);
  for (double way = p.apart_m() * l; way <= most && least > bump; way += p.apart_m() * l) {
    // Of two places as near, the one towards which the goal has moved already: no dithering.
    const double first = swing.shift < 0 ? -way : way;
    for (double shift : {first, -first}) {
      const double found = bump_of(shift);
      if (found < p.clearly_better() * least) {
        least = found;
        best = shift;
      }
      if (least <= bump) break;
    }
  }
  // Short of a wall, whether one walks forward or backward.
  const double back = f.course.velocity.x() < -kNoSpeed ? 1 : -1;
  for (double way = most + p.apart_m() * l; least >= kNoPlace && way <= p.step_back_m() * l;
       way += p.apart_m() * l) {
    best = back * way;
    least = bump_of(best);
  }
  swing.shift = std::lerp(swing.shift, best, dt / (dt + p.shift_in_s()));
  swing.goal.x() += swing.shift;
}

}  // namespace promenade::control::gbwc
