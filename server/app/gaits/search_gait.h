#pragma once

#include "command/commands.h"

namespace promenade::app {

/// `promenade search gait`: gaits of creatures. Declares its options on `command`.
command::Run add_search_gait(CLI::App& command, const command::CommonOptions& common);

}  // namespace promenade::app
