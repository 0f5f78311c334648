#include "service/store/saved_counts.h"

#include <gtest/gtest.h>

namespace promenade::service {
namespace {

constexpr std::int64_t kNow = 1'900'000'000'000;

TEST(SavedCounts, AreThoseThatWereKept) {
  SavedCounts counts;
  counts.add("me", 300, true, kNow);
  counts.add("me", 200, false, kNow + 1);
  const auto changes = counts.changes(kNow + 2);
  ASSERT_EQ(changes.size(), 1u);
  EXPECT_EQ(changes[0].first.find("me"), std::string::npos);
  EXPECT_TRUE(counts.changes(kNow + 2).empty()) << "once is enough";
  SavedCounts after;
  EXPECT_TRUE(after.take_kept(changes[0].first, changes[0].second, kNow + 3));
  EXPECT_EQ(after.of("me", kNow + 3).names, 1u);
  EXPECT_EQ(after.of("me", kNow + 3).bytes, 500u);
  EXPECT_EQ(after.of("you", kNow + 3).bytes, 0u);
  EXPECT_TRUE(after.changes(kNow + 3).empty());
  EXPECT_FALSE(after.take_kept("key", "names x", kNow));
}

TEST(SavedCounts, BeginAnewAfterTheirSpan) {
  SavedCounts counts;
  counts.add("me", 300, true, kNow);
  const auto kept = counts.changes(kNow).at(0);
  const std::int64_t later = kNow + SavedCounts::kSpanMs + 1;
  EXPECT_EQ(counts.of("me", later).bytes, 0u);
  const auto forgotten = counts.changes(later);
  ASSERT_EQ(forgotten.size(), 1u);
  EXPECT_EQ(forgotten[0], std::pair(kept.first, std::string()));
  EXPECT_EQ(counts.size(), 0u);
  SavedCounts after;
  EXPECT_TRUE(after.take_kept(kept.first, kept.second, later));
  EXPECT_EQ(after.size(), 0u);
  EXPECT_EQ(after.changes(later).size(), 1u) << "the store forgets it, too";
}

TEST(SavedCounts, AreBounded) {
  SavedCounts counts;
  for (std::size_t i = 0; i < SavedCounts::kMaxVisitors + 10; ++i) {
    counts.add(std::to_string(i), 1, true, kNow + std::int64_t(i));
  }
  EXPECT_EQ(counts.size(), SavedCounts::kMaxVisitors);
  EXPECT_EQ(counts.of("9", kNow).bytes, 0u) << "the oldest go";
  EXPECT_EQ(counts.of("10", kNow).bytes, 1u);
  std::size_t kept = 0, forgotten = 0;
  for (auto some = counts.changes(kNow); !some.empty(); some = counts.changes(kNow)) {
    EXPECT_LE(some.size(), SavedCounts::kMostChanges);
    for (const auto& [key, content] : some) ++(content.empty() ? forgotten : kept);
  }
  EXPECT_EQ(kept, SavedCounts::kMaxVisitors);
  EXPECT_EQ(forgotten, 10u);
}

TEST(SavedCounts, AreNotLongerBecauseAClockWasAhead) {
  SavedCounts counts;
  const std::int64_t ahead = kNow + 10 * SavedCounts::kSpanMs;
  counts.add("me", 300, true, ahead);
  EXPECT_EQ(counts.changes(kNow).size(), 1u);
  EXPECT_EQ(counts.of("me", kNow).bytes, 300u);
  EXPECT_EQ(counts.of("me", kNow + SavedCounts::kSpanMs + 1).bytes, 0u);
}

}  // namespace
}  // namespace promenade::service
