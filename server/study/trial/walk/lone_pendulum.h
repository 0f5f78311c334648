#pragma once

#include <functional>
#include <optional>

#include "control/goal.h"
#include "control/pendulum/stepper.h"
#include "physics/ground/ground.h"
#include "promenade/v1/controller.pb.h"
#include "world/library/library.h"

namespace promenade::trial {

/// The parameters of the family pendulum, as its file has them.
v1::PendulumParameters usual_pendulum(const Library& library);

/// Step of time of the figures of Kenwright2014, s.
inline constexpr double kSourceStep = 0.01;

/// A pendulum without a body to pose, as the figures of Kenwright2014 chapters 3 and 4 have it.
struct LonePlan {
  double mass = 70;  // kg
  double leg = 1;    // m
  double speed = 0;  // m/s, forward; 0: stands
  // m, of the virtual pivot point above the mass; none: as bodies have it
  std::optional<double> pivot_height = {};
};

/// One such pendulum on a ground of its own. Steps take as long as those of a body of its size.
/// Law: step time and step width grow with the root of the leg and with the leg.
class LonePendulum {
 public:
  LonePendulum(const LonePlan& plan, const control::pendulum::Tuning& tuning,
               physics::GroundPlan ground = {});
  LonePendulum(const LonePendulum&) = delete;
  LonePendulum& operator=(const LonePendulum&) = delete;

  /// Goes on for a time or until it falls. @return whether it is up
  bool run(double seconds);

  control::Goal goal;
  Vec3 force = Vec3::Zero();  // N, on the mass
  Vec2 known = Vec2::Zero();  // N, the part of it that it allows for (eq. 3.6)
  /// Called after every step of time, and of those in which a foot came down; may be empty.
  std::function<void(const LonePendulum&)> observer, strike_observer;

  const control::pendulum::Stepper& stepper() const { return stepper_; }
  double time() const { return time_; }
  /// m, how far ahead of the mass the foot is that came down last: d of eq. 3.3 at a foot-strike.
  double distance() const;

 private:
  control::pendulum::StepperBody body_;
  control::pendulum::StepperGait gait_;
  control::pendulum::Tuning tuning_;
  physics::Ground ground_;
  control::pendulum::Stepper stepper_;
  double time_ = 0;
};

/// Its steps once it walks evenly.
struct EvenSteps {
  bool up = false;
  double distance = 0;  // m, mean of LonePendulum::distance() at foot-strikes
  double spread = 0;    // m, greatest less least
  double speed = 0;     // m/s, mean
};
/// @param settle, seconds  s, before it is looked at, and for which it is
EvenSteps even_steps(LonePendulum& pendulum, double settle, double seconds);

/// Walks against a force that pulls back (negative) or pushes on (positive), which it knows of.
EvenSteps steps_under_force(const LonePlan& plan, const control::pendulum::Tuning& tuning,
                            double force);

/// The first step of one that stands and is pushed once.
struct CaptureStep {
  bool stepped = false, up = false;
  double distance = 0;      // m, of that step
  double speed_before = 0;  // m/s, at its foot-strike
  double speed_after = 0;   // m/s, at the next foot-strike, or after 2 s without one
};
CaptureStep step_after_push(const LonePlan& plan, const control::pendulum::Tuning& tuning,
                            double force, double seconds);

}  // namespace promenade::trial
