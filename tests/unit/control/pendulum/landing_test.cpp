#include "control/pendulum/landing.h"

#include <gtest/gtest.h>

#include "control/pendulum/orbit.h"
#include "control/pendulum/step_law.h"

namespace promenade::control::pendulum {
namespace {

constexpr double kHeight = 0.95;  // m
constexpr StepTiming kTiming{0.42, 0.11};

/// A walk ahead at an even pace, at the beginning of single support on a foot at the origin.
LandingLaw even_walk(double stride) {
  const Orbits orbits(fall_rate(kHeight), kTiming);
  const OrbitPoint end = orbits.ahead(stride);
  LandingLaw law;
  law.rate = fall_rate(kHeight);
  law.height = kHeight;
  law.cop = law.stand = law.against = Vec2::Zero();
  // Single support is symmetric in time.
  law.mass = {-end.offset, 0};
  law.velocity = law.wanted_velocity = {end.velocity, 0};
  law.from_stand = {end.offset, 0};
  law.from_landed = {end.offset - stride, 0};
  law.scale = 0.7;
  law.bias = 0.1;
  law.gain = orbits.placing_gain();
  return law;
}

TEST(LandingLaw, KeepsAnEvenWalkAtItsStride) {
  const Landing then = even_walk(0.6).after(kTiming.single);
  EXPECT_DOUBLE_EQ(then.left, kTiming.single);
  EXPECT_NEAR(then.mass.x(), -even_walk(0.6).mass.x(), 1e-12);
  EXPECT_NEAR(then.foot.x(), 0.6, 1e-12);
  EXPECT_NEAR(then.foot.y(), 0, 1e-12);
}

TEST(LandingLaw, StepsFurtherWhereTheMassIsFasterThanWanted) {
  LandingLaw law = even_walk(0.6);
  law.velocity.x() += 0.1;
  const Landing then = law.after(kTiming.single);
  EXPECT_GT((then.foot - then.mass).x(), 0.6 - law.from_stand.x());
}

TEST(LandingLaw, StepsFurtherAgainstASteadyForce) {
  LandingLaw law = even_walk(0.6);
  law.against.x() = 0.05;
  EXPECT_GT(law.after(kTiming.single).foot.x(), 0.65);
}

}  // namespace
}  // namespace promenade::control::pendulum
