// Parts of a room, each without the room.
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "behaviour/direct.h"
#include "behaviour/path_follower.h"
#include "behaviour/tasks/worker.h"
#include "math/rotation.h"
#include "world/crowd/courses.h"
#include "world/crowd/crowd.h"
#include "world/crowd/levels.h"
#include "world/hands/hands.h"
#include "world/hands/shared_tasks.h"
#include "world/sleep/sleep.h"
#include "world/step/stepping.h"
#include "world/ties/ties.h"
#include "world_fixture.h"

namespace promenade::world {
namespace {

using testing::test_library;

/// Things and people on level ground, and the view of a tick that shows them.
struct Stage {
  std::shared_ptr<const Scene> scene = test_library()->find_scene("empty");
  Occupants occupants;
  KeptRoster roster;
  std::uint64_t tick = 0;

  TickView view() const {
    return {*scene, *scene->ground, occupants, scene->obstacles, 1, tick, 0, 1.0 / 60};
  }
  Prop& put(const std::string& thing, const Vec3& at) {
    auto made = std::make_unique<Prop>(occupants.next_id++, test_library()->find_thing(thing), "");
    Pose root;
    root.position = at;
    made->start(root, Vec3::Zero(), Vec3::Zero());
    return occupants.props.add(std::move(made));
  }
  Entity& stand(const Vec2& at) {
    auto made =
        std::make_unique<Entity>(occupants.next_id++, test_library()->find_creature("human"),
                                 test_library()->find_style("normal"),
                                 *control::find_family("gbwc"), test_library()->controllers());
    made->place({*scene->ground, 0}, at, 0);
    return occupants.entities.add(std::move(made));
  }
};

/// A stage whose things can be tied, fall and sleep.
struct Workshop : Stage {
  Sleep sleep{occupants};
  Ties ties{occupants, sleep, roster};
  Islands islands;
  StepContext step;
  StepScratch scratch;

  /// One tick of its physics, and what comes after it.
  void run_tick() {
    step.ground = scene->ground.get();
    step.settings.dt = 1.0 / 480;
    std::vector<Eigen::AlignedBox3d> boxes;
    for (const auto& prop : occupants.props) {
      boxes.push_back(prop->asleep ? Eigen::AlignedBox3d() : prop->physics.bounds());
    }
    std::vector<Islands::Pair> joined;
    sleep.join(view(), boxes, joined);
    ties.join(boxes, joined);
    islands.build(boxes, joined);
    std::vector<Occupant*> members;
    for (int i = 0; i < islands.count(); ++i) {
      for (const std::uint32_t member : islands.members(i)) {
        members.push_back(&occupants.at(member));
        members.back()->island = i;
      }
    }
    ties.share_out();
    step_through_tick(members, ties.active(), step, scratch);
    ++tick;
    sleep.wake_the_disturbed(islands);
    sleep.put_to_sleep(islands, ties.all(), tick);
  }
  void run(double seconds) {
    for (int i = 0; i < int(60 * seconds); ++i) run_tick();
  }
};

AddTie rope(CharacterId a, CharacterId b) {
  AddTie out;
  out.name = "rope";
  out.a.id = a;
  out.b.id = b;
  out.kind = TieType::kBall;
  return out;
}

TEST(Occupants, AreFoundByIdsAndPlaces) {
  Stage stage;
  const CharacterId crate = stage.put("crate", Vec3(3, 0, 1)).id;
  const CharacterId person = stage.stand(Vec2::Zero()).id;
  const CharacterId ball = stage.put("ball", Vec3(5, 0, 1)).id;
  Occupants& all = stage.occupants;
  ASSERT_EQ(all.count(), 3u);
  EXPECT_EQ(all.at(0).id, person);  // characters come first
  EXPECT_EQ(all.at(1).id, crate);
  EXPECT_EQ(all.at(2).id, ball);
  for (std::uint32_t i = 0; i < 3; ++i) EXPECT_EQ(all.place_of(all.at(i).id), i);
  EXPECT_EQ(all.find(crate), nullptr);
  EXPECT_EQ(all.find_prop(person), nullptr);
  EXPECT_EQ(all.find_occupant(ball), &all.at(2));
  all.remove(crate);
  EXPECT_EQ(all.find_occupant(crate), nullptr);
  EXPECT_EQ(all.place_of(ball), 1u);
}

TEST(Ties, HoldTwoThingsAndLetThemGo) {
  Workshop shop;
  const CharacterId a = shop.put("crate", Vec3(0, 0, 1)).id,
                    b = shop.put("crate", Vec3(1, 0, 1)).id;
  const std::uint64_t version = shop.roster.version();
  const TieId tie = shop.ties.add(rope(a, b), false, shop.view());
  EXPECT_TRUE(shop.ties.is_held(a));
  EXPECT_TRUE(shop.ties.is_tied(b));
  EXPECT_GT(shop.roster.version(), version);
  EXPECT_FALSE(shop.ties.release(tie + 1));
  EXPECT_TRUE(shop.ties.release(tie));
  EXPECT_FALSE(shop.ties.is_tied(a));
  EXPECT_TRUE(shop.ties.empty());
}

TEST(Ties, OfTheSceneAreLaidAsideAndComeBack) {
  Workshop shop;
  const CharacterId a = shop.put("crate", Vec3(0, 0, 1)).id;
  shop.ties.number_from(7);
  shop.ties.begin_scene();
  EXPECT_EQ(shop.ties.add(rope(a, 0), true, shop.view()), 7u);
  EXPECT_EQ(shop.ties.first_id(), 7u);
  shop.ties.release_all(a);
  EXPECT_FALSE(shop.ties.is_held(a));
  EXPECT_EQ(shop.ties.size(), 1u);
  shop.ties.bring_back(a);
  EXPECT_TRUE(shop.ties.is_held(a));
  shop.ties.forget(a);
  EXPECT_TRUE(shop.ties.empty());
}

TEST(Ties, ThatBreakAreToldOf) {
  Workshop shop;
  const CharacterId a = shop.put("crate", Vec3(0, 0, 3)).id;
  AddTie weak = rope(a, 0);
  weak.break_force = 1;
  shop.ties.add(weak, false, shop.view());
  shop.run_tick();
  std::vector<RoomEvent> events;
  shop.ties.look_after(shop.tick, events);
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].text, "the tie \"rope\" 1 broke");
  EXPECT_EQ(events[0].character, a);
  EXPECT_TRUE(shop.ties.empty());
}

TEST(Ties, ADragEndsWhenNobodyGoesOnWithIt) {
  Workshop shop;
  Prop& crate = shop.put("crate", Vec3(0, 0, 1));
  shop.ties.drag(crate, 0, Vec3::Zero(), Vec3(0, 0, 2), 0, shop.view());
  std::vector<RoomEvent> events;
  shop.ties.look_after(shop.tick, events);
  EXPECT_TRUE(shop.ties.is_held(crate.id));
  shop.tick += 1000;
  shop.ties.look_after(shop.tick, events);
  EXPECT_FALSE(shop.ties.is_tied(crate.id));
  EXPECT_TRUE(events.empty());
}

TEST(Ties, BringCharactersIntoThePhysics) {
  Workshop shop;
  Entity& person = shop.stand(Vec2::Zero());
  person.simplify({*shop.scene->ground, 0});
  const CharacterId crate = shop.put("crate", Vec3(2, 0, 1)).id;
  shop.ties.add(rope(person.id, crate), false, shop.view());
  EXPECT_FALSE(person.simplified);
  EXPECT_GT(person.in_physics_until, shop.tick);
}

TEST(Sleep, AHeapSleepsFromBelowAndWakesFromBelow) {
  Workshop shop;
  Prop& below = shop.put("crate", Vec3(0, 0, 0.25));
  Prop& above = shop.put("crate", Vec3(0, 0, 0.25));
  Pose on_top = above.physics.state().root;
  const double height = below.physics.bounds().sizes().z();
  on_top.position.z() = below.physics.bounds().max().z() + 0.5 * height + 0.01;
  above.start(on_top, Vec3::Zero(), Vec3::Zero());
  shop.run(5);
  ASSERT_TRUE(below.asleep && above.asleep);
  EXPECT_GE(above.slept_at, below.slept_at);
  shop.sleep.wake(above);
  EXPECT_TRUE(below.asleep);  // the load alone has changed
  shop.run(2);
  ASSERT_TRUE(above.asleep);
  shop.sleep.wake(below);
  EXPECT_FALSE(above.asleep);  // what it lay on is awake
}

TEST(Sleep, WhatIsHeldByAPersonStaysAwake) {
  Workshop shop;
  const CharacterId crate = shop.put("crate", Vec3(2, 0, 0.3)).id;
  shop.ties.drag(*shop.occupants.find_prop(crate), 0, Vec3::Zero(), Vec3(2, 0, 0.2), 0,
                 shop.view());
  shop.run(4);
  EXPECT_FALSE(shop.occupants.find_prop(crate)->asleep);
  shop.ties.end_drag(crate);
  shop.run(4);
  EXPECT_TRUE(shop.occupants.find_prop(crate)->asleep);
}

TEST(Courses, DrawAPartAnewBehindAWalker) {
  auto loaded = testing::library_with({{"lane", R"("courses": [{"from_m": [2, 0], "to_m": [14, 0],
      "count": 3, "kinds": [{"height_m": [0.1, 0.2], "depth_m": [0.1, 0.2]}]}])"}});
  ASSERT_TRUE(loaded) << loaded.error().text();
  Stage stage;
  stage.scene = (*loaded)->find_scene("lane");
  Entity& walker = stage.stand(Vec2(3, 0));
  Courses courses;
  courses.begin(*stage.scene);
  courses.lay(*stage.scene, 5);
  ASSERT_FALSE(courses.empty());
  const std::string first = courses.blocks();
  EXPECT_GT(courses.ground().blocks().size(), stage.scene->ground->blocks().size());

  std::vector<RoomEvent> events;
  EXPECT_FALSE(courses.run(stage.view(), events));  // the walker is in the first part
  walker.place({courses.ground(), 0}, Vec2(12, 0), 0);
  EXPECT_TRUE(courses.run(stage.view(), events));
  courses.lay(*stage.scene, 5);
  EXPECT_NE(courses.blocks(), first);
  walker.place({courses.ground(), 0}, Vec2(15, 0), 0);
  courses.run(stage.view(), events);
  ASSERT_EQ(events.size(), 1u);
  EXPECT_NE(events[0].text.find("passed the course without a fall: 1 of 1"), std::string::npos);

  Courses again;
  again.begin(*stage.scene);
  Hash empty, full;
  hash_state(again, empty);
  hash_state(courses, full);
  EXPECT_NE(empty.value(), full.value());
}

TEST(Crowd, DecidesEveryFewTicks) {
  Stage stage;
  Crowd crowd;
  crowd.load(*stage.scene, 1, 1.0 / 60);
  EXPECT_EQ(crowd.flow(), nullptr);
  EXPECT_TRUE(crowd.decides(stage.view()));
  stage.tick = 1;
  EXPECT_FALSE(crowd.decides(stage.view()));
  stage.tick = crowd.period();
  EXPECT_TRUE(crowd.decides(stage.view()));
}

TEST(Crowd, ChoosesVelocitiesOfThoseWhoWalkInIt) {
  Stage stage;
  Crowd crowd;
  crowd.load(*stage.scene, 1, 1.0 / 60);
  Workers workers(1);
  const physics::GroundNow ground{*stage.scene->ground, 0};
  Entity& east = stage.stand(Vec2(-3, 0));
  Entity& west = stage.stand(Vec2(3, 0.1));
  Entity& aside = stage.stand(Vec2(0, 8));
  const auto walk_to = [&](Entity& e, double x) {
    e.follow(std::make_unique<behaviour::PathFollower>(
        behaviour::PathFollower::Order{{{x, 0}}, false, 1.2}));
    e.simplify(ground);
    e.behave({}, 0.05);
  };
  walk_to(east, 20);
  walk_to(west, -20);
  aside.follow(std::make_unique<behaviour::Direct>(0));
  crowd.choose_velocities(stage.occupants, workers, stage.view());
  EXPECT_GT(east.in_step.chosen.x(), 0.1);
  EXPECT_LT(west.in_step.chosen.x(), -0.1);
  EXPECT_FALSE(aside.in_step.known);
}

TEST(Levels, KeepTheNearestInThePhysics) {
  Workshop shop;
  Entity& near = shop.stand(Vec2(0, 0));
  Entity& far = shop.stand(Vec2(20, 0));
  Levels levels;
  levels.load(*shop.scene);
  levels.set_detail(1, {{Vec3(-3, 0, 2), Vec3(0, 0, 1)}});
  EXPECT_TRUE(levels.may_become_light(*near.family, Level::kAuto));
  levels.run(shop.occupants, shop.ties, shop.view(), [&] { return shop.view().ground_now(); });
  EXPECT_FALSE(near.simplified || near.wants_light);
  EXPECT_TRUE(far.wants_light);
}

TEST(SharedTasks, AreListsThatCharactersLeave) {
  SharedTasks shared;
  behaviour::tasks::Task task;
  task.kind = behaviour::tasks::TaskKind::kPickUp;
  shared.share({3, 5}, {task}, false);
  ASSERT_NE(shared.list_of(5), nullptr);
  EXPECT_EQ(shared.list_of(3), shared.list_of(5));
  EXPECT_EQ(shared.list_of(4), nullptr);
  shared.leave(3);
  EXPECT_EQ(shared.list_of(3), nullptr);
  EXPECT_FALSE(shared.empty());
  shared.leave(5);
  EXPECT_TRUE(shared.empty());
}

TEST(Hands, ClaimWhatTheyHold) {
  Workshop shop;
  Entity& person = shop.stand(Vec2::Zero());
  person.follow(std::make_unique<behaviour::tasks::Worker>(std::vector<behaviour::tasks::Task>(),
                                                           false, 0.0));
  const CharacterId crate = shop.put("crate", Vec3(2, 0, 1)).id;
  Hands hands(test_library()->tasks());
  hands.gather(shop.occupants, shop.ties);
  EXPECT_TRUE(hands.claims().empty());
  shop.ties.add(rope(person.id, crate), false, shop.view());
  hands.gather(shop.occupants, shop.ties);
  ASSERT_EQ(hands.claims().size(), 1u);
  EXPECT_EQ(hands.claims()[0].thing, crate);
  EXPECT_EQ(hands.claims()[0].character, person.id);
  EXPECT_TRUE(hands.claims()[0].holds);
}

}  // namespace
}  // namespace promenade::world
