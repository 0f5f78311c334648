#include <gtest/gtest.h>

#include <algorithm>

#include "human.h"
#include "ode_body.h"

// Our dynamics in joint coordinates against the same bodies stepped by ODE at a very small step.
namespace promenade::reference {
namespace {

using physics::ArticulatedBody;
using physics::ContactPoint;
using physics::StepSettings;

constexpr double kFine = 1.0 / 19200;  // s, of ODE

void step(ArticulatedBody& body, const StepSettings& settings) {
  static const physics::Ground ground;
  static physics::Workspace workspace;
  ArticulatedBody* one = &body;
  physics::step_island({&one, 1}, ground, settings, workspace);
}

struct Difference {
  double position = 0;  // m, the worst link
  double angle = 0;     // rad
};

Difference difference(const ArticulatedBody& ours, const OdeBody& theirs) {
  const auto links = theirs.links();
  Difference worst;
  for (std::size_t i = 0; i < links.size(); ++i) {
    const auto& m = ours.links()[i];
    worst.position = std::max(worst.position, (m.position - links[i].position).norm());
    worst.angle = std::max(worst.angle, Quat(m.rotation).angularDistance(Quat(links[i].rotation)));
  }
  return worst;
}

/// The worst difference within `time` seconds from `start`, ours at `dt`.
Difference compare(const Creature& body, const physics::ArticulationState& start, double gain,
                   double dt, double time, OdeBody* theirs, double ode_dt = kFine) {
  const auto model = without_stops(body);
  ArticulatedBody ours(model);
  ours.set_state(start);
  theirs->set_links(ours.links());
  set_gains(body, gain, ours.drives());
  set_gains(body, gain, theirs->drives());
  StepSettings settings;
  settings.dt = dt;
  Difference worst;
  const int each = static_cast<int>(std::lround(dt / ode_dt));
  for (int i = 0; i < static_cast<int>(std::lround(time / dt)); ++i) {
    step(ours, settings);
    for (int k = 0; k < each; ++k) theirs->step(ode_dt, OdeBody::Solver::kDirect);
    const Difference now = difference(ours, *theirs);
    worst.position = std::max(worst.position, now.position);
    worst.angle = std::max(worst.angle, now.angle);
  }
  return worst;
}

TEST(Reference, PassiveTumblingHumanMovesAsOdeSays) {
  const auto body = shipped_body("human");
  OdeBody coarse(without_stops(*body)), fine(without_stops(*body));
  const Difference at_480 = compare(*body, tumbling(*body), 0, 1.0 / 480, 0.3, &coarse);
  const Difference at_4800 = compare(*body, tumbling(*body), 0, 1.0 / 4800, 0.3, &fine);
  RecordProperty("position_480_mm", std::to_string(1e3 * at_480.position));
  RecordProperty("position_4800_mm", std::to_string(1e3 * at_4800.position));
  EXPECT_LT(at_480.position, 8e-3);
  EXPECT_LT(at_480.angle, 0.1);
  EXPECT_LT(at_4800.position, 1e-3);
  EXPECT_LT(at_4800.angle, 0.01);
}

TEST(Reference, ServosBringTheHumanToItsPoseAsOdeSays) {
  const auto body = shipped_body("human");
  OdeBody coarse(without_stops(*body)), fine(without_stops(*body));
  const Difference at_480 = compare(*body, tumbling(*body), 1, 1.0 / 480, 0.4, &coarse);
  const Difference at_4800 = compare(*body, tumbling(*body), 1, 1.0 / 4800, 0.4, &fine);
  RecordProperty("position_480_mm", std::to_string(1e3 * at_480.position));
  RecordProperty("position_4800_mm", std::to_string(1e3 * at_4800.position));
  EXPECT_LT(at_480.position, 8e-3);
  EXPECT_LT(at_480.angle, 0.1);
  EXPECT_LT(at_4800.position, 1e-3);
  EXPECT_LT(at_4800.angle, 0.01);
}

TEST(Reference, OtherBodiesMoveAsOdeSaysToo) {
  for (const char* name : {"beast1", "child", "giant"}) {
    const auto body = shipped_body(name);
    OdeBody theirs(without_stops(*body));
    const Difference worst =
        compare(*body, tumbling(*body), 0.5, 1.0 / 1920, 0.2, &theirs, 1.0 / 9600);
    EXPECT_LT(worst.position, 3e-3 * body->standing_height) << name;
    EXPECT_LT(worst.angle, 0.05) << name;
  }
}

TEST(Reference, GroundCarriesAStandingHumanAsOdeSays) {
  const auto body = shipped_body("human");
  const auto model = without_stops(*body);
  ArticulatedBody ours(model);
  ours.set_state(standing(*body, 0));
  OdeBody theirs(model);
  theirs.set_links(ours.links());
  const StepSettings settings;
  theirs.set_contact(settings.contact_stiffness, settings.contact_damping, 0.8);
  set_gains(*body, 3, ours.drives());
  set_gains(*body, 3, theirs.drives());
  const int each = 20;
  double our_force = 0, their_force = 0;
  int count = 0;
  for (int i = 0; i < 240; ++i) {
    step(ours, settings);
    for (int k = 0; k < each; ++k) theirs.step(settings.dt / each, OdeBody::Solver::kDirect);
    if (i < 96) continue;  // settled after 0.2 s
    for (const ContactPoint& point : ours.contacts()) our_force += point.force.z();
    their_force += theirs.contact_force().z();
    ++count;
  }
  const double weight = body->total_mass * settings.gravity;
  EXPECT_NEAR(our_force / count, weight, 0.02 * weight);
  EXPECT_NEAR(their_force / count, weight, 0.02 * weight);
  EXPECT_NEAR(our_force / count, their_force / count, 0.01 * weight);
  EXPECT_LT(difference(ours, theirs).position, 4e-3);
}

}  // namespace
}  // namespace promenade::reference
