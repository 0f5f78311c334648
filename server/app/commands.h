#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <functional>
#include <string>

// The frame of the command line. Each subcommand lives in a file of its own (serve.cpp, run.cpp,
// ...) that defines one `add_...` function; main.cpp calls them and runs the one that was chosen.
namespace promenade::app {

/// Options that every subcommand shares. Filled by the time a subcommand runs.
struct CommonOptions {
  std::filesystem::path data_dir;  // holds characters/, styles/, scenes/
  std::string log_level = "info";  // trace, debug, info, warn, error, off
};

/// What a subcommand does once the command line has been read. @return the exit code
using Run = std::function<int()>;

/// Declares a subcommand's options on `command`, which already has its name and description.
/// Options are stored where the returned function can see them (a shared_ptr it captures).
/// Options' ranges are checked by CLI11 validators; a wrong one ends the program with exit code 1.
/// @param common  outlives the returned function; read it only when that function runs
using AddCommand = Run (*)(CLI::App& command, const CommonOptions& common);

Run add_serve(CLI::App& command, const CommonOptions& common);   // serve.cpp
Run add_run(CLI::App& command, const CommonOptions& common);     // run.cpp
Run add_replay(CLI::App& command, const CommonOptions& common);  // replay.cpp
Run add_bench(CLI::App& command, const CommonOptions& common);   // bench.cpp
Run add_report(CLI::App& command, const CommonOptions& common);  // report.cpp

}  // namespace promenade::app
