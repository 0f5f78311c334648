#pragma once

#include "study/trial/rig/rollout.h"

namespace promenade::trial {

/// The result of a long rollout with changing commands.
struct Errands {
  bool up = false;
  double seconds = 0;    // until the end or the fall
  int commands = 0;      // given
  double travelled = 0;  // m, of the COM along the ground
  double standing = 0;   // s
  int shifts = 0;        // weight gone from one foot to the other while standing
};

/// Gives random commands, a new one every 2 to 5 s: way-points, speeds, turns about, steps to the
/// side, stops.
Errands run_errands(const Walker& walker, double seconds, std::uint64_t seed);

/// Stands for 10 to 60 s, walks for 3 to 8 s at 0.3 to 1.2 m/s, often another way than it faces,
/// stops, and so on.
Errands idle_about(const Walker& walker, double seconds, std::uint64_t seed);

/// A velocity of -0.8 to 1.8 m/s forward and 0.5 m/s to either side, and any heading: other ones
/// every 0.3 s, before the last could be obeyed.
Errands storm(const Walker& walker, double seconds, std::uint64_t seed);

}  // namespace promenade::trial
