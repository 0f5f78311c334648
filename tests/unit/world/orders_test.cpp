// An order holds after a fall: characters go on as they were told.
#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <tuple>

#include "math/rotation.h"
#include "world/command/kind.h"
#include "world_fixture.h"

namespace promenade::world {
namespace {

using namespace testing;

/// Character 1 walks and gets up by its own joints; in `sets` it is set upright after 1.5 s.
std::shared_ptr<const Library> library_of_walkers() {
  static const auto library = [] {
    std::vector<std::pair<std::string, std::string>> scenes;
    for (const std::string body : {"human", "stout", "child"}) {
      const std::string who =
          R"("characters": [{"body": ")" + body + R"(", "position_m": [0, 0], "heading_deg": 30}])";
      scenes.push_back({"rises_" + body, who});
      scenes.push_back({"sets_" + body, R"("get_up_delay_s": 1.5, "get_up_for_s": -1, )" + who});
    }
    auto loaded = library_with(scenes);
    if (!loaded) throw std::runtime_error(loaded.error().text());
    return *loaded;
  }();
  return library;
}

/// How somebody is to go in the end.
struct Told {
  std::vector<std::string> orders;
  double speed = 0;  // m/s
  // rad, in the world; none: any
  std::optional<double> way = std::nullopt, facing = std::nullopt;
  std::optional<RoomEvent::Kind> ends = std::nullopt;  // the order ends with this event, instead
  std::optional<Vec2> passes = std::nullopt;           // m, in the world: gets there, instead
};

/// The orders that are tried, by the commands that steer.
const std::multimap<std::string, Told>& orders() {
  static const std::multimap<std::string, Told> all{
      {"set_velocity",
       {{R"({"set_velocity": {"character": 1, "x_mps": 0.8, "frame": "WORLD"}})"}, 0.8, 0, 0}},
      {"set_velocity",
       {{R"({"set_velocity": {"character": 1, "y_mps": 0.7, "frame": "WORLD"}})"},
        0.7,
        kPi / 2,
        kPi / 2}},
      {"set_velocity",
       {{R"({"set_velocity": {"character": 1, "x_mps": 0.8}})"}, 0.8, kPi / 6, kPi / 6}},
      {"set_velocity",
       {{R"({"set_heading": {"character": 1, "heading_rad": 1}})",
         R"({"set_velocity": {"character": 1, "x_mps": 0.8}})"},
        0.8,
        1,
        1}},
      // The case that was found: a velocity of the world, and a heading that is told besides.
      {"set_heading",
       {{R"({"set_velocity": {"character": 1, "x_mps": 0.8, "frame": "WORLD"}})",
         R"({"set_heading": {"character": 1, "heading_rad": 0}})"},
        0.8,
        0,
        0}},
      {"set_heading", {{R"({"set_heading": {"character": 1, "heading_rad": -1}})"}, 0, {}, -1}},
      {"stop", {{R"({"stop": {"character": 1}})"}, 0, {}, kPi / 6}},
      {"follow_path",
       {{R"({"follow_path": {"character": 1, "path": {"points": [{"x_m": 60}], "speed_mps": 0.8}}})"},
        0.8,
        0,
        0}},
      {"follow_path",
       {{R"({"follow_path": {"character": 1, "path": {"points": [{"x_m": 4}, {"x_m": 4, "y_m": 60}],
            "speed_mps": 0.8}}})"},
        0.8,
        {},
        {},
        {},
        Vec2(4, 8)}},
      {"set_wander", {{R"({"set_wander": {"character": 1, "radius_m": 100}})"}, 0.8, {}, {}}},
      {"set_tasks",
       {{R"({"set_tasks": {"character": 1, "tasks": [{"go_to": {"position_m": [9, 2]}}]}})"},
        0,
        {},
        {},
        RoomEvent::Kind::kTaskDone}},
      {"share_tasks",
       {{R"({"share_tasks": {"characters": [1], "tasks": [{"go_to": {"position_m": [9, 2]}}]}})"},
        0,
        {},
        {},
        RoomEvent::Kind::kSharedTasksDone}},
  };
  return all;
}

TEST(Orders, AreTriedOfEachCommandThatSteers) {
  for (const CommandKinds kinds : {walking_kinds(), task_kinds()})
    for (const CommandKind& kind : kinds) EXPECT_GT(orders().count(kind.name), 0u) << kind.name;
}

class OrdersAfterAFall : public ::testing::TestWithParam<std::tuple<const char*, double>> {};

TEST_P(OrdersAfterAFall, AreFollowedAsBefore) {
  const auto& [scene, direction] = GetParam();
  for (const auto& [command, told] : orders()) {
    Room room(library_of_walkers(), settings_for(scene));
    for (const std::string& one : told.orders) {
      const auto result = order(room, one);
      ASSERT_FALSE(result.error) << result.error->message;
    }
    const std::string what = std::string(scene) + ", " + told.orders.back();
    run(room, 3);
    const double force =
        20 * room.snapshot()
                 ->roster->bodies[std::size_t(room.snapshot()->roster->entries[0].body)]
                 ->total_mass;
    const Vec2 push = force * Vec2(std::cos(direction), std::sin(direction));
    order(room, R"({"push": {"character": 1, "duration_s": 0.3, "force_n": [)" +
                    std::to_string(push.x()) + ", " + std::to_string(push.y()) + ", 0]}}");
    int fell = 0, up = 0, ended = 0;
    // Till it stands for good: a second fall on the way up counts with the first.
    std::uint64_t since = room.tick_count();
    for (int i = 0; i < 60 * 60 && room.tick_count() < since + 8 * 60; ++i) {
      for (const RoomEvent& event : room.tick()) {
        fell += event.kind == RoomEvent::Kind::kFell;
        up += event.kind == RoomEvent::Kind::kGotUp;
        ended += told.ends && event.kind == *told.ends;
      }
      if (fell != up) since = room.tick_count();
    }
    ASSERT_GT(fell, 0) << what << ": the push was not hard enough";
    ASSERT_EQ(fell, up) << what;
    if (told.ends) {
      for (int i = 0; i < 60 * 60 && ended == 0; ++i) {
        for (const RoomEvent& event : room.tick()) ended += event.kind == *told.ends;
      }
      EXPECT_EQ(ended, 1) << what;
      continue;
    }
    const auto place = [&] { return Vec2(room.snapshot()->characters[0].report.com.head<2>()); };
    if (told.passes) {
      for (int i = 0; i < 60 * 60 && (place() - *told.passes).norm() > 0.8; ++i) room.tick();
      EXPECT_LE((place() - *told.passes).norm(), 0.8) << what << ": is at " << place().transpose();
      continue;
    }
    const Vec2 from = place();
    Vec2 facing = Vec2::Zero();
    constexpr double kLooked = 3;  // s
    for (int i = 0; i < int(60 * kLooked); ++i) {
      room.tick();
      const double heading = room.snapshot()->characters[0].report.heading;
      facing += Vec2(std::cos(heading), std::sin(heading));
    }
    const Vec2 gone = (place() - from) / kLooked;
    if (told.way) {
      const Vec2 wanted = told.speed * Vec2(std::cos(*told.way), std::sin(*told.way));
      EXPECT_LT((gone - wanted).norm(), 0.25) << what << ": goes " << gone.transpose();
    } else if (told.speed > 0) {
      EXPECT_GT(gone.norm(), 0.4) << what;
    } else {
      EXPECT_LT(gone.norm(), 0.12) << what;  // it may turn
    }
    if (told.facing) {
      const double off = wrap_angle(std::atan2(facing.y(), facing.x()) - *told.facing);
      EXPECT_LT(std::abs(off), 0.3) << what;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(BodiesAndPushes, OrdersAfterAFall,
                         ::testing::Combine(::testing::Values("rises_human", "rises_stout",
                                                              "rises_child", "sets_human",
                                                              "sets_child"),
                                            ::testing::Values(0.3, 1.8, 3.5)));

}  // namespace
}  // namespace promenade::world
