#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>

#include "world/library/library.h"

namespace promenade::trial {

struct DancersRun {
  double seconds = 0;
  int dancers = 0;
  int falls = 0, quarantines = 0;
  int bumps = 0;        // times that a dancer came to touch another
  double touching = 0;  // mean share of time in which a dancer lists a contact with another one
};

/// The library of a data directory with `count` more bodies, "dancer01" ..., each a random edit of
/// the human (random_edit), and a scene "random-dancers" in which all of them cross a circle of
/// `radius` m at once, again and again, as in the scene "dancers".
/// Throws std::runtime_error where it cannot be made.
std::shared_ptr<const Library> with_random_dancers(const std::filesystem::path& data_dir, int count,
                                                   double radius, std::uint64_t seed);

/// Runs a scene on one thread and counts contacts between dancers.
DancersRun run_dancers(const std::shared_ptr<const Library>& library, const std::string& scene,
                       double seconds, std::uint64_t seed);

}  // namespace promenade::trial
