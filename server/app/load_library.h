#pragma once

#include <memory>

#include "app/subcommands.h"
#include "world/library/library.h"

namespace promenade::app {

/// The data directory, with the tables of gaits that were made for this installation: commands that
/// compute the same as `serve` does have to begin with the same bits.
schema::Result<std::shared_ptr<const Library>> load_library(const command::CommonOptions& common);

}  // namespace promenade::app
