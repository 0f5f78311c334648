#include "world/step/islands.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "math/random.h"
#include "study/bench/allocation_counter.h"

namespace promenade::world {
namespace {

using Box = Eigen::AlignedBox3d;

Box box_at(double x, double y, double half) {
  const Eigen::Vector3d c(x, y, 0), h = Eigen::Vector3d::Constant(half);
  return Box(c - h, c + h);
}

std::vector<std::vector<std::uint32_t>> groups(const Islands& islands) {
  std::vector<std::vector<std::uint32_t>> out;
  for (int i = 0; i < islands.count(); ++i) {
    const auto members = islands.members(i);
    out.emplace_back(members.begin(), members.end());
  }
  return out;
}

TEST(Islands, JoinsChainsAndKeepsTheRestApart) {
  Islands islands;
  const std::vector<Box> boxes = {box_at(0, 0, 1), box_at(10, 0, 1), box_at(1.5, 0, 1),
                                  box_at(3, 0, 1), box_at(0, 5, 1)};
  islands.build(boxes);
  EXPECT_EQ(groups(islands), (std::vector<std::vector<std::uint32_t>>{{0, 2, 3}, {1}, {4}}));
}

TEST(Islands, LeavesOutEmptyBoxes) {
  Islands islands;
  const std::vector<Box> boxes = {box_at(0, 0, 1), Box(), box_at(0.5, 0, 1)};
  islands.build(boxes);
  EXPECT_EQ(groups(islands), (std::vector<std::vector<std::uint32_t>>{{0, 2}}));
  islands.build({});
  EXPECT_EQ(islands.count(), 0);
}

TEST(Islands, AgreeWithASearchOfAllPairs) {
  Random random(5);
  Islands islands;
  for (int round = 0; round < 20; ++round) {
    std::vector<Box> boxes;
    for (int i = 0; i < 60; ++i) {
      const double x = random.uniform(-8, 8), y = random.uniform(-8, 8);
      boxes.push_back(box_at(x, y, random.uniform(0.2, 0.9)));
    }
    islands.build(boxes);
    std::vector<int> of(boxes.size(), -1);
    for (int i = 0; i < islands.count(); ++i) {
      const auto members = islands.members(i);
      EXPECT_TRUE(std::is_sorted(members.begin(), members.end()));
      for (const std::uint32_t m : members) {
        EXPECT_EQ(of[m], -1) << "in two islands";
        of[m] = i;
      }
      // Connected: a walk over touching members reaches all of them.
      std::set<std::uint32_t> reached = {members[0]};
      for (bool grew = true; grew;) {
        grew = false;
        for (const std::uint32_t m : members) {
          if (reached.count(m)) continue;
          for (const std::uint32_t r : reached) {
            if (!boxes[m].intersects(boxes[r])) continue;
            reached.insert(m);
            grew = true;
            break;
          }
        }
      }
      EXPECT_EQ(reached.size(), members.size());
    }
    for (std::size_t a = 0; a < boxes.size(); ++a) {
      ASSERT_GE(of[a], 0);
      for (std::size_t b = 0; b < a; ++b) {
        if (boxes[a].intersects(boxes[b])) {
          EXPECT_EQ(of[a], of[b]);
        }
      }
    }
  }
}

TEST(Islands, AllocateNothingForMoreOfThemAmongAsManyBoxes) {
  std::vector<Box> together(40, box_at(0, 0, 1)), apart;
  for (int i = 0; i < 40; ++i) apart.push_back(box_at(3.0 * i, 0, 1));
  together[3].setEmpty();
  Islands islands;
  islands.build(together);
  const AllocationCounter counter;
  islands.build(apart);
  EXPECT_EQ(counter.count(), 0u);
  EXPECT_EQ(islands.count(), 40);
}

}  // namespace
}  // namespace promenade::world
