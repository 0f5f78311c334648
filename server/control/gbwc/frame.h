#pragma once

#include <algorithm>
#include <cmath>

#include "control/ahead/path_ground.h"
#include "control/gbwc/parameters.h"
#include "control/gbwc/style.h"
#include "control/gbwc/walk_state.h"
#include "control/gbwc/walker_body.h"
#include "creature/biped/biped_state.h"
#include "math/rotation.h"

// Private to gbwc/.
namespace promenade::control::gbwc {

/// Both hyperbolic functions of an argument for the price of one exponential.
struct Hyperbolic {
  double exp = 1;

  Hyperbolic() = default;
  explicit Hyperbolic(double x) : exp(std::exp(x)) {}
  double cosh() const { return 0.5 * (exp + 1 / exp); }
  double sinh() const { return 0.5 * (exp - 1 / exp); }
};

/// A pendulum of a regular step, in time from mid-step, where it is slowest: at the end of the step
/// and now.
struct Pendulum {
  double half = 1;  // omega times half of the step time
  Hyperbolic end, now;

  Pendulum() = default;
  Pendulum(double omega, double step_time) : half(0.5 * omega * step_time), end(half) {}
  void go_to(double phase) { now = Hyperbolic(half * (2 * std::min(phase, 1.0) - 1)); }
  /// Factor by which a deviation grows in a step.
  double growth() const { return end.exp * end.exp; }
  /// Speed now over the mean speed of the step.
  double pace() const { return half * now.cosh() / end.sinh(); }
  double pace_at_end() const { return half * end.cosh() / end.sinh(); }
};

/// What one decision sees and computes once, for all parts of the walk: each reads it, and changes
/// nothing but its own state and the drives of the joints. World frame unless said.
struct Frame {
  // The walker as it is now; these follow what the parts change in this decision.
  const WalkerBody& body;
  const GbwcParameters& p;
  const std::shared_ptr<const Style>& style;  // in which it walks now
  const WalkState& now;
  const StepState& step = now.step;
  const StandState& stand = now.stand;
  const CourseState& course = now.course;
  const LearntState& learnt = now.learnt;
  const SwingState& swing = now.swing;
  const UnderfootState& underfoot = now.underfoot;
  const StumbleState& stumble = now.stumble;
  const DuckState& duck = now.duck;
  const StoopState& stoop = now.stoop;
  const StretchState& stretch = now.stretch;
  const LoadState& hands = now.hands;
  const IdleState& idle = now.idle;
  const TrunkState& trunk = now.trunk;
  const BalanceState& balance = now.balance;
  const ahead::Features& features = now.features;
  const StepPlan& plan = now.plan;
  const ControlReport& report = now.report;
  const double& fine_clock = now.fine_clock;
  const bool& plain = now.plain;
  bool takes_over = false;  // a step that is under way

  physics::ArticulatedBody& state;
  const physics::GroundNow& ground_now;
  std::span<const physics::LinkMotion> links;
  std::span<physics::JointDrive> drives;
  BipedState s;
  std::array<Branch, physics::kMaxLinks> branch;
  Vec3 own_com = Vec3::Zero();   // of the body alone: s.com is that with its load, see take_load()
  double mass = 0;               // kg, with what the hands hold up
  std::array<double, 2> load{};  // on each foot, share of the weight; not smoothed, as a late share
                                 // of a foot that lifts would throw its leg
  Quat heading = Quat::Identity();  // world_from_heading
  Quat pelvis = Quat::Identity();   // where it should be, world
  Vec3 support = Vec3::Zero();      // m, the ankle of the stance foot, or between both
  Vec3 carried = Vec3::Zero();      // m/s, velocity of the ground under the stance foot, world
  Vec2 velocity = Vec2::Zero();     // of the COM over that ground, heading frame
  ahead::GroundView view{};         // the ground as it knows it
  double ground = 0;                // height under the stance foot (or between both), m
  double height = 1;                // COM above it, m
  double omega = 3;                 // 1/s, sqrt(g / height)
  double step_time = 0.6;           // s, of the style on this body
  double width = 0.1;               // m, step width likewise
  double phase_rate = 1;            // 1/s
  double trouble = 0;               // 0 on course, 1 far off
  double unrest = 0;                // 1 in a turn or a change of speed
  double longer = 1;                // growth of a deviation over that in a usual step
  double firm = 0;                  // 1 in a long step, which has to be held on its course, else 0

  /// Height of the ground, m.
  double ground_at(const Vec2& at) const { return view.height(at); }
  double ground_at(const Vec3& at) const { return ground_at(Vec2(at.head<2>())); }
  /// Velocity of the COM over the ground that the stance foot is on, world.
  Vec2 velocity_over_ground() const { return (s.com_velocity - carried).head<2>(); }
  void turn_to(double angle) {
    yaw = angle;
    ahead = {std::cos(angle), std::sin(angle)};
    heading = rotation_z(angle);
  }
  Vec2 in_heading(const Vec3& v) const {
    return {ahead.x() * v.x() + ahead.y() * v.y(), ahead.x() * v.y() - ahead.y() * v.x()};
  }
  Vec2 in_world(const Vec2& v) const {
    return {ahead.x() * v.x() - ahead.y() * v.y(), ahead.y() * v.x() + ahead.x() * v.y()};
  }
  double yaw = 0;              // the heading's angle
  Vec2 ahead = Vec2::UnitX();  // its direction
  Pendulum pendulum = {};

  /// The ground that feet go by: of what is stepped over, that before it.
  ahead::PathGround path() const { return {view, features, body.sight.at_board}; }
  double way_height(const Vec2& at) const { return path().height(at); }
};

/// Time between decisions, where steps of physics are not longer.
inline constexpr double kControlTime = 1.0 / 480;  // s
/// For this long after trouble.fine a body is still stepped finely: what happens then decides
/// whether it stays up. docs/decisions/0007-fine-steps-in-trouble.md
inline constexpr double kFineTime = 0.05;  // s
/// Below this speed a velocity has no direction, and a walk goes nowhere.
inline constexpr double kNoSpeed = 0.02;  // m/s
/// Time between new targets for trunk and arms.
inline constexpr double kPoseTime = 1.0 / 120;  // s

inline double ramp(double from, double to, double most) {
  return from + std::clamp(to - from, -most, most);
}

/// 0 below `low`, 1 above `high`, straight between.
inline double ramp01(double x, double low, double high) {
  return std::clamp((x - low) / (high - low), 0.0, 1.0);
}

inline double side_sign(int side) { return side == kLeft ? 1.0 : -1.0; }

}  // namespace promenade::control::gbwc
