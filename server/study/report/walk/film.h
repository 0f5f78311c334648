#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "world/library/library.h"

namespace promenade::study {

/// The walks that are written down for scripts/film-strip, which draws them.
struct FilmOrder {
  std::filesystem::path directory;
  std::string body = "human";
  std::string controller;           // family that drives it; empty: the body's own
  std::vector<std::string> styles;  // patterns of names, as in ReportOptions::only; empty: all
  std::vector<double> speeds;  // m/s; empty: two thirds, all and four thirds of the style's own
};

/// Walks in each style at each speed and writes where the joints are over some seconds of steady
/// walking to `directory`/STYLE-SPEED.csv, a row each 1/120 s. The loads are on the feet, in body
/// weights. A film ends early where the walker falls.
/// @param threads  films that are made at the same time; 0: one a core
/// @throws std::runtime_error where a file cannot be written
/// @throws std::invalid_argument where a pattern matches no style
void write_films(const Library& library, const FilmOrder& order, int threads);

}  // namespace promenade::study
