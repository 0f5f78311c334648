#pragma once

#include <filesystem>
#include <string>

namespace promenade::app {

/// Directory of the running program.
std::filesystem::path program_directory();

/// The data directory: `given`, or where an installation, a build directory or a source tree has
/// it.
/// @return empty if there is none
std::filesystem::path find_data_directory(const std::filesystem::path& given);

/// The built page, found likewise; empty if it has not been built.
std::filesystem::path find_web_root(const std::filesystem::path& given);

}  // namespace promenade::app
