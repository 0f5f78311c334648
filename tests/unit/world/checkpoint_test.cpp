#include "world/checkpoint/checkpoint.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>

#include "support/paths.h"
#include "world_fixture.h"

namespace promenade::world {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::test_library;

std::unique_ptr<Room> room_of(const std::string& scene) {
  RoomSettings settings;
  settings.scene = scene;
  return std::make_unique<Room>(test_library(), settings);
}

void run_ticks(Room& room, int ticks) {
  for (int i = 0; i < ticks; ++i) room.tick();
}

/// The checkpoint as it comes out of a file.
v1::Checkpoint through_bytes(const v1::Checkpoint& checkpoint) {
  auto out = parse_checkpoint(checkpoint_bytes(checkpoint));
  EXPECT_TRUE(out.ok());
  return std::move(out).value();
}

/// A room in which much goes on: walkers, a stroll, a path, pushes, one that lies, one that is
/// driven otherwise.
std::unique_ptr<Room> busy_room() {
  auto room = room_of("crowd");
  run_ticks(*room, 90);
  EXPECT_FALSE(room->apply(SetVelocity{1, Vec2(0.8, 0), Frame::kCharacter}).error);
  EXPECT_FALSE(room->apply(FollowPath{2, {{Vec2(3, 0), Vec2(3, 3), Vec2(0, 3)}, true, 0}}).error);
  EXPECT_FALSE(room->apply(Push{3, "torso", Vec3::Zero(), Vec3(1500, 0, 0), 1}).error);
  run_ticks(*room, 45);
  EXPECT_FALSE(room->apply(Push{4, "torso", Vec3::Zero(), Vec3(0, 80, 0), 2}).error);
  run_ticks(*room, 20);
  return room;
}

TEST(Checkpoint, RestoredRoomHasTheSameHashAndTheSameFuture) {
  const auto room = busy_room();
  const v1::Checkpoint saved = through_bytes(room->save());
  Room other(test_library(), settings_of(saved, 2));
  const auto error = other.restore(saved);
  ASSERT_FALSE(error) << error->message;
  EXPECT_EQ(other.tick_count(), room->tick_count());
  for (int second = 0; second < 10; ++second) {
    ASSERT_EQ(other.state_hash(), room->state_hash()) << second << " s on";
    run_ticks(*room, 60);
    run_ticks(other, 60);
  }
}

TEST(Checkpoint, ShowsTheSamePicture) {
  const auto room = busy_room();
  const v1::Checkpoint saved = room->save();
  Room other(test_library(), settings_of(saved, 1));
  ASSERT_FALSE(other.restore(saved));
  const auto a = room->snapshot(), b = other.snapshot();
  ASSERT_EQ(a->characters.size(), b->characters.size());
  EXPECT_EQ(a->coordinates, b->coordinates);
  for (std::size_t i = 0; i < a->characters.size(); ++i) {
    EXPECT_EQ(a->characters[i].id, b->characters[i].id);
    EXPECT_EQ(a->characters[i].flags, b->characters[i].flags);
    EXPECT_EQ(a->characters[i].report.com, b->characters[i].report.com);
    EXPECT_EQ(a->characters[i].kinetic_energy, b->characters[i].kinetic_energy);
    EXPECT_EQ(a->roster->entries[i].style, b->roster->entries[i].style);
  }
}

TEST(Checkpoint, SavingChangesNothing) {
  const auto room = busy_room();
  const auto before = room->state_hash();
  const std::string once = room->save().SerializeAsString();
  EXPECT_EQ(room->save().SerializeAsString(), once);
  EXPECT_EQ(room->state_hash(), before);
}

TEST(Checkpoint, BytesCutShortAnywhereOrChangedAreRefused) {
  const std::string whole = checkpoint_bytes(room_of("pair")->save());
  ASSERT_TRUE(parse_checkpoint(whole).ok());
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const auto cut = parse_checkpoint(whole.substr(0, size), "state");
    ASSERT_FALSE(cut.ok()) << size << " of " << whole.size();
    EXPECT_THAT(cut.error().text(), AllOf(HasSubstr("state"), HasSubstr("cut short")));
  }
  for (std::size_t at = 0; at < whole.size(); at += 7) {
    std::string changed = whole;
    changed[at] = char(changed[at] ^ 1);
    EXPECT_FALSE(parse_checkpoint(changed).ok()) << at;
  }
}

TEST(Checkpoint, BytesBesideTheStateAreRefused) {
  const std::string whole = checkpoint_bytes(room_of("pair")->save());
  const std::string other = checkpoint_bytes(room_of("lying")->save());
  const std::string unknown = "\x1a\x01x";  // field 3, one byte
  for (const std::string& bytes :
       {whole + whole, other + whole, whole + unknown, unknown + whole}) {
    const auto read = parse_checkpoint(bytes, "state");
    ASSERT_FALSE(read.ok());
    EXPECT_EQ(read.error().text(), "state: is not a checkpoint: the state in it takes " +
                                       std::to_string(whole.size()) + " of its " +
                                       std::to_string(bytes.size()) +
                                       " bytes, must be one state and nothing else");
  }
}

TEST(Checkpoint, GoesBackInTheSameRoom) {
  const auto room = busy_room();
  const v1::Checkpoint saved = room->save();
  run_ticks(*room, 60);
  const auto later = room->state_hash();
  ASSERT_FALSE(room->restore(saved));
  run_ticks(*room, 60);
  EXPECT_EQ(room->state_hash(), later);
}

TEST(Checkpoint, EveryWordOfTheStateDecidesTheHash) {
  const auto room = busy_room();
  const v1::Checkpoint saved = room->save();
  const auto before = room->state_hash();
  // Words that are equal after a change of their last bit would be words that are not visited.
  const int words = saved.characters(0).state_size();
  ASSERT_GT(words, 500);
  for (int i = 0; i < words; ++i) {
    v1::Checkpoint changed = saved;
    auto* state = changed.mutable_characters(0)->mutable_state();
    state->Set(i, state->Get(i) ^ 1);
    const auto error = room->restore(changed);
    ASSERT_TRUE(error) << "word " << i;
    EXPECT_THAT(error->field, AllOf(HasSubstr("checkpoint."))) << "word " << i;
    ASSERT_EQ(room->state_hash(), before) << "word " << i;
  }
}

/// The error of a room for a checkpoint in which something was changed; the room stays as it was.
class Refused : public ::testing::Test {
 protected:
  std::string after(const std::function<void(v1::Checkpoint&)>& change) {
    const auto before = room->state_hash();
    v1::Checkpoint changed = saved;
    change(changed);
    const auto error = room->restore(changed);
    EXPECT_EQ(room->state_hash(), before);
    return error ? error->message : "";
  }
  std::unique_ptr<Room> room = busy_room();
  v1::Checkpoint saved = room->save();
};

TEST_F(Refused, AnotherFormatVersionOrData) {
  EXPECT_THAT(after([](auto& m) { m.set_format(kCheckpointFormat + 1); }),
              AllOf(HasSubstr("checkpoint.format is " + std::to_string(kCheckpointFormat + 1)),
                    HasSubstr("allowed: " + std::to_string(kCheckpointFormat) + ",")));
  EXPECT_THAT(after([](auto& m) { m.set_version("9.9"); }),
              HasSubstr("checkpoint.version is \"9.9\""));
  EXPECT_THAT(after([](auto& m) { m.set_data_digest("0123456789abcdef"); }),
              HasSubstr("checkpoint.data_digest is \"0123456789abcdef\""));
  EXPECT_THAT(after([](auto& m) { m.Clear(); }), HasSubstr("checkpoint.format is 0"));
}

TEST_F(Refused, OtherSteps) {
  EXPECT_THAT(after([](auto& m) { m.set_substeps(4); }), HasSubstr("checkpoint.substeps is 4"));
  EXPECT_THAT(after([](auto& m) { m.set_ticks_per_second(30); }),
              HasSubstr("checkpoint.ticks_per_second is 30"));
}

TEST_F(Refused, UnknownNames) {
  EXPECT_THAT(after([](auto& m) { m.set_scene("moon"); }),
              HasSubstr("checkpoint.scene is \"moon\""));
  EXPECT_THAT(after([](auto& m) { m.mutable_characters(1)->set_body("elf"); }),
              HasSubstr("checkpoint.characters[1].body is \"elf\""));
  EXPECT_THAT(after([](auto& m) { m.mutable_characters(1)->set_style("moonwalk"); }),
              HasSubstr("checkpoint.characters[1].style is \"moonwalk\""));
  EXPECT_THAT(after([](auto& m) { m.mutable_characters(1)->clear_style(); }),
              HasSubstr("checkpoint.characters[1].style is missing"));
  EXPECT_THAT(
      after([](auto& m) { m.mutable_characters(1)->set_controller("swim"); }),
      AllOf(HasSubstr("checkpoint.characters[1].controller is \"swim\""), HasSubstr("gbwc")));
}

TEST_F(Refused, IdsOutOfOrder) {
  EXPECT_THAT(after([](auto& m) { m.mutable_characters(1)->set_id(1); }),
              HasSubstr("checkpoint.characters[1].id is 1"));
  EXPECT_THAT(after([](auto& m) { m.set_next_id(8); }),
              HasSubstr("checkpoint.characters[7].id is 8"));
}

TEST_F(Refused, StatesThatAreCutShortOrTooLongOrNotFinite) {
  constexpr int kPlace = 2;  // of the root's x in a state: after two flags
  EXPECT_THAT(after([](auto& m) { m.mutable_characters(2)->mutable_state()->RemoveLast(); }),
              AllOf(HasSubstr("checkpoint.characters[2].state"), HasSubstr("is cut short")));
  EXPECT_THAT(after([](auto& m) { m.mutable_characters(2)->clear_state(); }),
              HasSubstr("is cut short"));
  EXPECT_THAT(after([](auto& m) { m.mutable_characters(2)->add_state(0); }),
              HasSubstr("is too long"));
  EXPECT_THAT(after([](auto& m) {
                m.mutable_characters(2)->set_state(
                    kPlace, std::bit_cast<std::uint64_t>(std::numeric_limits<double>::quiet_NaN()));
              }),
              HasSubstr("has a number that is not finite"));
  EXPECT_THAT(after([](auto& m) {
                m.mutable_characters(2)->set_state(kPlace, std::bit_cast<std::uint64_t>(1e9));
              }),
              HasSubstr("has a link too far away"));
}

TEST_F(Refused, ChangedNumbers) {
  EXPECT_THAT(after([](auto& m) { m.set_seed(m.seed() + 1); }), HasSubstr("checkpoint.state_hash"));
  EXPECT_THAT(after([](auto& m) { m.set_script_done(3); }), HasSubstr("checkpoint.script_done"));
  EXPECT_THAT(after([](auto& m) { m.set_time_scale(1e9); }), HasSubstr("checkpoint.time_scale"));
  // A state that says that less moves in it would be let into a room that has no time for it.
  EXPECT_THAT(after([](auto& m) { m.set_moving_links(1); }), HasSubstr("checkpoint.moving_links"));
  EXPECT_EQ(after([](auto& m) { m.set_moving_links(0); }), "") << "as in states of before";
}

// A digest that is kept while a thing sleeps has to be that of the state that is saved.
TEST(Checkpoint, TakesBackSleepersBesideThoseThatMoveAndTiesOfEveryKind) {
  const auto loaded = Library::load(test::data_dir());
  ASSERT_TRUE(loaded.ok());
  RoomSettings settings;
  settings.scene = "one";
  Room room(*loaded, settings);
  for (const char* thing : {"crate", "small_crate", "ball"}) {
    SpawnThing spawn;
    spawn.thing = thing;
    spawn.on_ground = Vec2(2, 0.4 * double(room.thing_count()));
    ASSERT_FALSE(room.apply(spawn).error);
  }
  ASSERT_FALSE(room.apply(SetVelocity{1, Vec2(0.5, 0), Frame::kWorld}).error);
  for (int i = 0; i < 8; ++i) {
    run_ticks(room, 60);
    (void)room.state_hash();  // as every snapshot does
    const v1::Checkpoint saved = through_bytes(room.save());
    Room other(*loaded, settings_of(saved, 1));
    const auto error = other.restore(saved);
    ASSERT_FALSE(error) << i << ": " << error->message;
  }
  for (int kind = int(TieType::kBall); kind <= int(TieType::kSpring); ++kind) {
    AddTie tie;
    tie.kind = TieType(kind);
    tie.a.id = 2;
    tie.b.id = 4;
    tie.length = 1;
    tie.stiffness = 100;
    ASSERT_FALSE(room.apply(tie).error);
  }
  const v1::Checkpoint saved = through_bytes(room.save());
  Room other(*loaded, settings_of(saved, 1));
  const auto error = other.restore(saved);
  ASSERT_FALSE(error) << error->message;
  run_ticks(room, 60);
  run_ticks(other, 60);
  EXPECT_EQ(other.state_hash(), room.state_hash());
}

TEST(Checkpoint, CarriesBodiesAndStylesThatCommandsGave) {
  const auto room = room_of("pair");
  v1::Style style;
  style.set_name("own");
  style.set_crouch_deg(20);
  const auto defined = define_style(style, "");
  SetStyle command{1, ""};
  command.definition = std::get<0>(defined);
  ASSERT_FALSE(room->apply(command).error);
  v1::Creature body;
  body.set_name("long");
  body.set_base("human");
  body.mutable_edit()->set_scale(1.1);
  SetBody change{2, ""};
  change.definition = std::get<0>(define_creature(body, *test_library(), ""));
  ASSERT_FALSE(room->apply(change).error);
  run_ticks(*room, 60);
  const v1::Checkpoint saved = through_bytes(room->save());
  Room other(test_library(), settings_of(saved, 1));
  const auto error = other.restore(saved);
  ASSERT_FALSE(error) << error->message;
  run_ticks(*room, 120);
  run_ticks(other, 120);
  EXPECT_EQ(other.state_hash(), room->state_hash());
}

}  // namespace
}  // namespace promenade::world
