#pragma once

namespace promenade::command {

/// Opens /dev/null as standard input, output or error if the parent of this program closed it.
/// Otherwise the next file that is opened gets the free number, and text that is printed goes
/// into that file: a lock, a journal, the store. To be called before anything is opened.
/// @return false if one is closed and cannot be opened
bool open_standard_files();

}  // namespace promenade::command
