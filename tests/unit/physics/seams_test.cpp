// Ground made of blocks whose upper sides are flush is felt as one surface.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "math/random.h"
#include "support.h"

namespace promenade::physics {
namespace {

using Model = std::shared_ptr<const ArticulationModel>;

constexpr double kTop = 0.3;  // m, of the tiles

/// How a floor is cut into blocks.
struct Floor {
  std::string name;
  std::vector<GroundBlock> blocks;
};

/// A rectangle of the floor, in the floor's own frame.
struct Tile {
  Vec2 low, high;
};

/// Cuts a rectangle at random places until parts are small: seams meet in T-junctions.
void cut(const Tile& tile, Random& random, std::vector<Tile>& out) {
  const Vec2 size = tile.high - tile.low;
  int axis = 0;
  if (size.maxCoeff(&axis) < random.uniform(0.25, 1.0)) {
    out.push_back(tile);
    return;
  }
  const double at = tile.low[axis] + random.uniform(0.3, 0.7) * size[axis];
  Tile first = tile, second = tile;
  first.high[axis] = second.low[axis] = at;
  cut(first, random, out);
  cut(second, random, out);
}

/// @param gap  m, between tiles
/// @param step m, by which upper sides differ at most
Floor floor_of(const std::string& name, std::vector<Tile> tiles, double gap, double step,
               double yaw, Random& random) {
  for (std::size_t i = tiles.size(); i > 1; --i) {
    std::swap(tiles[i - 1], tiles[std::size_t(random.uniform(0, double(i) - 1e-9))]);
  }
  Floor floor{name, {}};
  for (const Tile& tile : tiles) {
    const Vec2 center = 0.5 * (tile.low + tile.high);
    const double thick = random.uniform(0.02, 0.14), top = kTop - random.uniform(0, step);
    GroundBlock block;
    block.pose.rotation = rotation_z(yaw);
    block.pose.position = rotation_z(yaw) * Vec3(center.x(), center.y(), top - thick);
    block.half << 0.5 * (tile.high - tile.low) - Vec2::Constant(0.5 * gap), thick;
    floor.blocks.push_back(block);
  }
  return floor;
}

/// Floors of 10 m by 10 m about the origin, cut at random.
std::vector<Floor> floors(std::uint64_t seed) {
  Random random(seed);
  std::vector<Floor> all;
  const Tile whole{Vec2(-5, -5), Vec2(5, 5)};
  for (const double gap : {0.0, 0.0005, 0.001}) {
    std::vector<Tile> grid, bricks, any;
    const double size = random.uniform(0.3, 0.8);
    int row = 0;
    for (double y = -5; y < 5; y += size, ++row) {
      for (double x = -5; x < 5; x += size) grid.push_back({{x, y}, {x + size, y + size}});
      for (double x = -5 - (row % 2) * 0.7 * size; x < 5; x += 2 * size) {
        bricks.push_back({{x, y}, {x + 2 * size, y + size}});
      }
    }
    cut(whole, random, any);
    const std::string gaps = ", gaps of " + std::to_string(int(1e6 * gap)) + " um";
    all.push_back(floor_of("grid" + gaps, grid, gap, 0, random.uniform(-3, 3), random));
    all.push_back(floor_of("bricks" + gaps, bricks, gap, 0, random.uniform(-3, 3), random));
    all.push_back(floor_of("cut at random" + gaps, any, gap, 0, random.uniform(-3, 3), random));
  }
  return all;
}

struct Mover {
  std::string name;
  Model model;
  double height;         // m, of its centre above the ground
  Vec3 velocity, omega;  // at the start
  Quat rotation = Quat::Identity();
};

std::vector<Mover> movers() {
  const Quat lying = Quat(Eigen::AngleAxisd(kTwoPi / 4, Vec3::UnitX()));
  return {
      {"crate", test::box_model(9, Vec3(0.2, 0.15, 0.1)), 0.1, Vec3(3, 0, 0), Vec3::Zero()},
      {"flat box", test::box_model(2, Vec3(0.12, 0.05, 0.015)), 0.015, Vec3(3, 0, 0),
       Vec3(0, 0, 4)},
      {"ball", test::ball_model(0.5, 0.11), 0.11, Vec3(2, 0, 0), Vec3(0, 2 / 0.11, 0)},
      {"small ball", test::ball_model(0.02, 0.02), 0.02, Vec3(2, 0, 0), Vec3(0, 100, 0)},
      {"capsule", test::capsule_model(5, 0.15, 0.08), 0.08, Vec3(2, 0, 0), Vec3(0, 2 / 0.08, 0)},
      {"capsule that slides", test::capsule_model(5, 0.15, 0.08), 0.08, Vec3(0, 3, 0),
       Vec3::Zero()},
      {"standing cylinder", test::cylinder_model(7, 0.05, 0.15), 0.05, Vec3(3, 0, 0),
       Vec3(0, 0, 3)},
      {"rolling cylinder", test::cylinder_model(7, 0.2, 0.15), 0.15, Vec3(2, 0, 0),
       Vec3(0, 2 / 0.15, 0), lying}};
}

Ground ground_of(const std::vector<GroundBlock>& blocks, bool plane = false,
                 double friction = 0.1) {
  GroundPlan plan;
  plan.plane = plane;
  plan.blocks = blocks;
  plan.material.friction = friction;
  return Ground(std::move(plan));
}

/// A body with a velocity and a turn, in a direction.
ArticulatedBody started(const Mover& mover, const Vec3& at, double heading) {
  ArticulatedBody body(mover.model);
  Pose pose;
  const Quat turn = rotation_z(heading);
  pose.position = at + Vec3(0, 0, mover.height);
  pose.rotation = turn * mover.rotation;
  ArticulationState state = ArticulatedBody::zero_state(*mover.model, pose);
  Eigen::Map<Eigen::VectorXd> velocity(state.velocity.data(), 6);
  velocity << turn * mover.velocity, turn * mover.omega;
  body.set_state(state);
  return body;
}

struct Way {
  double rise = 0;  // m/s, the greatest vertical speed
  double lean = 0;  // the greatest part of a contact's normal that is not up
  Vec3 end = Vec3::Zero(), velocity = Vec3::Zero();
};

Way way_of(ArticulatedBody body, const Ground& ground, double seconds) {
  Way way;
  for (int i = 0; i < std::lround(480 * seconds); ++i) {
    test::step(body, ground, StepSettings{});
    way.rise = std::max(way.rise, std::abs(body.links()[0].velocity.z()));
    for (const ContactPoint& point : body.contacts()) {
      way.lean = std::max(way.lean, point.normal.head<2>().norm());
    }
  }
  way.end = body.links()[0].position;
  way.velocity = body.links()[0].velocity;
  return way;
}

TEST(Seams, AreNotFeltByWhatSlidesAndRolls) {
  const GroundBlock one = [] {
    GroundBlock block;
    block.pose.position = Vec3(0, 0, kTop - 0.1);
    block.half = Vec3(8, 8, 0.1);
    return block;
  }();
  const Ground whole = ground_of({one});
  GroundPlan level;
  level.material.friction = 0.1;
  const Ground plane(level);
  for (const std::uint64_t seed : {1u, 2u, 3u}) {
    Random random(seed);
    for (const Floor& floor : floors(seed)) {
      const Ground tiled = ground_of(floor.blocks);
      for (const Mover& mover : movers()) {
        SCOPED_TRACE(mover.name + " on " + floor.name + ", seed " + std::to_string(seed));
        const double heading = random.uniform(-3, 3);
        const Vec3 from = rotation_z(heading) * mover.velocity.normalized() * -1.5;
        const Way on_plane = way_of(started(mover, from, heading), plane, 1.0);
        const Way on_tiles = way_of(started(mover, from + Vec3(0, 0, kTop), heading), tiled, 1.0);
        EXPECT_LT(on_tiles.rise, on_plane.rise + 0.005);
        EXPECT_LT(on_tiles.lean, 1e-6);
        EXPECT_LT((on_tiles.end - Vec3(0, 0, kTop) - on_plane.end).norm(), 0.01);
      }
    }
  }
}

TEST(Seams, OfSmallStepsAreNotFeltEither) {
  Random random(5);
  std::vector<Tile> tiles;
  cut({Vec2(-5, -5), Vec2(5, 5)}, random, tiles);
  const Floor floor = floor_of("uneven", tiles, 0.0005, 0.0003, 0.4, random);
  const Ground tiled = ground_of(floor.blocks);
  for (const Mover& mover : movers()) {
    SCOPED_TRACE(mover.name);
    const Way way = way_of(started(mover, Vec3(-1, 0, kTop), 0.3), tiled, 1.0);
    EXPECT_LT(way.rise, 0.15);
    EXPECT_LT(way.lean, 1e-6);
    EXPECT_GT(way.velocity.head<2>().norm(), 1);
  }
}

TEST(Seams, OnOneBlockAfterTheOtherTheSameComesOutInAnyOrder) {
  Random random(7);
  std::vector<Tile> tiles;
  cut({Vec2(-5, -5), Vec2(5, 5)}, random, tiles);
  Floor floor = floor_of("any", tiles, 0, 0, 0.4, random);
  const Ground one = ground_of(floor.blocks);
  std::reverse(floor.blocks.begin(), floor.blocks.end());
  const Ground other = ground_of(floor.blocks);
  for (const Mover& mover : movers()) {
    SCOPED_TRACE(mover.name);
    const auto end = [&](const Ground& ground) {
      return way_of(started(mover, Vec3(-1, 0, kTop), 0.3), ground, 1.0).end;
    };
    EXPECT_LT((end(one) - end(other)).norm(), 1e-9);
  }
}

TEST(Seams, BetweenBlocksAreNoHolesForWhatIsLookedUp) {
  for (const Floor& floor : floors(4)) {
    SCOPED_TRACE(floor.name);
    const Ground tiled = ground_of(floor.blocks, true);
    Random random(9);
    double lowest = kTop;
    for (int i = 0; i < 4000; ++i) {
      const double x = random.uniform(-3, 3), y = random.uniform(-3, 3);
      lowest = std::min(lowest, tiled.height(x, y));
    }
    EXPECT_NEAR(lowest, kTop, 1e-9);
    // Along lines that follow seams: through the middle of each gap.
    for (const GroundBlock& block : floor.blocks) {
      const Vec3 beside = block.pose.position +
                          block.pose.rotation * Vec3(block.half.x() + 0.0004, 0, block.half.z());
      if (beside.head<2>().cwiseAbs().maxCoeff() > 3) continue;
      EXPECT_NEAR(tiled.clearance(beside.x(), beside.y(), 0, 10).floor, kTop, 1e-9);
    }
  }
}

/// A floor, then a ramp of a pitch (rad, up is positive), each of blocks of some length.
std::vector<GroundBlock> with_ramp(double pitch, double length) {
  std::vector<GroundBlock> blocks;
  const auto row = [&](const Vec3& from, double slope) {
    const Quat turn(Eigen::AngleAxisd(-slope, Vec3::UnitY()));
    for (double s = 0; s < 3.999; s += length) {
      for (double y = -2; y < 1.999; y += length) {
        GroundBlock block;
        block.pose.rotation = turn;
        block.half = Vec3(0.5 * length, 0.5 * length, 0.1);
        block.pose.position = from + turn * Vec3(s + 0.5 * length, y + 0.5 * length, -0.1);
        blocks.push_back(block);
      }
    }
  };
  row(Vec3(-4, 0, 1), 0);
  row(Vec3(0, 0, 1), pitch);
  return blocks;
}

TEST(Seams, OfARampWithLevelGroundDoNotKick) {
  for (const double degrees : {-12.0, -5.0, 5.0, 12.0}) {
    const double pitch = degrees * kTwoPi / 360;
    for (const double length : {0.5, 1.0, 4.0}) {
      const Ground ground = ground_of(with_ramp(pitch, length), false, 0.05);
      for (const Mover& mover : movers()) {
        if (mover.omega.z() != 0 || mover.name == "small ball") continue;
        SCOPED_TRACE(mover.name + ", " + std::to_string(degrees) + " degrees, blocks of " +
                     std::to_string(length) + " m");
        const double heading = mover.velocity.x() != 0 ? 0 : -kTwoPi / 4;
        ArticulatedBody body = started(mover, Vec3(-0.8, 0.1, 1), heading);
        double highest = -1;
        for (int i = 0; i < 480; ++i) {
          test::step(body, ground, StepSettings{});
          const Vec3 at = body.links()[0].position;
          const double over = at.x() < 0 ? 0 : std::tan(pitch) * at.x();
          highest = std::max(highest, at.z() - 1 - over);
        }
        // It has come up or down the ramp, and did not jump: down it flies for a moment at most.
        const Vec3 end = body.links()[0].position;
        EXPECT_GT(end.x(), 0.3);
        EXPECT_LT(highest, mover.height / std::cos(pitch) + (degrees < 0 ? 0.06 : 0.03));
        EXPECT_LT(std::abs(end.y() - 0.1), 0.03);
        EXPECT_GT(end.z() - 1 - std::tan(pitch) * end.x(), 0.9 * mover.height);
      }
    }
  }
}

TEST(Seams, LeaveTheSidesAndTheOuterEdgesOfAFloorAsTheyAre) {
  std::vector<GroundBlock> blocks = with_ramp(0, 0.5);  // x from -4 to 4, 20 cm thick, top at 1 m
  const Ground ground = ground_of(blocks, false, 0.3);
  const Mover crate{"crate", test::box_model(9, Vec3(0.2, 0.15, 0.1)), 0.1, Vec3(3, 0, 0),
                    Vec3::Zero()};
  // Over the edge.
  const Way over = way_of(started(crate, Vec3(3.6, 0, 1), 0), ground, 1.5);
  EXPECT_LT(over.end.z(), 0.5);
  EXPECT_GT(over.end.x(), 4.1);
  // Half over the edge it stays.
  const Mover resting{"crate", crate.model, 0.1, Vec3::Zero(), Vec3::Zero()};
  const Way stays = way_of(started(resting, Vec3(3.95, 0, 1), 0), ground, 2);
  EXPECT_NEAR(stays.end.z(), 1.1, 2e-3);
  EXPECT_NEAR(stays.end.x(), 3.95, 2e-3);
  // Against the side.
  std::vector<GroundBlock> with_floor = blocks;
  GroundBlock below;
  below.pose.position = Vec3(6, 0, 0.75);
  below.half = Vec3(3, 3, 0.1);
  with_floor.push_back(below);
  const Ground step = ground_of(with_floor, false, 0.05);
  const Mover back{"crate", crate.model, 0.1, Vec3(-3, 0, 0), Vec3::Zero()};
  const Way against = way_of(started(back, Vec3(5, 0.2, 0.85), 0), step, 1);
  EXPECT_GT(against.end.x(), 4.19);
  EXPECT_LT(against.end.z(), 0.96);
  const Mover ball{"ball", test::ball_model(0.5, 0.11), 0.11, Vec3(-2, 0, 0), Vec3(0, -18, 0)};
  EXPECT_GT(way_of(started(ball, Vec3(5, 0.2, 0.85), 0), step, 1).end.x(), 4.1);
}

}  // namespace
}  // namespace promenade::physics
