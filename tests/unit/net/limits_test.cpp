#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "net/connection_gate.h"
#include "net/token_bucket.h"

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

TEST(ConnectionGate, CountsInAllAndByAddress) {
  const auto gate = std::make_shared<ConnectionGate>(4, 2);
  auto a1 = gate->enter("a"), a2 = gate->enter("a");
  EXPECT_TRUE(a1 && a2);
  EXPECT_FALSE(gate->enter("a")) << "two from one address";
  auto b1 = gate->enter("b"), c1 = gate->enter("c");
  EXPECT_TRUE(b1 && c1);
  EXPECT_FALSE(gate->enter("d")) << "four in all";
  a1.reset();
  EXPECT_EQ(gate->count(), 3u);
  EXPECT_TRUE(gate->enter("a")) << "and its place is given back at once";
  EXPECT_EQ(gate->count(), 3u);
}

TEST(ConnectionGate, NeedsNoLimitByAddress) {
  const auto gate = std::make_shared<ConnectionGate>(3, 0);
  auto one = gate->enter("a"), two = gate->enter("a"), three = gate->enter("a");
  EXPECT_TRUE(one && two && three);
}

}  // namespace
}  // namespace promenade::net
