// Another flow in place of the one there is, while a room runs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "promenade/v1/checkpoint.pb.h"
#include "promenade/v1/crowd.pb.h"
#include "schema/message.h"
#include "world/command/command_codec.h"
#include "world_fixture.h"

namespace promenade::world {
namespace {

using namespace testing;  // NOLINT: world::testing
using ::testing::HasSubstr;

constexpr const char* kLane = R"({
  "entrances": [{"name": "west", "area": {"center_m": [-8, 0], "size_m": [2, 5]},
                 "rates": [{"at_s": 0, "per_minute": 60}]}],
  "exits": [{"name": "east", "area": {"center_m": [8, 0], "size_m": [2, 5]}}],
  "most_people": 100, "bodies": ["human", "child"], "styles": ["normal"],
  "controller": "pendulum"})";

v1::CrowdFlow lane_flow() {
  auto parsed = schema::parse_message<v1::CrowdFlow>(kLane);
  if (!parsed) throw std::runtime_error(parsed.error().text());
  return *parsed;
}

std::shared_ptr<const Library> flow_library() {
  static const auto made = [] {
    auto loaded = library_with(
        {{"lane", std::string(R"("blocks": [{"center_m": [0, 0, 0.5], "size_m": [2, 2, 1]}],
                                 "flow": )") +
                      kLane},
         {"bare", R"("characters": [])"}});
    if (!loaded) throw std::runtime_error(loaded.error().text());
    return *loaded;
  }();
  return made;
}

SetFlow flow_of(v1::CrowdFlow flow) {
  return {std::make_shared<const v1::CrowdFlow>(std::move(flow))};
}

struct Here {
  CharacterId id;
  Vec2 at;
};
std::vector<Here> here_in(const Room& room) {
  std::vector<Here> out;
  const auto shown = room.snapshot();
  for (const CharacterSnapshot& c : shown->characters) {
    if (!(c.flags & kFlagAway)) out.push_back({c.id, c.root.position.head<2>()});
  }
  return out;
}
FlowFigures figures_of(const Room& room) { return room.snapshot()->flow_figures; }

void move_to(v1::CrowdFlow::Area* area, double x, double y) {
  area->set_center_m(0, x);
  area->set_center_m(1, y);
}

TEST(SetFlow, PeopleStayWhereTheyAreAndGoToTheNewExit) {
  Room room(flow_library(), settings_for("lane"));
  run(room, 9);
  const auto before = here_in(room);
  ASSERT_GT(before.size(), 4u);
  v1::CrowdFlow flow = lane_flow();
  flow.mutable_exits(0)->set_name("north");
  move_to(flow.mutable_exits(0)->mutable_area(), 0, 9);
  const CommandResult set = room.apply(flow_of(flow));
  ASSERT_FALSE(set.error) << set.error->message;
  const auto after = here_in(room);
  ASSERT_EQ(after.size(), before.size());
  for (std::size_t i = 0; i < after.size(); ++i) EXPECT_EQ(after[i].at, before[i].at);
  run(room, 25);
  EXPECT_GT(figures_of(room).left[0], before.size());
  for (const Here& one : here_in(room)) EXPECT_LT(one.at.x(), 6) << "nobody goes east any more";
}

TEST(SetFlow, WhatStaysKeepsItsPeopleOnTheirWay) {
  Room changed(flow_library(), settings_for("lane")), same(flow_library(), settings_for("lane"));
  for (Room* room : {&changed, &same}) run(*room, 9);
  v1::CrowdFlow flow = lane_flow();
  // A second exit, likelier by far: people on the way to the first one go on to it.
  auto* other = flow.add_exits();
  *other = flow.exits(0);
  other->set_name("north");
  other->set_weight(1000);
  move_to(other->mutable_area(), 0, 9);
  ASSERT_FALSE(changed.apply(flow_of(flow)).error);
  const auto then = here_in(same);
  for (Room* room : {&changed, &same}) run(*room, 2);
  const auto a = here_in(changed), b = here_in(same);
  const auto place_of = [](const std::vector<Here>& all, CharacterId id) -> const Here* {
    const auto at =
        std::find_if(all.begin(), all.end(), [id](const Here& h) { return h.id == id; });
    return at == all.end() ? nullptr : &*at;
  };
  int compared = 0;
  for (const Here& one : then) {
    const Here *with = place_of(a, one.id), *without = place_of(b, one.id);
    if (!with || !without) continue;
    ++compared;
    // 1.5 m apart: people who come in otherwise are in the way of some.
    EXPECT_LT((with->at - without->at).norm(), 1.5) << "character " << one.id;
  }
  EXPECT_GT(compared, 4);
  run(changed, 20);
  EXPECT_GT(figures_of(changed).left[1], figures_of(changed).left[0])
      << "who came since goes north";
}

TEST(SetFlow, BeginsOneWhereNobodyComesAndGoes) {
  Room room(flow_library(), settings_for("bare"));
  v1::CrowdFlow flow = lane_flow();
  flow.set_present_at_start(20);
  ASSERT_FALSE(room.apply(flow_of(flow)).error);
  run(room, 10);
  EXPECT_GT(here_in(room).size(), 12u);
  EXPECT_GT(figures_of(room).entered[0], 12u);
  // A person who has left is shown while fading out.
  EXPECT_NEAR(double(figures_of(room).people), double(here_in(room).size()), 2);
  EXPECT_GT(figures_of(room).mean_speed, 0.5);
  EXPECT_LT(figures_of(room).mean_speed, 2);
}

TEST(SetFlow, AnEmptyOneLetsEverybodyOut) {
  Room room(flow_library(), settings_for("lane"));
  run(room, 9);
  ASSERT_GT(here_in(room).size(), 4u);
  ASSERT_FALSE(room.apply(flow_of({})).error);
  run(room, 30);
  EXPECT_EQ(here_in(room).size(), 0u);
  EXPECT_GT(figures_of(room).left[0], 4u);

  Room bare(flow_library(), settings_for("bare"));
  const CommandResult refused = bare.apply(flow_of({}));
  ASSERT_TRUE(refused.error);
  EXPECT_EQ(refused.error->field, "set_flow.flow");
}

TEST(SetFlow, QueuesOfOneNameKeepTheirLines) {
  v1::CrowdFlow flow = lane_flow();
  flow.set_least_stops(1);
  flow.set_most_stops(1);
  for (const double y : {2.2, -2.2}) {
    auto* queue = flow.add_queues();
    queue->set_name("desk");
    queue->add_counter_m(4);
    queue->add_counter_m(y);
    queue->set_people(8);
    queue->set_service_s(300);
  }
  Room room(flow_library(), settings_for("bare"));
  ASSERT_FALSE(room.apply(flow_of(flow)).error);
  run(room, 40);
  const auto before = figures_of(room).in_line;
  ASSERT_EQ(before.size(), 2u);
  ASSERT_GT(before[0], 1u);
  ASSERT_GT(before[1], 1u);
  ASSERT_FALSE(room.apply(flow_of(flow)).error);
  run(room, 0.2);
  const auto after = figures_of(room).in_line;
  for (int i : {0, 1}) EXPECT_GE(after[i], before[i]) << "line " << i;
}

TEST(SetFlow, GatheringsComeAtOnceAndOnlyOnce) {
  Room room(flow_library(), settings_for("bare"));
  v1::CrowdFlow flow = lane_flow();
  flow.mutable_entrances(0)->mutable_rates(0)->set_per_minute(0);
  auto* gathering = flow.add_gatherings();
  gathering->add_center_m(2);
  gathering->add_center_m(-6);
  gathering->set_radius_m(4);
  gathering->set_people(15);
  ASSERT_FALSE(room.apply(flow_of(flow)).error);
  run(room, 0.1);
  const auto first = here_in(room);
  ASSERT_EQ(first.size(), 15u);
  for (const Here& one : first) {
    EXPECT_LT((one.at - Vec2(2, -6)).norm(), 4.1);
    for (const Here& other : first) {
      if (other.id != one.id) EXPECT_GT((one.at - other.at).norm(), 0.8);
    }
  }
  flow.mutable_exits(0)->set_weight(3);
  ASSERT_FALSE(room.apply(flow_of(flow)).error);
  run(room, 0.2);
  EXPECT_EQ(here_in(room).size(), 15u) << "it is there already";
}

TEST(SetFlow, WhoIsCutOffIsToldOfAndTheOthersGoOn) {
  Room room(flow_library(), settings_for("lane"));
  run(room, 9);
  const auto before = here_in(room);
  const auto one_of_them = std::find_if(before.begin(), before.end(), [](const Here& one) {
    return one.at.x() > -5 && one.at.x() < -2;
  });
  ASSERT_NE(one_of_them, before.end());
  const Vec2 p = one_of_them->at;
  v1::CrowdFlow flow = lane_flow();
  auto* wall = flow.add_walls();
  for (const Vec2& corner : {Vec2(-2, -2), Vec2(2, -2), Vec2(2, 2), Vec2(-2, 2), Vec2(-2, -2)}) {
    wall->add_points_m(p.x() + corner.x());
    wall->add_points_m(p.y() + corner.y());
  }
  ASSERT_FALSE(room.apply(flow_of(flow)).error);
  std::string told;
  for (int tick = 0; tick < 30; ++tick) {
    for (const RoomEvent& event : room.tick()) told += event.text;
  }
  EXPECT_THAT(told, HasSubstr("no way to go"));
  EXPECT_GE(figures_of(room).lost, 1u);
  run(room, 25);
  EXPECT_GT(figures_of(room).left[0], 5u) << "the crowd goes on";
  for (const Here& one : here_in(room)) {
    if (one.id == one_of_them->id) EXPECT_LT((one.at - p).norm(), 3);
  }
  // Without the wall they go on, too.
  ASSERT_FALSE(room.apply(flow_of(lane_flow())).error);
  run(room, 1);
  EXPECT_EQ(figures_of(room).lost, 0u);
}

struct BadFlow {
  const char* what;
  std::function<void(v1::CrowdFlow&)> spoil;
  const char* field;
};

TEST(SetFlow, WhatCannotBeIsRefusedWithItsField) {
  Room room(flow_library(), settings_for("lane"));
  run(room, 5);
  const auto walled = [](v1::CrowdFlow& flow, double x) {
    auto* wall = flow.add_walls();
    for (const double value : {x - 3, -4.0, x + 3, -4.0, x + 3, 4.0, x - 3, 4.0, x - 3, -4.0}) {
      wall->add_points_m(value);
    }
  };
  const BadFlow all[] = {
      {"no exit", [](auto& f) { f.clear_exits(); }, "set_flow.flow.exits"},
      {"no entrance", [](auto& f) { f.clear_entrances(); }, "set_flow.flow.entrances"},
      {"an exit nobody reaches", [&](auto& f) { walled(f, 8); },
       "set_flow.flow.exits[0].area.center_m"},
      {"an entrance in a block",
       [](auto& f) { move_to(f.mutable_entrances(0)->mutable_area(), 0, 0); },
       "set_flow.flow.entrances[0].area.center_m"},
      {"a bench in a block",
       [](auto& f) {
         auto* place = f.add_places();
         place->add_center_m(0);
         place->add_center_m(0);
         place->set_people(1);
       },
       "set_flow.flow.places[0].center_m"},
      {"no body of this name", [](auto& f) { f.set_bodies(1, "ghost"); },
       "set_flow.flow.bodies[1]"},
      {"too many of them", [](auto& f) { f.set_most_people(20000); }, "set_flow.flow.most_people"},
      {"a rate that is no number",
       [](auto& f) { f.mutable_entrances(0)->mutable_rates(0)->set_per_minute(NAN); },
       "set_flow.flow.entrances[0].rates[0].per_minute"},
      {"a wall of one point", [](auto& f) { f.add_walls()->add_points_m(1); },
       "set_flow.flow.walls[0].points_m"},
      {"a gathering of nobody",
       [](auto& f) {
         auto* gathering = f.add_gatherings();
         gathering->set_radius_m(2);
       },
       "set_flow.flow.gatherings[0].people"},
  };
  const std::uint64_t hash = room.state_hash();
  for (const BadFlow& bad : all) {
    v1::CrowdFlow flow = lane_flow();
    bad.spoil(flow);
    const CommandResult refused = room.apply(flow_of(flow));
    ASSERT_TRUE(refused.error) << bad.what;
    EXPECT_EQ(refused.error->field, bad.field) << bad.what;
    EXPECT_EQ(room.state_hash(), hash) << bad.what;
  }
  v1::Command many;
  for (int i = 0; i < 5; ++i) {
    auto* wall = many.mutable_set_flow()->mutable_flow()->add_walls();
    for (int k = 0; k < 200; ++k) wall->add_points_m(k);
  }
  const auto refused = command_from_proto(many);
  ASSERT_TRUE(std::holds_alternative<CommandError>(refused));
  EXPECT_EQ(std::get<CommandError>(refused).field, "set_flow.flow.walls");
  EXPECT_THAT(std::get<CommandError>(refused).value, HasSubstr("495"));
}

TEST(SetFlow, IsInTheStateAndRepeatsFromItsMessageOnAnyNumberOfThreads) {
  RoomSettings settings = settings_for("lane");
  Room room(flow_library(), settings);
  settings.threads = 3;
  Room threaded(flow_library(), settings);
  v1::CrowdFlow flow = lane_flow();
  flow.set_present_at_start(10);
  flow.mutable_groups()->set_share(0.6);
  auto* place = flow.add_places();
  place->add_center_m(3);
  place->add_center_m(5);
  place->set_people(3);
  place->set_most_stay_s(10);
  flow.set_most_stops(1);
  const v1::Command message = command_to_proto(flow_of(flow));
  for (Room* one : {&room, &threaded}) {
    run(*one, 6);
    ASSERT_FALSE(one->apply(std::get<Command>(command_from_proto(message))).error);
    run(*one, 6);
    flow.mutable_places(0)->set_center_m(0, 4);
    ASSERT_FALSE(one->apply(flow_of(flow)).error);
    flow.mutable_places(0)->set_center_m(0, 3);
    run(*one, 3);
  }
  EXPECT_EQ(threaded.state_hash(), room.state_hash());
  const v1::Checkpoint saved = room.save();
  EXPECT_EQ(saved.flow().places(0).center_m(0), 4);
  Room restored(flow_library(), settings_for("lane"));
  const auto error = restored.restore(saved);
  ASSERT_FALSE(error) << error->message;
  for (Room* one : {&room, &restored}) run(*one, 8);
  EXPECT_EQ(restored.state_hash(), room.state_hash());

  v1::Checkpoint damaged = saved;
  damaged.mutable_flow()->mutable_exits(0)->mutable_area()->set_center_m(0, 7.5);
  EXPECT_TRUE(restored.restore(damaged)) << "it is not what was saved";
  damaged.mutable_flow()->clear_exits();
  const auto refused = restored.restore(damaged);
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->field, "checkpoint.flow.exits");
  ASSERT_FALSE(restored.apply(LoadScene{"lane"}).error);
  EXPECT_FALSE(restored.save().has_flow()) << "a scene begins with its own";
}

}  // namespace
}  // namespace promenade::world
