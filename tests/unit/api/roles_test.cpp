#include "api/roles.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace promenade::api {
namespace {

TEST(Roles, ViewersCommandNothing) {
  const auto error = check_role(Role::kViewer, world::Stop{1});
  ASSERT_TRUE(error);
  EXPECT_EQ(error->code, world::CommandError::Code::kForbidden);
  EXPECT_EQ(error->field, "stop");
  EXPECT_EQ(error->value, "viewer");
  EXPECT_EQ(error->allowed, "player, operator or admin");
}

TEST(Roles, OperatorsCommandCharacters) {
  const world::Command commands[] = {world::SetVelocity{1, {}, {}},
                                     world::SetHeading{1, 0},
                                     world::Stop{1},
                                     world::FollowPath{},
                                     world::Push{},
                                     world::SetStyle{1, "normal"},
                                     world::Spawn{},
                                     world::Reset{1},
                                     world::SetWander{}};
  for (const world::Command& command : commands) {
    EXPECT_FALSE(check_role(Role::kOperator, command)) << command.index();
    EXPECT_TRUE(check_role(Role::kViewer, command)) << command.index();
  }
}

TEST(Roles, AdminsAloneRuleTheRoom) {
  const world::Command commands[] = {
      world::Reset{0},      world::Pause{},         world::Resume{},
      world::SingleStep{1}, world::SetTimeScale{1}, world::LoadScene{"one"},
  };
  for (const world::Command& command : commands) {
    EXPECT_FALSE(check_role(Role::kAdmin, command)) << command.index();
    ASSERT_TRUE(check_role(Role::kOperator, command)) << command.index();
    EXPECT_EQ(check_role(Role::kOperator, command)->allowed, "admin");
  }
}

TEST(Roles, HaveNames) {
  EXPECT_EQ(parse_role("operator"), Role::kOperator);
  EXPECT_EQ(parse_role("root"), std::nullopt);
  EXPECT_STREQ(role_name(Role::kAdmin), "admin");
}

TEST(Roles, OperatorsAreAskedForWhereAPlayerMayNot) {
  EXPECT_EQ(check_role(Role::kPlayer, world::SpawnThing{})->allowed, "operator or admin");
  EXPECT_EQ(check_role(Role::kViewer, world::Stop{1})->allowed, "player, operator or admin");
}

TEST(Roles, PlayersCommandTheirOwnCharacterOnly) {
  const PlayerRights with{400, 0.3, 7}, without{400, 0.3, 0};
  const world::Command own[] = {world::SetVelocity{7, {}, {}},
                                world::SetHeading{7, 0},
                                world::Stop{7},
                                world::FollowPath{7, {{}, false, 1}},
                                world::SetStyle{7, "normal"},
                                world::SetBody{7, "child"},
                                world::SetWander{7, {{}, 8}}};
  for (const world::Command& command : own) {
    EXPECT_FALSE(check_role(Role::kPlayer, command, with)) << command.index();
    ASSERT_TRUE(check_role(Role::kPlayer, command, without)) << command.index();
    EXPECT_THAT(check_role(Role::kPlayer, command, without)->allowed,
                ::testing::HasSubstr("spawn"));
  }
  EXPECT_EQ(check_role(Role::kPlayer, world::Stop{8}, with)->value, "8");
  EXPECT_FALSE(check_role(Role::kPlayer, world::Spawn{}, without));
  EXPECT_TRUE(check_role(Role::kPlayer, world::Spawn{}, with));
  for (const world::Command& command :
       {world::Command(world::Remove{7}), world::Command(world::Reset{7}),
        world::Command(world::SetController{7, "limp"})}) {
    EXPECT_TRUE(check_role(Role::kPlayer, command, with)) << command.index();
  }
}

TEST(Roles, PlayersPushWithinTheirStrength) {
  const PlayerRights rights{400, 0.3, 0};
  world::Push push{1, "", Vec3::Zero(), Vec3(0, 400, 0), 0.3};
  EXPECT_FALSE(check_role(Role::kPlayer, push, rights));
  push.force = Vec3(300, 300, 0);
  EXPECT_EQ(check_role(Role::kPlayer, push, rights)->field, "push.force_n");
  push = {1, "", Vec3::Zero(), Vec3(0, 1, 0), 0.31};
  EXPECT_EQ(check_role(Role::kPlayer, push, rights)->field, "push.duration_s");
  EXPECT_FALSE(check_role(Role::kOperator, push, rights));
}

// The list that viewers are told must say what the checks allow.
TEST(Roles, ListTheCommandsThatTheyMaySend) {
  EXPECT_TRUE(commands_of(Role::kViewer).empty());
  EXPECT_THAT(commands_of(Role::kPlayer),
              ::testing::UnorderedElementsAre("set_velocity", "set_heading", "stop", "follow_path",
                                              "push", "set_style", "set_body", "set_gait", "leap",
                                              "set_wander", "spawn"));
  const auto operators = commands_of(Role::kOperator), all = commands_of(Role::kAdmin);
  EXPECT_THAT(operators, ::testing::Contains("reset"));
  EXPECT_THAT(operators, ::testing::Not(::testing::Contains("load_scene")));
  EXPECT_EQ(all.size(), std::variant_size_v<world::Command>);
}

}  // namespace
}  // namespace promenade::api
