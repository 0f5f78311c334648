// Ground that takes care: kerbs, tiles, hillsides, smooth floors, and ground that nobody told of.
// docs/decisions/0025-ground-ahead.md
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "math/random.h"
#include "math/rotation.h"
#include "shared.h"
#include "study/trial/rig/ground.h"
#include "study/trial/rig/parallel.h"

namespace promenade {
namespace {

using namespace trial;

constexpr int kWalkers = 10;

/// How many of kWalkers pass `test`, each with a seed of its own.
int count(const std::function<bool(std::uint64_t)>& test) {
  std::array<bool, kWalkers> passed{};
  run_parallel(kWalkers, 0, [&](int i) { passed[std::size_t(i)] = test(701 + std::uint64_t(i)); });
  return int(std::count(passed.begin(), passed.end(), true));
}

Walker on(std::shared_ptr<const physics::Ground> ground) {
  Walker walker = human();
  walker.straight_on = true;
  walker.ground = std::move(ground);
  return walker;
}

/// Stands for up to a second, so that feet meet what lies ahead at any phase, then walks.
bool walks(const Walker& walker, double speed, double seconds, std::uint64_t seed, double way = 0) {
  Rollout rollout(walker, seed);
  rollout.stop();
  if (!rollout.run(Random::stream(seed, 0x5e7ULL).uniform(0, 1))) return false;
  rollout.walk({speed, 0});
  return rollout.run(seconds) && rollout.report().com.x() > way;
}

TEST(Terrain, KerbsAreSteppedUpAndDown) {
  for (const double height : {0.05, 0.1, 0.15, -0.05, -0.1, -0.15}) {
    for (const double speed : {0.6, 1.0}) {
      const Walker walker = on(kerb(height));
      EXPECT_GE(count([&](std::uint64_t seed) { return walks(walker, speed, 12, seed, 3); }), 8)
          << height << " m at " << speed << " m/s";
    }
  }
}

TEST(Terrain, TilesAreWalkedOver) {
  EXPECT_GE(count([&](std::uint64_t seed) {
              return walks(on(rough_track(0.08, seed)), 0.6, 16, seed, 5);
            }),
            8);
}

TEST(Terrain, TilesThatNobodyToldOfMakeWary) {
  EXPECT_GE(count([&](std::uint64_t seed) {
              Walker walker = on(rough_track(0.04, seed));
              walker.believed_ground = std::make_shared<const physics::Ground>();
              return walks(walker, 0.8, 16, seed, 5);
            }),
            7);
}

TEST(Terrain, AFootThatStubsIsLiftedOverOrPutDown) {
  EXPECT_GE(count([&](std::uint64_t seed) {
              Walker walker = on(rough_track(0.08, seed));
              walker.believed_ground = std::make_shared<const physics::Ground>();
              return walks(walker, 0.6, 16, seed, 5);
            }),
            7)
      << "of the same walks, 3 without it";
}

TEST(Terrain, IceIsCrossedFromFirmGround) {
  const Walker walker = on(patch_across({0.1, 0}, 3, 3));
  EXPECT_GE(count([&](std::uint64_t seed) { return walks(walker, 1.0, 40, seed, 7); }), 9);
}

TEST(Terrain, SoftGroundGivesWayAndIsWalkedOn) {
  const Walker soft = on(patch_across({0.8, 0, 5e3}, -2, 12));
  EXPECT_GE(count([&](std::uint64_t seed) { return walks(soft, 0.8, 12, seed, 5); }), 9);
  const auto height = [](const Walker& walker) {
    Rollout rollout(walker, 0);
    rollout.stop();
    EXPECT_TRUE(rollout.run(2));
    return rollout.physics().links()[0].position.z();
  };
  EXPECT_LT(height(soft), height(human()) - 0.01);
}

TEST(Terrain, AWalkwayAndASwayingBridgeAreCrossed) {
  EXPECT_GE(count([&](std::uint64_t seed) {
              return walks(on(walkway({0.8, 0})), 0.8, 16, seed, 10.5);
            }),
            8);
  EXPECT_GE(count([&](std::uint64_t seed) {
              return walks(on(swaying_bridge(0.1, 3)), 0.7, 18, seed, 8.5);
            }),
            8);
}

TEST(Terrain, ASteepHillsideIsStoodAndWalkedAcross) {
  const Walker walker = on(hillside(15 * kRadFromDeg));
  EXPECT_GE(count([&](std::uint64_t seed) { return walks(walker, 0.6, 15, seed, 5); }), 9);
  EXPECT_GE(count([&](std::uint64_t seed) {
              Rollout rollout(walker, seed);
              rollout.stop();
              return rollout.run(6);
            }),
            8);
}

TEST(Terrain, SmoothFloorsAreWalkedSlowly) {
  const physics::Ground level;
  const auto speed_on = [&](double friction) {
    double sum = 0;
    const Walker walker = on(with_friction(level, friction));
    const int up = count([&](std::uint64_t seed) {
      Rollout rollout(walker, seed);
      rollout.walk({1.2, 0});
      return rollout.run(12);
    });
    EXPECT_GE(up, 9) << friction;
    Rollout rollout(walker, 701);
    rollout.walk({1.2, 0});
    if (rollout.run(12)) sum = rollout.report().mean_velocity.x();
    return sum;
  };
  const double firm = speed_on(0.8), damp = speed_on(0.4), smooth = speed_on(0.2);
  EXPECT_NEAR(firm, 1.2, 0.12);
  EXPECT_LT(damp, 0.8);
  EXPECT_GT(damp, 0.3);
  EXPECT_LT(smooth, damp);
}

/// A box with its front 3 m ahead, turned about the middle of that by `yaw`, rad.
std::shared_ptr<const physics::Ground> bench(double high, double deep, double yaw) {
  physics::GroundBlock box;
  box.half = 0.5 * Vec3(deep, 2, high);
  box.pose.rotation = rotation_z(yaw);
  box.pose.position = Vec3(3, 0, 0) + box.pose.rotation * Vec3(box.half.x(), 0, box.half.z());
  return std::make_shared<const physics::Ground>(std::vector<physics::GroundBlock>{std::move(box)});
}

/// Is steered into what is ahead for 20 s and stays before it, then turns round and walks away.
bool stops_and_leaves(const Walker& walker, double speed, std::uint64_t seed) {
  Rollout rollout(walker, seed);
  rollout.stop();
  if (!rollout.run(Random::stream(seed, 0x5e7ULL).uniform(0, 1))) return false;
  rollout.walk({speed, 0});
  if (!rollout.run(20)) return false;
  const double stood = rollout.report().com.x();
  rollout.goal.heading = kPi;
  return rollout.run(10) && stood > 1.5 && stood < 3 && rollout.report().com.x() < stood - 1;
}

TEST(Terrain, ABenchIsStoppedAt) {
  struct Case {
    const char* body;
    double speed, high, deep, yaw;  // m/s, m, m, degrees
  };
  for (const Case& c : {Case{"human", 0.6, 0.45, 0.45, 0}, Case{"human", 1, 0.45, 0.45, 30},
                        Case{"human", 1.6, 0.45, 0.45, 0}, Case{"human", 1, 0.3, 0.45, 0},
                        Case{"human", 1, 0.75, 0.8, 0}, Case{"human", 1, 0.6, 0.1, 0},
                        Case{"child", 0.8, 0.3, 0.3, 0}, Case{"beast1", 1, 0.5, 0.5, 0}}) {
    Walker walker = Walker::of(*shipped(), c.body, "normal");
    walker.straight_on = true;
    walker.ground = bench(c.high, c.deep, c.yaw * kRadFromDeg);
    EXPECT_GE(count([&](std::uint64_t seed) { return stops_and_leaves(walker, c.speed, seed); }), 9)
        << c.body << " at " << c.speed << " m/s, " << c.high << " m high, " << c.deep
        << " m deep, turned by " << c.yaw << " degrees";
  }
}

TEST(Terrain, WhoStandsAtABenchTurnsRoundAndLeaves) {
  for (const char* style : {"normal", "march", "high_step", "tiptoe"}) {
    Walker walker = Walker::of(*shipped(), "human", style);
    walker.straight_on = true;
    walker.ground = bench(0.45, 0.45, 0);
    const auto leaves = [&](std::uint64_t seed) {
      Rollout rollout(walker, seed);
      rollout.walk({0.6, 0});
      if (!rollout.run(12)) return false;
      rollout.stop();
      if (!rollout.run(4)) return false;
      rollout.goal.heading = kPi;
      if (!rollout.run(8)) return false;
      const double stood = rollout.report().com.x();
      rollout.walk({0.6, 0});
      return rollout.run(10) && rollout.report().com.x() < stood - 1;
    };
    EXPECT_GE(count(leaves), 8) << style;
  }
}

TEST(Terrain, ABenchBesideTheWayIsWalkedPast) {
  Walker walker = Walker::of(*shipped(), "human", "normal");
  walker.straight_on = true;
  physics::GroundBlock box;
  box.half = 0.5 * Vec3(6, 0.45, 0.45);
  box.pose.position = Vec3(2, -0.4, box.half.z());  // its edge 0.175 m beside the line of travel
  walker.ground =
      std::make_shared<const physics::Ground>(std::vector<physics::GroundBlock>{std::move(box)});
  const auto passes = [&](std::uint64_t seed) {
    Rollout rollout(walker, seed);
    rollout.walk({0.6, 0});
    return rollout.run(20) && rollout.report().com.x() > 8;
  };
  EXPECT_GE(count(passes), 9);
}

}  // namespace
}  // namespace promenade
