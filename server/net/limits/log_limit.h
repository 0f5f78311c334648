#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

#include "net/limits/token_bucket.h"
#include "net/types.h"

namespace promenade::net {

/// Bounds the lines of a log that visitors can cause, so that nobody fills a disk. Each kind of
/// line has a rate of its own; lines left out are counted, and told with the next line of that
/// kind. Any thread.
class LogLimit {
 public:
  /// @param per_second, at_once  lines of each kind
  explicit LogLimit(double per_second = 1, double at_once = 10)
      : per_second_(per_second), at_once_(at_once) {}

  /// @param kind  one of few: "full", "stalled"
  /// @return whether the line may be written, and how many were left out since the last
  struct Verdict {
    bool write = false;
    std::uint64_t left_out = 0;
  };
  Verdict ask(std::string_view kind, Clock::time_point now);
  /// Writes `text` as info, if it may.
  void info(std::string_view kind, const std::string& text);
  void warn(std::string_view kind, const std::string& text);

 private:
  struct State {
    TokenBucket bucket;
    std::uint64_t left_out = 0;
  };
  const double per_second_, at_once_;
  std::mutex mutex_;
  std::map<std::string, State, std::less<>> kinds_;
};

}  // namespace promenade::net
