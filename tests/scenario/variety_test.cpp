// One set of parameters for all bodies, all styles, and all of them together.
#include <string>
#include <vector>

#include "shared.h"
#include "study/trial/crowd/crowd.h"
#include "study/trial/rig/parallel.h"
#include "study/trial/walk/walking.h"

namespace promenade {
namespace {

using namespace trial;

struct Pair {
  std::string body, style;
  SteadyWalk walk;
};

std::string fallen(const std::vector<Pair>& pairs) {
  std::string names;
  for (const Pair& pair : pairs) {
    if (!pair.walk.up) names += pair.body + " " + pair.style + "; ";
  }
  return names;
}

int walk_all(std::vector<Pair>& pairs, double seconds, std::uint64_t seed) {
  run_parallel(int(pairs.size()), 0, [&](int i) {
    Pair& pair = pairs[std::size_t(i)];
    const Walker walker = Walker::of(*shipped(), pair.body, pair.style);
    pair.walk = walk_steadily(walker, {fitting_speed(walker), 0}, seconds, 5, seed);
  });
  int up = 0;
  for (const Pair& pair : pairs) up += pair.walk.up;
  return up;
}

TEST(Variety, SixBodiesInSixStylesWalk) {
  std::vector<Pair> pairs;
  for (const char* body : {"human", "robot", "beast1", "beast2", "child", "giant"}) {
    for (const char* style :
         {"normal", "lean_forward", "crouch", "bow_legged", "tiptoe", "high_step"}) {
      pairs.push_back({body, style, {}});
    }
  }
  EXPECT_GE(walk_all(pairs, 20, 61), 34) << "fell: " << fallen(pairs);
}

TEST(Variety, TheHumanWalksInEveryStyle) {
  std::vector<Pair> pairs;
  for (const std::string& style : shipped()->styles().names())
    pairs.push_back({"human", style, {}});
  EXPECT_EQ(walk_all(pairs, 20, 62), int(pairs.size())) << "fell: " << fallen(pairs);
}

TEST(Variety, StylesDiffer) {
  // If curves did nothing, all styles would walk alike.
  const auto crown = [](const char* style) {
    Rollout rollout(Walker::of(*shipped(), "human", style), 0);
    rollout.walk({0.5, 0});
    double sum = 0;
    rollout.observer = [&](const Rollout& r) { sum += r.report().com.z(); };
    EXPECT_TRUE(rollout.run(6)) << style;
    return sum / (6 / Rollout::kStep);
  };
  EXPECT_LT(crown("crouch") + 0.03, crown("normal"));
}

TEST(Variety, AStyleCanChangeWhileWalking) {
  Rollout rollout(human(), 63);
  rollout.walk({0.6, 0});
  for (const std::string& style : shipped()->styles().names()) {
    rollout.set_style(shipped()->styles().find(style));
    ASSERT_TRUE(rollout.run(4)) << "fell after changing to " << style;
  }
}

TEST(Square, TwoDozenStrollForHalfAMinute) {
  const CrowdRun run = run_crowd(shipped(), "square", 30, core_count(), 0);
  EXPECT_EQ(run.quarantines, 0);
  EXPECT_LE(run.falls, 3) << "a fall in four minutes of a biped's life";
}

}  // namespace
}  // namespace promenade
