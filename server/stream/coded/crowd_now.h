#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "world/snapshot.h"

namespace promenade::stream {

/// The root of a character as it is now, in the units of a Frame.
struct RootNow {
  std::array<std::int32_t, 3> position;
  std::uint32_t rotation;  // packed
  std::int32_t phase;      // of kPhasesOfStride
};

/// The characters of a snapshot in the units of a Frame, for the encoders of all viewers: of each
/// that somebody is to be told of, once, by whichever encoder needs it first. Any thread.
class CrowdNow {
 public:
  /// @param snapshot  which outlives this
  explicit CrowdNow(const world::Snapshot& snapshot);

  const world::Snapshot& snapshot() const { return snapshot_; }
  RootNow root(std::size_t index) const;
  /// [coordinates of its body's joints]
  /// @param own  where they are put while another thread is at the same; else not touched
  std::span<const std::int32_t> joints(std::size_t index, std::vector<std::int32_t>& own) const;

 private:
  enum State : std::uint8_t { kNone, kBusy, kThere };
  struct States {
    std::atomic<std::uint8_t> root{kNone}, joints{kNone};
  };
  RootNow make_root(std::size_t index) const;
  void make_joints(std::size_t index, std::span<std::int32_t> out) const;

  const world::Snapshot& snapshot_;
  const std::unique_ptr<States[]> states_;  // [characters]
  // Not filled in before they are needed.
  const std::unique_ptr<RootNow[]> roots_;        // [characters]
  const std::unique_ptr<std::int32_t[]> joints_;  // [Snapshot::coordinates]
};

}  // namespace promenade::stream
