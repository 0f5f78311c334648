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
  EXPECT_EQ(error->allowed, "operator or admin");
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
      world::Remove{1},     world::Reset{0},        world::Pause{},          world::Resume{},
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

TEST(Tokens, GiveTheirRoleWholeOrNotAtAll) {
  Tokens tokens(Role::kViewer);
  tokens.add("open-sesame", Role::kAdmin);
  EXPECT_EQ(tokens.role_of("open-sesame"), Role::kAdmin);
  EXPECT_EQ(tokens.role_of(""), Role::kViewer);
  for (const char* wrong : {"open-sesam", "open-sesame!", "open-sesameopen-sesame", "x"}) {
    EXPECT_EQ(tokens.role_of(wrong), std::nullopt) << wrong;
  }
}

}  // namespace
}  // namespace promenade::api
