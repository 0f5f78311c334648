#include "behaviour/flow/flow.h"

#include <gtest/gtest.h>

#include "disc_crowd.h"
#include "station.h"
#include "study/bench/allocation_counter.h"

namespace promenade::behaviour::flow {
namespace {

using namespace testing;  // NOLINT: flow::testing

/// One entrance and one exit 20 m apart on open ground.
std::shared_ptr<Plan> street(double per_minute) {
  auto plan = std::make_shared<Plan>();
  plan->entrances.push_back({"in", {Vec2(-10, 0), Vec2(0.5, 2), 0}, 0, DayTable(per_minute)});
  plan->exits.push_back({"out", {Vec2(10, 0), Vec2(0.5, 2), 0}, 1});
  plan->most_people = 100000;
  return plan;
}

class Streets : public ::testing::Test {
 protected:
  route::Routes routes{{}, {}};
};

std::size_t due_people(const Flow& flow) {
  std::size_t out = 0;
  for (const Arrival& a : flow.due()) out += a.members;
  return out;
}

TEST_F(Streets, AsManyAppearAsTheDayTableSaysInGroupsAsItsShareSays) {
  auto plan = street(0);
  plan->entrances[0].rate = DayTable({{0, 0}, {3600, 120}});  // 3600 people in the first hour
  plan->groups.share = 0.7;
  Flow flow(plan, routes);
  std::size_t people = 0, grouped = 0, early = 0;
  for (int i = 0; i < 36000; ++i) {
    std::vector<Vec2> positions(flow.people().size(), Vec2(50, 50));
    flow.update(positions, 0.1);
    while (!flow.due().empty()) {
      const Arrival a = flow.due().front();
      people += a.members;
      grouped += a.members > 1 ? a.members : 0;
      early += i < 18000 ? a.members : 0;
      flow.enter(a.party);
      for (std::uint32_t k = 0; k < a.members; ++k) ASSERT_TRUE(flow.remove(a.person[k]));
    }
  }
  // Poisson with parties of two on average: the standard deviation is below 100.
  EXPECT_NEAR(double(people), 3600, 300);
  EXPECT_NEAR(double(early) / double(people), 0.25, 0.03);
  EXPECT_NEAR(double(grouped) / double(people), 0.7, 0.04);
}

TEST_F(Streets, WhoFindsNoRoomWaitsAndTooManyAreTurnedAway) {
  Flow flow(street(600), routes);
  for (int i = 0; i < 600; ++i) flow.update({}, 0.1);
  EXPECT_TRUE(flow.people().empty());
  EXPECT_GT(due_people(flow), 10u);
  EXPECT_LT(due_people(flow), 30u);
  EXPECT_GT(flow.turned_away(), 400u);
  const PartyId first = flow.due().front().party;
  EXPECT_TRUE(flow.enter(first));
  EXPECT_FALSE(flow.enter(first));
  EXPECT_EQ(flow.people().size(), 1u);
  EXPECT_EQ(flow.errands().size(), 1u);
}

TEST_F(Streets, NeverMoreThanThePlanAllows) {
  auto plan = street(6000);
  plan->most_people = 50;
  plan->groups.share = 0.5;
  Flow flow(plan, routes);
  DiscCrowd crowd{flow, {}, {}};
  for (int i = 0; i < 300; ++i) {
    crowd.step();
    EXPECT_LE(flow.people().size(), 50u);
  }
  EXPECT_GT(flow.people().size(), 40u);
}

TEST_F(Streets, GroupsWalkSideBySideAndSlowerThanOneAlone) {
  for (const std::size_t size : {1u, 3u}) {
    auto plan = street(1);
    plan->entrances[0].area.half = Vec2(0.1, 0.1);
    plan->exits[0].area.center = Vec2(40, 0);
    plan->speed_spread = 0;
    plan->groups.share = size == 1 ? 0 : 1;
    plan->groups.sizes = {0, 1, 0, 0};
    Flow flow(plan, routes);
    DiscCrowd crowd{flow, {}, {}};
    while (flow.people().empty()) crowd.step();
    plan->entrances[0].rate = DayTable();
    crowd.run(10);
    ASSERT_GE(flow.people().size(), size);
    const double x = crowd.discs[0].at.x();
    crowd.run(10);
    EXPECT_NEAR((crowd.discs[0].at.x() - x) / 10, 1.34 * group_pace(size), 0.02);
    if (size == 1) continue;
    EXPECT_NEAR(std::abs(crowd.discs[0].at.y() - crowd.discs[2].at.y()), 1.6, 0.1);
    EXPECT_LT(crowd.discs[1].at.x(), crowd.discs[0].at.x() - 0.1) << "the middle falls behind";
  }
}

TEST_F(Streets, ThreeWaitForOneWhoWasHeldUp) {
  auto plan = street(1);
  plan->exits[0].area.center = Vec2(60, 0);
  plan->groups.share = 1;
  plan->groups.sizes = {0, 0, 1, 0};
  Flow flow(plan, routes);
  DiscCrowd crowd{flow, {}, {}};
  while (flow.people().empty()) crowd.step();
  crowd.run(5);
  const Vec2 held = crowd.discs[0].at;
  for (int i = 0; i < 150; ++i) {
    crowd.step();
    crowd.discs[0].at = held;
  }
  for (std::size_t i = 1; i < 4; ++i) EXPECT_LT((crowd.discs[i].at - held).norm(), 6);
  crowd.run(15);
  for (std::size_t i = 1; i < 4; ++i) {
    EXPECT_LT((crowd.discs[i].at - crowd.discs[0].at).norm(), 3) << "together again";
  }
  EXPECT_GT(crowd.discs[0].at.x(), held.x() + 8);
}

TEST_F(Streets, AGroupPassesABuildingOnOneSide) {
  const std::vector<Obstacle> building = {{Vec2(-5, 0), Vec2(3, 8), 0}};  // right before them
  route::Routes round(building, {});
  int passed = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    auto plan = street(1);
    plan->seed = seed;
    plan->entrances[0].area.half = Vec2(0.1, 0.1);
    plan->exits[0].area.center = Vec2(20, 0);  // as far by either side
    plan->groups.share = 1;
    plan->groups.sizes = {0, 0, 0, 1};
    Flow flow(plan, round);
    DiscCrowd crowd{flow, {}, {}};
    while (flow.people().empty()) crowd.step();
    plan->entrances[0].rate = DayTable();
    const double start = flow.time();
    while (crowd.discs[0].at.x() < -5 && flow.time() < start + 100) crowd.step();
    EXPECT_GE(crowd.discs[0].at.x(), -5) << "seed " << seed;
    ASSERT_EQ(crowd.discs.size(), 5u);
    for (const auto& disc : crowd.discs) {
      EXPECT_GT(disc.at.y() * crowd.discs[0].at.y(), 0) << "seed " << seed;
      ++passed;
    }
  }
  EXPECT_EQ(passed, 100);
}

TEST_F(Streets, AFullQueueIsPassedBy) {
  auto plan = street(120);
  const route::RouteMap& map = *routes.map(0.3);
  Queue queue{"till", lay_out_line(map, {Vec2(0, 5), kPi / 2}, 0.8, 4), {}, 1000, 0, 1};
  plan->queues.push_back(queue);
  plan->least_stops = plan->most_stops = 1;
  Flow flow(plan, routes);
  DiscCrowd crowd{flow, {}, {}};
  crowd.run(120);
  EXPECT_EQ(crowd.count(Happening::kJoined), 4u);
  EXPECT_EQ(crowd.count(Happening::kServed), 0u);
  EXPECT_GT(crowd.count(Happening::kFull), 50u);
  EXPECT_GT(crowd.count(Happening::kLeft), 50u);
}

TEST_F(Streets, TheNextOneIsServedWhenTheFirstIsGone) {
  auto plan = street(120);
  const route::RouteMap& map = *routes.map(0.3);
  plan->queues.push_back(
      {"till", lay_out_line(map, {Vec2(0, 5), kPi / 2}, 0.8, 4), {}, 1000, 0, 1});
  plan->least_stops = plan->most_stops = 1;
  Flow flow(plan, routes);
  DiscCrowd crowd{flow, {}, {}};
  crowd.run(60);
  std::vector<PersonId> line;
  for (const Event& e : crowd.happened) {
    if (e.what == Happening::kJoined) line.push_back(e.person);
  }
  ASSERT_EQ(line.size(), 4u);
  ASSERT_TRUE(flow.remove(line[0]));
  EXPECT_FALSE(flow.remove(line[0]));
  std::erase_if(crowd.discs, [&](const auto& disc) { return disc.id == line[0]; });
  crowd.run(5);
  for (const auto& disc : crowd.discs) {
    EXPECT_TRUE(disc.id != line[1] || (disc.at - Vec2(0, 5)).norm() < 0.3) << "moved up";
  }
}

TEST_F(Streets, TwoNeverTakeOneSpot) {
  auto plan = street(200);
  const route::RouteMap& map = *routes.map(0.3);
  plan->places.push_back({"bench", spots_in_row(map, {Vec2(0, 5), 0}, 0.6, 5), 5, 20, 1});
  plan->least_stops = plan->most_stops = 1;
  plan->groups.share = 0.5;
  Flow flow(plan, routes);
  DiscCrowd crowd{flow, {}, {}};
  std::size_t seated = 0;
  for (int i = 0; i < 1200; ++i) {
    crowd.step();
    std::array<int, 5> on{};
    for (const Person& p : flow.people()) {
      if (p.to.target == Target::kPlace && p.there) ++on[p.to.spot];
    }
    for (const int count : on) {
      EXPECT_LE(count, 1);
      seated += std::size_t(count);
    }
  }
  EXPECT_GT(seated, 1000u);
}

TEST(Flow, AnExitBehindAWallIsNamedAndNobodyIsSentThere) {
  const std::vector<Obstacle> room = {{Vec2(13, 0), Vec2(0.1, 4), 0},
                                      {Vec2(7, 0), Vec2(0.1, 4), 0},
                                      {Vec2(10, 4), Vec2(3.1, 0.1), 0},
                                      {Vec2(10, -4), Vec2(3.1, 0.1), 0}};
  route::Routes routes(room, {});
  auto plan = street(60);
  plan->exits.push_back({"other", {Vec2(0, 10), Vec2(1, 1), 0}, 1});
  Flow flow(plan, routes);
  const auto unreached = flow.unreached();
  ASSERT_EQ(unreached.size(), 1u);
  EXPECT_EQ(unreached[0].to.target, Target::kExit);
  EXPECT_EQ(unreached[0].to.index, 0u);
  DiscCrowd crowd{flow, {}, {}};
  crowd.run(120);
  EXPECT_GT(crowd.count(Happening::kLeft), 50u);
  for (const Event& e : crowd.happened) EXPECT_TRUE(e.what != Happening::kLeft || e.index == 1);
}

TEST(Flow, SomebodyWhoIsPutBehindWallsStandsAndIsReportedOnce) {
  const std::vector<Obstacle> room = {{Vec2(13, 20), Vec2(0.1, 4), 0},
                                      {Vec2(7, 20), Vec2(0.1, 4), 0},
                                      {Vec2(10, 24), Vec2(3.1, 0.1), 0},
                                      {Vec2(10, 16), Vec2(3.1, 0.1), 0}};
  route::Routes routes(room, {});
  Flow flow(street(60), routes);
  DiscCrowd crowd{flow, {}, {}};
  while (flow.people().empty()) crowd.step();
  crowd.discs[0].at = Vec2(10, 20);
  crowd.run(2);
  EXPECT_EQ(crowd.count(Happening::kLost), 1u);
  EXPECT_TRUE(flow.errands()[0].stand);
  crowd.discs[0].at = Vec2(-5, 0);
  crowd.run(1);
  EXPECT_FALSE(flow.errands()[0].stand) << "goes on when it can";
}

class StationFlow : public ::testing::Test {
 protected:
  std::vector<Obstacle> walls = station_walls();
  route::Routes routes{walls, {}};
  std::shared_ptr<Plan> plan = station_plan(*routes.map(0.3), DayTable(40));
};

std::uint64_t hash_of(const Flow& flow) {
  Hash hash;
  hash_state(flow, hash);
  return hash.value();
}

TEST_F(StationFlow, IsTheSameEachTimeAndAnotherOneWithAnotherSeed) {
  const auto after = [&](std::uint64_t seed) {
    auto seeded = std::make_shared<Plan>(*plan);
    seeded->seed = seed;
    Flow flow(seeded, routes);
    DiscCrowd crowd{flow, {}, {}};
    crowd.run(120);
    return hash_of(flow);
  };
  EXPECT_EQ(after(1), after(1));
  EXPECT_NE(after(1), after(2));
}

TEST_F(StationFlow, ContinuesFromASavedStateToTheSameBits) {
  Flow flow(plan, routes);
  DiscCrowd crowd{flow, {}, {}};
  crowd.run(100);
  flow.start_panic(Vec2(20, 10), 8, 30);
  crowd.run(10);
  ASSERT_GT(flow.people().size(), 50u);
  StateVisitor::Buffer saved;
  write_state(flow, saved);
  Flow restored(plan, routes);
  StateVisitor reader = StateVisitor::reader(saved);
  restored.visit(reader);
  ASSERT_EQ(reader.error(), "");
  EXPECT_EQ(reader.left(), 0u);
  EXPECT_EQ(hash_of(restored), hash_of(flow));
  DiscCrowd same{restored, crowd.discs, {}};
  for (int i = 0; i < 300; ++i) {
    crowd.step();
    same.step();
    ASSERT_EQ(hash_of(restored), hash_of(flow)) << i;
  }
}

TEST_F(StationFlow, AnUpdateAllocatesNothingWhileNobodyComes) {
  Flow flow(plan, routes);
  DiscCrowd crowd{flow, {}, {}};
  crowd.run(90);
  for (Entrance& entrance : plan->entrances) entrance.rate = DayTable();
  crowd.run(15);
  ASSERT_GT(flow.people().size(), 50u);
  std::vector<Vec2> positions;
  for (const auto& disc : crowd.discs) positions.push_back(disc.at);
  flow.update(positions, 0);
  positions.clear();
  for (const Person& person : flow.people()) positions.push_back(person.at);
  const AllocationCounter allocations;
  for (int i = 0; i < 10; ++i) flow.update(positions, 0);
  EXPECT_EQ(allocations.count(), 0u);
}

TEST_F(StationFlow, RefusesADamagedState) {
  Flow flow(plan, routes);
  DiscCrowd crowd{flow, {}, {}};
  crowd.run(60);
  StateVisitor::Buffer saved;
  write_state(flow, saved);
  const auto error_of = [&](const StateVisitor::Buffer& words) {
    Flow read(plan, routes);
    StateVisitor reader = StateVisitor::reader(words);
    read.visit(reader);
    return std::string(reader.error());
  };
  EXPECT_EQ(error_of(saved), "");
  EXPECT_NE(error_of({saved.begin(), saved.end() - 1}), "");
  Random random(4);
  int refused = 0;
  for (int i = 0; i < 300; ++i) {
    StateVisitor::Buffer damaged = saved;
    damaged[random.below(damaged.size())] = random.next();
    Flow read(plan, routes);
    StateVisitor reader = StateVisitor::reader(damaged);
    read.visit(reader);
    refused += !reader.error().empty();
    if (reader.error().empty()) {  // what is taken must be safe to go on with
      std::vector<Vec2> positions;
      for (const Person& p : read.people()) positions.push_back(p.at);
      read.update(positions, 0.1);
    }
  }
  EXPECT_GT(refused, 30);
}

}  // namespace
}  // namespace promenade::behaviour::flow
