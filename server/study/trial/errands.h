#pragma once

#include "study/trial/rollout.h"

namespace promenade::trial {

/// What a long time of changing commands came to.
struct Errands {
  bool up = false;
  double seconds = 0;    // until the end or the fall
  int commands = 0;      // given
  double travelled = 0;  // m, of the COM along the ground
  double standing = 0;   // s
  int shifts = 0;        // weight gone from one foot to the other while standing
};

/// Random way-points, speeds, headings turned about, steps to the side and stops, a new one every
/// 2 to 5 s.
Errands run_errands(const Walker& walker, double seconds, std::uint64_t seed);

/// Stands for 10 to 60 s, walks for 3 to 8 s at 0.3 to 1.2 m/s, often another way than it faces,
/// stops, and so on.
Errands idle_about(const Walker& walker, double seconds, std::uint64_t seed);

}  // namespace promenade::trial
