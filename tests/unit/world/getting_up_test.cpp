// A fallen character gets up by its own joints, and goes on.
#include <gtest/gtest.h>

#include "world/checkpoint/checkpoint.h"
#include "world_fixture.h"

namespace promenade::world {
namespace {

using namespace testing;

std::shared_ptr<const Library> library_of_risers() {
  static const auto library = [] {
    auto loaded = library_with({
        {"tries", R"("characters": [{"body": "human"}])"},
        {"walks", R"("characters": [{"body": "human", "speed_mps": 0.8}])"},
        {"cannot", R"("get_up_for_s": 0.5, "characters": [{"body": "human"}])"},
        {"others", R"("get_up_delay_s": 0.5, "characters": [
            {"body": "human", "controller": "hold"}])"},
    });
    if (!loaded) throw std::runtime_error(loaded.error().text());
    return *loaded;
  }();
  return library;
}

TEST(GettingUp, IsDoneByOnesOwnJointsWithoutAJump) {
  Room room(library_of_risers(), settings_for("tries"));
  run(room, 0.5);
  room.set_state_for_test(1, lying_state(room, 1));
  int fell = 0, up = 0;
  Vec3 last = lying_state(room, 1).root.position;
  for (int i = 0; i < 60 * 15 && up == 0; ++i) {
    for (const RoomEvent& event : room.tick()) {
      fell += event.kind == RoomEvent::Kind::kFell;
      if (event.kind != RoomEvent::Kind::kGotUp) continue;
      ++up;
      EXPECT_EQ(event.text, "Human 1 got up");
    }
    const Vec3 now = room.body_for_test(1)->state().root.position;
    EXPECT_LT((now - last).norm(), 0.12) << "less than 7 m/s";
    EXPECT_EQ(room.snapshot()->characters[0].presence, kWholePresence);
    last = now;
  }
  EXPECT_EQ(fell, 1);
  ASSERT_EQ(up, 1);
  EXPECT_FALSE(room.snapshot()->characters[0].flags & kFlagFallen);
  EXPECT_EQ(count(run(room, 5), RoomEvent::Kind::kFell), 0) << "and it stands";
}

TEST(GettingUp, GoesOnWithTheWalk) {
  Room room(library_of_risers(), settings_for("walks"));
  run(room, 2);
  room.set_state_for_test(1, lying_state(room, 1));
  EXPECT_EQ(count(run(room, 15), RoomEvent::Kind::kGotUp), 1);
  const Vec2 from = room.snapshot()->characters[0].root.position.head<2>();
  EXPECT_EQ(count(run(room, 5), RoomEvent::Kind::kFell), 0);
  const Vec2 moved = room.snapshot()->characters[0].root.position.head<2>() - from;
  EXPECT_GT(moved.norm(), 2.5);
}

TEST(GettingUp, GoesOnToTheSameHashFromASavedState) {
  Room room(library_of_risers(), settings_for("tries"));
  run(room, 0.5);
  room.set_state_for_test(1, lying_state(room, 1));
  run(room, 2);
  ASSERT_TRUE(room.snapshot()->characters[0].flags & kFlagFallen);
  const v1::Checkpoint saved = room.save();
  Room restored(library_of_risers(), settings_for("tries"));
  const auto error = restored.restore(saved);
  ASSERT_FALSE(error) << error->message;
  EXPECT_EQ(restored.state_hash(), room.state_hash());
  for (Room* one : {&room, &restored}) run(*one, 6);
  EXPECT_EQ(restored.state_hash(), room.state_hash());
}

TEST(GettingUp, EndsUprightForThoseWhoDoNotManage) {
  Room room(library_of_risers(), settings_for("cannot"));
  run(room, 0.5);
  room.set_state_for_test(1, lying_state(room, 1));
  const auto events = run(room, 1);
  ASSERT_EQ(count(events, RoomEvent::Kind::kGotUp), 1);
  EXPECT_EQ(events.back().text, "Human 1 could not get up and is set upright");
  EXPECT_GT(room.snapshot()->characters[0].root.position.z(), 0.8);
}

TEST(GettingUp, IsForWalkersAlone) {
  Room room(library_of_risers(), settings_for("others"));
  run(room, 0.5);
  room.set_state_for_test(1, lying_state(room, 1));
  const auto events = run(room, 1);
  ASSERT_EQ(count(events, RoomEvent::Kind::kGotUp), 1);
  EXPECT_EQ(events.back().text, "Human 1 is up again");
}

}  // namespace
}  // namespace promenade::world
