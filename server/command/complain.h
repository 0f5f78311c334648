#pragma once

#include <cstdio>
#include <string>

namespace promenade::command {

/// Prints "promenade SUBCOMMAND: MESSAGE" to standard error. @return the exit code of a failure
inline int complain(const char* subcommand, const std::string& message) {
  std::fprintf(stderr, "promenade %s: %s\n", subcommand, message.c_str());
  return 1;
}

}  // namespace promenade::command
