// When steps begin and end; commands smoothed. Source: Coros2010 §3.1, §3.5, §5.1.
#include <algorithm>
#include <cmath>

#include "control/gbwc/frame.h"

namespace promenade::control {
namespace {

constexpr double kFeltAtAll = 0.005;  // m, the least difference of the ground's height that counts
constexpr double kFeltIn = 0.02;      // s, in which it is taken over
constexpr double kLongestShift = 1.25;  // s, of the weight before a first step
constexpr double kSlack = 0.35;         // m/s, that is asked for beyond the speed of the last step
constexpr double kBrakeSlack = 0.7;     // m/s, likewise towards rest
constexpr double kWallBrake = 5;        // m, to a wall, before which braking is hard
constexpr double kNearlyStopped = 0.3;  // m/s: who is asked to go slower than this is to stop
constexpr double kTurning = 0.3;        // rad left, from which on it is a turn
constexpr double kOnToes = 0.3;         // of their length, that standing may lean out over the toes
constexpr double kBriskWalk = 1.25;     // m/s, of a human
constexpr double kFastTrouble = 1.5;    // 1/(m/s)
constexpr double kLongTrouble = 0.3;
constexpr double kCaughtLess = -0.04;  // m, by which they catch less than the feet reach
constexpr double kLevelFeet = 0.09;    // m, by which one foot may be ahead of the other for work
constexpr double kSlowForWork = 1.5;   // of the usual speed from which on it stands
constexpr double kUpright = 0.15;      // of the deepest stoop
constexpr double kStandsAlone = 0.5;   // of the weight, on the other foot
constexpr double kUneven = 0.015;      // m, between the grounds under the feet, for that
constexpr double kHangsFor = 0.1;      // s
constexpr double kAside = 0.1;         // m/s, sideways: from there on it is a walk aside

}  // namespace

void Gbwc::follow_velocity(const Frame& f, const Goal& goal, double dt) {
  const double left = std::abs(wrap_angle(course_.final_heading - course_.heading));
  const double most = ground_.stood_grip * p_->acceleration_mps2() * dt;
  // While the body lags behind the speed asked for no more is asked, and turns begin more slowly.
  Vec2 asked = goal.velocity * std::clamp(1.3 - left / p_->turn_slow_rad(), 0.25, 1.0);
  const double in_turn = p_->turn_sharp_mps() * turn_share() * body_.time_scale;
  if (course_.sharp && asked.norm() > in_turn) asked *= in_turn / asked.norm();
  const double slack = kSlack * body_.time_scale;
  // Asked for more than it can, a walker gives its most.
  asked.x() = std::clamp(asked.x(), -p_->most_backward_mps() * body_.time_scale,
                         p_->most_forward_mps() * body_.time_scale);
  const double aside = p_->most_aside_mps() * body_.time_scale;
  asked.y() = std::clamp(asked.y(), -aside, aside);
  // Less than nothing: back, the other way than was asked.
  if (asked.norm() > std::max(kNoSpeed, ground_.safe_speed))
    asked *= ground_.safe_speed / asked.norm();
  // Who turns on the spot too near to a wall steps back from it as well.
  if (!step_.standing && ground_.safe_speed < 0 && asked.norm() <= kNoSpeed)
    asked = Vec2(ground_.safe_speed, 0);
  if (!step_.standing) {
    const Vec2 mean = learnt_.last_velocity;
    // Who is to stop brakes hard; so does who nears a wall. Others need not: braked hard in a turn,
    // legs cross, on stairs and bad ground and after a push walkers stumble.
    const bool stopping = !f.view.has_relief() && asked.norm() < kNearlyStopped * body_.time_scale;
    const bool walled = ground_.wall_ahead < kWallBrake * body_.length_scale;
    const bool hard = (stopping || walled) && !course_.sharp && left < kTurning && fine_clock_ <= 0;
    const double brake = hard ? kBrakeSlack * body_.time_scale : slack;
    for (int k : {0, 1}) {
      const double lowest = std::min(mean[k] - slack, std::max(mean[k] - brake, 0.0));
      const double highest = std::max(mean[k] + slack, std::min(mean[k] + brake, 0.0));
      asked[k] = std::clamp(asked[k], lowest, highest);
    }
  }
  if (!step_.standing) asked.x() = speed_over(f, asked.x());
  const Vec2 change = asked - course_.velocity;
  course_.velocity += change.norm() > most ? Vec2(change * (most / change.norm())) : change;
}

/// Where the ground under the stance foot is higher or lower than the query tells, all the
/// ground is taken to be that much higher or lower. So a walker that believes the ground to be
/// level can walk over unevenness that it does not know of.
void Gbwc::feel_ground(const Frame& f, double dt) {
  double load = 0, higher = 0;
  for (const physics::ContactPoint& c : f.state.contacts()) {  // of the last step; smoothed below
    bool felt = false;
    for (int side : {kLeft, kRight}) {
      felt = felt || ((step_.standing || side == step_.stance) &&
                      (c.link == body_.biped.link[kLeftFoot + side] ||
                       c.link == body_.biped.link[kLeftToes + side]));
    }
    const double force = c.force.z();
    if (!felt || force <= 0) continue;
    const auto above = [&](double x, double y) {
      return c.position.z() -
             f.ground_now.clearance(x, y, f.view.hanging_from, c.position.z()).floor;
    };
    double off = above(c.position.x(), c.position.y());
    if (std::abs(off) > kFeltAtAll) {
      // A point at the edge of a block may stand on the ground beside that point.
      for (const Vec2& aside : {Vec2(0.01, 0), Vec2(-0.01, 0), Vec2(0, 0.01), Vec2(0, -0.01)}) {
        const Vec2 at = c.position.head<2>() + aside;
        const double other = above(at.x(), at.y());
        if (std::abs(other) < std::abs(off)) off = other;
      }
    }
    load += force;
    higher += force * off;
  }
  if (load < 0.1 * physics::kGravity * f.mass) return;
  ground_.felt = std::lerp(ground_.felt, higher / load, dt / (dt + kFeltIn));
}

double Gbwc::trouble_of(const Frame& f) const {
  if (step_.standing) return 0;
  // The faster the walk, the more its speed changes over a regular step.
  const double fast = std::max(0.0, course_.velocity.norm() / body_.time_scale - kBriskWalk);
  // So it does over a longer step.
  const double low = p_->trouble_speed_mps() * body_.time_scale * (1 + kFastTrouble * fast) *
                     (1 + kLongTrouble * (f.longer - 1));
  // Slowing down in mid-step and swaying are what the pendulum of a regular step does: no trouble.
  const double forward = std::abs(f.velocity.x() - f.pendulum.pace() * course_.velocity.x());
  const double sideways = std::abs(f.velocity.y() - course_.velocity.y() - sway(f).y());
  return std::max(ramp01(forward, 1.2 * low, 2.4 * low), ramp01(sideways, 0.8 * low, 1.6 * low));
}

double Gbwc::aside() const {
  return std::min(1.0, std::abs(course_.velocity.y()) / (kAside * body_.time_scale));
}

double Gbwc::unrest() const {
  return std::min(1.0,
                  std::abs(wrap_angle(course_.final_heading - course_.heading)) / 0.3 +
                      (course_.velocity - report_.mean_velocity).norm() / (0.4 * body_.time_scale));
}

Vec2 Gbwc::sway(const Frame& f) const {
  const double away = -side_sign(step_.stance) * 0.5 * f.width / f.pendulum.end.cosh();
  return {away * f.pendulum.now.cosh(), away * f.omega * f.pendulum.now.sinh()};
}

void Gbwc::begin_step(const Frame& f, int stance) {
  const bool walking = !step_.standing;
  if (step_.clock > 0.1 * f.step_time) {
    const Vec3 moved = f.s.com - learnt_.step_com;
    learnt_.last_velocity = f.in_heading(moved) / step_.clock;
    report_.mean_velocity = 0.5 * (report_.mean_velocity + learnt_.last_velocity);
    report_.step_time = step_.clock;
    report_.step_length = f.in_heading(f.s.ankle[stance] - f.s.ankle[1 - stance]).x();
    if (f.trouble < 0.5) {
      // Feet land a little before the curves have them land; the pace allows for it.
      step_.usual_end =
          std::clamp(std::lerp(step_.usual_end, step_.phase, p_->end_learning()), 0.8, 1.05);
      const double limit = p_->speed_feedback_limit_m() * body_.length_scale;
      learnt_.correction.x() =
          std::clamp(learnt_.correction.x() +
                         p_->speed_feedback() * (course_.velocity.x() - report_.mean_velocity.x()),
                     -limit, limit);
      // In steps of 0.7 s the sway hardly decays by itself, and a correction that follows it
      // quickly makes it grow. In walking sideways the trailing foot keeps clear of the other and
      // lands further out than the pendulum asks for, which has to be learnt quickly.
      const double learning = std::lerp(p_->straight_feedback(), p_->aside_feedback(), aside());
      learnt_.correction.y() = std::clamp(
          learnt_.correction.y() + learning * (course_.velocity.y() - report_.mean_velocity.y()),
          -limit, limit);
    }
    // Who stumbles, with steps cut short, slows down to a brisk walk.
    const double cut = 1 - ramp01(step_.clock / (step_.usual_end * f.step_time), 0.5, 0.8);
    const double brisk = kBriskWalk * body_.time_scale, speed = course_.velocity.norm();
    if (speed > brisk) course_.velocity *= std::lerp(1.0, brisk / speed, std::max(f.trouble, cut));
  }
  ++report_.steps;
  put_style_aside();
  step_.stance = stance;
  step_.standing = false;
  stand_.shifting = false;
  idle_.clock = stand_.hangs_clock = 0;
  step_.phase = 0;
  stumble_.stubbed = false;
  step_.clock = 0;
  trunk_.clock = 0;
  learnt_.step_com = f.s.com;
  lift_off(f);
  step_.descended = walking ? std::max(0.0, descends_by(f)) : 0;
  if (walking) begin_push_off(f);
  step_.anchor = f.s.ankle[stance];
  step_.climbed = walking ? std::max(0.0, climbs_by(f)) : 0;
  step_.knee_at_strike = f.state.state().angle[body_.biped.link[kLeftShank + stance]].x();
}

/// Goes on with the step that resume() has told of. Loads of the feet are not known yet: it is as
/// if the stance foot bore all.
void Gbwc::go_on(Frame& f) {
  const double phase = step_.phase;
  resumes_ = false;
  begin_step(f, step_.stance);
  step_.phase = phase;
  step_.clock = phase * f.step_time;
  learnt_.step_com = f.s.com;
  learnt_.step_com.head<2>() -= step_.clock * f.in_world(report_.mean_velocity);
  step_.lift_phase = std::min(phase, kLatestLift);
  if (phase < p_->double_support()) {
    push_off(f);
  } else {
    f.load[step_.stance] = 1;
  }
}

/// A pendulum's capture point moves away from its support as exp(omega t). If it would be further
/// than the planned step reaches before the step ends, the step has to end sooner.
/// Law:    t_left = log(reach / xi) / omega on each axis, t_left the time left, xi the distance of
///         the capture point from the support, reach the greatest that the step can catch
/// Source: not in Coros2010, whose steps end late or at foot-strike; after Khadiv et al. 2016,
///         "Step timing adjustment: a step toward generating robust gaits".
double Gbwc::phase_rate_of(const Frame& f) const {
  // The learnt end counts on course only: in a turn or a change of speed quicker steps are safer.
  const double end = std::lerp(step_.usual_end, 1.0, f.unrest);
  const double regular = end / f.step_time;
  if (step_.standing) return regular;
  const double growth = f.pendulum.growth();
  const double l = body_.length_scale;
  const Vec2 capture = f.in_heading(f.s.com - f.s.ankle[step_.stance]) + f.velocity / f.omega;
  const double out = side_sign(1 - step_.stance);
  const double step_x = course_.velocity.x() * f.step_time * growth / (growth - 1);
  const double step_y = out * course_.velocity.y() * f.step_time * growth / (growth - 1) +
                        f.width * growth / (1 + growth);
  const double reach_x = std::abs(step_x) + f.longer * p_->hurry_forward_m() * l;
  const double reach_y = std::max(0.05 * l, step_y + f.longer * p_->hurry_sideways_m() * l);
  const double to_go = std::max(0.05, end - step_.phase);
  double left = to_go / regular;
  // `support` is how far the stance foot can move the centre of pressure towards that side, m.
  auto limit = [&](double xi, double reach, double support) {
    if (xi <= support) return;
    left = std::min(left, std::log(std::max(1.0, (reach - support) / (xi - support))) / f.omega);
  };
  const Vec3 foot = p_->hurry_support() * body_.foot_reach[step_.stance];
  limit(capture.x(), reach_x + foot.x(), foot.x());
  limit(-capture.x(), reach_x + foot.y(), foot.y());
  limit(out * capture.y(), reach_y + foot.z(), foot.z());
  limit(-out * capture.y(), p_->hurry_inward_m() * l + foot.z(), foot.z());
  if (climb_ > 0 || descend_ > 0) return stairs_rate(f, capture.x(), to_go, regular);
  if (over_ >= 0) return rate_over(f, capture.x(), to_go, regular);
  const double rate = to_go / std::max(left, 1e-3);
  if (f.trouble <= 0) return std::clamp(rate, regular, p_->hurry() * regular);
  // A foot that is far from where it is needed gets the time to go there.
  const Vec2 way = f.in_heading(f.s.ankle[1 - step_.stance] - f.s.com) - swing_.goal;
  const double needed =
      std::max(0.0, way.norm() - 0.05 * l) / (p_->swing_speed_mps() * body_.time_scale);
  const double slow = std::max(0.02, 1 - step_.phase) / std::max(needed, 1e-3);
  return std::clamp(std::min(rate, slow), p_->patience() * regular, p_->hurry() * regular);
}

void Gbwc::advance_phase(const Frame& f, double dt) {
  // The step waits a little until the new stance foot takes the load from the other one.
  const bool waiting = step_.phase < 0.1 && f.load[step_.stance] < 0.5 * p_->full_load() &&
                       f.load[1 - step_.stance] > 0.5 * p_->full_load();
  const bool held = straddles(f) && step_.phase > 0.5 * p_->double_support();
  step_.phase += dt * f.phase_rate * (held ? 0 : waiting ? 0.3 : 1);
  step_.clock += dt;
  const int swing = 1 - step_.stance;
  bool strike = step_.phase >= 1 + p_->overtime();
  // If the stance foot is in the air while the other one stands, the other becomes the stance foot.
  // Not while it pushes off: the leading foot may bounce once.
  if (!step_.pushing && step_.phase > 0.15 && f.load[step_.stance] < 0.01 && f.load[swing] > 0.2)
    strike = true;
  // A stubbed toe is no foot-strike: the ankle has to be down.
  const Vec3 ankle = f.s.ankle[swing];
  const double low =
      way_height(f, ankle.head<2>()) + body_.biped.ankle_height[swing] + 0.025 * body_.length_scale;
  if (!step_.pushing && f.load[swing] < 0.5 * p_->strike_load()) step_.airborne = true;
  if (step_.phase > p_->strike_phase() && ankle.z() < low && f.load[swing] > p_->strike_load() &&
      (step_.airborne || p_->double_support() <= 0)) {
    strike = true;
  }
  if (step_.phase > p_->strike_phase() && !step_.pushing && over_ < 0 && climb_ <= 0 &&
      descend_ <= 0 && stands_early(f))
    strike = true;
  if (step_.phase > p_->early_phase() && f.trouble > 0 && over_ < 0) {
    const Vec2 apart = f.in_heading(f.s.ankle[swing] - f.s.ankle[step_.stance]);
    const double outward = side_sign(swing) * apart.y();
    const double toward = side_sign(swing) * f.velocity.y();
    const double l = body_.length_scale, fast = 0.2 * body_.time_scale;
    if ((f.velocity.x() > fast && apart.x() > p_->early_forward_m() * l) ||
        (f.velocity.x() < -fast && apart.x() < -p_->early_backward_m() * l) ||
        (toward > fast && outward > p_->early_outward_m() * l) ||
        (toward < -fast && outward < -p_->early_inward_m() * l)) {
      strike = true;
    }
  }
  if (strike) begin_step(f, swing);
  if (step_.pushing) end_push_off(f);
}

bool Gbwc::balanced(const Frame& f, double margin) const {
  const Vec2 reach(capture_distance(f.velocity.x(), f.height),
                   capture_distance(f.velocity.y(), f.height));
  const Vec2 capture = f.in_heading(f.s.com) + reach;
  double front = -1e9, back = 1e9, left = -1e9, right = 1e9;
  for (int side : {kLeft, kRight}) {
    const Vec2 ankle = f.in_heading(f.s.ankle[side]);
    front = std::max(front,
                     ankle.x() + std::lerp(ball_ahead(side), body_.foot_reach[side].x(), kOnToes));
    back = std::min(back, ankle.x() - body_.foot_reach[side].y());
    left = std::max(left, ankle.y() + body_.foot_reach[side].z());
    right = std::min(right, ankle.y() - body_.foot_reach[side].z());
  }
  return capture.x() < front + margin && capture.x() > back - margin &&
         capture.y() < left + margin && capture.y() > right - margin;
}

void Gbwc::stand_or_go(const Frame& f, const Goal& goal, double dt) {
  const bool wants_to_go = !goal.stand || goal.velocity.norm() > kNoSpeed ||
                           std::abs(wrap_angle(goal.heading - f.s.heading)) > 0.25;
  if (step_.standing) {
    const bool upright = balanced(f, p_->stand_margin_m() * body_.length_scale);
    const Vec2 offset = f.in_heading(f.s.com - 0.5 * (f.s.ankle[0] + f.s.ankle[1]));
    const Vec2 apart = f.in_heading(f.s.ankle[kLeft] - f.s.ankle[kRight]);
    if (!upright) {
      // The first step is taken by the leg on the side to which the body falls.
      const double falling = offset.y() + capture_distance(f.velocity.y(), f.height);
      begin_step(f, falling > 0 ? kRight : kLeft);
      return;
    }
    // A foot that hangs in the air, as at first on a hillside, is set down by a step.
    const int lighter = f.load[kLeft] < f.load[kRight] ? kLeft : kRight;
    const bool hangs = f.load[lighter] <= 0 && f.load[1 - lighter] > kStandsAlone &&
                       std::abs(f.ground_at(f.s.ankle[kLeft]) - f.ground_at(f.s.ankle[kRight])) >
                           kUneven * body_.length_scale;
    stand_.hangs_clock = hangs ? stand_.hangs_clock + dt : 0;
    if (stand_.hangs_clock > kHangsFor * body_.time_scale) {
      begin_step(f, 1 - lighter);
      return;
    }
    // Nobody sets out before coming up from a stoop.
    if (!wants_to_go || stoop_.depth > kUpright) {
      stand_.shifting = false;
      // Whose hands work does not idle.
      bool works = stoop_.depth > 0 || f.mass > body_.creature->total_mass;
      for (const HandGoal& hand : goal.hand) works = works || hand.frame != HandGoal::Frame::kFree;
      idle_.clock = works ? 0 : idle_.clock + dt;
      return;
    }
    idle_.clock = 0;
    if (!stand_.shifting) {
      stand_.shifting = true;
      stand_.shift_clock = 0;
      step_.stance = offset.y() >= 0 ? kLeft : kRight;
    }
    stand_.shift_clock += dt;
    const double toward = side_sign(step_.stance) * offset.y();
    if (toward > 0.4 * 0.5 * std::abs(apart.y()) ||
        stand_.shift_clock > kLongestShift * body_.time_scale)
      begin_step(f, step_.stance);
    return;
  }
  // At foot-strike, slow and between the feet: stand.
  if (wants_to_go || step_.clock > 0 || report_.steps < 1) return;
  if (course_.velocity.norm() > kNoSpeed) return;
  // Who stands for work has set the feet wide: they catch more, and the place should be kept.
  const bool works = goal.width > style_->step_width;
  const double slow = p_->stand_speed_mps() * body_.time_scale * (works ? kSlowForWork : 1);
  const Vec2 apart = f.in_heading(f.s.ankle[kLeft] - f.s.ankle[kRight]);
  const double l = body_.length_scale;
  if (std::abs(f.velocity.x()) < slow && std::abs(f.velocity.y()) < (works ? 2 : 1.5) * slow &&
      std::abs(apart.x()) < (works ? kLevelFeet : 0.2) * l && apart.y() > 0.06 * l &&
      apart.y() < 0.35 * l && balanced(f, (works ? kCaughtLess : -0.01) * l)) {
    step_.standing = true;
    stand_.shifting = false;
    resume_style();
  }
}

}  // namespace promenade::control
