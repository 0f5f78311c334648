#include "world/run/work_budget.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "world_fixture.h"

namespace promenade::world {
namespace {

using namespace testing;  // NOLINT: world::testing
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr double kTick = 1.0 / 60;
const Spawn kHuman{"human", "", std::nullopt, 0, true};

/// A room of crowd (8 characters, about 150 links) whose ticks take as long as the test says.
class Budget : public ::testing::Test {
 protected:
  Budget() : room(test_library(), settings_for("crowd")) {
    for (int i = 0; i < 4; ++i) room.apply(kHuman);  // enough to tell what one costs
  }
  void ticks_take(double share, int ticks = 100) {
    for (int i = 0; i < ticks; ++i) budget.measure(share * kTick, room.moving_links());
  }

  Room room;
  WorkBudget budget{0.8, test_library(), settings_for("crowd")};
};

TEST_F(Budget, LetsInWhatFitsAndTellsHowManyDo) {
  ticks_take(0.4);
  int made = 0;
  for (; made < 100; ++made) {
    const auto refused = budget.judge(kHuman, room);
    if (refused) {
      EXPECT_EQ(refused->code, CommandError::Code::kBusy);
      EXPECT_EQ(refused->field, "spawn");
      EXPECT_THAT(refused->allowed, HasSubstr("0 more characters now, within 80 %"));
      EXPECT_THAT(refused->message,
                  AllOf(StartsWith("this machine is busy: "), HasSubstr("one more character"),
                        HasSubstr("Wait, remove somebody first")));
      break;
    }
    ASSERT_FALSE(room.apply(kHuman).error);
  }
  // No tick has been measured with them: what they will cost was counted at once.
  EXPECT_NEAR(made, 12 * 0.95 / 1.3, 3) << "as many again as take the first 40 %, less a margin";
}

TEST_F(Budget, TakesMoreOnceSomethingIsRemovedButNotAtTheEdge) {
  ticks_take(0.795);
  ASSERT_TRUE(budget.judge(kHuman, room));
  ticks_take(0.74);  // noise
  EXPECT_TRUE(budget.judge(kHuman, room));
  ASSERT_FALSE(room.apply(Remove{room.snapshot()->characters.back().id}).error);
  EXPECT_FALSE(budget.judge(kHuman, room));
  ASSERT_FALSE(room.apply(kHuman).error);
  ticks_take(0.795);
  ASSERT_TRUE(budget.judge(kHuman, room));
  ticks_take(0.5);
  EXPECT_FALSE(budget.judge(kHuman, room));
}

TEST_F(Budget, IsNotMovedByAFewLongTicks) {
  ticks_take(0.5);
  ticks_take(20, 4);  // the machine had something else to do
  EXPECT_LT(budget.load(), 0.6);
  EXPECT_FALSE(budget.judge(kHuman, room));
}

TEST_F(Budget, JudgesScenesByWhatTheyHold) {
  ticks_take(2);
  const auto refused = budget.judge(LoadScene{"crowd"}, room);
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->field, "load_scene.scene");
  EXPECT_THAT(refused->value, HasSubstr("\"crowd\", with 8 characters and 0 things"));
  EXPECT_THAT(refused->allowed, HasSubstr("up to "));
  EXPECT_THAT(refused->message, AllOf(StartsWith("this machine is busy: \"crowd\""),
                                      HasSubstr("Wait, or start with fewer people: up to ")));
  EXPECT_FALSE(budget.judge(LoadScene{"empty"}, room)) << "it makes room";
  EXPECT_FALSE(budget.judge(LoadScene{"nowhere"}, room)) << "that is for the room to refuse";
}

TEST_F(Budget, AStateThatRanHereIsTakenBackWhateverTheLoad) {
  const v1::Checkpoint before = room.save();
  ticks_take(2);
  EXPECT_FALSE(budget.judge(before));
  WorkBudget fresh(0.8, test_library(), settings_for("crowd"));
  for (int i = 0; i < 100; ++i) fresh.measure(2 * kTick, 20);  // another room, that ran with less
  const auto refused = fresh.judge(before);
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->field, "checkpoint");
  EXPECT_THAT(refused->allowed, HasSubstr("--max-load"));
}

TEST_F(Budget, AStateIsJudgedByTheLinksThatMoved) {
  v1::Checkpoint saved = room.save();
  ticks_take(2);  // a link's cost is known
  EXPECT_EQ(saved.moving_links(), room.moving_links());
  WorkBudget fresh(0.8, test_library(), settings_for("crowd"));
  for (int i = 0; i < 100; ++i) fresh.measure(2 * kTick, 20);
  EXPECT_TRUE(fresh.judge(saved));
  saved.set_moving_links(20);  // the others were moved as pendulums, or were away
  EXPECT_FALSE(fresh.judge(saved));
}

TEST_F(Budget, LargerBodiesCountByTheirAdditionalLinks) {
  ticks_take(2);
  const auto roster = room.snapshot()->roster;
  const std::string own = roster->entries[0].body_definition->body->name;
  EXPECT_FALSE(budget.judge(SetBody{1, own}, room));
  EXPECT_FALSE(budget.judge(Remove{1}, room));
  EXPECT_FALSE(budget.judge(Push{1, "torso"}, room));
}

TEST_F(Budget, OfZeroRefusesNothing) {
  WorkBudget none(0, test_library(), settings_for("crowd"));
  for (int i = 0; i < 100; ++i) none.measure(1, room.moving_links());
  EXPECT_FALSE(none.judge(kHuman, room));
  EXPECT_FALSE(none.judge(LoadScene{"crowd"}, room));
}

}  // namespace
}  // namespace promenade::world
