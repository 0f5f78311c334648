#pragma once

#include "command/commands.h"
#include "service/serve/config.h"

namespace promenade::service {

/// Loads the data, runs rooms and server until SIGINT or SIGTERM. @return the exit code
int serve(const ServeConfig& config, const command::CommonOptions& common);

}  // namespace promenade::service
