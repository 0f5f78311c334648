#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "net/limits/address_limits.h"
#include "net/limits/connection_gate.h"
#include "net/limits/log_limit.h"
#include "net/limits/token_bucket.h"
#include "net/limits/visitor.h"

namespace promenade::net {
namespace {

using std::chrono::milliseconds;

TEST(TokenBucket, AllowsABurstAndThenTheRate) {
  Clock::time_point now{};
  TokenBucket bucket(10, 5, now);
  int taken = 0;
  while (bucket.take(now)) ++taken;
  EXPECT_EQ(taken, 5);
  now += milliseconds(99);
  EXPECT_FALSE(bucket.take(now));
  now += milliseconds(2);
  EXPECT_TRUE(bucket.take(now));
  EXPECT_FALSE(bucket.take(now));
}

TEST(TokenBucket, SavesNoMoreThanTheBurst) {
  Clock::time_point now{};
  TokenBucket bucket(10, 5, now);
  now += std::chrono::hours(1);
  int taken = 0;
  while (bucket.take(now)) ++taken;
  EXPECT_EQ(taken, 5);
}

TEST(TokenBucket, IsNotFooledByAClockThatStandsStill) {
  const Clock::time_point now{};
  TokenBucket bucket(1000, 1, now);
  EXPECT_TRUE(bucket.take(now));
  for (int i = 0; i < 1000; ++i) EXPECT_FALSE(bucket.take(now));
}

Visitor stranger(const std::string& name) { return {name, name, false}; }
const Visitor kThisMachine{"127.0.0.1", "127.0.0.1", true};
using Place = ConnectionGate::Place;

TEST(ConnectionGate, CountsInAllAndByVisitor) {
  const auto gate = std::make_shared<ConnectionGate>(4, 2);
  auto a1 = gate->enter(stranger("a")), a2 = gate->enter(stranger("a"));
  EXPECT_EQ(a1.place, Place::kOpen);
  EXPECT_EQ(a2.place, Place::kOpen);
  EXPECT_EQ(gate->enter(stranger("a")).place, Place::kVisitorFull);
  auto b1 = gate->enter(stranger("b")), c1 = gate->enter(stranger("c"));
  EXPECT_EQ(c1.place, Place::kOpen);
  EXPECT_EQ(gate->enter(stranger("d")).place, Place::kFull);
  a1.ticket.reset();
  EXPECT_EQ(gate->count(), 3u);
  EXPECT_EQ(gate->enter(stranger("a")).place, Place::kOpen) << "its place is given back at once";
  EXPECT_EQ(gate->count(), 3u);
}

TEST(ConnectionGate, NeedsNoLimitByVisitorAndHasNoneForThisMachine) {
  const auto unlimited = std::make_shared<ConnectionGate>(3, 0);
  const auto limited = std::make_shared<ConnectionGate>(3, 1);
  std::vector<ConnectionGate::Entry> entries;
  for (int i = 0; i < 3; ++i) {
    entries.push_back(unlimited->enter(stranger("a")));
    EXPECT_EQ(entries.back().place, Place::kOpen);
    entries.push_back(limited->enter(kThisMachine));
    EXPECT_EQ(entries.back().place, Place::kOpen);
  }
}

TEST(ConnectionGate, ReservesAFewPlacesThatNobodyCanTakeAlone) {
  const auto gate = std::make_shared<ConnectionGate>(1, 0);
  std::vector<ConnectionGate::Entry> entries;
  entries.push_back(gate->enter(stranger("a")));
  for (int i = 0; i < 100; ++i) entries.push_back(gate->enter(stranger(std::to_string(i))));
  const auto with_place = std::count_if(entries.begin(), entries.end(),
                                        [](const auto& one) { return one.ticket != nullptr; });
  EXPECT_EQ(with_place, 1 + static_cast<int>(ConnectionGate::kReservedOfOthers));
  EXPECT_TRUE(gate->enter(kThisMachine).ticket) << "the machine's own probes find a place";
  entries.clear();
  entries.push_back(gate->enter(stranger("a")));
  for (std::size_t i = 0; i < ConnectionGate::kReservedPerVisitor; ++i) {
    entries.push_back(gate->enter(stranger("b")));
    EXPECT_TRUE(entries.back().ticket);
  }
  EXPECT_FALSE(gate->enter(stranger("b")).ticket) << "so many of each visitor";
  EXPECT_TRUE(gate->enter(stranger("c")).ticket);
}

TEST(ConnectionGate, CountsTheVisitorBehindAProxy) {
  const auto gate = std::make_shared<ConnectionGate>(10, 1);
  const Visitor proxy{"10.0.0.1", "10.0.0.1", true};
  auto one = gate->enter(proxy), two = gate->enter(proxy);
  EXPECT_TRUE(one.ticket->pass_to(stranger("a")));
  EXPECT_FALSE(two.ticket->pass_to(stranger("a")));
  EXPECT_TRUE(two.ticket->pass_to(stranger("b")));
  one.ticket.reset();
  EXPECT_EQ(gate->enter(stranger("a")).place, Place::kOpen);
}

TEST(ConnectionGate, TakesWhoComesThroughAProxyHereForNoProbeOfThisMachine) {
  const auto gate = std::make_shared<ConnectionGate>(1, 0);
  std::vector<ConnectionGate::Entry> entries;
  entries.push_back(gate->enter(stranger("a")));
  std::size_t passed = 0;
  for (int i = 0; i < 200; ++i) {
    auto one = gate->enter(kThisMachine);  // as it looks while no request has come
    ASSERT_TRUE(one.ticket);
    if (!one.ticket->pass_to(stranger(std::to_string(i % 20)))) continue;
    ++passed;
    entries.push_back(std::move(one));
  }
  EXPECT_EQ(passed, ConnectionGate::kReservedOfOthers);
  for (std::size_t i = ConnectionGate::kReservedOfOthers; i < ConnectionGate::kReserved; ++i) {
    entries.push_back(gate->enter(kThisMachine));
    EXPECT_TRUE(entries.back().ticket) << "the machine's own probes find a place";
  }
  EXPECT_FALSE(gate->enter(kThisMachine).ticket);
  entries.clear();
  EXPECT_EQ(gate->count(), 0u);
  entries.push_back(gate->enter(stranger("a")));
  for (std::size_t i = 0; i <= ConnectionGate::kReservedPerVisitor; ++i) {
    entries.push_back(gate->enter(kThisMachine));
    EXPECT_EQ(entries.back().ticket->pass_to(stranger("b")),
              i < ConnectionGate::kReservedPerVisitor);
  }
}

TEST(Networks, AreThoseThatAnAddressIsIn) {
  using Names = std::array<std::string, kNetworkSizes>;
  EXPECT_EQ(networks_of("2001:db8:1:2:3::4"),
            (Names{"2001:db8:1:2::/64", "2001:db8:1::/48", "2001:db8::/32", ""}));
  EXPECT_EQ(networks_of("192.0.2.7"), (Names{"192.0.2.7", "192.0.2.0/24", "192.0.0.0/16", ""}));
  EXPECT_EQ(networks_of("::ffff:192.0.2.7"), networks_of("192.0.2.7"));
  EXPECT_EQ(networks_of("?"), (Names{"?", "?", "?", ""}));
}

TEST(VisitorKey, IsTheHalfOfAnIpv6AddressThatAProviderGivesOut) {
  EXPECT_EQ(visitor_key("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::/64");
  EXPECT_EQ(visitor_key("2001:db8:1:2::9"), "2001:db8:1:2::/64");
  EXPECT_EQ(visitor_key("::ffff:10.1.2.3"), "10.1.2.3");
  EXPECT_EQ(visitor_key("10.1.2.3"), "10.1.2.3");
  EXPECT_EQ(visitor_key("::1"), "::1");
  EXPECT_EQ(visitor_key("?"), "?");
}

TEST(AddressLimits, AreSharedByAllConnectionsOfAVisitor) {
  Limits limits;
  limits.visitor_requests = {10, 5};
  AddressLimits visitors(limits);
  using Kind = AddressLimits::Kind;
  Clock::time_point now{};
  int taken = 0;
  while (visitors.take("a", Kind::kRequest, 1, now)) ++taken;
  EXPECT_EQ(taken, 5);
  EXPECT_TRUE(visitors.take("a", Kind::kRequest, 0, now)) << "what costs nothing";
  EXPECT_TRUE(visitors.take("a", Kind::kMessage, 1, now)) << "each kind for itself";
  EXPECT_TRUE(visitors.take("b", Kind::kRequest, 5, now)) << "and each visitor";
  EXPECT_FALSE(visitors.take("b", Kind::kRequest, 1, now));
  now += milliseconds(101);
  EXPECT_TRUE(visitors.take("a", Kind::kRequest, 1, now));
}

TEST(AddressLimits, ForgetWhoWasSeenLongestAgo) {
  Limits limits;
  limits.visitor_requests = {1, 1};
  AddressLimits visitors(limits);
  const Clock::time_point now{};
  using Kind = AddressLimits::Kind;
  EXPECT_TRUE(visitors.take("regular", Kind::kRequest, 1, now));
  for (int i = 0; i < 100'000; ++i) {
    visitors.take(std::to_string(i), Kind::kRequest, 1, now);
    if (i % 1000 == 0) {
      EXPECT_FALSE(visitors.take("regular", Kind::kRequest, 1, now));
    }
  }
  EXPECT_EQ(visitors.remembered(), AddressLimits::kMostVisitors);
}

TEST(LogLimit, CountsWhatIsLeftOut) {
  LogLimit log(1, 10);
  Clock::time_point now{};
  int written = 0;
  for (int i = 0; i < 1000; ++i) written += log.ask("full", now).write;
  EXPECT_EQ(written, 10);
  EXPECT_TRUE(log.ask("stalled", now).write) << "each kind for itself";
  now += std::chrono::seconds(2);
  const LogLimit::Verdict verdict = log.ask("full", now);
  EXPECT_TRUE(verdict.write);
  EXPECT_EQ(verdict.left_out, 990u);
  EXPECT_EQ(log.ask("full", now).left_out, 0u);
}

}  // namespace
}  // namespace promenade::net
