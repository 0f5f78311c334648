#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "world/journal/journal.h"
#include "world/room/room.h"

namespace promenade::world {

/// How a room went through the lines of a journal.
struct Walk {
  std::size_t marks = 0;               // compared
  bool equal = true;                   // every mark's hash came out again
  std::uint64_t first_difference = 0;  // tick of the first mark that did not
  std::string refused;                 // a recorded command that is refused now; empty: none
};

using WalkProgress = std::function<void(std::uint64_t tick, std::uint64_t end)>;

/// Takes a room, in the state that the lines start from, through the lines to the last one's tick.
/// @param most_marks  ends at that mark
/// @param progress  called now and then; may be empty
Walk walk(Room& room, const Journal& journal, const WalkProgress& progress = {},
          std::size_t most_marks = ~std::size_t{0});

/// The result of replaying journals.
struct ReplayResult {
  std::uint64_t ticks = 0;  // the number of the last
  std::uint64_t hash = 0;   // at the end
  std::size_t commands = 0;
  std::size_t marks_checked = 0;
  std::size_t boundaries_checked = 0;  // between a segment and the one that continues it
  bool equal = true;                   // every hash came out again
  std::string difference;  // where the first did not: "tick 60 of FILE"; empty where all did
  std::string error;       // a recorded command that is refused now; empty: none
  std::vector<std::string> notes;  // for people: what is not whole, and what begins anew
};

/// Replays journals one after another: a single file, or segments of a set in their order. Each
/// takes over the room of the one before it where it continues that, else begins with its own
/// state. Throws RoomError.
/// @param progress  called now and then with how much is done, 0 to 1; may be empty
/// @return the error of a file that cannot be read, or whose state is not there
schema::Result<ReplayResult> replay(std::span<const std::filesystem::path> files,
                                    std::shared_ptr<const Library> library, int threads,
                                    const std::function<void(double)>& progress = {});

}  // namespace promenade::world
