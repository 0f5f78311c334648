#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "stream/coded/track.h"

namespace promenade::stream {

/// How much of a character is told, and how often. web/src/net/frame.ts has the same numbers.
enum class Tier : std::uint8_t {
  kNear = 0,    // all of it, in every frame
  kMiddle = 1,  // all of it, when it is not where it was expected
  kFar = 2,     // no joints: where it is, how it is turned, and the phase of its steps
  kUnseen = 3,  // the same, seldom
};
inline constexpr std::size_t kTiers = 4;
inline constexpr bool has_joints(Tier tier) { return tier <= Tier::kMiddle; }

/// Of a stride, from a left stance to the next; on the wire a step of four.
inline constexpr std::int32_t kPhasesOfStride = 256;
inline constexpr int kPhaseExponent = 2;
inline constexpr int kMaxExponent = 5;  // of quanta: 2^exponent units of a Frame

inline constexpr std::uint64_t kRootAhead = 60;   // ticks that a root's motion is continued for
inline constexpr std::uint64_t kJointsAhead = 8;  // likewise of joints

/// What was told of one character.
struct CharacterTrack {
  std::uint32_t id = 0;
  std::uint32_t dof = 0;    // of its joints
  std::uint32_t first = 0;  // their first channel
  Tier tier = Tier::kNear;
  std::uint8_t exponent = 0;
  std::uint32_t age = 0;  // frames since something was told
  TrackTimes root_times, joint_times;
  std::array<Channel, 3> position;
  RotationTrack rotation;
  Channel phase;  // not wrapped around
  std::uint32_t flags = 0, limb_contacts = 0, presence = 0;

  std::array<std::int32_t, 3> expected_position(const Ahead& ahead) const {
    return {position[0].expected(ahead), position[1].expected(ahead), position[2].expected(ahead)};
  }
  std::uint32_t expected_rotation(const Ahead& ahead) const;
  std::int32_t expected_phase(const Ahead& ahead) const {
    return phase.expected(ahead) & (kPhasesOfStride - 1);
  }
};

/// A character of a roster, as far as it matters here.
struct TrackedMember {
  std::uint32_t id = 0;
  std::uint32_t dof = 0;
};

/// What was told of all characters of a roster.
class CrowdTracks {
 public:
  void clear();
  /// Another roster: who stays keeps the track, unless the number of joints is another.
  /// @param members  by ascending ids
  void follow(std::span<const TrackedMember> members);

  std::vector<CharacterTrack>& characters() { return characters_; }
  std::span<Channel> joints_of(const CharacterTrack& track) {
    return std::span(joints_).subspan(track.first, track.dof);
  }
  std::size_t bytes() const {
    return characters_.capacity() * sizeof(CharacterTrack) + joints_.capacity() * sizeof(Channel);
  }

 private:
  std::vector<CharacterTrack> characters_, old_characters_;
  std::vector<Channel> joints_, old_joints_;
};

}  // namespace promenade::stream
