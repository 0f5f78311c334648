// Planners of steps: which of them wins, and where it places the foot.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "control/steps/boards.h"
#include "control/steps/flights.h"
#include "control/steps/planners.h"
#include "schema/message.h"
#include "support/paths.h"

namespace promenade::control::steps {
namespace {

using ahead::Feature;
using ahead::FeatureKind;

const v1::GbwcParameters& shipped() {
  static const auto loaded =
      schema::load_message<v1::GbwcParameters>(test::data_dir() / "controllers/gbwc.json")
          .value()
          .message;
  return loaded;
}

/// A human of whom the left foot stands at 0 and the right one has just lifted behind it.
struct Walker {
  ahead::Features features;
  Situation now{.features = features,
                .p = shipped(),
                .foot_reach = {Vec3(0.2, 0.07, 0.05), Vec3(0.2, 0.07, 0.05)},
                .leg_length = {0.86, 0.86},
                .up_treads = 0.45,
                .down_treads = 0.45,
                .stance = 0,
                .lifted = -0.4,
                .step_time = 0.6};

  void add(FeatureKind kind, double near, double far, double height) {
    features.add({kind, near, far, height, 0});
  }
  /// Treads of 0.3 m from a place on.
  void add_flight(FeatureKind kind, double from, double height) {
    for (int i = 0; i < 4; ++i) add(kind, from + 0.3 * i, from + 0.3 * i, height);
  }
  StepPlan plan(const StepPlan& before = {}) const { return plan_step(now, before); }
};

TEST(Planners, LeaveAStepOnCourseWhereNothingLiesAhead) {
  const StepPlan plan = Walker().plan();
  EXPECT_EQ(plan.kind, StepKind::kOnCourse);
  EXPECT_FALSE(plan.given());
}

TEST(Planners, NearABoardInEqualStepsAndStepOverItFromRightBefore) {
  Walker far;
  far.add(FeatureKind::kBoard, 1.0, 1.1, 0.2);
  const StepPlan near = far.plan();
  ASSERT_EQ(near.kind, StepKind::kNearBoard);
  EXPECT_DOUBLE_EQ(near.limit, place_before(far.now, far.features.of(FeatureKind::kBoard)[0], 1));
  const double count = near.limit / near.place;
  EXPECT_NEAR(count, std::round(count), 1e-9) << "whole steps are left";
  Walker close;
  close.add(FeatureKind::kBoard, 0.3, 0.4, 0.2);
  const StepPlan over = close.plan();
  ASSERT_EQ(over.kind, StepKind::kOver);
  EXPECT_EQ(over.board, 0);
  EXPECT_GT(over.place, 0.4 + 0.07);
  EXPECT_DOUBLE_EQ(over.height, 0.2);
}

TEST(Planners, BeginNoStepOverLateInAStepButGoOnWithOne) {
  Walker late;
  late.add(FeatureKind::kBoard, 0.3, 0.4, 0.2);
  late.now.phase = 0.5;
  EXPECT_EQ(late.plan().kind, StepKind::kNearBoard);
  StepPlan begun;
  begun.kind = StepKind::kOver;
  begun.board = 0;
  EXPECT_EQ(late.plan(begun).kind, StepKind::kOver);
}

TEST(Planners, BringTheTrailingFootOverABoardBehindTheStanceFoot) {
  Walker walker;
  walker.add(FeatureKind::kBoard, -0.2, -0.1, 0.2);
  walker.now.held = 0;
  const StepPlan plan = walker.plan();
  ASSERT_EQ(plan.kind, StepKind::kOver);
  EXPECT_GE(plan.place, place_behind(walker.now, walker.features.of(FeatureKind::kBoard)[0], 1));
  walker.now.lifted = 0.1;
  EXPECT_EQ(walker.plan().kind, StepKind::kOnCourse) << "it has lifted behind the board";
}

TEST(Planners, ClimbAFlightButWalkOntoASingleStep) {
  Walker stairs;
  stairs.add_flight(FeatureKind::kRiser, 0.25, 0.17);
  const StepPlan up = stairs.plan();
  ASSERT_EQ(up.kind, StepKind::kUp);
  EXPECT_DOUBLE_EQ(up.place, place_on_tread(stairs.now, 0, 1));
  EXPECT_GT(up.place, 0.25);
  EXPECT_LT(up.place, 0.55);
  Walker kerb;
  kerb.add(FeatureKind::kRiser, 0.25, 0.25, 0.17);
  EXPECT_EQ(kerb.plan().kind, StepKind::kOnCourse);
}

TEST(Planners, NearAFlightInEqualSteps) {
  for (const FeatureKind kind : {FeatureKind::kRiser, FeatureKind::kDrop}) {
    Walker walker;
    walker.add_flight(kind, 0.9, 0.17);
    const StepPlan plan = walker.plan();
    ASSERT_EQ(plan.kind, StepKind::kNearFlight);
    EXPECT_GT(plan.place, 0.15);
    EXPECT_LT(plan.place, 0.5);
    EXPECT_DOUBLE_EQ(plan.height, kind == FeatureKind::kRiser ? 0.17 : 0);
    Walker away;
    away.add_flight(kind, 5, 0.17);
    EXPECT_EQ(away.plan().kind, StepKind::kOnCourse);
  }
}

TEST(Planners, GoDownAFlightOneTreadAStep) {
  Walker walker;
  walker.add_flight(FeatureKind::kDrop, 0.22, 0.17);
  const StepPlan plan = walker.plan();
  ASSERT_EQ(plan.kind, StepKind::kDown);
  EXPECT_DOUBLE_EQ(plan.edge, 0.22);
  EXPECT_DOUBLE_EQ(plan.place, place_below(walker.now, 0, 1));
}

/// What wins of two things, the nearer of which is `near` and the other one `far`.
struct Contest {
  FeatureKind near, far;
  StepKind wins;
};

class Contests : public ::testing::TestWithParam<Contest> {};

TEST_P(Contests, AreWonByWhatIsCrossedFirst) {
  Walker walker;
  double at = 0.24;
  for (const FeatureKind kind : {GetParam().near, GetParam().far}) {
    if (kind == FeatureKind::kBoard) {
      walker.add(kind, at, at + 0.1, 0.2);
    } else {
      walker.add_flight(kind, at, 0.17);
    }
    at += 0.6;
  }
  EXPECT_EQ(walker.plan().kind, GetParam().wins);
}

INSTANTIATE_TEST_SUITE_P(
    Each, Contests,
    ::testing::Values(Contest{FeatureKind::kBoard, FeatureKind::kRiser, StepKind::kOver},
                      Contest{FeatureKind::kBoard, FeatureKind::kDrop, StepKind::kOver},
                      Contest{FeatureKind::kRiser, FeatureKind::kBoard, StepKind::kUp},
                      Contest{FeatureKind::kDrop, FeatureKind::kBoard, StepKind::kDown},
                      Contest{FeatureKind::kDrop, FeatureKind::kRiser, StepKind::kDown}));

TEST(Planners, DoNotNearAFlightBehindABoard) {
  Walker walker;
  walker.add(FeatureKind::kBoard, 0.6, 0.7, 0.2);
  walker.add_flight(FeatureKind::kRiser, 1.2, 0.17);
  EXPECT_EQ(walker.plan().kind, StepKind::kNearBoard);
}

TEST(Planners, AreListedByNameInTheOrderInWhichTheyWin) {
  std::vector<std::string_view> names;
  for (const NamedPlanner& planner : planners()) names.push_back(planner.name);
  EXPECT_THAT(
      names, ::testing::ElementsAre("over", "up", "down", "near_drop", "near_riser", "near_board"));
}

}  // namespace
}  // namespace promenade::control::steps
