#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "world/library/library.h"

namespace promenade::app {

/// How `promenade run` steps a room: without a page, as fast as the machine allows.
struct RunOptions {
  std::string scene = "square";
  double seconds = 10;     // of simulated time
  std::uint64_t seed = 0;  // 0: the scene's own
  int threads = 1;
  std::filesystem::path commands;    // JSON lines of TimedCommand; empty: none
  std::filesystem::path csv;         // a row for each character and tick; empty: none
  std::filesystem::path things_csv;  // a row for each thing and tick; empty: none
  int csv_every = 1;                 // ticks between rows
  std::filesystem::path journal;     // empty: none
  std::filesystem::path save;        // of the last state; empty: none
  std::filesystem::path restore;     // begins from this state; empty: at the scene's start
  bool hash = false;                 // print the state hash alone on standard output
  bool progress = false;             // also where standard error is not a terminal
};

/// Runs a scene and prints a summary. @return the exit code: 0, or 1 with a message on standard
/// error
int run_scene(std::shared_ptr<const Library> library, const RunOptions& options);

struct ReplayOptions {
  /// Files in the order in which they were recorded; DIR/ROOM or DIR names all of a room.
  std::vector<std::filesystem::path> journals;
  int threads = 1;
  bool hash = false;
  bool progress = false;
};

/// Replays journals and compares the hashes in them. @return the exit code: 0 where all are equal
int replay_journals(std::shared_ptr<const Library> library, const ReplayOptions& options);

}  // namespace promenade::app
