// A thousand people in a station: all that a plan promises, walked by discs without physics.
#include "station.h"

#include <gtest/gtest.h>

#include <map>

#include "disc_crowd.h"

namespace promenade::behaviour::flow {
namespace {

using namespace testing;  // NOLINT: flow::testing

constexpr double kPeriod = 600;  // s, in which all come

class Station : public ::testing::Test {
 protected:
  std::vector<Obstacle> walls = station_walls();
  route::Routes routes{walls, {}};
  // 26 people a minute at each of four doors for ten minutes, then nobody.
  std::shared_ptr<Plan> plan = station_plan(
      *routes.map(0.3), DayTable({{0, 26}, {kPeriod, 26}, {kPeriod + 1, 0}, {kDay - 1, 0}}));

  /// Fails where a disc passes a wall, or comes nearer to one than its core.
  void watch_walls(DiscCrowd& crowd) const {
    crowd.moved = [this](const DiscCrowd::Disc& disc, const Vec2& before) {
      for (const Obstacle& wall : walls) {
        EXPECT_GT((wall.nearest(disc.at) - disc.at).norm(), 0.5 * plan->radius)
            << disc.id << " at " << disc.at.transpose();
        EXPECT_FALSE(route::GrownObstacle(wall, 0).crossed_by(before, disc.at)) << disc.id;
      }
    };
  }
};

TEST_F(Station, AThousandPeopleComeGoAboutTheirErrandsAndLeave) {
  Flow flow(plan, routes);
  EXPECT_TRUE(flow.unreached().empty());
  DiscCrowd crowd{flow, {}, {}};
  watch_walls(crowd);
  std::size_t most = 0;
  double widest = 0;
  while (flow.time() < kPeriod || !flow.people().empty()) {
    crowd.step();
    most = std::max(most, flow.people().size());
    std::size_t first = 0;
    for (const Party& party : flow.parties()) {
      Vec2 middle = Vec2::Zero();
      for (std::size_t i = 0; i < party.members; ++i) middle += crowd.discs[first + i].at;
      middle /= double(party.members);
      const bool in_line = party.task == Task::kQueueing;
      for (std::size_t i = 0; i < party.members && !in_line; ++i) {
        widest = std::max(widest, (crowd.discs[first + i].at - middle).norm());
      }
      first += party.members;
    }
    ASSERT_LT(flow.time(), 2 * kPeriod) << flow.people().size() << " are still here";
  }
  EXPECT_GE(crowd.count(Happening::kEntered), 950u);
  EXPECT_EQ(crowd.count(Happening::kLeft), crowd.count(Happening::kEntered));
  EXPECT_EQ(crowd.count(Happening::kLost), 0u);
  EXPECT_GT(crowd.count(Happening::kServed), 100u);
  EXPECT_GT(crowd.count(Happening::kArrived), 200u);
  EXPECT_GT(most, 60u);
  EXPECT_LT(widest, 3);
  RecordProperty("people", int(crowd.count(Happening::kLeft)));
  RecordProperty("most_at_once", int(most));
  RecordProperty("widest_group_cm", int(100 * widest));
}

TEST_F(Station, QueuesAreServedInTheOrderInWhichPeopleJoined) {
  Flow flow(plan, routes);
  DiscCrowd crowd{flow, {}, {}};
  crowd.run(kPeriod);
  std::map<std::uint32_t, std::vector<PersonId>> joined, served;
  for (const Event& e : crowd.happened) {
    if (e.what == Happening::kJoined) joined[e.index].push_back(e.person);
    if (e.what == Happening::kServed) served[e.index].push_back(e.person);
  }
  ASSERT_EQ(served.size(), 2u);
  for (auto& [queue, order] : served) {
    EXPECT_GT(order.size(), 40u);
    joined[queue].resize(order.size());
    EXPECT_EQ(order, joined[queue]);
  }
}

TEST_F(Station, AfterAPanicInItsMiddleThePlaceIsEmptyWithinAMinute) {
  Flow flow(plan, routes);
  DiscCrowd crowd{flow, {}, {}};
  watch_walls(crowd);
  crowd.run(240);
  const std::size_t before = flow.people().size();
  ASSERT_GT(before, 60u);
  ASSERT_TRUE(flow.start_panic(Vec2(0, 0), 60, 120));
  double empty_after = 0;
  while (!flow.people().empty() && empty_after < 120) {
    crowd.step();
    empty_after += kTick;
  }
  EXPECT_LT(empty_after, 60);
  EXPECT_GT(empty_after, 5);
  EXPECT_GT(crowd.count(Happening::kFled), before * 9 / 10)
      << "the others had left before the alarm";
  RecordProperty("empty_after_s", int(empty_after));
  crowd.run(130);
  EXPECT_FALSE(flow.people().empty()) << "when it is over, people come again";
}

TEST_F(Station, PeopleFleeFromADoorByTheOthersAndCalmDown) {
  Flow flow(plan, routes);
  DiscCrowd crowd{flow, {}, {}};
  crowd.run(240);
  crowd.happened.clear();
  ASSERT_TRUE(flow.start_panic(Vec2(26, 0), 15, 3));
  std::size_t near = 0;
  for (const auto& disc : crowd.discs) near += (disc.at - Vec2(26, 0)).norm() < 15;
  ASSERT_GT(near, 3u);
  crowd.run(8);
  for (const Event& e : crowd.happened) {
    EXPECT_FALSE(e.what == Happening::kFled && e.index == 0) << "the door at the danger";
  }
  EXPECT_GT(crowd.count(Happening::kFled), 3u);
  EXPECT_GT(crowd.count(Happening::kCalmed), 0u);
  for (const Party& party : flow.parties()) EXPECT_NE(party.task, Task::kFleeing);
}

}  // namespace
}  // namespace promenade::behaviour::flow
