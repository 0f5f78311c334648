#pragma once

#include <string>

#include "net/metrics.h"
#include "world/command/command.h"

namespace promenade::service {

/// Counts a command by its kind and its result. @param error  null: it took effect
void count_command(net::Metrics& metrics, const std::string& kind,
                   const world::CommandError* error);

}  // namespace promenade::service
