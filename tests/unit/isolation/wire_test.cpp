#include <gtest/gtest.h>

#include <string>

#include "isolation/definition_codec.h"
#include "isolation/frames.h"
#include "isolation/message_codec.h"
#include "isolation/snapshot_codec.h"
#include "world/command/command_codec.h"
#include "world/room/room.h"
#include "world_fixture.h"

namespace promenade::isolation {
namespace {

using world::testing::test_library;

world::RoomSettings crowd() {
  world::RoomSettings settings;
  settings.scene = "crowd";
  return settings;
}

world::Command edited_body(const char* base, std::uint32_t version) {
  v1::Creature given;
  given.set_name("mine");
  given.set_base(base);
  auto made = world::define_creature(given, *test_library(), "");
  auto definition = std::make_shared<world::CreatureDefinition>(
      *std::get<std::shared_ptr<const world::CreatureDefinition>>(made));
  if (version > 0) {
    definition->origin = world::Origin::kSaved;
    definition->version = version;
    definition->fixed = true;
  }
  world::Spawn spawn{"mine", "", std::nullopt, 0, true};
  spawn.body_definition = std::move(definition);
  return spawn;
}

TEST(Frames, AreCutWhereverTheStreamWas) {
  std::string bytes;
  append_frame(FrameKind::kMessage, "one", bytes);
  append_frame(FrameKind::kSnapshot, "", bytes);
  append_frame(FrameKind::kMessage, "three", bytes);
  FrameReader reader;
  std::string found;
  for (const char byte : bytes) {
    reader.add({&byte, 1});
    while (const auto frame = reader.next()) found += std::string(frame->content) + ";";
  }
  EXPECT_EQ(found, "one;;three;");
  reader.add("\xff\xff\xff\xff\x01");
  EXPECT_FALSE(reader.next());
  EXPECT_TRUE(reader.bad());
}

TEST(SnapshotCodec, GivesTheSameRoomOnTheOtherSide) {
  world::Room room(test_library(), crowd());
  ASSERT_FALSE(room.apply(edited_body("human", 3)).error);
  SnapshotEncoder encoder;
  SnapshotDecoder decoder(test_library(), 10, 100);
  std::string bytes;
  std::shared_ptr<const world::Roster> first;
  for (int i = 0; i < 3; ++i) {
    room.tick();
    const auto sent = room.make_snapshot();
    bytes.clear();
    encoder.encode(*sent, bytes);
    const auto got = decoder.decode(bytes);
    ASSERT_TRUE(got);
    EXPECT_EQ(got->state_hash, sent->state_hash);
    EXPECT_EQ(got->coordinates, sent->coordinates);
    EXPECT_EQ(got->contacts.size(), sent->contacts.size());
    ASSERT_EQ(got->characters.size(), sent->characters.size());
    EXPECT_EQ(got->characters[1].root.position, sent->characters[1].root.position);
    EXPECT_EQ(got->characters[1].report.steps, sent->characters[1].report.steps);
    if (!first) first = got->roster;
    EXPECT_EQ(got->roster, first) << "sent once";
    EXPECT_EQ(got->roster->epoch, sent->roster->epoch + 10);
    EXPECT_EQ(got->roster->version, sent->roster->version + 100);
    EXPECT_EQ(got->roster->lengths, sent->roster->lengths);
    const auto& built_in = got->roster->entries.front();
    EXPECT_EQ(built_in.body_definition, sent->roster->entries.front().body_definition)
        << "the library's own";
    const auto& mine = *got->roster->entries.back().body_definition;
    const auto& original = *sent->roster->entries.back().body_definition;
    EXPECT_EQ(mine.id, original.id);
    EXPECT_EQ(mine.version, 3u);
    EXPECT_EQ(mine.given.base(), "human");
    const auto index = std::size_t(got->roster->entries.back().body);
    EXPECT_EQ(got->roster->bodies[index]->name, sent->roster->bodies[index]->name);
  }
}

TEST(SnapshotCodec, TakesNoBytesForASnapshotThatAreNone) {
  world::Room room(test_library(), crowd());
  std::string bytes;
  SnapshotEncoder().encode(*room.make_snapshot(), bytes);
  for (std::size_t size = 0; size < bytes.size(); size += 1 + bytes.size() / 500) {
    SnapshotDecoder decoder(test_library(), 0, 0);
    EXPECT_FALSE(decoder.decode(std::string_view(bytes).substr(0, size))) << size;
  }
  // Wherever the damage is: no crash, and a snapshot that is taken fits together.
  for (std::size_t at = 0; at < bytes.size(); at += 1 + bytes.size() / 500) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(~damaged[at]);
    SnapshotDecoder decoder(test_library(), 0, 0);
    if (const auto got = decoder.decode(damaged)) {
      EXPECT_EQ(got->characters.size(), got->roster->entries.size());
    }
  }
}

TEST(CommandCodec, KeepsWhereADefinitionComesFrom) {
  const world::Command command = edited_body("human", 7);
  const auto got = decode_command(encode_command(command), *test_library());
  ASSERT_TRUE(got);
  const auto& sent = std::get<world::Spawn>(command);
  const auto& spawn = std::get<world::Spawn>(*got);
  ASSERT_TRUE(spawn.body_definition && spawn.body_definition->body);
  EXPECT_EQ(spawn.body_definition->id, sent.body_definition->id);
  EXPECT_EQ(spawn.body_definition->version, 7u);
  EXPECT_EQ(spawn.body_definition->origin, world::Origin::kSaved);
  EXPECT_EQ(spawn.body_definition->given.base(), "human");
  EXPECT_TRUE(spawn.body_definition->fixed);
}

TEST(MessageCodec, KeepsAnErrorWhole) {
  world::CommandResult result;
  result.tick = 5;
  result.error = world::CommandError{world::CommandError::Code::kNotFound, "push.link", "\"x\"",
                                     "a link", "no such link"};
  const world::CommandResult got = decode_result(encode_result(9, result));
  EXPECT_EQ(got.tick, 5u);
  ASSERT_TRUE(got.error);
  EXPECT_EQ(got.error->code, world::CommandError::Code::kNotFound);
  EXPECT_EQ(got.error->field, "push.link");
  EXPECT_EQ(got.error->value, "\"x\"");
  EXPECT_EQ(got.error->allowed, "a link");
  EXPECT_EQ(got.error->message, "no such link");
}

TEST(MessageCodec, KeepsTheSettings) {
  world::RunnerSettings settings;
  settings.room.scene = "pair";
  settings.room.seed = 1234567890123;
  settings.room.threads = 3;
  settings.start_paused = true;
  settings.sleep_after = 12.5;
  settings.journal.directory = "/somewhere";
  const world::RunnerSettings got = decode_setup(encode_setup(settings, {"/data"}, 42));
  EXPECT_EQ(got.room.scene, "pair");
  EXPECT_EQ(got.room.seed, settings.room.seed);
  EXPECT_EQ(got.room.threads, 3);
  EXPECT_TRUE(got.start_paused);
  EXPECT_EQ(got.sleep_after, 12.5);
  EXPECT_EQ(got.journal.directory, "/somewhere");
}

}  // namespace
}  // namespace promenade::isolation
