#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "world/journal/journal_set.h"

namespace promenade::world {

/// Starts of a room, one after the other, that came to nothing: the process ended before the room
/// had recorded a line, gone on for kSteady, or been closed. Kept in ROOM.starts, with the place
/// in the journal from which the first of them went; the state there has a second name,
/// ROOM.first.checkpoint, since the journal may remove its own.
struct StartCount {
  /// s for which a room has to go on for its start to be a good one, whatever it records.
  static constexpr double kSteady = 10;

  int starts = 1;             // with the one under way
  std::uint32_t segment = 0;  // of the first one's place; 0: there was no journal
  std::uint64_t offset = 0;
  std::uint64_t seed = 0;  // of the place, where that is the scene's start; else 0
  std::uint32_t next = 1;  // number from which on segments are of the latest start
};

/// The count of the starts before this one. Nothing: the last one was a good one, or nothing is
/// known of it.
std::optional<StartCount> read_starts(const JournalSet& set);
/// Keeps the count on the disk. @return errno
int write_starts(const JournalSet& set, const StartCount& count);
/// The start was a good one. Waits for the disk, and does nothing where nothing is to be done.
void forget_starts(const JournalSet& set);

/// The second name of the state of the first start's place.
std::filesystem::path first_state_path(const JournalSet& set);

}  // namespace promenade::world
