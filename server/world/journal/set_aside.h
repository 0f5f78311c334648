#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "world/journal/journal_set.h"

namespace promenade::world {

/// Files of rooms that no room goes on from any more, in a folder of a state directory:
///   STATE_DIR/FOLDER/ROOM-20300102T030405.678Z/ROOM.000001.journal ...
/// They keep their names, so that `promenade replay` reads them there. Waits for the disk.
class SetAside {
 public:
  /// @param folder  as in "closed"
  SetAside(const std::filesystem::path& state_directory, const std::string& folder)
      : folder_(state_directory / folder) {}

  struct Outcome {
    std::filesystem::path directory;  // where they are now; empty: there were none
    std::string error;                // of the system; empty: all went well
  };
  /// Moves all files of a room. Where one cannot be moved, it and those after it stay.
  Outcome move(const JournalSet& set) const;
  /// Gives a second name to the files of segments from `first` on: the room's own may then be
  /// removed as usual. Copies them where the file system has no hard links.
  Outcome link(const JournalSet& set, std::uint32_t first) const;

  /// Removes the oldest sets while all together are larger than `most_bytes` or more than
  /// kMostSets.
  void prune(std::uint64_t most_bytes) const;
  static constexpr std::size_t kMostSets = 100;

 private:
  Outcome make_directory(const std::string& room) const;
  const std::filesystem::path folder_;
};

/// The time, UTC, as it stands in the names of files: "20300102T030405.678Z"; sorts by age.
std::string time_for_names();

/// A second name for a file, or a copy where the file system has no hard links. @return errno
int link_or_copy(const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace promenade::world
