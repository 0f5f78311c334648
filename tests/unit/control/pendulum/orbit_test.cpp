#include "control/pendulum/orbit.h"

#include <gtest/gtest.h>

#include <cmath>

#include "control/pendulum/step_law.h"

namespace promenade::control::pendulum {
namespace {

constexpr StepTiming kTiming{0.42, 0.11};

/// Integrates x'' = w^2 (x - p) over double support from a foot at 0 to one at `next`, and single
/// support on it.
OrbitPoint step(OrbitPoint at, double next, double rate, const StepTiming& timing) {
  constexpr int kParts = 20000;
  double x = at.offset, v = at.velocity;
  const auto run = [&](double time, double from, double to) {
    const double dt = time / kParts;
    for (int i = 0; i < kParts; ++i) {
      const double p = from + (to - from) * (i + 0.5) / kParts;
      v += dt * rate * rate * (x + 0.5 * dt * v - p);
      x += dt * v;
    }
  };
  run(timing.both, 0, next);
  run(timing.single, next, next);
  return {x - next, v};
}

TEST(AheadOrbit, ComesBackAfterAStep) {
  const double rate = fall_rate(0.95);
  const OrbitPoint orbit = Orbits(rate, kTiming).ahead(0.6);
  const OrbitPoint then = step(orbit, 0.6, rate, kTiming);
  EXPECT_NEAR(then.offset, orbit.offset, 2e-4);
  EXPECT_NEAR(then.velocity, orbit.velocity, 6e-4);
}

TEST(SwayOrbit, ComesBackMirrored) {
  const double rate = fall_rate(0.95);
  const OrbitPoint orbit = Orbits(rate, kTiming).sway(0.2);
  EXPECT_LT(orbit.offset, 0);
  // The foot at +0.1 is the origin: the next is 0.2 to the other side.
  const OrbitPoint then = step(orbit, -0.2, rate, kTiming);
  EXPECT_NEAR(then.offset, -orbit.offset, 2e-4);
  EXPECT_NEAR(then.velocity, -orbit.velocity, 6e-4);
}

TEST(AheadOrbit, WithoutDoubleSupportIsTheClosedForm) {
  const double rate = 3.2, time = 0.5;
  const OrbitPoint orbit = Orbits(rate, {time, 0}).ahead(0.5);
  EXPECT_NEAR(orbit.offset, 0.25, 1e-3);
  EXPECT_NEAR(orbit.velocity, 0.25 * rate / std::tanh(0.5 * rate * time), 1e-2);
}

TEST(PlacingGain, BringsTheNextStepBackOnCourse) {
  const double rate = fall_rate(0.95), off = 0.02;  // m, of x + x' / w
  const OrbitPoint orbit = Orbits(rate, kTiming).ahead(0.6);
  const auto captured = [&](const OrbitPoint& at) { return at.offset + at.velocity / rate; };
  OrbitPoint disturbed = orbit;
  disturbed.velocity += off * rate;
  const double next = 0.6 + Orbits(rate, kTiming).placing_gain() * off;
  EXPECT_NEAR(captured(step(disturbed, next, rate, kTiming)), captured(orbit), 1e-3);
  EXPECT_GT(std::abs(captured(step(disturbed, 0.6, rate, kTiming)) - captured(orbit)), 0.05);
}

TEST(Fall, IsTheSolutionOfTheLaw) {
  const OrbitPoint then = Fall(3, 0.25).from(0.1, -0.2);
  EXPECT_NEAR(then.offset, 0.1 * std::cosh(0.75) - 0.2 / 3 * std::sinh(0.75), 1e-12);
  EXPECT_NEAR(then.velocity, 0.3 * std::sinh(0.75) - 0.2 * std::cosh(0.75), 1e-12);
}

}  // namespace
}  // namespace promenade::control::pendulum
