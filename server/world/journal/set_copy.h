#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "schema/error.h"
#include "world/journal/journal_set.h"

namespace promenade::world {

/// Where a room goes on that is recovered from a copy of its files.
struct CopiedRoom {
  std::string version;  // of the program that wrote them
  std::string scene;
  std::uint64_t tick = 0;  // of the last hash in them
  /// Hash of the recovered room at that tick, 16 hexadecimal digits; empty: not known, since the
  /// room is at its scene's start, or commands came after the last hash and before the next tick.
  std::string state_hash;
};

/// Copies what a room needs to go on into another directory: its newest segment up to the last
/// whole line, and the states in it. A server may be writing them meanwhile. The copies are on the
/// disk when it returns.
/// @return the error, with file, of what could not be read or written
schema::Result<CopiedRoom> copy_room(const JournalSet& from, const std::filesystem::path& to);

}  // namespace promenade::world
