// Figures of the gait cycle, and people's curves that they are held against.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "shared.h"
#include "study/trial/walk/gait_reference.h"

namespace promenade {
namespace {

using namespace trial;

GaitReference reference() {
  auto loaded = GaitReference::load(test::data_dir());
  EXPECT_TRUE(loaded) << loaded.error().text();
  return std::move(loaded).value();
}

double knee(const GaitReference::Band& band, int percent) {
  return band.mean[std::size_t(percent / 2)];
}

TEST(GaitReference, HasPeopleBendTheKneeTwiceACycle) {
  const auto band = reference().band(CycleSignal::kKnee, 1.25, 0.86);
  EXPECT_NEAR(knee(band, 0), 5, 3);    // straight at the strike
  EXPECT_NEAR(knee(band, 14), 19, 4);  // takes the load
  EXPECT_NEAR(knee(band, 40), 6, 3);
  EXPECT_NEAR(knee(band, 72), 59, 4);  // swings
  for (const double deviation : band.deviation) EXPECT_GT(deviation, 1);
}

TEST(GaitReference, GoesFromSpeedToSpeedAndStaysBeyondThem) {
  const GaitReference people = reference();
  const auto at = [&](double speed) {
    return people.band(CycleSignal::kHip, speed, 0.86).mean[25];
  };
  EXPECT_GT(at(0.9),
            at(1.1));  // a longer step, so the thigh is further back as the other foot lands
  EXPECT_GT(at(1.1), at(1.4));
  EXPECT_DOUBLE_EQ(at(3.0), at(4.0));
  EXPECT_DOUBLE_EQ(at(0.1), at(0.2));
}

TEST(GaitReference, StepsGetLongerAndQuicker) {
  EXPECT_NEAR(GaitReference::cadence(0.8), 95, 5);
  EXPECT_NEAR(GaitReference::cadence(1.55), 126, 5);
  EXPECT_NEAR(GaitReference::step_length(1.2), 0.62, 0.03);
}

TEST(GaitReference, TellsWhatIsWrongWithItsFile) {
  const auto folder = std::filesystem::path(testing::TempDir()) / "gait-reference";
  std::filesystem::create_directories(folder / "reference");
  std::ofstream(folder / "reference/walk.json") << R"({"speeds": [{"froude_speed": 0.3,
  "curves": [{"name": "hip", "mean": [1, 2], "deviation": [1, 2]}]}]})";
  const auto loaded = GaitReference::load(folder);
  ASSERT_FALSE(loaded);
  EXPECT_THAT(loaded.error().text(), testing::HasSubstr("speeds[0].curves[0].mean"));
  EXPECT_THAT(loaded.error().text(), testing::HasSubstr("51"));
}

TEST(GaitReference, CountsThePartOfACurveThatIsWithinTheBand) {
  GaitReference::Band band;
  band.deviation.fill(2);
  CycleCurve curve{};
  EXPECT_DOUBLE_EQ(share_within(curve, band, 1.5), 100);
  EXPECT_DOUBLE_EQ(distance_in_deviations(curve, band), 0);
  curve.fill(4);
  EXPECT_DOUBLE_EQ(share_within(curve, band, 1.5), 0);
  EXPECT_DOUBLE_EQ(distance_in_deviations(curve, band), 2);
}

TEST(GaitCycle, AgreesWithTheWayThatWasMade) {
  Rollout rollout(human(), 5);
  rollout.walk({0.8, 0});
  ASSERT_TRUE(rollout.run(6));
  GaitCycleObserver observer(rollout);
  rollout.observer = [&](const Rollout& r) { observer.observe(r); };
  const Vec3 from = rollout.report().com;
  ASSERT_TRUE(rollout.run(8));
  const GaitCycle gait = observer.result();
  const double speed = (rollout.report().com - from).head<2>().norm() / 8;
  ASSERT_GE(gait.strides, 8);
  EXPECT_NEAR(gait.step_length * gait.cadence / 60, speed, 0.05);
  EXPECT_NEAR(2 * gait.stance - 100, gait.double_support, 4);  // nobody flies, nobody drags
  double mean_force = 0;
  for (const double force : gait.of(CycleSignal::kVerticalForce))
    mean_force += force / kCyclePoints;
  EXPECT_NEAR(mean_force, 0.5, 0.03);  // two feet carry the weight
  EXPECT_GE(gait.highest_force, gait.second_peak);
  EXPECT_GT(gait.knee_torque, 0);
}

TEST(GaitCycle, OfOneWhoFellIsEmpty) {
  Walker walker = human();
  v1::GbwcParameters weak = walker.gbwc();
  weak.mutable_pelvis()->set_kp_nm(1);
  weak.mutable_pelvis()->set_kd_nms(1);
  walker.set_gbwc(weak);
  EXPECT_EQ(measure_gait(walker, 1.2, 10, 4, 1).strides, 0);
}

}  // namespace
}  // namespace promenade
