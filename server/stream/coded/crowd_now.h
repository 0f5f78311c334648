#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "stream/coded/crowd_tracks.h"
#include "world/showing/snapshot.h"

namespace promenade::stream {

/// The root of a character as it is now, in the units of a Frame.
struct RootNow {
  RootLanes lanes{};
  std::uint8_t omitted = 3;  // of the rotation
};

/// Places of all characters, m, world frame.
struct PlacesNow {
  std::vector<float> x, y, z;  // [characters]
};

/// The state of each character that each frame needs.
struct StateNow {
  world::CharacterId id = 0;
  std::uint32_t flags = 0, presence = 0;
};

/// The characters of a snapshot in the units of a Frame, for the encoders of all viewers: of each
/// that somebody is to be told of, once, by whichever encoder needs it first. Any thread.
class CrowdNow {
 public:
  /// @param snapshot  which outlives this
  explicit CrowdNow(const world::Snapshot& snapshot);

  const world::Snapshot& snapshot() const { return snapshot_; }
  const PlacesNow& places() const { return places_; }
  const StateNow& state(std::size_t index) const { return states_[index]; }
  /// The characters of the roster.
  std::span<const TrackedMember> members() const;
  /// @param own  where it is put while another thread is at the same; else not touched
  const RootNow& root(std::size_t index, RootNow& own) const;
  /// [lanes_of(coordinates of its body's joints)], 0 behind these. @param own  as for root()
  const std::int32_t* joints(std::size_t index, std::vector<std::int32_t>& own) const;

 private:
  enum Progress : std::uint8_t { kNone, kBusy, kThere };
  struct Made {
    std::atomic<std::uint8_t> root{kNone}, joints{kNone};
  };
  void make_root(std::size_t index, RootNow& out) const;
  void make_joints(std::size_t index, std::size_t count, std::int32_t* out) const;

  const world::Snapshot& snapshot_;
  PlacesNow places_;
  std::vector<StateNow> states_;
  const std::unique_ptr<Made[]> made_;  // [characters]
  // These are not filled in before they are needed.
  const std::unique_ptr<RootNow[]> roots_;        // [characters]
  const std::unique_ptr<std::int32_t[]> joints_;  // [Snapshot::coordinates, and kLanes for each]
  mutable std::once_flag listed_;
  mutable std::vector<TrackedMember> members_;
};

}  // namespace promenade::stream
