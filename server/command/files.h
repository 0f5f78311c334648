#pragma once

#include <filesystem>
#include <string>

namespace promenade::command {

/// Directory of the running program.
std::filesystem::path program_directory();

/// The data directory: `given`, or where an installation, a build directory or a source tree has
/// it.
/// @return empty if there is none
std::filesystem::path find_data_directory(const std::filesystem::path& given);

/// The built page, found likewise; empty if it has not been built.
std::filesystem::path find_web_root(const std::filesystem::path& given);

/// Where the user's own files of this program belong: promenade/ in $XDG_DATA_HOME, which is
/// ~/.local/share unless it is set; the working directory where there is no home.
std::filesystem::path user_data_directory();

}  // namespace promenade::command
