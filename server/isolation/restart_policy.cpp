#include "isolation/restart_policy.h"

#include <algorithm>

namespace promenade::isolation {

std::chrono::seconds RestartPolicy::ended(std::chrono::duration<double> lived) {
  in_a_row_ = lived < kSoon ? in_a_row_ + 1 : 1;
  const int doublings = std::min(in_a_row_ - 2, 10);
  if (doublings < 0) return std::chrono::seconds(0);
  return std::min(kLongestWait, std::chrono::seconds(1 << doublings));
}

}  // namespace promenade::isolation
