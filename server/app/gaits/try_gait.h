#pragma once

#include <filesystem>

#include "world/library/library.h"

namespace promenade::app {

/// Prints what a gait does from starts that no search had: alone for a minute, with its variants
/// over their weights, and sent to way-points where it can turn.
/// @param starts   of each row
/// @param threads  0: one for each processor
/// @return the exit code
int try_gait(const Library& library, const std::filesystem::path& file, int starts, int threads);

}  // namespace promenade::app
