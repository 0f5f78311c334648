// Where the swing foot goes. Source: Coros2010 §3.2.
#include <algorithm>
#include <cmath>

#include "control/gbwc/frame.h"

namespace promenade::control {
namespace {

constexpr double kSharpHeight = 0.06;  // m, most that a foot is lifted in sharp turns
constexpr double kAhead = 0.01;        // s, over which a velocity is taken
constexpr double kHardlyCounts = 0.3;  // share of the beginning in where a swing foot is

}  // namespace

/// Velocity of the COM when the step ends, m/s, heading frame, if the body moves as a pendulum over
/// the stance foot. With it the swing foot sets out at once for where it will be needed.
/// Law: v(t) = v cosh(omega t) + omega (x - x_support) sinh(omega t), x the place of the COM
Vec2 Gbwc::velocity_at_strike(const Frame& f) const {
  // On course only a small share of the change is foreseen: a body that answers late would limp.
  const double share = std::lerp(p_->calm_predict(), p_->predict(), f.trouble);
  const double t = share * std::max(0.0, 1 - step_.phase) / f.phase_rate;
  Vec2 offset = f.in_heading(f.s.com - f.s.ankle[step_.stance]);
  offset.x() -= stood_ahead() * body_.foot_reach[step_.stance].x();
  const Hyperbolic later(f.omega * t);
  const Vec2 velocity = f.velocity * later.cosh() + f.omega * offset * later.sinh();
  const double most = 0.7 * body_.time_scale;
  return velocity.cwiseMin(f.velocity + Vec2::Constant(most))
      .cwiseMax(f.velocity - Vec2::Constant(most));
}

/// Where the swing ankle is to land, m from the COM, heading frame.
/// Law: goal = d(v) - v_d T / (exp(omega T) - 1) - learnt correction on each axis; sideways also
///      W / (1 + exp(omega T)) outwards. d(v) is the distance that would stop a pendulum of speed v
///      (capture_distance), v_d the velocity wanted, T the step time, W the step width. The second
///      term is how much less the pendulum must be stopped to go on at v_d. It stands in place of
///      the paper's alpha V_d, which it equals near T = 0.6 s.
Vec2 Gbwc::foot_goal(const Frame& f) const {
  const Vec2 velocity = velocity_at_strike(f);
  const double growth = f.pendulum.growth();
  const double shortfall = f.step_time / (growth - 1);
  const double out = side_sign(1 - step_.stance);
  Vec2 goal = Vec2::Zero();
  if (p_->pendulum() > 0) {
    goal.x() = p_->forward_gain() * capture_distance(velocity.x(), f.height);
    // The gain acts on the deviation alone: sideways walking that is asked for counts in full. On a
    // walk aside the deviation does, too: its steps differ, so that no sway can build up.
    const double regular = f.pendulum.pace_at_end() * course_.velocity.y();
    goal.y() = capture_distance(regular, f.height) +
               std::lerp(p_->sideways_gain(), 1.0, aside()) *
                   (capture_distance(velocity.y(), f.height) - capture_distance(regular, f.height));
  } else {
    goal = 0.5 * f.step_time * course_.velocity;
    goal.y() += out * 0.5 * f.width;
  }
  goal -= shortfall * course_.velocity + learnt_.correction;
  goal.y() += out * f.width / (1 + growth);
  goal.x() -= stood_ahead() * body_.foot_reach[1 - step_.stance].x();

  const double most =
      p_->max_step() * 0.5 * (body_.biped.leg_length[0] + body_.biped.leg_length[1]);
  goal.x() = std::clamp(goal.x(), -most, most);
  goal.y() = std::clamp(goal.y(), -most, most);
  // The feet keep apart; far off course they may cross.
  const double stance_y = f.in_heading(f.s.ankle[step_.stance] - f.s.com).y();
  const double apart =
      (0.75 * f.width + 0.02 * body_.length_scale) - p_->cross_m() * body_.length_scale * f.trouble;
  if (out * (goal.y() - stance_y) < apart) goal.y() = stance_y + out * apart;
  return goal;
}

/// Share of where the swing began, in where the ankle is to be.
double Gbwc::lift_off_share(const Frame& f, double phase) const {
  const double left = std::max(0.0, 1 - phase) / (1 - step_.lift_phase);
  const double done = std::clamp(1 - left, 0.0, 1.0);
  const double smooth = 1 - done * done * (3 - 2 * done);
  return std::lerp(left * left, smooth, p_->smooth_swing() * (1 - f.trouble));
}

/// Goes on with a swing that is under way: it began where its path is at the ankle now.
void Gbwc::go_on_swinging(const Frame& f) {
  step_.lift_phase = std::min(step_.phase, p_->double_support());
  const double share = lift_off_share(f, step_.phase);
  if (share < kHardlyCounts) {
    step_.lift_phase = std::min(step_.phase, kLatestLift);
    return;
  }
  const Vec3 ankle = f.s.ankle[1 - step_.stance];
  swing_.lift_off = (f.in_heading(ankle - f.s.com) - (1 - share) * swing_.goal) / share;
  swing_.lift_height += (ankle.z() - swing_ankle_at(f, step_.phase, 0).z()) / (share * share);
  // It moves on as it does.
  const Vec3 next = swing_ankle_at(f, step_.phase + kAhead * f.phase_rate, kAhead);
  swing_.taken_over.phase = step_.phase;
  swing_.taken_over.ankle =
      (f.s.ankle_velocity[1 - step_.stance] - (next - ankle) / kAhead) / f.phase_rate;
}

/// Share of what was otherwise that is left, 1 to 0.
double TakenOver::left(double at_phase) const {
  const double over = std::clamp((at_phase - phase) / (1 - phase), 0.0, 1.0);
  return 1 - over * over * (3 - 2 * over);
}

Vec3 Gbwc::swing_ankle_at(const Frame& f, double phase, double ahead) const {
  const double weight = lift_off_share(f, phase);
  const Vec2 from_com = weight * swing_.lift_off + (1 - weight) * swing_.goal;
  const Vec3 com = f.s.com + ahead * f.s.com_velocity;
  const Vec2 at = com.head<2>() + f.in_world(from_com);
  const Vec2 end = landing(f);
  const int swing = 1 - step_.stance;
  const Vec3 now = f.s.ankle[swing];
  double ground = ground_on_way(f, now.head<2>(), at, end);
  // Across a hillside the upper edge of a level sole has to clear the ground, too.
  if (f.view.has_relief()) {
    const Vec2 edge = f.in_world(Vec2(0, body_.foot_reach[swing].z()));
    const double beside = std::max(f.ground_at(Vec2(at + edge)), f.ground_at(Vec2(at - edge)));
    ground += std::max(0.0, beside - way_height(f, at));
  }
  const bool on_left = step_.stance == kLeft;
  const double lower = soles_down();
  const auto height = [&](double at_phase) {
    return style_->foot_height_at(at_phase, on_left) * body_.length_scale - lower;
  };
  const double asked = height(phase);
  const double curve =
      std::lerp(asked, std::min(asked, kSharpHeight * body_.length_scale), course_.sharpness);
  const double flat = body_.biped.ankle_height[swing];
  const double start = swing_.lift_height - flat - height(0);
  Vec3 out(
      at.x(), at.y(),
      ground + flat + curve + wary_height(phase) - wary_search(phase) + weight * weight * start);
  if (phase < 1) {
    const double whole = 1 - swing_.taken_over.phase,
                 over = (phase - swing_.taken_over.phase) / whole;
    out += whole * over * (1 - over) * (1 - over) * swing_.taken_over.ankle;
  }
  return stubbed_ankle(f, phase, clearing_ankle(f, phase, ahead, out));
}

}  // namespace promenade::control
