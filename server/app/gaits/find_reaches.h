#pragma once

#include <filesystem>

#include "world/library/library.h"

namespace promenade::app {

/// Measures what the leaps of a gait's file pass over and writes it into the file.
/// @param out   empty: the same file
/// @param high  m, of a hurdle; 0: a third of the creature's height
/// @return the exit code
int find_reaches(const Library& library, const std::filesystem::path& file,
                 const std::filesystem::path& out, double high, int starts, int threads);

}  // namespace promenade::app
