// Ground of the experiments, and how feet are seen to stand on it.
#include "study/trial/rig/ground.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "math/rotation.h"
#include "shared.h"
#include "study/trial/crowd/dancers.h"
#include "study/trial/rig/parallel.h"
#include "study/trial/walk/gait_quality.h"
#include "study/trial/walk/walking.h"
#include "support/paths.h"

namespace promenade {
namespace {

using namespace trial;

TEST(Ground, RoughTrackIsAsRoughAsItSays) {
  const auto track = rough_track(0.04, 3);
  double highest = 0, lowest = 1;
  for (double x = 2; x < 19; x += 0.1) {
    const double height = track->height(x, 0.1);
    highest = std::max(highest, height);
    lowest = std::min(lowest, height);
  }
  EXPECT_LE(highest, 0.04);
  EXPECT_GT(highest, 0.03);
  EXPECT_LT(lowest, 0.01);
  EXPECT_EQ(track->height(0, 0), 0) << "level where it starts";
}

TEST(Ground, SlopesRiseAndFallByTheirAngle) {
  const double angle = 8 * kRadFromDeg;
  const auto up = long_slope(angle), down = long_slope(-angle), side = hillside(angle);
  EXPECT_EQ(up->height(0, 0), 0);
  EXPECT_NEAR((up->height(10, 0) - up->height(5, 0)) / 5, std::tan(angle), 1e-6);
  EXPECT_NEAR((down->height(10, 0) - down->height(5, 0)) / 5, -std::tan(angle), 1e-6);
  EXPECT_NEAR(down->height(0, 0), down->height(2.001, 0), 1e-3) << "no edge where it begins";
  EXPECT_NEAR(side->height(5, 1) - side->height(5, 0), std::tan(angle), 1e-6);
  EXPECT_NEAR(side->height(5, 0), side->height(0, 0), 1e-6);
}

TEST(Ground, KerbsAndStairsAreAsHighAsTheySay) {
  const auto up = kerb(0.1), down = kerb(-0.1), none = kerb(0);
  EXPECT_NEAR(up->height(1.99, 0), 0, 1e-9);
  EXPECT_NEAR(up->height(2.01, 0), 0.1, 1e-9);
  EXPECT_NEAR(down->height(0, 0), 0.1, 1e-9);
  EXPECT_NEAR(down->height(2.01, 0), 0, 1e-9);
  EXPECT_FALSE(none->has_relief());
  const auto climbed = stairs(0.15, 4, 0.3), descended = stairs(-0.15, 4, 0.3);
  for (int step = 0; step <= 4; ++step) {
    const double x = 1.85 + 0.3 * step;
    EXPECT_NEAR(climbed->height(x, 0), 0.15 * step, 1e-9) << x;
    EXPECT_NEAR(descended->height(x, 0), 0.15 * (4 - step), 1e-9) << x;
  }
  EXPECT_NEAR(climbed->height(15, 0), 0.6, 1e-9) << "level after the last step";
}

TEST(Ground, KerbsAndStairsAreAsFarAheadAsTheySay) {
  const auto up = kerb(0.1, 2.6), descended = stairs(-0.15, 4, 0.3, 2.6);
  EXPECT_NEAR(up->height(2.59, 0), 0, 1e-9);
  EXPECT_NEAR(up->height(2.61, 0), 0.1, 1e-9);
  EXPECT_NEAR(descended->height(2.59, 0), 0.6, 1e-9);
  EXPECT_NEAR(descended->height(2.61, 0), 0.45, 1e-9);
}

TEST(Ground, IsPastWhereTheWalkerSays) {
  Walker walker = human();
  walker.straight_on = true;
  EXPECT_TRUE(gets_past(walker, 0.8, 3, 8, 1));
  EXPECT_FALSE(gets_past(walker, 0.8, 9, 8, 1)) << "further than 0.8 m/s takes it";
}

TEST(Ground, HasTheFrictionThatItIsGiven) {
  const auto slippery = with_friction(*kerb(0.1), 0.2);
  EXPECT_EQ(slippery->at(1, 0).friction, 0.2);
  EXPECT_EQ(slippery->at(3, 0).friction, 0.2) << "the kerb's, which has none of its own";
  EXPECT_NEAR(slippery->height(3, 0), 0.1, 1e-9);
}

TEST(Ground, IsWalkedUp) {
  Walker walker = human();
  walker.straight_on = true;
  walker.ground = long_slope(4 * kRadFromDeg);
  Rollout rollout(walker, 1);
  rollout.walk({0.6, 0});
  ASSERT_TRUE(rollout.run(12));
  EXPECT_GT(rollout.report().com.z(), 1.2) << "m: it has climbed";
}

// The bar is that of `report coros2010 --full`: 90 % of them walk as asked at the end and have come
// as far as asked.
TEST(Ground, SlopesOfEightDegreesAreWalkedUpDownAndAcross) {
  constexpr double kTilt = 8 * kRadFromDeg;
  constexpr int kWalks = 10;
  const struct {
    const char* where;
    std::shared_ptr<const physics::Ground> ground;
  } slopes[] = {
      {"up", long_slope(kTilt)}, {"down", long_slope(-kTilt)}, {"across", hillside(kTilt)}};
  for (const auto& slope : slopes) {
    std::vector<SteadyWalk> walks(kWalks);
    run_parallel(kWalks, 0, [&](int i) {
      Walker walker = human();
      walker.straight_on = true;
      walker.ground = slope.ground;
      walks[std::size_t(i)] = walk_steadily(walker, {0.6, 0}, 24, 1, std::uint64_t(81 + i));
    });
    const auto good = std::count_if(walks.begin(), walks.end(), [](const SteadyWalk& walk) {
      return walk.recovered && walk.made_way;
    });
    EXPECT_GE(good, 9) << slope.where << ", of " << kWalks;
  }
}

// A walker that believes in level ground goes by what its feet find.
TEST(Ground, IsWalkedUnseen) {
  const auto believed = std::make_shared<const physics::Ground>();
  Walker walker = human();
  walker.straight_on = true;
  walker.ground = long_slope(6 * kRadFromDeg);
  walker.believed_ground = believed;
  EXPECT_TRUE(walk_steadily(walker, {0.6, 0}, 15, 1, 1).up);
}

TEST(SupportSlip, CountsTheWayOutNotATremble) {
  constexpr double kDt = 0.01, kWeight = 700;
  SupportSlip tremble, slide;
  double slip = -1;
  const auto stand = [&](SupportSlip& foot, const std::function<double(int)>& speed) {
    EXPECT_FALSE(foot.observe(Vec3::Zero(), 0, kWeight, kDt, slip));
    for (int i = 0; i < 50; ++i) {
      EXPECT_FALSE(foot.observe(Vec3(speed(i), 0, 0), kWeight, kWeight, kDt, slip));
    }
    EXPECT_TRUE(foot.observe(Vec3::Zero(), 0, kWeight, kDt, slip));
    return slip;
  };
  EXPECT_NEAR(stand(tremble, [](int i) { return i % 2 ? 0.1 : -0.1; }), 0.001, 1e-9);
  EXPECT_NEAR(stand(slide, [](int) { return 0.1; }), 0.05, 1e-9);
}

TEST(GaitQuality, ALightFootIsNoSupport) {
  SupportSlip foot;
  double slip = -1;
  for (int i = 0; i < 50; ++i) EXPECT_FALSE(foot.observe(Vec3(1, 0, 0), 50, 700, 0.01, slip));
  EXPECT_EQ(slip, -1) << "a dragged toe is a stub, not a slip";
}

TEST(Dancers, OfRandomBodiesDance) {
  const auto library = with_random_dancers(test::data_dir(), 16, 1.6, 3);
  ASSERT_TRUE(library->bodies().find("dancer16"));
  EXPECT_NE(library->bodies().find("dancer01")->body->total_mass,
            library->bodies().find("dancer02")->body->total_mass);
  const DancersRun run = run_dancers(library, "random-dancers", 5, 0);
  EXPECT_EQ(run.dancers, 16);
  EXPECT_EQ(run.quarantines, 0);
}

TEST(Dancers, BumpIntoEachOther) {
  const DancersRun run = run_dancers(shipped(), "dancers", 8, 0);
  EXPECT_GT(run.bumps, 5);
  EXPECT_GT(run.touching, 0);
}

}  // namespace
}  // namespace promenade
