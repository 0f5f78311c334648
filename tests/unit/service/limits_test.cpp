#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <string>
#include <variant>
#include <vector>

#include "service/event_log.h"
#include "service/people/access.h"
#include "service/people/people.h"
#include "service/people/visitor_limits.h"

namespace promenade::service {
namespace {

using std::chrono::seconds;
using ::testing::HasSubstr;

TEST(GuessLimit, SlowsForAMinuteAfterTenInAMinute) {
  GuessLimit limit;
  const auto start = net::Clock::now();
  for (int i = 0; i < 9; ++i) limit.count_wrong("192.0.2.1", start + seconds(i));
  EXPECT_FALSE(limit.slow("192.0.2.1", start + seconds(9)));
  limit.count_wrong("192.0.2.1", start + seconds(9));
  EXPECT_TRUE(limit.slow("192.0.2.1", start + seconds(10)));
  EXPECT_FALSE(limit.slow("192.0.2.2", start + seconds(10)));
  EXPECT_FALSE(limit.slow("192.0.2.1", start + seconds(69)));
}

TEST(GuessLimit, ForgetsOldGuesses) {
  GuessLimit limit;
  const auto start = net::Clock::now();
  for (int i = 0; i < 30; ++i) limit.count_wrong("192.0.2.1", start + seconds(7 * i));
  EXPECT_FALSE(limit.slow("192.0.2.1", start + seconds(7 * 30)));
}

/// Guesses of so many networks, each of another 64 bits, until all of them are slow.
int tries_before_slow(GuessLimit& limit, const std::string& format) {
  const auto now = net::Clock::now();
  for (int i = 0; i < 2000; ++i) {
    char address[64];
    std::snprintf(address, sizeof address, format.c_str(), i);
    if (limit.slow(address, now)) return i;
    limit.count_wrong(address, now);
  }
  return -1;
}

TEST(GuessLimit, CountsWideNetworksAsAWhole) {
  GuessLimit of_48, of_32, of_all, of_24;
  EXPECT_EQ(tries_before_slow(of_48, "2001:db8:1:%x::1"), 40);
  EXPECT_EQ(tries_before_slow(of_32, "2001:db8:%x::1"), 160);
  EXPECT_EQ(tries_before_slow(of_all, "2001:%x::1"), 640);
  EXPECT_EQ(tries_before_slow(of_24, "192.0.2.%d"), 40);
  EXPECT_FALSE(of_48.slow("2001:db8:2::1", net::Clock::now()));
  EXPECT_TRUE(of_all.slow("192.0.2.1", net::Clock::now()));
}

TEST(GuessLimit, IsBounded) {
  GuessLimit limit;
  const auto start = net::Clock::now();
  for (int i = 0; i < 10'000; ++i) limit.count_wrong("x" + std::to_string(i), start);
  EXPECT_LE(limit.size(), net::kNetworkSizes * GuessLimit::kMaxNetworks);
}

TEST(Access, LetsARightTokenThroughHoweverManyWereWrong) {
  api::Tokens tokens(api::Role::kViewer);
  tokens.add("the-right-one", api::Role::kOperator);
  Access access(tokens, {});
  const std::string here = "192.0.2.1", key = "a-key-of-16-bytes", other = "a-key-of-another";
  EXPECT_TRUE(std::holds_alternative<api::Grant>(access.admit("the-right-one", key, here)));
  using Code = world::CommandError::Code;
  for (int i = 0; i < 30; ++i) {
    const auto wrong = access.admit("wrong-" + std::to_string(i), other, here);
    EXPECT_EQ(std::get<world::CommandError>(wrong).code,
              i < 10 ? Code::kForbidden : Code::kRateLimited);
  }
  for (const std::string& with : {key, other, std::string()}) {
    EXPECT_TRUE(std::holds_alternative<api::Grant>(access.admit("the-right-one", with, here)));
  }
  const net::Clock::duration none{};
  EXPECT_EQ(access.wait("the-right-one", key, here), none) << "who was there before";
  EXPECT_EQ(access.wait("", key, here), none) << "guests";
  EXPECT_EQ(access.wait("the-right-one", key, "198.51.100.1"), none);
  EXPECT_GT(access.wait("wrong-1", other, here), none);
  EXPECT_GT(access.wait("the-right-one", "", here), none) << "or the address could be guessed from";
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
    return limits.take_save({"me"}, api::Role::kOperator, bytes, fresh);
  };
  EXPECT_FALSE(save(300, true));
  EXPECT_FALSE(save(300, true));
  EXPECT_THAT(save(10, true)->allowed, HasSubstr("2 new names"));
  EXPECT_FALSE(save(300, false));
  EXPECT_EQ(save(300, false)->field, "request body");
  EXPECT_FALSE(limits.take_save({"me"}, api::Role::kAdmin, 1 << 20, true));
  EXPECT_FALSE(limits.take_save({"you"}, api::Role::kOperator, 300, true));
}

TEST(VisitorLimits, CountSavesOfEachWhoMadeThem) {
  VisitorAllowance allowance;
  allowance.saved_names = 2;
  VisitorLimits limits(allowance);
  const auto save = [&](const std::vector<std::string>& savers) {
    return limits.take_save(savers, api::Role::kOperator, 10, true);
  };
  EXPECT_FALSE(save({"an address", "a visitor"}));
  EXPECT_FALSE(save({"an address", "another visitor"}));
  EXPECT_TRUE(save({"an address", "a third"}));
  EXPECT_FALSE(save({"elsewhere", "a visitor"}));
  EXPECT_TRUE(save({"somewhere", "a visitor"}));
}

TEST(Asker, PaysForSavesAsTheHolderOfItsToken) {
  Asker one{"v1", "", "192.0.2.1", "", {api::Role::kOperator, "", "", "key"}};
  Asker same = one, guest = one, elsewhere = one;
  elsewhere.address = "198.51.100.1";
  EXPECT_EQ(one.savers(), elsewhere.savers()) << "a token counts wherever it comes from";
  EXPECT_NE(one.payer(), elsewhere.payer());
  guest.grant.key.clear();
  EXPECT_EQ(guest.savers(), std::vector{guest.payer()});
  same.grant.invitation = true;
  EXPECT_EQ(same.savers().size(), 2u) << "the visitor, and the address";
}

TEST(LogText, IsOneLineThatNobodyCanForge) {
  EXPECT_EQ(log_text("join", {{"name", "a \"b\"\n\x1b[1m"}, {"room", ""}, {"role", "viewer"}}),
            "join name=\"a \\\"b\\\"\\x0a\\x1b[1m\" role=\"viewer\"");
  EXPECT_LT(log_text("join", {{"name", std::string(5000, 'x')}}).size(), 200u);
}

}  // namespace
}  // namespace promenade::service
