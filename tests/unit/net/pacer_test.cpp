#include "net/socket/pacer.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace promenade::net {
namespace {

using std::chrono::duration;
using std::chrono::milliseconds;

// A room that ticks at 60 Hz and a viewer of it, with a clock of their own.
struct Simulation {
  explicit Simulation(double rate_hz) : pacer(rate_hz, now) {}

  // @param overtaken  whether a sent state is overtaken by the next one
  void run(double seconds, bool overtaken = false) {
    for (int i = 0; i < seconds * 60; ++i) {
      tick += std::chrono::microseconds(16'667);
      now = tick + std::chrono::microseconds(jitter());
      switch (pacer.on_state(now)) {
        case Pacer::Verdict::kSend:
          ++sent;
          times.push_back(now);
          if (overtaken) pacer.on_miss();
          break;
        case Pacer::Verdict::kSpared:
          ++spared;
          break;
        case Pacer::Verdict::kNotDue:
          break;
      }
      if (pacer.review(now)) ++changes;
    }
  }
  int jitter() { return jittering ? std::uniform_int_distribution(-3000, 3000)(random) : 0; }

  Clock::time_point tick{}, now{};
  Pacer pacer;
  bool jittering = false;
  std::mt19937 random{1};
  int sent = 0, spared = 0, changes = 0;
  std::vector<Clock::time_point> times;
};

TEST(Pacer, GivesTheRateAskedFor) {
  for (const double rate : {1.0, 7.0, 15.0, 30.0, 60.0}) {
    Simulation s(rate);
    s.run(10);
    EXPECT_NEAR(s.sent, 10 * rate, 1 + rate / 10) << rate;
    EXPECT_EQ(s.spared, 0);
  }
}

TEST(Pacer, KeepsAnEvenBeatOverJitteringTicks) {
  Simulation s(30);
  s.jittering = true;
  s.run(10);
  for (std::size_t i = 1; i < s.times.size(); ++i) {
    const double gap_ms = duration<double, std::milli>(s.times[i] - s.times[i - 1]).count();
    EXPECT_LT(gap_ms, 43) << "a third tick was waited for";
  }
}

TEST(Pacer, KeepsRatesWithinBounds) {
  EXPECT_EQ(Pacer(1000, {}).asked_hz(), 60);
  EXPECT_EQ(Pacer(0.01, {}).asked_hz(), 1);
}

TEST(Pacer, LowersTheRateOfAViewerThatDoesNotKeepUp) {
  Simulation s(30);
  s.run(10, true);
  EXPECT_GT(s.pacer.level(), 2);
  EXPECT_GT(s.spared, 100) << "what is withheld is counted";
  s.run(60, true);
  EXPECT_GE(s.pacer.effective_hz(), 0.5) << "but never to nothing";
}

TEST(Pacer, ForgivesASingleBadSecond) {
  Simulation s(30);
  s.run(1, true);
  s.run(3);
  EXPECT_EQ(s.pacer.level(), 0);
  EXPECT_EQ(s.changes, 0);
}

TEST(Pacer, RestoresTheRateInSteps) {
  Simulation s(30);
  s.run(5, true);
  const int level = s.pacer.level();
  ASSERT_GE(level, 2);
  s.run(3);
  EXPECT_EQ(s.pacer.level(), level) << "not at once";
  s.run(60);
  EXPECT_EQ(s.pacer.level(), 0);
}

TEST(Pacer, DoesNotSwingForAViewerOnTheEdge) {
  // Keeps up with 15 Hz, not with 30.
  Simulation s(30);
  int changes_late = 0;
  for (int second = 0; second < 600; ++second) {
    if (second == 300) changes_late = s.changes;
    s.run(1, s.pacer.level() == 0);
  }
  changes_late = s.changes - changes_late;
  EXPECT_LE(changes_late, 12) << "tries again about once a minute, not every few seconds";
}

}  // namespace
}  // namespace promenade::net
