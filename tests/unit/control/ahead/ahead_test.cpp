#include "control/ahead/ahead.h"

#include <gtest/gtest.h>

#include "control/ahead/surface.h"
#include "control/ahead/walls.h"
#include "course.h"

namespace promenade::control::ahead {
namespace {

constexpr int kCourses = 200;
constexpr WallLimits kWalls{.rise = 0.28, .spacing = 0.1, .half_width = 0.2};

Limits all_limits() {
  Limits limits;
  limits.relief = human_limits();
  limits.gaps = {.depth = 0.4, .span = 1, .spacing = 0.05};
  limits.bars = {.headroom = 1.75, .spacing = 0.06};
  return limits;
}

Features look(const GroundView& ground, const Way& way, const Limits& limits = all_limits()) {
  Features out;
  find_features(ground, way, 0, 6, limits, out);
  return out;
}

TEST(Ahead, GapsWithAndWithoutAFloor) {
  for (int seed = 0; seed < kCourses; ++seed) {
    Course course{std::uint64_t(seed)};
    const double near = course.random.uniform(0.3, 4), wide = course.random.uniform(0.1, 0.95);
    const bool floor = course.random.chance(0.5);
    const double deep = course.random.uniform(0.45, 2);
    course.plan.plane = false;
    course.add(-5, near, -3, 0.5);
    course.add(near + wide, 12, -3, 0.5);
    if (floor) course.add(-5, 12, -4, 0.5 - deep);
    const Features found = look(course.view(), course.way);
    ASSERT_EQ(found.count(FeatureKind::kGap), 1) << seed;
    const Feature& gap = found.of(FeatureKind::kGap)[0];
    EXPECT_NEAR(gap.near, near, Course::kExact) << seed;
    EXPECT_NEAR(gap.far, near + wide, Course::kExact) << seed;
    EXPECT_NEAR(gap.top, 0.5, 1e-9);
    EXPECT_NEAR(gap.height(), floor ? deep : kBottomless, 1e-9) << seed;
  }
}

TEST(Ahead, PitsOfThePlaneAreGaps) {
  Course course{1};
  course.way = Way::through(Vec2(0, 0.2), Vec2(0, 1), Course::kHalfWidth);
  course.plan.pits.push_back({Vec2(0, 2), Vec2(1, 0.6), 0});
  const Features found = look(course.view(), course.way);
  ASSERT_EQ(found.count(FeatureKind::kGap), 1);
  EXPECT_NEAR(found.of(FeatureKind::kGap)[0].near, 1.7, Course::kExact);
  EXPECT_NEAR(found.of(FeatureKind::kGap)[0].far, 2.3, Course::kExact);
}

TEST(Ahead, WhatDoesNotComeBackWithinTheSpanIsNoGap) {
  for (const double wide : {1.2, 3.0, 30.0}) {
    Course course{2};
    course.plan.plane = false;
    course.add(-5, 1, -3, 0);
    course.add(1 + wide, 40, -3, 0);
    EXPECT_EQ(look(course.view(), course.way).count(FeatureKind::kGap), 0) << wide;
  }
}

TEST(Ahead, AGapOfTheLimitsDepthIsNoneAndNoLimitLooksForNone) {
  Course course{3};
  course.plan.plane = false;
  course.add(-5, 1, -3, 0);
  course.add(1.5, 12, -3, 0);
  course.add(-5, 12, -3, -0.3);
  EXPECT_EQ(look(course.view(), course.way).count(FeatureKind::kGap), 0);
  Limits limits = all_limits();
  limits.gaps.depth = 0.25;
  EXPECT_EQ(look(course.view(), course.way, limits).count(FeatureKind::kGap), 1);
  limits.gaps.depth = 0;
  EXPECT_EQ(look(course.view(), course.way, limits).count(FeatureKind::kGap), 0);
}

TEST(Ahead, SlopesDownHaveNoGaps) {
  Course course{4};
  course.plan.plane = false;
  course.add(-10, 20, -30, 0, -0.26);
  EXPECT_EQ(look(course.view(), course.way).size(), 0);
}

TEST(Ahead, BarsAreFoundWithBothEdges) {
  for (int seed = 0; seed < kCourses; ++seed) {
    Course course{std::uint64_t(seed)};
    const double near = course.random.uniform(0.3, 4), deep = course.random.uniform(0.08, 1.5),
                 low = course.random.uniform(1.2, 1.7);
    course.add(near, near + deep, low, low + 1);
    const Features found = look(course.view_below(1.1), course.way);
    ASSERT_EQ(found.size(), 1) << seed;
    ASSERT_EQ(found[0].kind, FeatureKind::kBar) << seed;
    EXPECT_NEAR(found[0].near, near, Course::kExact) << seed;
    EXPECT_NEAR(found[0].far, near + deep, Course::kExact) << seed;
    EXPECT_NEAR(found[0].top, low, 1e-9);
    EXPECT_NEAR(found[0].base, 0, 1e-9);
  }
}

TEST(Ahead, BarsThatABodyPassesUprightAreNone) {
  Course course{5};
  course.add(1, 1.5, 1.8, 3);
  EXPECT_EQ(look(course.view_below(1.1), course.way).size(), 0);
  Limits limits = all_limits();
  limits.bars.headroom = 1.9;
  EXPECT_EQ(look(course.view_below(1.1), course.way, limits).size(), 1);
  limits.bars.headroom = 0;
  EXPECT_EQ(look(course.view_below(1.1), course.way, limits).size(), 0);
}

TEST(Ahead, ALowCeilingWithoutAnEndEndsWhereOneLooks) {
  Course course{6};
  course.add(1, 50, 1.5, 3);
  const Features found = look(course.view_below(1.1), course.way);
  ASSERT_EQ(found.size(), 1);
  EXPECT_NEAR(found[0].far, 6, 0.06);
}

TEST(Ahead, HeadroomOverABoardCountsFromTheGroundBeforeIt) {
  Course course{7};
  course.add(1, 1.1, -1, 0.3);
  course.add(0.9, 1.2, 1.6, 2);
  const GroundView view = course.view_below(1.1);
  const Features found = look(view, course.way);
  ASSERT_EQ(found.count(FeatureKind::kBoard), 1);
  const PathGround path{view, found, 0.01};
  const physics::Clearance free = headroom_at(path, course.way, 1.05);
  EXPECT_NEAR(free.ceiling - free.floor, 1.6, 1e-9);
  EXPECT_EQ(headroom_at(path, course.way, 0.5).ceiling, physics::kAnyHeight);
  EXPECT_NEAR(path.height(course.way.at(1.05)), 0, 1e-9);
  EXPECT_NEAR(view.height(course.way.at(1.05)), 0.3, 1e-9);
}

TEST(Ahead, AllKindsInOneListInOrder) {
  Course course{8};
  course.plan.plane = false;
  course.add(-5, 3.6, -3, 0);
  course.add(4, 12, -3, 0);
  course.add(0.5, 0.6, -1, 0.3);   // a board
  course.add(1.5, 2.5, -1, 0.2);   // a riser and a drop
  course.add(2.9, 3.1, 1.5, 2.5);  // a bar, before the gap from 3.6 to 4
  course.add(5, 9, -1, 1);         // a wall
  const Features found = look(course.view_below(1.2), course.way);
  const FeatureKind order[] = {FeatureKind::kBoard, FeatureKind::kRiser, FeatureKind::kDrop,
                               FeatureKind::kBar,   FeatureKind::kGap,   FeatureKind::kWall};
  ASSERT_EQ(found.size(), 6);
  for (int i = 0; i < 6; ++i) EXPECT_EQ(found[i].kind, order[i]) << i;
}

TEST(Ahead, ALookReplacesTheList) {
  Course course{9};
  course.add(1, 12, -1, 0.2);
  Features found = look(course.view(), course.way);
  ASSERT_EQ(found.size(), 1);
  Course level{10};
  find_features(level.view(), level.way, 0, 6, all_limits(), found);
  EXPECT_EQ(found.size(), 0);
  EXPECT_EQ(found.direction(), level.way.direction);
}

TEST(Ahead, WallsStopMiddleAndShoulders) {
  for (int seed = 0; seed < kCourses; ++seed) {
    Course course{std::uint64_t(seed)};
    const double near = course.random.uniform(0.5, 3);
    course.add(near, near + 1, -1, course.random.uniform(0.3, 3));
    const GroundView view = course.view();
    const Features none;
    const auto found =
        distance_to_wall({view, none, 0}, course.way, course.random.uniform(-0.1, 0), 4, 0, kWalls);
    ASSERT_TRUE(found) << seed;
    EXPECT_GE(*found, near);
    EXPECT_LE(*found, near + kWalls.spacing);
    EXPECT_FALSE(distance_to_wall({view, none, 0}, course.way, 0, near - 0.01, 0, kWalls));
  }
}

TEST(Ahead, StairsAndWhatAShoulderPassesBesideAreNoWalls) {
  Course stairs{11};
  for (int i = 0; i < 10; ++i) stairs.add(1 + 0.3 * i, 10, -1, 0.17 * (i + 1));
  const Features none;
  EXPECT_FALSE(distance_to_wall({stairs.view(), none, 0}, stairs.way, 0, 4, 0, kWalls));
  // A long wall beside the way, into which the left shoulder reaches from the beginning on.
  Course beside{12};
  physics::GroundBlock block;
  block.half = Vec3(20, 0.5, 1);
  const Vec2 middle = beside.way.at(0, 0.65);
  block.pose.position = Vec3(middle.x(), middle.y(), 0);
  block.pose.rotation = rotation_z(beside.yaw());
  beside.plan.blocks.push_back(block);
  EXPECT_FALSE(distance_to_wall({beside.view(), none, 0}, beside.way, 0, 4, 0, kWalls));
}

TEST(Ahead, SlipperyPlacesAreTold) {
  Course course{13};
  physics::Patch ice;
  ice.center = course.way.at(2);
  ice.size = Vec2(1, 3);
  ice.yaw = course.yaw();
  ice.material.friction = 0.1;
  course.plan.patches.push_back(ice);
  const GroundView view = course.view();
  const SlipperyPlaces places = slippery_ahead(*view.now, course.way, 3.2, 0.5, 1);
  ASSERT_EQ(places.all().size(), 5u);  // of places 0.2 m apart those from 1.6 to 2.4 m
  EXPECT_NEAR(places.all().front().distance, 1.6, 1e-9);
  EXPECT_NEAR(places.all().back().distance, 2.4, 1e-9);
  EXPECT_NEAR(places.all().front().friction, 0.1, 1e-9);
  EXPECT_EQ(slippery_ahead(*view.now, course.way, 3.2, 0.05, 1).all().size(), 0u);
}

TEST(Ahead, UnevennessIsThatOfStepsNotOfSlopes) {
  Course slope{14};
  slope.plan.plane = false;
  slope.add(-10, 20, -30, 0, 0.26);
  const Features none;
  const GroundView on_slope = slope.view();
  EXPECT_NEAR(unevenness({on_slope, none, 0}, slope.way, 2), 0, 1e-9);
  EXPECT_NEAR(steepness_at(*on_slope.now, slope.way.at(1), 1e3), std::tan(0.26), 1e-6);
  Course step{15};
  step.add(1, 5, -1, 0.08);
  EXPECT_NEAR(unevenness({step.view(), none, 0}, step.way, 2.1), 0.08, 1e-9);
}

TEST(Features, AreReadAsTheyWereWritten) {
  Course course{16};
  course.add(0.5, 0.6, -1, 0.3);
  course.add(1.5, 2.5, -1, 0.2);
  Features found = look(course.view(), course.way);
  ASSERT_EQ(found.size(), 3);
  StateVisitor::Buffer words;
  write_state(found, words);
  Features read;
  StateVisitor reader = StateVisitor::reader(words);
  read.visit(reader);
  EXPECT_EQ(reader.error(), "");
  EXPECT_EQ(reader.left(), 0u);
  StateVisitor::Buffer again;
  write_state(read, again);
  EXPECT_EQ(again, words);
  EXPECT_EQ(read.count(FeatureKind::kBoard), 1);
  EXPECT_EQ(read.of(FeatureKind::kDrop)[0].near, found.of(FeatureKind::kDrop)[0].near);
}

TEST(Features, ListsOutOfOrderAndTooLongOnesAreRefused) {
  const auto error_of = [](const StateVisitor::Buffer& words) {
    Features read;
    StateVisitor reader = StateVisitor::reader(words);
    read.visit(reader);
    return std::string(reader.error());
  };
  Features found;
  for (const double near : {1.0, 2.0}) found.add({FeatureKind::kRiser, near, near, 0.2, 0});
  StateVisitor::Buffer words;
  write_state(found, words);
  EXPECT_EQ(error_of(words), "");
  // Behind the direction and the number of risers each riser has four words, first `near`.
  StateVisitor::Buffer order = words;
  std::swap(order[3], order[7]);
  EXPECT_EQ(error_of(order), "has a list that is not in order");
  StateVisitor::Buffer many = words;
  many[2] = std::uint64_t(capacity(FeatureKind::kRiser)) + 1;
  EXPECT_NE(error_of(many), "");
}

TEST(Features, NeighboursAreOfTheSameKind) {
  Features found;
  found.add({FeatureKind::kRiser, 2.5, 2.5, 0.2, 0});
  found.add({FeatureKind::kRiser, 1, 1, 0.2, 0});
  found.add({FeatureKind::kDrop, 1.2, 1.2, 0.2, 0});
  found.add({FeatureKind::kRiser, 1.4, 1.4, 0.4, 0.2});
  const auto risers = found.of(FeatureKind::kRiser);
  ASSERT_EQ(risers.size(), 3);
  EXPECT_EQ(risers[1].near, 1.4);
  EXPECT_TRUE(risers.has_neighbour(0, 0.45));
  EXPECT_TRUE(risers.has_neighbour(1, 0.45));
  EXPECT_FALSE(risers.has_neighbour(2, 0.45));
  EXPECT_FALSE(found.of(FeatureKind::kDrop).has_neighbour(0, 0.45));
}

}  // namespace
}  // namespace promenade::control::ahead
