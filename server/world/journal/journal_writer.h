#pragma once

#include <cstdint>
#include <filesystem>

#include "world/journal/durable_file.h"
#include "world/journal/journal.h"

namespace promenade::world {

/// Writes the journal of a run that has no clock to keep to: each line when it is added. A line
/// that cannot be written is lost and counted, and the last mark says so. Rooms of a server keep
/// theirs with RoomJournal.
class JournalWriter {
 public:
  /// Creates or replaces the file and writes the header. Throws RoomError if it cannot.
  /// @param start  the state that the run goes on from, which is written beside the journal; null:
  ///               it starts from the scene
  JournalWriter(const std::filesystem::path& path, const RoomSettings& settings,
                std::uint64_t data_digest, const v1::Checkpoint* start = nullptr);
  void add(std::uint64_t tick, const Command& command);
  void mark(std::uint64_t tick, std::uint64_t hash);
  /// Writes the end mark: the last line.
  void close(std::uint64_t tick, std::uint64_t hash);
  std::uint64_t lost() const { return lost_; }

 private:
  LineFile file_;
  std::uint64_t lost_ = 0;
};

}  // namespace promenade::world
