#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "net/limits/log_limit.h"

namespace promenade::service {

using LogFields = std::vector<std::pair<const char*, std::string>>;

/// `join visitor="3f2a" room="main"`: one line whatever the values hold. Values are quoted, cut to
/// 120 bytes, and what is not printable ASCII in them is escaped, so that nobody can forge a line.
std::string log_text(std::string_view kind, const LogFields& fields);

/// Writes what visitors do to the log: of each kind a few lines a second at most; the next line
/// tells how many were left out. Any thread.
class EventLog {
 public:
  void note(const char* kind, const LogFields& fields);

 private:
  net::LogLimit limit_{5, 50};
};

}  // namespace promenade::service
