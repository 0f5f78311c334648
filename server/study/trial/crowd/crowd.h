#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "world/library/library.h"
#include "world/room/room.h"

namespace promenade::trial {

struct CrowdRun {
  std::uint64_t hash = 0;   // of the state at the end
  double wall_seconds = 0;  // of the ticks and of `shown`
  double real_time_factor = 0;
  int falls = 0;
  int quarantines = 0;
};

/// Runs a scene as fast as the machine allows. All figures but wall_seconds depend only on the
/// library, the scene, the seed and the simulated time.
/// @param seed   0: the scene's own
/// @param shown  given a snapshot `shown_hz` times a simulated second, as a viewer would be; may be
///               empty
/// @param tick_done  given the simulated seconds so far; may be empty
CrowdRun run_crowd(std::shared_ptr<const Library> library, const std::string& scene, double seconds,
                   int threads, std::uint64_t seed,
                   const std::function<void(const world::Snapshot&)>& shown = {},
                   double shown_hz = 30, const std::function<void(double)>& tick_done = {});

}  // namespace promenade::trial
