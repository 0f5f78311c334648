// The normal walk of the human held against people: double support, push-off, roll of the foot,
// strength. docs/decisions/0024-double-support.md
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "control/gbwc/style.h"
#include "math/rotation.h"
#include "schema/message.h"
#include "shared.h"
#include "study/trial/rig/parallel.h"
#include "study/trial/walk/exertion.h"
#include "study/trial/walk/gait_reference.h"
#include "study/trial/walk/pushes.h"

namespace promenade {
namespace {

using namespace trial;

GaitCycle gait_at(double speed) { return measure_gait(human(), speed, 16, 6, 21); }

TEST(Person, MovesTheWeightFromFootToFootInADoubleSupport) {
  for (const double speed : {0.5, 0.8, 1.2, 1.5}) {
    const GaitCycle gait = gait_at(speed);
    ASSERT_GT(gait.strides, 0) << speed;
    EXPECT_GT(gait.double_support, 10) << speed;
    EXPECT_LT(gait.double_support, 35) << speed;
    EXPECT_LT(gait.highest_force, 2.3) << speed;
    EXPECT_GT(gait.second_peak, gait.trough) << speed;
  }
}

TEST(Person, LandsOnAStraightLegHeelFirstAndLeavesByTheToes) {
  for (const double speed : {0.8, 1.2}) {
    const GaitCycle gait = gait_at(speed);
    EXPECT_LT(gait.knee_at_strike, 18) << speed;  // it was 41 and 49
    EXPECT_GT(gait.heel_first, 0.9) << speed;
    EXPECT_GT(gait.toe_last, 0.9) << speed;
    EXPECT_GT(gait.clearance, 0.005) << speed;
  }
}

TEST(Person, TakesStepsAsLongAndQuickAsPeoples) {
  for (const double speed : {0.8, 1.2}) {
    const GaitCycle gait = gait_at(speed);
    EXPECT_NEAR(gait.cadence / GaitReference::cadence(speed), 1, 0.1) << speed;
    EXPECT_NEAR(gait.step_length / GaitReference::step_length(speed), 1, 0.12) << speed;
  }
}

TEST(Person, SpendsAsLittleAsAWalkShould) {
  const GaitCycle gait = gait_at(1.2);
  EXPECT_LT(gait.cost_of_transport, 0.45);  // the source's laws alone: 0.9
  EXPECT_LE(gait.knee_torque, 200);         // and 1000
  EXPECT_LE(gait.hip_torque, 200);          // and 630
}

// Whatever happens, no joint is driven by more than the body's own strength: on the whole way of a
// walk, a push and a stop.
TEST(Person, IsNeverStrongerThanItsJoints) {
  Rollout rollout(human(), 8);
  double worst = 0, hip = 0;
  rollout.observer = [&](const Rollout& r) {
    const auto& links = r.body().model->links;
    for (std::size_t i = 1; i < links.size(); ++i) {
      const Vec3 limit = r.body().gains[i].limit;
      const Vec3 used = r.drives()[i].applied.cwiseAbs();
      worst = std::max(worst, used.cwiseQuotient(limit).maxCoeff());
    }
    const int thigh = r.biped().link[kLeftThigh];
    hip = std::max(hip, r.drives()[std::size_t(thigh)].applied.cwiseAbs().maxCoeff());
  };
  rollout.walk({1.0, 0});
  ASSERT_TRUE(rollout.run(4));
  rollout.push = Vec3(0, 500, 0);
  rollout.run(0.1);
  rollout.push.setZero();
  rollout.run(3);
  rollout.stop();
  rollout.run(5);
  EXPECT_LE(worst, 1 + 1e-9);
  EXPECT_LE(hip, 200 + 1e-6);
  EXPECT_GT(hip, 30);  // it was observed
}

TEST(Exertion, IsSeenAndNamedAndWithinTheLimits) {
  for (const Effort effort : kEfforts) {
    const Exertion most = exert(human(), effort, 9);
    EXPECT_GT(most.share, 0.3) << effort_name(effort);
    EXPECT_LE(most.share, 1 + 1e-9) << effort_name(effort);
    EXPECT_GE(human().body->find_joint(most.joint), 1) << most.joint;
  }
}

TEST(Person, MovesTheThighAsPeopleDo) {
  const auto people = GaitReference::load(test::data_dir());
  ASSERT_TRUE(people);
  const double leg = biped_of(*human().body)->leg_length[0];
  const auto band = people->band(CycleSignal::kHip, 1.2, leg);
  EXPECT_GT(share_within(gait_at(1.2).of(CycleSignal::kHip), band, 2), 70);
}

TEST(Person, RecoversFromPushesOf600N) {
  constexpr int kPushes = 16;
  std::array<PushOutcome, kPushes> outcomes;
  run_parallel(kPushes, 0, [&](int i) {
    PushCase push;
    push.speed = 0.6;
    push.force = 600;
    push.direction = 2 * kPi * i / kPushes;
    outcomes[std::size_t(i)] = push_once(human(), push, 300 + std::uint64_t(i));
  });
  const auto recovered = std::count_if(outcomes.begin(), outcomes.end(),
                                       [](const PushOutcome& o) { return o.recovered; });
  EXPECT_GE(recovered, 13);
}

TEST(Person, GoesOnFromASavedStateToTheSameFuture) {
  Rollout walking(human(), 1), other(human(), 2);
  walking.walk({1.0, 0});
  for (int i = 0; i < 20; ++i) {  // at several phases of the step
    ASSERT_TRUE(walking.run(0.37));
    other.start_from(walking);
    Rollout* const both[] = {&walking, &other};
    for (Rollout* rollout : both) ASSERT_TRUE(rollout->run(0.2));
    EXPECT_EQ(walking.report().com, other.report().com) << i;
  }
}

}  // namespace
}  // namespace promenade
