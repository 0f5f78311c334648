#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

namespace promenade::isolation {

/// The files of a process; its standard input is /dev/null, and others of this process are closed.
struct SpawnFiles {
  int at_3 = -1;        // descriptor that it finds at 3; -1: none
  std::string errors;   // file that gets its standard error, anew; empty: that of this process
  bool silent = false;  // its standard output is thrown away; else it goes where its errors go
};

/// Starts this program once more. @param arguments  without its name. Throws std::system_error.
pid_t spawn_self(std::vector<std::string> arguments, const SpawnFiles& files);

/// How a child process ended, as in "killed by signal 11 (Segmentation fault)"; nothing while it
/// runs. It is waited for, so that nothing is left of it.
std::optional<std::string> end_of(pid_t process);

}  // namespace promenade::isolation
