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

#include "stream/details.h"
#include "stream/frame.h"
#include "stream/quantize.h"
#include "stream/roster.h"
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

}  // namespace
}  // namespace promenade::stream
