#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <functional>
#include <string>

// Parts that all subcommands of the command line share.
namespace promenade::command {

/// Options that every subcommand shares. Filled by the time a subcommand runs.
struct CommonOptions {
  std::filesystem::path data_dir;  // holds creatures/, styles/, gaits/, scenes/ and more
  std::string log_level = "info";  // trace, debug, info, warn, error, off
};

/// The work of a subcommand, once the command line has been read. @return the exit code
using Run = std::function<int()>;

/// Declares a subcommand's options on `command`, which already has its name and description.
/// Options are stored where the returned function can see them (a shared_ptr it captures).
/// Options' ranges are checked by CLI11 validators; a wrong one ends the program with exit code 1.
/// @param common  outlives the returned function; read it only when that function runs
using AddCommand = Run (*)(CLI::App& command, const CommonOptions& common);

}  // namespace promenade::command
