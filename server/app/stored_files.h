#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>

#include "service/store/backup.h"

namespace promenade::app {

/// Declares --store, --state-dir and --token-file as `serve` has them, for commands that copy what
/// these name.
void add_stored_files(CLI::App& command, service::ServerFiles& files);

/// The store that is named, or the one that `serve` takes where none is. Throws
/// CLI::ValidationError where none is named and the user has no home.
std::filesystem::path store_or_default(const std::filesystem::path& store);

}  // namespace promenade::app
