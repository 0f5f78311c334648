#pragma once

#include <filesystem>
#include <optional>

#include "world/library/library.h"

namespace promenade::app {

/// Searches the moments at which the other gaits of a creature in the library become this one, and
/// writes them into its file.
/// @param out      empty: the file itself
/// @param starts   of each moment
/// @param threads  0: one for each processor
/// @return the exit code
int find_entries(const Library& library, const std::filesystem::path& file,
                 const std::filesystem::path& out, int starts, int threads);

}  // namespace promenade::app
