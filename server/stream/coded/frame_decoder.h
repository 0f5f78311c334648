#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "promenade/v1/wire.pb.h"
#include "stream/coded/crowd_code.h"
#include "stream/coded/crowd_tracks.h"

namespace promenade::stream {

/// Coded frames back to what they stand for. The page has its own in web/src/net/coded; this one
/// is for clients in C++ and for tests.
class CodedFrameDecoder {
 public:
  /// The characters and the numbers of their joints, from the roster that the frame names.
  void follow(std::vector<TrackedMember> members);
  /// Puts the characters into the frame as if it had come whole.
  /// @return false: the frame cannot be read, as it is damaged or an earlier one is missing; no
  /// frame can until one that needs no earlier one
  bool decode(v1::Frame& frame);

  /// [characters] of the last frame that could be read.
  const std::vector<Tier>& tiers() const { return tier_; }
  const std::vector<std::uint8_t>& phases() const { return phase_; }  // of kPhasesOfStride
  /// Whether something was told of it in that frame.
  const std::vector<bool>& told() const { return told_; }

 private:
  bool read(std::string_view coded, std::uint64_t tick);
  void write(v1::Frame& frame);

  std::vector<TrackedMember> members_;
  bool followed_ = false;  // tracks_ are those of members_
  bool lost_ = true;       // until the next frame that needs no earlier one
  std::uint8_t sequence_ = 0;
  CrowdModels models_;
  std::vector<std::int32_t> memory_;
  CrowdTracks tracks_;
  std::vector<Tier> tier_;
  std::vector<std::uint8_t> phase_;
  std::vector<bool> told_;
};

}  // namespace promenade::stream
