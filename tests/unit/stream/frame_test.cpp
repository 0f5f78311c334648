#include "stream/frame.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <memory>
#include <random>
#include <utility>

#include "promenade/v1/wire.pb.h"
#include "stream/quantize.h"
#include "stream/scene.h"
#include "support/sample_snapshot.h"

namespace promenade::stream {
namespace {

v1::ServerMessage parse(const std::string& bytes) {
  v1::ServerMessage message;
  EXPECT_TRUE(message.ParseFromString(bytes));
  EXPECT_TRUE(message.GetReflection()->GetUnknownFields(message).empty());
  return message;
}

// A crowd as it walks: 31 joint coordinates, few of them large.
world::Snapshot crowd(int count) {
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  world::Snapshot snapshot = testing::sample_snapshot();
  snapshot.characters.clear();
  snapshot.coordinates.clear();
  auto roster = std::make_shared<world::Roster>(*snapshot.roster);
  roster->entries.clear();
  for (int i = 0; i < count; ++i) {
    world::CharacterSnapshot character;
    character.id = static_cast<world::CharacterId>(i + 1);
    character.root.position = Vec3(20 * normal(random), 20 * normal(random), 0.95);
    character.root.rotation = rotation_z(normal(random)) * rotation_y(0.1 * normal(random));
    character.flags = world::kFlagLeftStance | world::kFlagRightContact;
    snapshot.characters.push_back(character);
    roster->entries.push_back({character.id, 0, "normal", "#c0ffee"});
    for (int k = 0; k < 31; ++k) {
      snapshot.coordinates.push_back(static_cast<float>(0.25 * normal(random)));
    }
  }
  snapshot.roster = std::move(roster);
  return snapshot;
}

TEST(Frame, ComesBackWithinHalfAUnit) {
  const world::Snapshot snapshot = testing::sample_snapshot();
  const v1::ServerMessage message = parse(FrameEncoder().encode(snapshot, 5));
  ASSERT_TRUE(message.has_frame());
  const v1::Frame& frame = message.frame();
  EXPECT_EQ(frame.tick(), snapshot.tick);
  EXPECT_EQ(frame.server_time_us(), snapshot.server_time_us);
  EXPECT_FLOAT_EQ(frame.real_time_factor(), 0.75f);
  EXPECT_EQ(frame.roster_version(), 7u);
  EXPECT_FALSE(frame.paused());
  EXPECT_FLOAT_EQ(frame.time_scale(), 2);
  EXPECT_EQ(frame.viewers(), 5u);
  EXPECT_EQ(frame.dropped(), 0u);
  ASSERT_EQ(frame.root_position_size(), 9);
  ASSERT_EQ(frame.root_rotation_size(), 3);
  ASSERT_EQ(frame.flags_size(), 3);
  for (int i = 0; i < 3; ++i) {
    const world::CharacterSnapshot& truth = snapshot.characters[static_cast<std::size_t>(i)];
    for (int axis = 0; axis < 3; ++axis) {
      EXPECT_NEAR(frame.root_position(3 * i + axis) * kPositionUnit, truth.root.position[axis],
                  kPositionUnit / 2 + 1e-9);
    }
    EXPECT_LT(truth.root.rotation.angularDistance(unpack_rotation(frame.root_rotation(i))),
              kMaxRotationError);
    EXPECT_EQ(frame.flags(i), truth.flags);
  }
  ASSERT_EQ(frame.joint_size(), 9);
  for (int i = 0; i < 9; ++i) {
    EXPECT_NEAR(frame.joint(i) * kAngleUnit, snapshot.coordinates[static_cast<std::size_t>(i)],
                kAngleUnit / 2 + 1e-6);
  }
}

TEST(Frame, TellsHowMuchThereIsToSeeOnlyWhereItIsNotAll) {
  world::Snapshot snapshot = testing::sample_snapshot();
  EXPECT_EQ(parse(FrameEncoder().encode(snapshot, 0)).frame().presence_size(), 0);
  snapshot.characters[1].presence = 100;
  const v1::ServerMessage message = parse(FrameEncoder().encode(snapshot, 0));
  ASSERT_EQ(message.frame().presence_size(), 3);
  EXPECT_EQ(message.frame().presence(0), 255u);
  EXPECT_EQ(message.frame().presence(1), 100u);
}

TEST(Frame, OfNobodyIsStillAFrame) {
  world::Snapshot snapshot;
  snapshot.roster = std::make_shared<world::Roster>();
  snapshot.time_scale = 0;
  EXPECT_TRUE(parse(FrameEncoder().encode(snapshot, 0)).has_frame());
}

TEST(Frame, TellsThatTheRoomIsPaused) {
  world::Snapshot snapshot = testing::sample_snapshot();
  snapshot.paused = true;
  EXPECT_TRUE(parse(FrameEncoder().encode(snapshot, 0)).frame().paused());
}

TEST(Frame, CarriesNumbersThatAreNotFiniteAsZero) {
  world::Snapshot snapshot = testing::sample_snapshot();
  snapshot.characters[0].root.position.x() = std::nan("");
  snapshot.characters[0].root.rotation.x() = INFINITY;
  snapshot.coordinates[0] = -INFINITY;
  const v1::ServerMessage message = parse(FrameEncoder().encode(snapshot, 0));
  EXPECT_EQ(message.frame().root_position(0), 0);
  EXPECT_EQ(message.frame().joint(0), 0);
  EXPECT_TRUE(unpack_rotation(message.frame().root_rotation(0)).isApprox(Quat::Identity()));
}

TEST(Frame, TakesNoMoreThan64BytesACharacter) {
  const std::string bytes = FrameEncoder().encode(crowd(200), 1);
  const double each = static_cast<double>(bytes.size()) / 200;
  RecordProperty("bytes_per_character", std::to_string(each));
  EXPECT_LE(each, 64);
}

TEST(Frame, IsTheSameFromAnEncoderThatWasUsedBefore) {
  FrameEncoder encoder;
  encoder.encode(crowd(50), 1);
  EXPECT_EQ(encoder.encode(testing::sample_snapshot(), 2),
            FrameEncoder().encode(testing::sample_snapshot(), 2));
}

TEST(FrameTail, AddsTheViewersOwnCountToTheSharedBytes) {
  const std::string shared = FrameEncoder().encode(testing::sample_snapshot(), 2);
  const v1::ServerMessage message = parse(shared + frame_tail(300));
  EXPECT_EQ(message.frame().dropped(), 300u);
  EXPECT_EQ(message.frame().tick(), 123456789u) << "the rest must stay";
  EXPECT_EQ(message.frame().root_position_size(), 9);
  EXPECT_TRUE(frame_tail(0).empty());
}

TEST(SceneInfo, SaysTheUnitsOfFrames) {
  SceneContent content;
  content.scene.set_name("sample");
  const v1::SceneInfo info = parse(encode_scene(content, 9)).scene();
  EXPECT_EQ(info.epoch(), 9u);
  EXPECT_EQ(info.position_unit_m(), kPositionUnit);
  EXPECT_EQ(info.angle_unit_rad(), kAngleUnit);
  EXPECT_EQ(info.scene().name(), "sample");
}

}  // namespace
}  // namespace promenade::stream
