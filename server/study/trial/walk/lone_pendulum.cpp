#include "study/trial/walk/lone_pendulum.h"

#include <algorithm>
#include <cmath>

#include "control/registry.h"
#include "math/rotation.h"

namespace promenade::trial {
namespace {

using control::pendulum::StepperBody;
using control::pendulum::StepperGait;
using control::pendulum::Tuning;

constexpr double kUsualLeg = 0.95;    // m, of a person whose steps take:
constexpr double kUsualTime = 0.5;    // s
constexpr double kWidthShare = 0.17;  // share of the leg

StepperBody body_of(const LonePlan& plan) {
  StepperBody body;
  body.mass = plan.mass;
  body.leg = {plan.leg, plan.leg};
  body.hip_width = 0.19 * plan.leg;
  body.foot_radius = 0.1 * plan.leg;
  body.trunk = control::pendulum::trunk_of(plan.mass, plan.leg);
  if (plan.pivot_height) body.trunk.pivot_height = *plan.pivot_height;
  return body;
}

StepperGait gait_of(const LonePlan& plan) {
  StepperGait gait;
  gait.step_time = kUsualTime * std::sqrt(plan.leg / kUsualLeg);
  gait.width = kWidthShare * plan.leg;
  return gait;
}

}  // namespace

v1::PendulumParameters usual_pendulum(const Library& library) {
  return dynamic_cast<const v1::PendulumParameters&>(
      *library.controllers().parameters(*control::find_family("pendulum")));
}

LonePendulum::LonePendulum(const LonePlan& plan, const Tuning& tuning, physics::GroundPlan ground)
    : body_(body_of(plan)),
      gait_(gait_of(plan)),
      tuning_(tuning),
      ground_(std::move(ground)),
      stepper_(body_, gait_, tuning_) {
  stepper_.stand({ground_}, Vec2::Zero(), 0);
  goal.stand = plan.speed == 0;
  goal.velocity = {plan.speed, 0};
}

bool LonePendulum::run(double seconds) {
  const double end = time_ + seconds - 0.5 * kSourceStep;
  while (time_ < end && !stepper_.fallen()) {
    const std::uint64_t steps = stepper_.steps();
    stepper_.update({ground_, time_}, goal, force, known, kSourceStep);
    time_ += kSourceStep;
    if (observer) observer(*this);
    if (strike_observer && stepper_.steps() != steps) strike_observer(*this);
  }
  return !stepper_.fallen();
}

double LonePendulum::distance() const {
  // While the weight changes over, the stance is still the foot that stood before.
  const bool fresh = stepper_.phase() == control::pendulum::Phase::kTransfer;
  const int side = fresh ? 1 - stepper_.stance() : stepper_.stance();
  const Vec3 ahead = stepper_.foot(side).position - stepper_.com();
  return rotated(Vec2(ahead.head<2>()), -stepper_.heading()).x();
}

EvenSteps even_steps(LonePendulum& pendulum, double settle, double seconds) {
  EvenSteps out;
  pendulum.run(settle);
  const double from = pendulum.stepper().com().x(), began = pendulum.time();
  double sum = 0, least = 1e9, most = -1e9;
  int count = 0;
  pendulum.strike_observer = [&](const LonePendulum& p) {
    const double distance = p.distance();
    sum += distance;
    least = std::min(least, distance);
    most = std::max(most, distance);
    ++count;
  };
  out.up = pendulum.run(seconds);
  pendulum.strike_observer = nullptr;
  if (count == 0) return out;
  out.distance = sum / count;
  out.spread = most - least;
  out.speed = (pendulum.stepper().com().x() - from) / (pendulum.time() - began);
  return out;
}

EvenSteps steps_under_force(const LonePlan& plan, const Tuning& tuning, double force) {
  LonePendulum pendulum(plan, tuning);
  pendulum.run(6);
  pendulum.force = {force, 0, 0};
  pendulum.known = {force, 0};
  return even_steps(pendulum, 15, 20);
}

CaptureStep step_after_push(const LonePlan& plan, const Tuning& tuning, double force,
                            double seconds) {
  CaptureStep out;
  LonePendulum pendulum(plan, tuning);
  pendulum.run(1);
  int strikes = 0;
  pendulum.strike_observer = [&](const LonePendulum& p) {
    if (++strikes == 1) {
      out.stepped = true;
      out.distance = p.distance();
      out.speed_before = p.stepper().velocity().x();
    } else if (strikes == 2) {
      out.speed_after = p.stepper().velocity().x();
    }
  };
  pendulum.force = {force, 0, 0};
  pendulum.run(seconds);
  pendulum.force.setZero();
  pendulum.run(2);
  if (strikes < 2) out.speed_after = pendulum.stepper().velocity().x();
  out.up = pendulum.run(6);
  return out;
}

}  // namespace promenade::trial
