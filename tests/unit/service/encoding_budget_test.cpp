#include "service/viewers/encoding_budget.h"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <vector>

namespace promenade::service {
namespace {

constexpr int kThreads = 2;
constexpr double kFrame_s = 1.0 / 30;

// Viewers who want a frame 30 times a second, on a clock of their own.
struct Crowd {
  struct Viewer {
    std::unique_ptr<EncodingBudget::Share> share;
    double costs_s = 0;  // a frame
    int frames = 0;
  };

  void join(const char* payer, int count, double costs_s) {
    for (int i = 0; i < count; ++i) viewers.push_back({budget.share_of(payer, now), costs_s, 0});
  }
  void run(double seconds) {
    for (double t = 0; t < seconds; t += kFrame_s) {
      now += std::chrono::microseconds(33'333);
      for (Viewer& one : viewers) {
        if (!one.share->may(now)) continue;
        one.share->charge(one.costs_s);
        ++one.frames;
      }
    }
  }
  // CPU seconds of those from `first` on
  double took_s(std::size_t first, std::size_t count) const {
    double sum = 0;
    for (std::size_t i = first; i < first + count; ++i) {
      sum += viewers[i].costs_s * viewers[i].frames;
    }
    return sum;
  }

  EncodingBudget budget{kThreads};
  net::Clock::time_point now{};
  std::vector<Viewer> viewers;
};

TEST(EncodingBudget, LeavesAClassOnOneAddressAlone) {
  Crowd crowd;
  crowd.join("203.0.113.7 guest", 25, 200e-6);
  crowd.run(10);
  for (const auto& one : crowd.viewers) EXPECT_GE(one.frames, 299);
}

TEST(EncodingBudget, KeepsAnAddressToItsShareHoweverManyViewersItHas) {
  Crowd crowd;
  crowd.join("203.0.113.7 guest", 100, 1200e-6);
  crowd.join("203.0.113.8 guest", 1, 700e-6);
  crowd.run(10);
  const double most_s = EncodingBudget::kMost * kThreads * (10 + EncodingBudget::kSaved_s);
  EXPECT_LT(crowd.took_s(0, 100), most_s * 1.05);
  EXPECT_GT(crowd.took_s(0, 100), most_s * 0.85) << "what is there is used";
  EXPECT_GE(crowd.viewers[100].frames, 299) << "the other address notices nothing";
}

TEST(EncodingBudget, SharesEvenlyAmongTheViewersOfAnAddress) {
  Crowd crowd;
  crowd.join("203.0.113.7 guest", 60, 1000e-6);
  crowd.run(20);
  int least = 1 << 30, most = 0;
  for (const auto& one : crowd.viewers) {
    least = std::min(least, one.frames);
    most = std::max(most, one.frames);
  }
  EXPECT_GT(least, 40);
  EXPECT_LT(most, 2 * least) << "whoever comes first in a frame does not take all";
}

TEST(EncodingBudget, DividesHalfOfTheThreadsAmongManyAddresses) {
  Crowd crowd;
  for (int i = 0; i < 30; ++i) crowd.join(("198.51.100." + std::to_string(i)).c_str(), 4, 2e-3);
  crowd.run(10);
  const double all_s = EncodingBudget::kOfAll * kThreads * 10;
  const double saved_s = 30 * EncodingBudget::kOfAll * kThreads / 30 * EncodingBudget::kSaved_s;
  EXPECT_LT(crowd.took_s(0, 120), (all_s + saved_s) * 1.3);
}

TEST(EncodingBudget, DoesNotForgetWhoComesBack) {
  Crowd crowd;
  crowd.join("203.0.113.7 guest", 1, 1);
  crowd.run(kFrame_s);
  EXPECT_EQ(crowd.viewers[0].frames, 1);
  crowd.viewers.clear();
  crowd.join("203.0.113.7 guest", 1, 1);
  crowd.run(1);
  EXPECT_EQ(crowd.viewers[0].frames, 0) << "a second of CPU time takes four to make up for";
  crowd.run(4);
  EXPECT_EQ(crowd.viewers[0].frames, 1);
}

TEST(EncodingBudget, CountsOnlyAddressesForWhichSomethingIsMade) {
  Crowd crowd;
  std::vector<std::unique_ptr<EncodingBudget::Share>> idle;
  for (int i = 0; i < 500; ++i) {
    idle.push_back(crowd.budget.share_of("198.51.100." + std::to_string(i), crowd.now));
    idle.back()->may(crowd.now);
    idle.back()->rest();
  }
  crowd.join("203.0.113.7 guest", 4, 1e-3);
  crowd.run(10);
  for (const auto& one : crowd.viewers) EXPECT_GE(one.frames, 299);
}

}  // namespace
}  // namespace promenade::service
