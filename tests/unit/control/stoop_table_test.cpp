#include "control/gbwc/stoop_table.h"

#include <gtest/gtest.h>

#include "creature/creature_library.h"
#include "schema/message.h"
#include "support/paths.h"

namespace promenade::control {
namespace {

constexpr double kRest = 0.02;  // m

StoopTable table_of(const std::string& name) {
  const auto bodies = CreatureLibrary::load(test::data_dir() / "creatures").value();
  const auto body = bodies.find(name)->body;
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

}  // namespace
}  // namespace promenade::control
