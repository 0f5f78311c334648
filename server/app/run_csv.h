#pragma once

#include <filesystem>
#include <fstream>
#include <string>

#include "world/showing/snapshot.h"

namespace promenade::app {

/// Writes a run as tables for plots: one of characters, one of things. World frame.
class RunCsv {
 public:
  /// Opens the files and writes their heads. An empty path: no such table.
  /// @return false where a file cannot be written
  bool open(const std::filesystem::path& characters, const std::filesystem::path& things);
  bool wanted() const { return characters_.is_open() || things_.is_open(); }
  /// Adds a row for each character and each thing.
  /// @param tick_seconds  s of simulated time between two ticks
  void write(const world::Snapshot& snapshot, double tick_seconds);
  /// Whether all that was written has reached the files.
  bool good();
  /// The error message where open() or good() are false.
  std::string cannot_write() const;

 private:
  void write_characters(const world::Snapshot& snapshot, double time);
  void write_things(const world::Snapshot& snapshot, double time);

  std::ofstream characters_, things_;
  std::filesystem::path paths_[2];
};

}  // namespace promenade::app
