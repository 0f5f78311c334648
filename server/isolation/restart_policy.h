#pragma once

#include <chrono>

namespace promenade::isolation {

/// When a room is started again after its process has ended: the first time at once, then later and
/// later. recover_with_caution() says from which state it goes on.
class RestartPolicy {
 public:
  static constexpr std::chrono::seconds kSoon{60};  // after a start; later is no crash loop
  static constexpr std::chrono::seconds kLongestWait{30};

  /// @param lived  how long the process lived
  /// @return until the next start: 0, 1, 2, 4, ... s
  std::chrono::seconds ended(std::chrono::duration<double> lived);

 private:
  int in_a_row_ = 0;  // ends soon after the start
};

}  // namespace promenade::isolation
