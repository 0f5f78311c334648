#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace promenade::command {

/// Directory of the running program.
std::filesystem::path program_directory();

/// The data directory: `given`, or the one of the installation, build directory or source tree that
/// the program is in.
/// @return empty if there is none
std::filesystem::path find_data_directory(const std::filesystem::path& given);

/// The built page, found in the same way; empty if it has not been built.
std::filesystem::path find_web_root(const std::filesystem::path& given);

/// Directories in which tables of gaits may lie that `promenade gaits` has made: beside the
/// program, and that of the installation.
std::vector<std::filesystem::path> gaits_made_beforehand();

/// Where the program keeps files for the user: promenade/ in $XDG_DATA_HOME, or in ~/.local/share
/// if that is not set. The home is $HOME or, if that is not set, the one that the system has for
/// the user. Paths that are not absolute are ignored, as the XDG specification has it.
/// @return empty if there is no home, as for users of services
std::filesystem::path user_data_directory();

}  // namespace promenade::command
