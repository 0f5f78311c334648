#pragma once

#include <memory>
#include <string>
#include <vector>

#include "world/journal/room_journal.h"
#include "world/room/room.h"

namespace promenade::world {

/// A room as its journal set left it.
struct Recovered {
  std::unique_ptr<Room> room;           // never null
  bool goes_on = false;                 // false: it is at its scene's start
  RoomJournal::Start start = {};        // of the segment that is to begin now
  std::vector<std::string> notes = {};  // for a log; nothing to worry about
  /// For a log: what was recorded that could not be gone on from, and why.
  std::vector<std::string> losses = {};
  /// The part of the journal left out because earlier starts came to nothing; empty: nothing.
  std::string left_out = {};
};

/// Makes a room and takes it to where it was when the process before this one ended, however that
/// was: the newest state that can be restored, and the lines after it. Where no state fits (another
/// version of the program or of its data, other settings of the room) the room starts from its
/// scene, and the losses say why; no file is changed. Throws RoomError as Room does.
Recovered recover(const std::shared_ptr<const Library>& library, const RoomSettings& settings,
                  const JournalSettings& journal);

/// The same for a process that the room may crash: counts its starts (StartCount). If two in a row
/// came to nothing, the third leaves out the lines after the state that the first of them went
/// from, the fourth that state, too, and later ones all but the scene. The files left out are set
/// aside in the folder `left-out` of the state directory. The caller says by start_went_well() when
/// the room has gone on for StartCount::kSteady or was closed in order.
Recovered recover_with_caution(const std::shared_ptr<const Library>& library,
                               const RoomSettings& settings, const JournalSettings& journal);
/// Waits for the disk.
void start_went_well(const JournalSettings& journal);

}  // namespace promenade::world
