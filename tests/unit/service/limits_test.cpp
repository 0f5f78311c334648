#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "service/access.h"
#include "service/event_log.h"
#include "service/visitor_limits.h"

namespace promenade::service {
namespace {

using std::chrono::seconds;
using ::testing::HasSubstr;

TEST(GuessLimit, RefusesForAMinuteAfterTenInAMinute) {
  GuessLimit limit;
  const auto start = net::Clock::now();
  for (int i = 0; i < 9; ++i) limit.count_wrong("a", start + seconds(i));
  EXPECT_EQ(limit.wait("a", start + seconds(9)), seconds(0));
  limit.count_wrong("a", start + seconds(9));
  EXPECT_EQ(limit.wait("a", start + seconds(10)), seconds(59));
  EXPECT_EQ(limit.wait("b", start + seconds(10)), seconds(0));
  EXPECT_EQ(limit.wait("a", start + seconds(69)), seconds(0));
}

TEST(GuessLimit, ForgetsOldGuesses) {
  GuessLimit limit;
  const auto start = net::Clock::now();
  for (int i = 0; i < 30; ++i) limit.count_wrong("a", start + seconds(7 * i));
  EXPECT_EQ(limit.wait("a", start + seconds(7 * 30)), seconds(0));
}

TEST(GuessLimit, IsBounded) {
  GuessLimit limit;
  const auto start = net::Clock::now();
  for (int i = 0; i < 10'000; ++i) limit.count_wrong(std::to_string(i), start);
  EXPECT_EQ(limit.size(), GuessLimit::kMaxAddresses);
}

TEST(VisitorLimits, TableIsBounded) {
  VisitorLimits limits{VisitorAllowance{}};
  for (int i = 0; i < 10'000; ++i) {
    limits.take_command(std::to_string(i), api::Role::kOperator);
  }
  EXPECT_EQ(limits.size(), VisitorLimits::kMaxVisitors);
}

TEST(VisitorLimits, CountBytesAndNamesOfSaves) {
  VisitorAllowance allowance;
  allowance.saves_a_minute = 100;
  allowance.saved_names = 2;
  allowance.saved_bytes = 1000;
  VisitorLimits limits(allowance);
  const auto save = [&](std::size_t bytes, bool fresh) {
    return limits.take_save("me", api::Role::kOperator, bytes, fresh);
  };
  EXPECT_FALSE(save(300, true));
  EXPECT_FALSE(save(300, true));
  EXPECT_THAT(save(10, true)->allowed, HasSubstr("2 new names"));
  EXPECT_FALSE(save(300, false));
  EXPECT_EQ(save(300, false)->field, "request body");
  EXPECT_FALSE(limits.take_save("me", api::Role::kAdmin, 1 << 20, true));
  EXPECT_FALSE(limits.take_save("you", api::Role::kOperator, 300, true));
}

TEST(LogText, IsOneLineThatNobodyCanForge) {
  EXPECT_EQ(log_text("join", {{"name", "a \"b\"\n\x1b[1m"}, {"room", ""}, {"role", "viewer"}}),
            "join name=\"a \\\"b\\\"\\x0a\\x1b[1m\" role=\"viewer\"");
  EXPECT_LT(log_text("join", {{"name", std::string(5000, 'x')}}).size(), 200u);
}

}  // namespace
}  // namespace promenade::service
