#include "control/gbwc/posture/stoop_table.h"

#include <gtest/gtest.h>

#include <cmath>

#include "creature/creature_library.h"
#include "schema/message.h"
#include "support/paths.h"

namespace promenade::control {
namespace {

constexpr double kRest = 0.02;  // m

std::shared_ptr<const Creature> body_of(const std::string& name) {
  const auto bodies = CreatureLibrary::load(test::data_dir() / "creatures").value();
  return bodies.find(name)->body;
}

StoopTable table_of(const std::string& name) {
  const auto body = body_of(name);
  const auto parameters =
      schema::load_message<GbwcParameters>(test::data_dir() / "controllers/gbwc.json")
          .value()
          .message;
  return {*body, biped_of(*body).value(), parameters, 0, kRest};
}

TEST(StoopTable, TheDeeperTheStoopTheLowerTheShoulders) {
  for (const char* name : {"human", "child", "giant", "stout"}) {
    const StoopTable table = table_of(name);
    for (int k = 1; k <= 10; ++k)
      EXPECT_LT(table.shoulder(0.1 * k).y(), table.shoulder(0.1 * (k - 1)).y()) << name;
    EXPECT_LT(table.shoulder(1).y(), 0.6 * table.shoulder(0).y()) << name;
  }
}

TEST(StoopTable, TheLeastStoopBringsAPlaceJustWithinReach) {
  const StoopTable table = table_of("human");
  const double reach = 0.5;
  for (const double height : {0.3, 0.5, 0.7}) {
    const Vec2 place(0.35, height);
    const double stoop = table.stoop_for(place, reach, 0);
    EXPECT_NEAR((place - table.shoulder(stoop)).norm(), reach, 0.005) << height;
  }
  EXPECT_EQ(table.stoop_for(Vec2(0.2, 1.2), reach, 0), 0);
}

TEST(StoopTable, ALoadThatKeepsTheBodyBackAsksForADeeperStoop) {
  const StoopTable table = table_of("human");
  const Vec2 place(0.35, 0.5);
  EXPECT_GT(table.stoop_for(place, 0.5, 0.08), table.stoop_for(place, 0.5, 0) + 0.01);
}

// Hips at the end of their range took a foot off the ground.
TEST(StoopTable, NoJointIsBentBeyondItsRangeButForWhatIsLowest) {
  for (const char* name : {"human", "robot", "beast1", "beast2", "child", "lanky"}) {
    const StoopTable table = table_of(name);
    const auto body = body_of(name);
    const Biped biped = biped_of(*body).value();
    const auto upper = [&](Part part) {
      return body->model->links[std::size_t(biped.link[std::size_t(part)])].upper.y();
    };
    for (int k = 0; k <= 18; ++k) {
      const StoopPose pose = table.pose(0.05 * k);
      EXPECT_LE(pose.lower_back - pose.pelvis, upper(kLowerBack)) << name << " " << k;
      EXPECT_LE(pose.chest - pose.lower_back, upper(kTorso)) << name << " " << k;
      for (const int side : {kLeft, kRight}) {
        const auto link = [&](Part part) -> const physics::LinkModel& {
          return body->model->links[std::size_t(biped.link[std::size_t(part + side)])];
        };
        const double thigh = (link(kLeftShank).at_parent - link(kLeftThigh).at_child).norm();
        const double shank = (link(kLeftFoot).at_parent - link(kLeftShank).at_child).norm();
        const double knee = even_knee(*body, biped, side, pose.knee);
        // At the least: legs that lean back in balance bend their hips further.
        const double raised = std::atan2(shank * std::sin(knee), thigh + shank * std::cos(knee));
        EXPECT_LE(pose.pelvis + raised, -link(kLeftThigh).lower.y()) << name << " " << k;
        EXPECT_LE(knee, link(kLeftShank).upper.x()) << name << " " << k;
      }
    }
  }
}

TEST(StoopTable, HandsComeDownWhateverTheLegs) {
  for (const char* name : {"human", "robot", "child", "giant", "stout", "lanky", "athlete"}) {
    const auto body = body_of(name);
    const Biped biped = biped_of(*body).value();
    const double arm = std::min(biped.upper_arm[kLeft] + biped.forearm[kLeft],
                                biped.upper_arm[kRight] + biped.forearm[kRight]);
    EXPECT_LT(table_of(name).shoulder(1).y() - arm, 0.22 * body->leg_scale()) << name;
  }
}

TEST(StoopTable, KneesThatAShortThighWouldHoldBackStayStraighter) {
  EXPECT_LT(table_of("robot").pose(1).knee, 0.5 * table_of("human").pose(1).knee);
  EXPECT_GT(table_of("robot").pose(1).chest, table_of("human").pose(1).chest + 0.3);
}

}  // namespace
}  // namespace promenade::control
