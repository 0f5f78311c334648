#include "study/trial/gait/footfalls.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "objectives.h"
#include "study/trial/gait/flight_audit.h"
#include "study/trial/gait/gait_name.h"

namespace promenade::trial {
namespace {

const Creature& creature(const std::string& name) {
  return *search::shipped().bodies().find(name)->body;
}

// The footfalls of legs that bear for `duty` of a stride about these phases.
Footfalls footfalls(const Legs& legs, const std::vector<double>& phases, double duty,
                    int times = 1) {
  constexpr double kPeriod = 0.5, kStep = 1.0 / 480;
  FootfallRecorder recorder(legs, kPeriod);
  for (int i = 1; i <= 6 * 240; ++i) {
    const double at = (i - 0.5) * kStep / kPeriod * times;
    std::vector<bool> bears;
    bool any = false;
    for (const double phase : phases) {
      bears.push_back(phase_distance(at, phase) < duty / 2);
      any = any || bears.back();
    }
    recorder.note(bears, any, i * kStep, kStep);
  }
  return recorder.result();
}

TEST(Footfalls, HaveTheDutyAndThePhaseOfEachLeg) {
  const Legs legs = Legs::of(creature("cat"));
  ASSERT_EQ(legs.limbs.size(), 4u);
  ASSERT_EQ(legs.pairs.size(), 2u);
  EXPECT_GT(legs.pairs[0].along, legs.pairs[1].along);  // front to back
  const Footfalls falls = footfalls(legs, {0.1, 0.6, 0.35, 0.85}, 0.6);
  EXPECT_NEAR(falls.legs[0].duty, 0.6, 0.01);
  EXPECT_NEAR(falls.legs[0].phase, 0.1, 0.01);
  EXPECT_NEAR(falls.legs[3].phase, 0.85, 0.01);
  EXPECT_EQ(falls.airborne, 0);
  EXPECT_TRUE(falls.steps());
}

TEST(Footfalls, OfLegsThatNeverLiftAreNoSteps) {
  const Legs legs = Legs::of(creature("cat"));
  EXPECT_FALSE(footfalls(legs, {0, 0, 0, 0}, 1.1).steps());
  EXPECT_EQ(gait_name(legs, footfalls(legs, {0, 0, 0, 0}, 1.1)), "stands");
}

TEST(Footfalls, TwiceAStrideAreToldByTheSecondHarmonic) {
  const Legs legs = Legs::of(creature("luxo"));
  const Footfalls falls = footfalls(legs, {0.25}, 0.4, 2);
  EXPECT_TRUE(falls.steps());
  EXPECT_NEAR(falls.legs[0].phase, 0.25, 0.01);
}

// Hildebrand's diagram for the cat, whose legs are left and right fore, then left and right hind.
TEST(GaitName, OfFourLegsFollowsTheLag) {
  const Creature& cat = creature("cat");
  const Legs legs = Legs::of(cat);
  const auto name = [&](double fore, double lag, double hind, double duty = 0.5) {
    // Phases of left fore, right fore, left hind, right hind as they stand in the file.
    std::vector<double> phases(4);
    phases[std::size_t(legs.pairs[0].left)] = lag;
    phases[std::size_t(legs.pairs[0].right)] = lag + fore;
    phases[std::size_t(legs.pairs[1].left)] = 0;
    phases[std::size_t(legs.pairs[1].right)] = hind;
    for (double& phase : phases) phase -= std::floor(phase);
    return std::string(gait_name(legs, footfalls(legs, phases, duty)));
  };
  EXPECT_EQ(name(0.5, 0.5, 0.5), "trot");
  EXPECT_EQ(name(0.45, 0.55, 0.5), "trot");
  EXPECT_EQ(name(0.5, 0.0, 0.5), "rack");
  EXPECT_EQ(name(0.5, 0.95, 0.5), "rack");
  EXPECT_EQ(name(0.5, 0.25, 0.5, 0.7), "walk");
  EXPECT_EQ(name(0.5, 0.25, 0.5, 0.35), "amble");
  EXPECT_EQ(name(0.5, 0.75, 0.5, 0.7), "diagonal_walk");
  EXPECT_EQ(name(0.0, 0.5, 0.0), "bound");
  EXPECT_EQ(name(0.0, 0.0, 0.0), "pronk");
  EXPECT_EQ(name(0.15, 0.5, 0.15, 0.3), "gallop");
}

TEST(GaitName, OfOneTwoAndSixLegs) {
  const Legs luxo = Legs::of(creature("luxo"));
  EXPECT_EQ(gait_name(luxo, footfalls(luxo, {0.2}, 0.4)), "hop");
  const Legs human = Legs::of(creature("human"));
  EXPECT_EQ(gait_name(human, footfalls(human, {0.1, 0.6}, 0.62)), "walk");
  EXPECT_EQ(gait_name(human, footfalls(human, {0.1, 0.6}, 0.35)), "run");
  EXPECT_EQ(gait_name(human, footfalls(human, {0.1, 0.12}, 0.4)), "hop");
  const Legs ant = Legs::of(creature("ant"));
  ASSERT_EQ(ant.pairs.size(), 3u);
  const auto of_ant = [&](const std::vector<double>& left, double right) {
    std::vector<double> phases(6);
    for (std::size_t i = 0; i < 3; ++i) {
      phases[std::size_t(ant.pairs[i].left)] = left[i];
      phases[std::size_t(ant.pairs[i].right)] = std::fmod(left[i] + right, 1);
    }
    return gait_name(ant, footfalls(ant, phases, 0.5));
  };
  EXPECT_EQ(of_ant({0, 0.5, 0}, 0.5), "tripod");
  EXPECT_EQ(of_ant({0.6, 0.3, 0}, 0), "wave");
  EXPECT_EQ(of_ant({0.3, 0.15, 0}, 0.5), "ripple");
}

// Found in maps of ants: fore legs in turn, the others twice a stride. By the second harmonic legs
// that take turns would be together.
TEST(GaitName, IsNoneWhereMostLegsStepTwiceAStrideAndSomeOnce) {
  const Creature& ant = creature("ant");
  const Legs legs = Legs::of(ant);
  constexpr double kPeriod = 0.5, kStep = 1.0 / 480;
  const auto name = [&](int fore) {
    FootfallRecorder recorder(legs, kPeriod);
    for (int i = 1; i <= 6 * 240; ++i) {
      const double at = (i - 0.5) * kStep / kPeriod;
      std::vector<bool> bears(6);
      for (std::size_t pair = 0; pair < 3; ++pair) {
        const int times = pair == 0 ? fore : 2;
        const double right = pair == 0 ? 0.5 * fore : 0;
        bears[std::size_t(legs.pairs[pair].left)] = phase_distance(at * times, 0) < 0.2;
        bears[std::size_t(legs.pairs[pair].right)] = phase_distance(at * times, right) < 0.2;
      }
      recorder.note(bears, true, i * kStep, kStep);
    }
    return std::string(gait_name(legs, recorder.result()));
  };
  EXPECT_EQ(name(2), "pronk") << "all legs together, twice a stride";
  EXPECT_EQ(name(1), "shuffle");
}

TEST(FlightAudit, FindsNothingInAThrowAndMeasuresIt) {
  const Creature& luxo = creature("cat");
  physics::ArticulatedBody body(luxo.model);
  Pose root;
  root.position.z() = 5;
  auto state = physics::ArticulatedBody::zero_state(*luxo.model, root);
  state.velocity[0] = 2;  // m/s
  state.velocity[2] = 3;
  body.set_state(state);
  FlightAudit audit(*luxo.model, physics::kGravity);
  physics::Workspace workspace;
  physics::Ground ground;
  physics::StepSettings settings;
  physics::ArticulatedBody* one = &body;
  for (int i = 0; i < 240; ++i) {
    physics::step_island({&one, 1}, ground, settings, workspace);
    audit.note(body, settings.dt);
  }
  EXPECT_FALSE(audit.broken()) << audit.momentum_error() << " " << audit.turning_error() << " "
                               << audit.energy_error();
  EXPECT_TRUE(audit.in_air());
  EXPECT_NEAR(audit.longest().length, 1, 0.05);
  EXPECT_NEAR(audit.longest().rise, 9.0 / (2 * physics::kGravity), 0.05);
}

TEST(FlightAudit, FindsAPushFromNowhere) {
  const Creature& cat = creature("cat");
  physics::ArticulatedBody body(cat.model);
  Pose root;
  root.position.z() = 5;
  body.set_state(physics::ArticulatedBody::zero_state(*cat.model, root));
  FlightAudit audit(*cat.model, physics::kGravity);
  physics::Workspace workspace;
  physics::Ground ground;
  physics::StepSettings settings;
  physics::ArticulatedBody* one = &body;
  for (int i = 0; i < 240; ++i) {
    body.add_force({0, body.links()[0].position, Vec3(20, 0, 0)});
    physics::step_island({&one, 1}, ground, settings, workspace);
    audit.note(body, settings.dt);
  }
  EXPECT_TRUE(audit.broken());
}

}  // namespace
}  // namespace promenade::trial
