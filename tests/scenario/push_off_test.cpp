// Double support, push-off and the roll of the foot, with the parameters and the style of person/,
// which a search has found with them. docs/decisions/0024-double-support.md
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "control/gbwc/style.h"
#include "math/rotation.h"
#include "schema/message.h"
#include "shared.h"
#include "study/trial/gait_reference.h"
#include "study/trial/parallel.h"
#include "study/trial/pushes.h"

namespace promenade {
namespace {

using namespace trial;

template <typename M>
M from_file(const char* name) {
  const auto path = test::data_dir() / "../../tests/scenario/person" / name;
  auto loaded = schema::load_message<M>(path);
  if (!loaded) throw std::runtime_error(loaded.error().text());
  return std::move(loaded->message);
}

Walker person(const std::string& body = "human") {
  Walker walker = Walker::of(*shipped(), body, "normal");
  walker.set_gbwc(from_file<v1::GbwcParameters>("gbwc.json"));
  auto style = build_style(from_file<v1::Style>("normal.json"));
  if (!style) throw std::runtime_error(style.error().text());
  walker.style = std::make_shared<const Style>(std::move(style).value());
  return walker;
}

GaitCycle gait_at(double speed) { return measure_gait(person(), speed, 16, 6, 21); }

TEST(PushOff, MovesTheWeightFromFootToFootInADoubleSupport) {
  const GaitCycle before = measure_gait(human(), 0.8, 16, 6, 21);
  EXPECT_LT(before.double_support, 2) << "the walk of the source";
  for (const double speed : {0.5, 0.8, 1.2, 1.5}) {
    const GaitCycle gait = gait_at(speed);
    ASSERT_GT(gait.strides, 0) << speed;
    EXPECT_GT(gait.double_support, 10) << speed;
    EXPECT_LT(gait.double_support, 35) << speed;
    EXPECT_LT(gait.highest_force, 2.3) << speed;
    EXPECT_GT(gait.second_peak, gait.trough) << speed;
  }
}

TEST(PushOff, LandsOnAStraightLegHeelFirstAndLeavesByTheToes) {
  for (const double speed : {0.8, 1.2}) {
    const GaitCycle gait = gait_at(speed);
    EXPECT_LT(gait.knee_at_strike, 18) << speed;  // it was 41 and 49
    EXPECT_GT(gait.heel_first, 0.9) << speed;
    EXPECT_GT(gait.toe_last, 0.9) << speed;
    EXPECT_GT(gait.clearance, 0.005) << speed;
  }
}

TEST(PushOff, TakesStepsAsLongAndQuickAsPeoples) {
  for (const double speed : {0.8, 1.2}) {
    const GaitCycle gait = gait_at(speed);
    EXPECT_NEAR(gait.cadence / GaitReference::cadence(speed), 1, 0.1) << speed;
    EXPECT_NEAR(gait.step_length / GaitReference::step_length(speed), 1, 0.12) << speed;
  }
}

TEST(PushOff, IsLessEffort) {
  const GaitCycle before = measure_gait(human(), 1.2, 16, 6, 21), gait = gait_at(1.2);
  EXPECT_LT(gait.cost_of_transport, 0.5 * before.cost_of_transport);
  EXPECT_LT(gait.knee_torque, 250);
  EXPECT_LT(gait.hip_torque, 200);
}

TEST(PushOff, MovesTheThighAsPeopleDo) {
  const auto people = GaitReference::load(test::data_dir());
  ASSERT_TRUE(people);
  const double leg = biped_of(*human().body)->leg_length[0];
  const auto band = people->band(CycleSignal::kHip, 1.2, leg);
  EXPECT_GT(share_within(gait_at(1.2).of(CycleSignal::kHip), band, 2), 70);
}

TEST(PushOff, RecoversFromPushesOf600N) {
  constexpr int kPushes = 16;
  std::array<PushOutcome, kPushes> outcomes;
  run_parallel(kPushes, 0, [&](int i) {
    PushCase push;
    push.speed = 0.6;
    push.force = 600;
    push.direction = 2 * kPi * i / kPushes;
    outcomes[std::size_t(i)] = push_once(person(), push, 300 + std::uint64_t(i));
  });
  const auto recovered = std::count_if(outcomes.begin(), outcomes.end(),
                                       [](const PushOutcome& o) { return o.recovered; });
  EXPECT_GE(recovered, 13);
}

TEST(PushOff, GoesOnFromASavedStateToTheSameFuture) {
  Rollout walking(person(), 1), other(person(), 2);
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
