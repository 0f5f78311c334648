// Messages whose bytes are committed, so that the page's tests decode exactly what the server
// sends. After a change of the protocol: PROMENADE_UPDATE_GOLDEN=1 stream_test
// --gtest_filter=Golden.*
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "promenade/v1/wire.pb.h"
#include "stream/coded/frame_coder.h"
#include "stream/coded/frame_decoder.h"
#include "stream/details.h"
#include "stream/frame.h"
#include "stream/quantize.h"
#include "stream/roster.h"
#include "stream/wire_writer.h"
#include "support/coded_sequence.h"
#include "support/sample_snapshot.h"

namespace promenade::stream {
namespace {

void expect_golden(const std::string& name, const std::string& content) {
  const auto path = std::filesystem::path(PROMENADE_GOLDEN_DIR) / name;
  if (std::getenv("PROMENADE_UPDATE_GOLDEN")) {
    std::ofstream(path, std::ios::binary) << content;
    return;
  }
  std::ifstream file(path, std::ios::binary);
  ASSERT_TRUE(file) << path << " is missing";
  const std::string golden((std::istreambuf_iterator<char>(file)),
                           std::istreambuf_iterator<char>());
  EXPECT_TRUE(golden == content) << name << " has " << golden.size() << " bytes, now "
                                 << content.size() << ", or other ones";
}

// The numbers that the messages were made from, for the other side to compare with.
std::string truth(const world::Snapshot& snapshot) {
  std::ostringstream out;
  out.precision(9);
  out << "{\n  \"tick\": " << snapshot.tick
      << ",\n  \"server_time_us\": " << snapshot.server_time_us
      << ",\n  \"real_time_factor\": " << snapshot.real_time_factor
      << ",\n  \"time_scale\": " << snapshot.time_scale
      << ",\n  \"roster_version\": " << snapshot.roster->version
      << ",\n  \"viewers\": 2,\n  \"dropped\": 300"
      << ",\n  \"position_unit_m\": " << kPositionUnit << ",\n  \"angle_unit_rad\": " << kAngleUnit
      << ",\n  \"max_rotation_error_rad\": " << kMaxRotationError << ",\n  \"characters\": [\n";
  for (std::size_t i = 0; i < snapshot.characters.size(); ++i) {
    const world::CharacterSnapshot& c = snapshot.characters[i];
    const Quat& q = c.root.rotation;
    out << "    {\"id\": " << c.id << ", \"flags\": " << c.flags << ", \"position_m\": ["
        << c.root.position.x() << ", " << c.root.position.y() << ", " << c.root.position.z()
        << "], \"rotation_xyzw\": [" << q.x() << ", " << q.y() << ", " << q.z() << ", " << q.w()
        << "]}" << (i + 1 < snapshot.characters.size() ? ",\n" : "\n");
  }
  out << "  ],\n  \"joint_rad\": [";
  for (std::size_t i = 0; i < snapshot.coordinates.size(); ++i) {
    out << (i ? ", " : "") << snapshot.coordinates[i];
  }
  out << "]\n}\n";
  return out.str();
}

TEST(Golden, FramesHaveTheBytesThatThePageIsTestedWith) {
  const world::Snapshot snapshot = testing::sample_snapshot();
  const std::string frame = FrameEncoder().encode(snapshot, 2);
  expect_golden("frame.bin", frame);
  expect_golden("frame_dropped.bin", frame + frame_tail(300));
  expect_golden("frame.json", truth(snapshot));
}

TEST(Golden, RostersHaveTheBytesThatThePageIsTestedWith) {
  const auto before = testing::sample_snapshot().roster;
  expect_golden("roster.bin", encode_roster(*before));
  // The second has gone, the third has another colour, and somebody is new.
  world::Roster after = *before;
  after.version = 9;
  after.entries.erase(after.entries.begin() + 1);
  after.entries[1].color = "#123456";
  after.entries.push_back({15, 0, "march", "", "gbwc", 3, before->entries[1].body_definition});
  expect_golden("roster_change.bin", encode_roster_change(*before, after));
  const world::CreatureDefinition& body = *before->entries[1].body_definition;
  expect_golden("body.bin", encode_body(body.id, &body));
}

TEST(Golden, DetailsHaveTheBytesThatThePageIsTestedWith) {
  expect_golden("details.bin", encode_details(testing::sample_snapshot(),
                                              std::array<world::CharacterId, 2>{2, 12}));
}

// One number for many, FNV-1a over 32 bits of each.
template <typename Numbers>
std::string digest(const Numbers& numbers) {
  std::uint32_t out = 2166136261u;
  for (const auto number : numbers) out = (out ^ static_cast<std::uint32_t>(number)) * 16777619u;
  return std::to_string(out);
}

// Digests of each array that a coded frame stands for.
std::string digests(const v1::Frame& frame, const CodedFrameDecoder& decoder) {
  return "{\"position\": " + digest(frame.root_position()) +
         ", \"rotation\": " + digest(frame.root_rotation()) +
         ", \"joint\": " + digest(frame.joint()) + ", \"flags\": " + digest(frame.flags()) +
         ", \"limb_contacts\": " + digest(frame.limb_contacts()) +
         ", \"presence\": " + digest(frame.presence()) + ", \"tiers\": " + digest(decoder.tiers()) +
         ", \"phases\": " + digest(decoder.phases()) + "}";
}

std::string member_list(const std::vector<TrackedMember>& members) {
  std::string out;
  for (const TrackedMember& one : members) {
    out += (out.empty() ? "[[" : ", [") + std::to_string(one.id) + ", " + std::to_string(one.dof) +
           "]";
  }
  return out + "]";
}

// A coded stream, each frame after its length as a varint; in JSON its rosters, and digests of what
// each frame stands for.
TEST(Golden, CodedFramesHaveTheBytesThatThePageIsTestedWith) {
  const testing::CodedSequence sequence;
  CodedFrameEncoder encoder;
  CodedFrameDecoder decoder;
  std::string coded, rosters, frames;
  std::uint64_t version = 0;
  for (int i = 0; i < testing::CodedSequence::kFrames; ++i) {
    const auto snapshot = sequence.snapshot(i);
    encoder.look(testing::CodedSequence::view(i));
    const std::string bytes = coded_frame(*snapshot, 2, 7, encoder.encode(CrowdNow(*snapshot), {}));
    put_varint(coded, bytes.size());
    coded += bytes;
    if (snapshot->roster->version != version) {
      version = snapshot->roster->version;
      const auto members = testing::CodedSequence::members(*snapshot->roster);
      decoder.follow(members);
      rosters += (rosters.empty() ? "" : ",\n    ") + member_list(members);
    }
    v1::ServerMessage message;
    ASSERT_TRUE(message.ParseFromString(bytes));
    ASSERT_TRUE(decoder.decode(*message.mutable_frame()));
    frames += (i > 0 ? ",\n    " : "") + digests(message.frame(), decoder);
  }
  expect_golden("coded.bin", coded);
  expect_golden("coded.json", "{\n  \"rosters\": [\n    " + rosters +
                                  "\n  ],\n  \"frames\": [\n    " + frames + "\n  ]\n}\n");
}

}  // namespace
}  // namespace promenade::stream
