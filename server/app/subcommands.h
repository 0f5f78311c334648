#pragma once

#include "command/commands.h"

// Each subcommand lives in a file of its own (serve.cpp, run.cpp, ...) that defines one `add_...`
// function; main.cpp calls them and runs the one that was chosen.
namespace promenade::app {

command::Run add_serve(CLI::App& command, const command::CommonOptions& common);
command::Run add_run(CLI::App& command, const command::CommonOptions& common);
command::Run add_replay(CLI::App& command, const command::CommonOptions& common);
command::Run add_bench(CLI::App& command, const command::CommonOptions& common);
command::Run add_doctor(CLI::App& command, const command::CommonOptions& common);
command::Run add_gaits(CLI::App& command, const command::CommonOptions& common);
command::Run add_load(CLI::App& command, const command::CommonOptions& common);
command::Run add_backup(CLI::App& command, const command::CommonOptions& common);
command::Run add_restore(CLI::App& command, const command::CommonOptions& common);
command::Run add_token(CLI::App& command, const command::CommonOptions& common);
command::Run add_report(CLI::App& command, const command::CommonOptions& common);
command::Run add_search(CLI::App& command, const command::CommonOptions& common);

}  // namespace promenade::app
