#pragma once

#include "app/commands.h"
#include "app/config.h"

namespace promenade::app {

/// Loads the data, runs rooms and server until SIGINT or SIGTERM. @return the exit code
int serve(const ServeConfig& config, const CommonOptions& common);

}  // namespace promenade::app
