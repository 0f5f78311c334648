#include "behaviour/crowd/walkers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "behaviour/crowd/pace.h"
#include "math/hash.h"
#include "math/random.h"
#include "study/bench/allocation_counter.h"

namespace promenade::behaviour::crowd {
namespace {

Vec2f any(Random& random, double size) {
  return {float(random.uniform(-size, size)), float(random.uniform(-size, size))};
}

// A crowd at random that is pressed into a square by its wishes, between walls.
Walkers pressed(int count, float lag, bool mixed) {
  Random random(8);
  Walkers crowd({});
  const int columns = int(std::sqrt(double(count)));
  for (int i = 0; i < count; ++i) {
    Walkers::Disc disc;
    disc.position = Vec2f(float(i % columns), float(i / columns)) * 0.9f + any(random, 0.15);
    disc.radius = mixed && i % 3 == 0 ? 0.15f : 0.25f;
    disc.share = mixed ? float(random.uniform(0.1, 1)) : 0.5f;
    disc.lag = lag;
    crowd.discs().push_back(disc);
  }
  Walls walls;
  walls.add(Obstacle{{4, 4}, {1, 0.3}, 0.5});
  walls.add(Vec2f(-1, 5), Vec2f(3, 5.5f));
  crowd.set_walls(std::move(walls));
  // Discs that were put into a wall are left out.
  std::erase_if(crowd.discs(), [&](const Walkers::Disc& disc) {
    std::array<Walls::Beside, 1> beside;
    return crowd.walls().near(disc.position, 3, beside) > 0 && beside[0].distance < disc.radius;
  });
  return crowd;
}

void step(Walkers& crowd, std::vector<Vec2f>& next, std::size_t at_a_time = 1000000) {
  const std::size_t n = crowd.discs().size();
  next.resize(n);
  crowd.sort();
  for (std::size_t i = 0; i < n; i += at_a_time) crowd.choose(i, std::min(at_a_time, n - i), next);
  crowd.move(next);
}

void aim_at(Walkers& crowd, const Vec2f& goal) {
  for (auto& disc : crowd.discs()) disc.preferred = 1.5f * (goal - disc.position).normalized();
}

float least_gap(const Walkers& crowd) {
  float least = INFINITY;
  const auto& discs = crowd.discs();
  for (std::size_t i = 0; i < discs.size(); ++i) {
    for (std::size_t j = i + 1; j < discs.size(); ++j) {
      least = std::min(least, (discs[i].position - discs[j].position).norm() - discs[i].radius -
                                  discs[j].radius);
    }
  }
  return least;
}

float least_room(const Walkers& crowd) {
  float least = INFINITY;
  std::array<Walls::Beside, 1> beside;
  for (const auto& disc : crowd.discs()) {
    if (crowd.walls().near(disc.position, 3, beside) > 0)
      least = std::min(least, beside[0].distance - disc.radius);
  }
  return least;
}

TEST(Walkers, NobodyIsTouchedOrPressedIntoAWall) {
  for (const bool mixed : {false, true}) {
    Walkers crowd = pressed(100, 0, mixed);
    std::vector<Vec2f> next;
    for (int i = 0; i < 600; ++i) {
      // All to one point; its place in the wall is worse still.
      aim_at(crowd, i < 300 ? Vec2f(4, 4) : Vec2f(1, 5.2f));
      step(crowd, next);
      ASSERT_GE(least_gap(crowd), 0) << "step " << i << (mixed ? ", mixed" : "");
      ASSERT_GE(least_room(crowd), 0) << "step " << i << (mixed ? ", mixed" : "");
    }
  }
}

TEST(Walkers, WithALagTooUpToACentimetre) {
  Walkers crowd = pressed(100, 0.25f, false);
  std::vector<Vec2f> next;
  for (int i = 0; i < 600; ++i) {
    aim_at(crowd, i < 300 ? Vec2f(4, 4) : Vec2f(1, 5.2f));
    step(crowd, next);
    ASSERT_GE(least_gap(crowd), -0.01f) << i;
    ASSERT_GE(least_room(crowd), -0.001f) << i;
  }
}

// People who follow each other leave no more room for a lag, and one who faces ahead goes neither
// aside nor back faster than it can.
TEST(Walkers, ALagTakesNoRoomInALineAndWhoFacesAheadHardlyStepsAside) {
  Walkers crowd({});
  crowd.discs().resize(12);
  for (std::size_t i = 0; i < 12; ++i) {
    Walkers::Disc& disc = crowd.discs()[i];
    disc.position = {-0.8f * float(i), 0};
    disc.velocity = disc.preferred = {1.2f, 0};
    disc.lag = 0.5f;
    disc.facing = {1, 0};
    disc.sideways = 0.1f;
  }
  std::vector<Vec2f> next;
  for (int i = 0; i < 100; ++i) {
    step(crowd, next);
    for (const Vec2f& velocity : next) {
      ASSERT_LE(std::abs(velocity.y()), 0.1f + 1e-5f);
      ASSERT_GE(velocity.x(), -1e-5f);
    }
  }
  const Vec2f last = crowd.discs().back().position;
  EXPECT_GT(last.x() + 0.8f * 11, 0.8f * 1.2f * 5);
  EXPECT_GE(least_gap(crowd), 0);
}

TEST(Walkers, NobodyWalksThroughAWallWithoutThickness) {
  Walkers crowd({});
  crowd.discs().resize(30);
  for (std::size_t i = 0; i < 30; ++i)
    crowd.discs()[i].position = {float(i % 5) * 0.6f, -1 - 0.6f * float(i / 5)};
  Walls walls;
  walls.add(Vec2f(-50, 0), Vec2f(50, 0));
  crowd.set_walls(std::move(walls));
  std::vector<Vec2f> next;
  for (int i = 0; i < 400; ++i) {
    for (auto& disc : crowd.discs()) disc.preferred = {0, 1.5f};
    step(crowd, next);
    for (const auto& disc : crowd.discs()) ASSERT_LE(disc.position.y(), -disc.radius) << i;
  }
}

TEST(Walkers, TheOneWithTheSmallerShareGoesStraighter) {
  AvoidanceLaw law;
  law.pace = false;  // both keep to the right by that
  Walkers crowd(law);
  crowd.discs().resize(2);
  crowd.discs()[0].position = {-4, 0};
  crowd.discs()[1].position = {4, 0.01f};
  crowd.discs()[0].share = 0.1f;
  std::vector<Vec2f> next;
  float aside[2] = {0, 0};
  for (int i = 0; i < 120; ++i) {
    crowd.discs()[0].preferred = {1.3f, 0};
    crowd.discs()[1].preferred = {-1.3f, 0};
    step(crowd, next);
    for (std::size_t k = 0; k < 2; ++k)
      aside[k] = std::max(aside[k], std::abs(crowd.discs()[k].position.y()));
    ASSERT_GE(least_gap(crowd), 0);
  }
  EXPECT_GT(crowd.discs()[0].position.x(), 2);
  EXPECT_LT(crowd.discs()[1].position.x(), -2);
  EXPECT_GT(aside[1], 2 * aside[0]);
}

TEST(Walkers, GetOutOfTheWayOfAThingThatAvoidsNobody) {
  Walkers crowd({});
  crowd.discs().resize(2);
  crowd.discs()[1].position = {-5, 0.1f};
  crowd.discs()[1].radius = 0.4f;
  crowd.discs()[1].share = 0;
  std::vector<Vec2f> next;
  for (int i = 0; i < 160; ++i) {
    crowd.discs()[1].preferred = crowd.discs()[1].velocity = {1, 0};  // the other wants to stand
    step(crowd, next);
    ASSERT_FLOAT_EQ(crowd.discs()[1].velocity.x(), 1);
    ASSERT_GE(least_gap(crowd), 0) << i;
  }
}

TEST(Walkers, ChooseTheSameHoweverTheyAreDivided) {
  Walkers whole = pressed(300, 0, true), parts = pressed(300, 0, true);
  std::vector<Vec2f> next;
  for (int i = 0; i < 100; ++i) {
    aim_at(whole, {4, 4});
    aim_at(parts, {4, 4});
    step(whole, next);
    step(parts, next, 17);
  }
  Hash a, b;
  hash_state(whole, a);
  hash_state(parts, b);
  EXPECT_EQ(a.value(), b.value());
}

TEST(Walkers, GoOnFromASavedState) {
  Walkers crowd = pressed(100, 0.25f, true), other = pressed(4, 0, false);
  std::vector<Vec2f> next;
  const auto run = [&next](Walkers& walkers) {
    for (int i = 0; i < 60; ++i) {
      aim_at(walkers, {4, 4});
      step(walkers, next);
    }
  };
  run(crowd);
  StateVisitor::Buffer saved;
  write_state(crowd, saved);
  StateVisitor reader = StateVisitor::reader(saved);
  other.visit(reader);
  ASSERT_TRUE(reader.error().empty());
  run(crowd);
  run(other);
  Hash a, b;
  hash_state(crowd, a);
  hash_state(other, b);
  EXPECT_EQ(a.value(), b.value());
  saved.pop_back();
  StateVisitor cut = StateVisitor::reader(saved);
  other.visit(cut);
  EXPECT_FALSE(cut.error().empty());
}

TEST(Walkers, AllocateNothingInAStep) {
  Walkers crowd = pressed(300, 0, false);
  std::vector<Vec2f> next;
  aim_at(crowd, {4, 4});
  step(crowd, next);
  const AllocationCounter allocations;
  for (int i = 0; i < 100; ++i) {
    aim_at(crowd, i < 50 ? Vec2f(4, 4) : Vec2f(200, -300));
    step(crowd, next);
  }
  EXPECT_EQ(allocations.count(), 0u);
}

TEST(Walkers, WithoutACrowdOrInOnePlace) {
  Walkers crowd({});
  std::vector<Vec2f> next;
  step(crowd, next);
  crowd.discs().resize(5);  // all in one point
  for (int i = 0; i < 200; ++i) step(crowd, next);
  EXPECT_GE(least_gap(crowd), -1e-4f);  // they have come apart
}

TEST(DiscGrid, FindsTheSameAsALookAtAllWould) {
  Random random(5);
  // Spread out, on a line, in one heap with one far away.
  for (int shape = 0; shape < 3; ++shape) {
    std::vector<Vec2f> places(400);
    for (Vec2f& p : places) {
      p = any(random, 12);
      if (shape == 1) p.y() = 3;
      if (shape == 2) p *= 0.1f;
    }
    if (shape == 2) places[7] = {900, -700};
    DiscGrid grid;
    grid.build(places, 5);
    std::array<DiscGrid::Near, 32> found;
    for (std::uint32_t slot = 0; slot < 400; ++slot) {
      const Vec2f p = places[grid.order()[slot]];
      constexpr float kClose = 0.8f;
      std::vector<float> all;
      for (std::size_t i = 0; i < 400; ++i) {
        const float d2 = (places[i] - p).squaredNorm();
        if (i != grid.order()[slot] && d2 < 25) all.push_back(d2);
      }
      std::sort(all.begin(), all.end());
      std::size_t wanted = std::min<std::size_t>(6, all.size());
      while (wanted < std::min<std::size_t>(32, all.size()) && all[wanted] < kClose * kClose)
        ++wanted;
      ASSERT_EQ(grid.nearest(slot, 5, 6, kClose, found), wanted) << shape << " " << slot;
      for (std::size_t i = 0; i < wanted; ++i) ASSERT_EQ(found[i].distance2, all[i]);
    }
  }
}

TEST(Pace, FollowsWeidmannAndSeesACrowdAheadOnly) {
  EXPECT_NEAR(kWeidmannFree * weidmann_share(1), 1.34 * (1 - std::exp(-1.913 * (1 - 1 / 5.4))),
              1e-5);
  EXPECT_EQ(weidmann_share(0), 1);
  EXPECT_EQ(weidmann_share(6), 0);
  // A square lattice of 2 people / m^2 about the walker.
  DensityAhead everywhere({1, 0}, 1.5f), behind({1, 0}, 1.5f);
  const float apart = std::sqrt(0.5f);
  for (int i = -3; i <= 3; ++i) {
    for (int j = -3; j <= 3; ++j) {
      const Vec2f offset(apart * float(i), apart * float(j));
      if (i == 0 && j == 0) continue;
      everywhere.add(offset, offset.norm());
      if (i < 0) behind.add(offset, offset.norm());
    }
  }
  EXPECT_NEAR(everywhere.people_per_m2(), 2, 0.3);  // on that lattice; on others above it
  EXPECT_LT(behind.people_per_m2(), 0.3f);
}

}  // namespace
}  // namespace promenade::behaviour::crowd
