#pragma once

#include <filesystem>
#include <vector>

namespace promenade::isolation {

/// The files that the process of a room reads besides its journal.
struct ProcessFiles {
  std::filesystem::path data_dir;  // of the library; the process loads it again
  // Where tables of gaits are looked for, and where new ones go: see control::pendulum::GaitStore.
  std::vector<std::filesystem::path> gaits_ready = {};
  std::filesystem::path gaits_kept = {};
};

}  // namespace promenade::isolation
