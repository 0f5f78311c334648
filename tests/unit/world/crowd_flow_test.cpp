#include "world/scene/crowd_flow.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "behaviour/flow/flow.h"
#include "math/rotation.h"
#include "schema/message.h"

namespace promenade::world {
namespace {

using ::testing::HasSubstr;

// A street with an entrance, an exit, a bench, a sight and a queue.
constexpr const char* kStreet = R"({
"entrances": [{"name": "west", "area": {"center_m": [-10, 0], "size_m": [1, 4]}, "rates": [{"per_minute": 30}]}],
"exits": [{"name": "east", "area": {"center_m": [10, 0], "size_m": [1, 4]}}],
"places": [{"name": "bench", "center_m": [0, 5], "facing_deg": 90, "people": 4, "least_stay_s": 5, "most_stay_s": 20},
           {"kind": "SIGHT", "center_m": [0, -5], "people": 8, "distance_m": 2}],
"queues": [{"name": "till", "counter_m": [5, 3], "facing_deg": 90, "people": 10, "service_s": 8, "spread": 0.5}],
"groups": {"share": 0.5},
"most_stops": 2
})";

// A closed room about (10, 0), in which the exit of the street is.
std::vector<behaviour::Obstacle> room_about_the_exit() {
  return {{Vec2(13, 0), Vec2(0.1, 4), 0},
          {Vec2(7, 0), Vec2(0.1, 4), 0},
          {Vec2(10, 4), Vec2(3.1, 0.1), 0},
          {Vec2(10, -4), Vec2(3.1, 0.1), 0}};
}

struct Read {
  CrowdFlow flow;
  std::string error;  // empty: none
};

/// Reads a message after `edit` has changed it.
template <typename Edit>
Read read_street(const Edit& edit, const std::vector<behaviour::Obstacle>& obstacles = {}) {
  v1::CrowdFlow message;
  schema::Source source;
  source.file = "street.json";
  const auto error = schema::message_from_json(kStreet, &message, &source);
  EXPECT_FALSE(error) << error->text();
  edit(message);
  schema::Checker check(source);
  Read out;
  out.flow = crowd_from(message, obstacles, 7, "", check);
  if (!check.ok()) out.error = check.error().text();
  EXPECT_EQ(check.ok(), out.flow.plan != nullptr);
  return out;
}

TEST(CrowdFlow, BecomesAPlanWithEveryField) {
  const Read read = read_street([](v1::CrowdFlow& m) {
    auto* wall = m.add_walls();
    for (const double x : {-3., 8., 3., 8.}) wall->add_points_m(x);
    auto* panic = m.add_panics();
    panic->set_at_s(60);
    panic->add_center_m(1);
    panic->add_center_m(2);
    panic->set_radius_m(9);
    panic->set_duration_s(30);
    m.set_start_of_day_s(3600);
    auto* rate = m.mutable_entrances(0)->add_rates();
    rate->set_at_s(7200);
    rate->set_per_minute(90);
  });
  ASSERT_EQ(read.error, "");
  const auto& plan = *read.flow.plan;
  EXPECT_EQ(plan.entrances[0].name, "west");
  EXPECT_DOUBLE_EQ(plan.entrances[0].rate.per_minute(3600), 60);
  EXPECT_EQ(plan.entrances[0].area.half, Vec2(0.5, 2));
  EXPECT_DOUBLE_EQ(plan.exits[0].weight, 1);
  ASSERT_EQ(plan.places.size(), 2u);
  EXPECT_EQ(plan.places[0].spots.size(), 4u);
  EXPECT_NEAR((plan.places[0].spots[0].at - Vec2(0.9, 5)).norm(), 0, 1e-9);
  EXPECT_NEAR((plan.places[1].spots[0].at - Vec2(2, -5)).norm(), 0, 1e-9);
  ASSERT_EQ(plan.queues[0].slots.size(), 10u);
  EXPECT_NEAR((plan.queues[0].slots[9].at - Vec2(5, 3 - 7.2)).norm(), 0, 1e-9);
  EXPECT_DOUBLE_EQ(plan.queues[0].service, 8);
  EXPECT_DOUBLE_EQ(plan.groups.share, 0.5);
  EXPECT_EQ(plan.most_stops, 2u);
  EXPECT_DOUBLE_EQ(plan.panics[0].radius, 9);
  EXPECT_DOUBLE_EQ(plan.speed, 1.34);
  EXPECT_EQ(plan.seed, 7u);
  behaviour::route::Routes routes(read.flow.obstacles, {});
  EXPECT_FALSE(routes.map(0.3)->sees(Vec2(0, 6), Vec2(0, 9)));
  EXPECT_TRUE(behaviour::flow::Flow(read.flow.plan, routes).unreached().empty());
}

struct BadFlow {
  const char* says;  // part of the error
  void (*edit)(v1::CrowdFlow&);
  bool room = false;  // the exit is in a closed room
};

class BadFlows : public ::testing::TestWithParam<BadFlow> {};

TEST_P(BadFlows, AreRefusedWithFieldAndWhatIsAllowed) {
  const Read read =
      read_street(GetParam().edit,
                  GetParam().room ? room_about_the_exit() : std::vector<behaviour::Obstacle>());
  EXPECT_THAT(read.error, HasSubstr(GetParam().says));
  EXPECT_THAT(read.error, HasSubstr("street.json"));
}

INSTANTIATE_TEST_SUITE_P(
    All, BadFlows,
    ::testing::Values(
        BadFlow{"entrances: 0 entries is not allowed, must be 1 to 32",
                [](auto& m) { m.clear_entrances(); }},
        BadFlow{"exits: 0 entries is not allowed, must be 1 to 32",
                [](auto& m) { m.clear_exits(); }},
        BadFlow{"exits[0].area.center_m: is walled off: nobody reaches it", [](auto&) {}, true},
        BadFlow{"entrances[1].area.center_m: is walled in: nobody gets from it to an exit",
                [](auto& m) {
                  *m.add_entrances() = m.entrances(0);
                  m.mutable_entrances(1)->mutable_area()->set_center_m(0, 10);
                  m.mutable_exits(0)->mutable_area()->set_center_m(0, 20);
                },
                true},
        BadFlow{"exits[0].area.center_m: is in an obstacle, must be a place at least 0.3 m",
                [](auto& m) { m.mutable_exits(0)->mutable_area()->set_center_m(0, 13.2); }, true},
        BadFlow{"entrances[0].area.center_m[1]: -2000 is not allowed",
                [](auto& m) { m.mutable_entrances(0)->mutable_area()->set_center_m(1, -2000); }},
        BadFlow{"entrances[0].area.size_m[0]: 0 is not allowed, must be from 0.2 to 100 m",
                [](auto& m) { m.mutable_entrances(0)->mutable_area()->set_size_m(0, 0); }},
        BadFlow{"entrances[0].rates: 0 entries",
                [](auto& m) { m.mutable_entrances(0)->clear_rates(); }},
        BadFlow{"entrances[0].rates[0].per_minute: -1 is not allowed, must be from 0 to 1200",
                [](auto& m) { m.mutable_entrances(0)->mutable_rates(0)->set_per_minute(-1); }},
        BadFlow{"entrances[0].rates[1].at_s: 0 is not allowed, must be later than 0 s",
                [](auto& m) { m.mutable_entrances(0)->add_rates(); }},
        BadFlow{"places[0].people: 0 is not allowed, must be from 1 to 50",
                [](auto& m) { m.mutable_places(0)->set_people(0); }},
        BadFlow{"places[0].most_stay_s: 2 is not allowed, must be from 5 to 3600 s",
                [](auto& m) { m.mutable_places(0)->set_most_stay_s(2); }},
        BadFlow{"places[1].distance_m: 0.1 is not allowed",
                [](auto& m) { m.mutable_places(1)->set_distance_m(0.1); }},
        BadFlow{"places[0].center_m: is walled off",
                [](auto& m) {
                  m.mutable_places(0)->set_center_m(0, 10);
                  m.mutable_places(0)->set_center_m(1, 0);
                  m.mutable_exits(0)->mutable_area()->set_center_m(0, 20);
                },
                true},
        BadFlow{"queues[0].people: is more than the line has room for, which ends at (5, -2.6) m, "
                "must be 1 to 8",
                [](auto& m) {
                  for (const double x : {5., -10.}) m.mutable_queues(0)->add_line_m(x);
                  auto* wall = m.add_walls();
                  for (const double x : {3., -3.5, 7., -3.5}) wall->add_points_m(x);
                }},
        BadFlow{"queues[0].counter_m: 1 numbers is not allowed",
                [](auto& m) { m.mutable_queues(0)->mutable_counter_m()->Truncate(1); }},
        BadFlow{"queues[0].spacing_m: 2 is not allowed, must be from 0.6 to 1 m",
                [](auto& m) { m.mutable_queues(0)->set_spacing_m(2); }},
        BadFlow{"queues[0].service_s: 0 is not allowed, must be from 0.5 to 600 s",
                [](auto& m) { m.mutable_queues(0)->set_service_s(0); }},
        BadFlow{"groups.share: 1.5 is not allowed, must be from 0 to 1",
                [](auto& m) { m.mutable_groups()->set_share(1.5); }},
        BadFlow{"groups.sizes: has 1 entry", [](auto& m) { m.mutable_groups()->add_sizes(1); }},
        BadFlow{"groups.sizes: all 0",
                [](auto& m) {
                  for (int i = 0; i < 4; ++i) m.mutable_groups()->add_sizes(0);
                }},
        BadFlow{"most_stops: 9 is not allowed, must be from 0 to 6",
                [](auto& m) { m.set_most_stops(9); }},
        BadFlow{"speed_mps: 9 is not allowed, must be from 0.3 to 2 m/s",
                [](auto& m) { m.set_speed_mps(9); }},
        BadFlow{"panics[0].duration_s: 0 is not allowed",
                [](auto& m) {
                  m.add_panics()->set_radius_m(5);
                  m.mutable_panics(0)->add_center_m(0);
                  m.mutable_panics(0)->add_center_m(0);
                }},
        BadFlow{"walls[0].points_m: 3 numbers is not allowed, must be x and y of 2 to 100 points",
                [](auto& m) {
                  auto* wall = m.add_walls();
                  for (const double x : {3., -3.5, 7.}) wall->add_points_m(x);
                }}));

TEST(CrowdFlow, AnErrorNamesTheLineOfTheFile) {
  const Read read = read_street([](auto& m) { m.mutable_queues(0)->set_service_s(9999); });
  EXPECT_THAT(read.error, HasSubstr("street.json:6: queues[0].service_s"));
}

TEST(CrowdFlow, ALineBendsWhereAWallIsInItsWay) {
  const Read read = read_street([](auto& m) {
    auto* wall = m.add_walls();
    for (const double x : {3., -2., 7., -2.}) wall->add_points_m(x);
  });
  ASSERT_EQ(read.error, "");
  for (const auto& slot : read.flow.plan->queues[0].slots) EXPECT_GT(slot.at.y(), -1.65);
}

}  // namespace
}  // namespace promenade::world
