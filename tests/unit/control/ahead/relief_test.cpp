#include "control/ahead/relief.h"

#include <gtest/gtest.h>

#include "course.h"

namespace promenade::control::ahead {
namespace {

constexpr int kCourses = 200;

Features look(Course& course, double from = 0, double to = 6,
              const ReliefLimits& limits = human_limits()) {
  Features out;
  out.begin(course.way.direction);
  find_relief(course.view(), course.way, from, to, limits, out);
  return out;
}

TEST(Relief, RisersAreFoundWhereTheyAre) {
  for (int seed = 0; seed < kCourses; ++seed) {
    Course course{std::uint64_t(seed)};
    const double at = course.random.uniform(0.3, 4), high = course.random.uniform(0.11, 0.27);
    course.add(at, at + 12, -1, high);
    const Features found = look(course);
    ASSERT_EQ(found.size(), 1) << seed;
    ASSERT_EQ(found[0].kind, FeatureKind::kRiser) << seed;
    EXPECT_NEAR(found[0].near, at, Course::kExact);
    EXPECT_EQ(found[0].near, found[0].far);
    EXPECT_NEAR(found[0].top, high, 1e-9);
    EXPECT_NEAR(found[0].base, 0, 1e-9);
  }
}

TEST(Relief, DropsAreFoundWhereTheyAre) {
  for (int seed = 0; seed < kCourses; ++seed) {
    Course course{std::uint64_t(seed)};
    const double at = course.random.uniform(0.3, 4), high = course.random.uniform(0.11, 0.27);
    course.add(-1, at, -1, high);
    const Features found = look(course);
    ASSERT_EQ(found.size(), 1) << seed;
    ASSERT_EQ(found[0].kind, FeatureKind::kDrop) << seed;
    EXPECT_NEAR(found[0].near, at, Course::kExact);
    EXPECT_NEAR(found[0].height(), high, 1e-9);
  }
}

TEST(Relief, BoardsAreFoundWithBothEdges) {
  for (int seed = 0; seed < kCourses; ++seed) {
    Course course{std::uint64_t(seed)};
    const double near = course.random.uniform(0.3, 4), deep = course.random.uniform(0.05, 0.24),
                 high = course.random.uniform(0.13, 0.44);
    course.add(near, near + deep, -1, high);
    const Features found = look(course);
    ASSERT_EQ(found.size(), 1) << seed;
    ASSERT_EQ(found[0].kind, FeatureKind::kBoard) << seed;
    EXPECT_NEAR(found[0].near, near, Course::kExact);
    EXPECT_NEAR(found[0].far, near + deep, Course::kExact);
    EXPECT_NEAR(found[0].top, high, 1e-9);
    EXPECT_NEAR(found[0].base, 0, 1e-9);
  }
}

TEST(Relief, WallsAreRisesThatNobodyStepsUpOrOver) {
  for (int seed = 0; seed < kCourses; ++seed) {
    Course course{std::uint64_t(seed)};
    const double near = course.random.uniform(0.3, 4), high = course.random.uniform(0.5, 2);
    course.add(near, near + course.random.uniform(0.05, 3), -1, high);
    const Features found = look(course, 0, near + 0.2);
    ASSERT_EQ(found.count(FeatureKind::kWall), 1) << seed;
    EXPECT_EQ(found.count(FeatureKind::kBoard), 0) << seed;
    EXPECT_EQ(found.count(FeatureKind::kRiser), 0) << seed;
    EXPECT_NEAR(found[0].near, near, Course::kExact);
    EXPECT_NEAR(found[0].height(), high, 1e-9);
  }
}

TEST(Relief, LevelGroundSlopesAndUnevennessHaveNothing) {
  Course level{1};
  EXPECT_EQ(look(level).size(), 0);
  for (int seed = 0; seed < kCourses; ++seed) {
    Course slope{std::uint64_t(seed)};
    slope.plan.plane = false;
    slope.add(-10, 20, -30, 0, slope.random.uniform(-15, 15) * kPi / 180);
    EXPECT_EQ(look(slope).size(), 0) << seed;
    Course uneven{std::uint64_t(seed)};
    for (double at = -1; at < 7;) {
      const double next = at + uneven.random.uniform(0.02, 0.4);
      uneven.add(at, next, -1, uneven.random.uniform(0, 0.05));
      at = next;
    }
    EXPECT_EQ(look(uneven).size(), 0) << seed;
  }
}

TEST(Relief, OnlyTheLaneCounts) {
  Course course{2};
  physics::GroundBlock block;
  block.half = Vec3(0.1, 0.1, 0.3);
  const Vec2 middle = course.way.at(1, 0.3);  // 0.2 m to 0.4 m left of the way
  block.pose.position = Vec3(middle.x(), middle.y(), 0);
  block.pose.rotation = rotation_z(course.yaw());
  course.plan.blocks.push_back(block);
  EXPECT_EQ(look(course).size(), 0);
  course.way.half_width = 0.25;
  EXPECT_EQ(look(course).size(), 1);
}

TEST(Relief, BoardsWithoutRoomForAFootBetweenAreOne) {
  for (int seed = 0; seed < kCourses; ++seed) {
    Course course{std::uint64_t(seed)};
    const ReliefLimits limits = human_limits();
    const double near = course.random.uniform(0.3, 2);
    const double between = course.random.uniform(0.16, 0.6);
    course.add(near, near + 0.08, -1, 0.3);
    course.add(near + 0.08 + between, near + 0.16 + between, -1, 0.4);
    const Features found = look(course);
    if (std::abs(between - limits.foot_room) < 0.02) continue;
    ASSERT_EQ(found.size(), between < limits.foot_room ? 1 : 2) << seed << " " << between;
    const Feature& last = found[found.size() - 1];
    EXPECT_NEAR(last.far, near + 0.16 + between, Course::kExact);
    EXPECT_NEAR(last.top, 0.4, 1e-9);
  }
}

TEST(Relief, WhatIsLowAndDeepIsSteppedOnto) {
  Course course{3};
  course.add(1, 1.35, -1, 0.11);
  const Features found = look(course);
  ASSERT_EQ(found.size(), 2);
  EXPECT_EQ(found[0].kind, FeatureKind::kRiser);
  EXPECT_EQ(found[1].kind, FeatureKind::kDrop);
}

TEST(Relief, LimitsOfNoHeightFindNoBoards) {
  Course course{4};
  course.add(1, 1.1, -1, 0.2);
  ReliefLimits limits = human_limits();
  limits.most_height = 0;
  const Features found = look(course, 0, 6, limits);
  EXPECT_EQ(found.count(FeatureKind::kBoard), 0);
  EXPECT_EQ(found.count(FeatureKind::kRiser), 1);
}

TEST(Relief, NoMoreThanThereIsRoomForTheNearestFirst) {
  Course stairs{5};
  for (int i = 0; i < 10; ++i) stairs.add(1 + 0.3 * i, 10, -1, 0.17 * (i + 1));
  const Features up = look(stairs);
  ASSERT_EQ(up.size(), capacity(FeatureKind::kRiser));
  for (int i = 0; i < up.size(); ++i) EXPECT_NEAR(up[i].near, 1 + 0.3 * i, Course::kExact);
  Course hurdles{6};
  for (int i = 0; i < 6; ++i) hurdles.add(1 + 0.8 * i, 1.1 + 0.8 * i, -1, 0.3);
  const Features over = look(hurdles);
  ASSERT_EQ(over.size(), capacity(FeatureKind::kBoard));
  for (int i = 0; i < over.size(); ++i) EXPECT_NEAR(over[i].near, 1 + 0.8 * i, Course::kExact);
}

TEST(Relief, AnyMixtureIsInOrder) {
  for (int seed = 0; seed < kCourses; ++seed) {
    Course course{std::uint64_t(seed)};
    for (double at = 0.3; at < 6; at += course.random.uniform(0.1, 0.8))
      course.add(at, at + course.random.uniform(0.05, 1), -1, course.random.uniform(0, 0.6));
    const Features found = look(course);
    for (int i = 1; i < found.size(); ++i) EXPECT_LE(found[i - 1].near, found[i].near) << seed;
    for (int i = 0; i < found.size(); ++i) EXPECT_LE(found[i].near, found[i].far) << seed;
  }
}

TEST(Relief, LimitsScaleWithTheBody) {
  for (const double size : {0.5, 0.7, 1.3, 2.0}) {
    Course course{7};
    course.add(2 * size, 2.2 * size, -1, 0.4 * size);
    const Features found = look(course, 0, 6 * size, human_limits().scaled(size));
    ASSERT_EQ(found.size(), 1) << size;
    EXPECT_EQ(found[0].kind, FeatureKind::kBoard) << size;
    EXPECT_NEAR(found[0].near, 2 * size, Course::kExact * size);
  }
}

TEST(Relief, FeltGroundRaisesAll) {
  Course course{8};
  course.add(1, 5, -1, 0.2);
  GroundView view = course.view();
  view.felt = 0.05;
  Features found;
  found.begin(course.way.direction);
  find_relief(view, course.way, 0, 3, human_limits(), found);
  ASSERT_EQ(found.size(), 1);
  EXPECT_NEAR(found[0].base, 0.05, 1e-9);
  EXPECT_NEAR(found[0].top, 0.25, 1e-9);
}

}  // namespace
}  // namespace promenade::control::ahead
