#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "stream/coded/channels.h"

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

/// Phases of a stride, from a left stance to the next; on the wire a step of four.
inline constexpr std::int32_t kPhasesOfStride = 256;
inline constexpr int kPhaseExponent = 2;
inline constexpr int kMaxExponent = 5;  // the greatest of quanta: 2^exponent units of a Frame

inline constexpr std::uint64_t kRootAhead = 60;   // ticks that a root's motion is continued for
inline constexpr std::uint64_t kJointsAhead = 8;  // ticks that a joint's motion is continued for

/// Numbers of a root, in the units of a Frame: x, y, z; the rotation's parts x, y, z, w as in
/// pack_rotation(), of which the greatest is left out; the phase.
using RootLanes = std::array<std::int32_t, kLanes>;
inline constexpr std::size_t kRotationLane = 3, kPhaseLane = 7;
inline constexpr std::int32_t kHalfRotation = 511;  // the greatest of a rotation's parts

/// Numbers as pack_rotation() gives them, with 0 for what is left out.
void unpack_parts(std::uint32_t packed, RootLanes& lanes);
/// The parts packed as by pack_rotation(). @param omitted  which is left out, from 0
std::uint32_t packed_parts(const RootLanes& lanes, std::uint32_t omitted);

/// The last told state of one character.
struct CharacterTrack {
  std::uint32_t id = 0;
  std::uint32_t dof = 0;  // of its joints
  std::size_t first = 0;  // its root's block, with that of its joints behind
  Tier tier = Tier::kNear;
  std::uint8_t exponent = 0;
  std::uint8_t omitted = 3;  // of the rotation: 0 x, 1 y, 2 z, 3 w
  std::uint32_t age = 0;     // frames since something was told
  TrackTimes root_times, joint_times;
  std::uint32_t flags = 0, limb_contacts = 0, presence = 0;
};

/// A character of a roster, as far as it matters here.
struct TrackedMember {
  std::uint32_t id = 0;
  std::uint32_t dof = 0;
};

/// The last told states of all characters of a roster.
class CrowdTracks {
 public:
  void clear();
  /// Another roster: characters that stay keep their track, unless their number of joints changes.
  /// @param members  by ascending ids
  void follow(std::span<const TrackedMember> members);

  std::vector<CharacterTrack>& characters() { return characters_; }
  /// Blocks of rows (channels.h) of kLanes and of lanes_of(dof) lanes.
  std::int32_t* root_of(const CharacterTrack& track) { return channels_.data() + track.first; }
  std::int32_t* joints_of(const CharacterTrack& track) {
    return channels_.data() + track.first + block_size(kLanes);
  }
  /// Leaves out another part of a rotation from now on; earlier values get the sign that it asks
  /// for.
  void omit(CharacterTrack& track, std::uint32_t other);
  /// Computes the part that is left out from the others that were learnt last.
  void complete(const CharacterTrack& track);
  /// Codes in quanta that are 2^change times as large from now on.
  void rescale(const CharacterTrack& track, int change);
  /// Begins the means of a group of channels whose first values have been told.
  static void begin_means(std::int32_t* block, std::size_t lanes, std::int16_t mean = kFirstMean);

  std::size_t bytes() const {
    return characters_.capacity() * sizeof(CharacterTrack) +
           channels_.capacity() * sizeof(channels_[0]);
  }

 private:
  static std::size_t size_of(std::uint32_t dof) {
    return block_size(kLanes) + block_size(lanes_of(dof));
  }
  CharacterTrack made(const TrackedMember& member);
  void forget(const CharacterTrack& track);

  std::vector<CharacterTrack> characters_, new_characters_;
  std::vector<std::int32_t> channels_;
  // Blocks that nobody has, by their size in groups of lanes.
  std::vector<std::vector<std::size_t>> free_;
};

}  // namespace promenade::stream
