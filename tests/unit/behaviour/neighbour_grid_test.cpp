#include "behaviour/neighbour_grid.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "math/random.h"
#include "study/bench/allocation_counter.h"

namespace promenade::behaviour {
namespace {

std::vector<Neighbour> scatter(int count, double extent, std::uint64_t seed) {
  Random random(seed);
  std::vector<Neighbour> out;
  for (int i = 0; i < count; ++i) {
    const double x = random.uniform(-extent, extent), y = random.uniform(-extent, extent);
    out.push_back({Vec2(x, y), Vec2(i, 0), 0.45});  // the velocity tells who it is
  }
  return out;
}

void expect_what_a_search_of_all_finds(const std::vector<Neighbour>& everyone) {
  NeighbourGrid grid;
  grid.build(everyone);
  for (std::size_t self = 0; self < everyone.size(); ++self) {
    std::vector<std::pair<double, std::size_t>> expected;
    for (std::size_t i = 0; i < everyone.size(); ++i) {
      const double d = (everyone[i].position - everyone[self].position).norm();
      if (i != self && d <= kNeighbourRange) expected.emplace_back(d, i);
    }
    std::sort(expected.begin(), expected.end());
    expected.resize(std::min<std::size_t>(expected.size(), kMaxNeighbours));
    std::array<Neighbour, kMaxNeighbours> found;
    const int got = grid.nearest(self, found);
    ASSERT_EQ(std::size_t(got), expected.size()) << "of " << everyone.size() << ", at " << self;
    for (int k = 0; k < got; ++k) {
      EXPECT_EQ(found[std::size_t(k)].velocity.x(), double(expected[std::size_t(k)].second));
    }
  }
}

TEST(NeighbourGrid, FindsWhatASearchOfAllFinds) {
  for (const int count : {1, 2, 24, 150}) {
    expect_what_a_search_of_all_finds(scatter(count, 15, std::uint64_t(count)));
  }
}

TEST(NeighbourGrid, FindsTheNearestOfADenseCrowdWithAStraggler) {
  std::vector<Neighbour> everyone = scatter(400, 10, 2);
  expect_what_a_search_of_all_finds(everyone);
  everyone.push_back({Vec2(3000, -100), Vec2(400, 0), 0.45});
  expect_what_a_search_of_all_finds(everyone);
}

TEST(NeighbourGrid, FindsWhoStandsJustInReachAcrossACellsBorder) {
  for (const double x : {-1e-20, -1e-9, 0.0, 1e-9}) {
    const std::vector<Neighbour> two = {{Vec2(x, 0), Vec2(0, 0), 0.45},
                                        {Vec2(kNeighbourRange, 0), Vec2(1, 0), 0.45}};
    expect_what_a_search_of_all_finds(two);
  }
}

TEST(NeighbourGrid, AllocatesNothingAsACrowdSpreads) {
  NeighbourGrid grid;
  grid.build(scatter(100, 2, 3));
  const auto spread = scatter(100, 5000, 4);
  const AllocationCounter counter;
  grid.build(spread);
  EXPECT_EQ(counter.count(), 0u);
}

TEST(NeighbourGrid, LeavesOutThoseWithoutRadius) {
  std::vector<Neighbour> everyone = {{Vec2(0, 0), Vec2::Zero(), 0.45},
                                     {Vec2(1, 0), Vec2::Zero(), 0},
                                     {Vec2(2, 0), Vec2::Zero(), 0.45}};
  NeighbourGrid grid;
  grid.build(everyone);
  std::array<Neighbour, kMaxNeighbours> found;
  ASSERT_EQ(grid.nearest(0, found), 1);
  EXPECT_EQ(found[0].position.x(), 2);
}

TEST(NeighbourGrid, StandsSomebodyFarAway) {
  std::vector<Neighbour> everyone = scatter(10, 2, 1);
  everyone.push_back({Vec2(1e6, -1e6), Vec2::Zero(), 0.45});
  NeighbourGrid grid;
  grid.build(everyone);
  std::array<Neighbour, kMaxNeighbours> found;
  EXPECT_EQ(grid.nearest(10, found), 0);
  EXPECT_EQ(grid.nearest(0, found), 9);
  everyone.push_back({Vec2::Constant(std::numeric_limits<double>::quiet_NaN()), Vec2::Zero(), 1});
  grid.build(everyone);
  EXPECT_EQ(grid.nearest(0, found), 9);
}

}  // namespace
}  // namespace promenade::behaviour
