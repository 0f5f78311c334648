#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "world/command.h"
#include "world/snapshot.h"

namespace promenade {
class Library;
}

namespace promenade::world {

struct RoomSettings {
  std::string scene = "square";
  std::uint64_t seed = 0;   // 0: the scene's own
  int threads = 1;          // workers that step islands; no effect on results
  int substeps = 8;         // physics steps a tick
  int ticks_per_second = 60;
};

/// A world of bipeds, stepped tick by tick on the caller's thread (RoomRunner owns a thread for it).
/// Same binary, settings and commands at the same ticks: same state hash, whatever the threads.
class Room {
 public:
  Room(std::shared_ptr<const Library> library, const RoomSettings& settings);
  ~Room();

  /// Applies a command now, before the next tick, and journals it. Nothing changes on error.
  CommandResult apply(const Command& command);
  /// Advances one tick. @return events of that tick
  std::vector<RoomEvent> tick();
  std::uint64_t tick_count() const;
  double tick_seconds() const;
  bool paused() const;
  double time_scale() const;
  std::shared_ptr<const Snapshot> snapshot() const;
  std::uint64_t state_hash() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace promenade::world
