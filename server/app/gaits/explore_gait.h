#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "world/library/library.h"

namespace promenade::app {

/// Options of the looks about a gait: variations of it, and its landscape.
struct ExploreFlags {
  std::filesystem::path variations_of, landscape_of, body, report;  // empty: not given
  std::uint32_t count = 9, directions = 81;
  std::vector<std::string> axes;
  std::string figure = "speed";
  std::uint32_t points = 31;
};

/// What they have in common with searches.
struct ExploreSettings {
  std::filesystem::path out;  // empty: not given
  std::uint64_t seed = 1;
  std::uint32_t strides = 0, starts = 2;  // strides 0: the usual ones
  int threads = 0;
};

void add_exploration(CLI::App& command, ExploreFlags& flags);

/// Searches variations of a gait, prints why directions ended, and writes them into its file.
/// @return the exit code
int find_variations(const Library& library, const ExploreFlags& flags,
                    const ExploreSettings& settings);
/// Explores once more the direction that a variation of a gait's file was found along, and says
/// whether it comes to the same.
/// @param body  in place of the library's creature; empty: that
/// @return the exit code
int find_variation_again(const Library& library, const std::filesystem::path& file,
                         const std::filesystem::path& body, const v1::GaitVariant& variation);
/// Writes a figure of a gait over two of its free numbers as a table.
/// @return the exit code
int map_landscape(const Library& library, const ExploreFlags& flags,
                  const ExploreSettings& settings);

}  // namespace promenade::app
