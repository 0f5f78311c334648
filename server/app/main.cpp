// The command line of Promenade: subcommands, what they share, and exit codes.
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <utility>
#include <vector>

#include "app/subcommands.h"
#include "command/files.h"
#include "service/config.h"

namespace promenade::app {
namespace {

struct Entry {
  const char* name;
  const char* description;
  command::AddCommand add;
  const char* variables;  // what the names of its environment variables begin with
};

constexpr Entry kCommands[] = {
    {"serve", "Serves page, socket and API.", add_serve, "PROMENADE_"},
    {"run", "Runs a scene without a server, as fast as possible.", add_run, "PROMENADE_RUN_"},
    {"replay", "Runs a journal again.", add_replay, "PROMENADE_REPLAY_"},
    {"bench", "Measures how many characters this machine runs in real time.", add_bench,
     "PROMENADE_BENCH_"},
    {"report", "Repeats published experiments and compares the figures.", add_report,
     "PROMENADE_REPORT_"},
};

void add_common_options(CLI::App& command, command::CommonOptions& common) {
  command
      .add_option("--data", common.data_dir,
                  "directory with creatures/, styles/ and scenes/ (default: found)")
      ->envname("PROMENADE_DATA")
      ->check(CLI::ExistingDirectory);
  command.add_option("--log-level", common.log_level, "what is logged to standard error")
      ->envname("PROMENADE_LOG_LEVEL")
      ->check(CLI::IsMember({"trace", "debug", "info", "warn", "error", "off"}))
      ->capture_default_str();
}

int run_program(int argc, char** argv) {
  CLI::App program("Promenade: crowds of physics-based bipeds, served to a browser.", "promenade");
  program.set_version_flag("--version", std::string("promenade ") + PROMENADE_VERSION);
  program.set_config("--config", "", "settings in TOML, in a section for each command: [serve]")
      ->envname("PROMENADE_CONFIG");
  program.allow_config_extras(CLI::config_extras_mode::error);
  program.require_subcommand(1);
  program.get_formatter()->column_width(34);

  command::CommonOptions common;
  std::vector<std::pair<CLI::App*, command::Run>> commands;
  for (const Entry& entry : kCommands) {
    CLI::App* command = program.add_subcommand(entry.name, entry.description);
    command->fallthrough();  // --config may stand behind the subcommand too
    add_common_options(*command, common);
    command::Run run = entry.add(*command, common);
    service::name_variables(*command, entry.variables);
    std::string footer = command->get_footer();  // the command's own
    if (!footer.empty()) footer += "\n";
    command->footer(footer +
                    "Settings come from flags, else from a file (--config FILE, section [" +
                    entry.name + "]), else from the environment.");
    commands.emplace_back(command, std::move(run));
  }
  try {
    program.parse(argc, argv);
  } catch (const CLI::Success& asked) {  // --help, --version
    return program.exit(asked);
  } catch (const CLI::ParseError& error) {
    std::string asked = "promenade";
    for (const auto& [command, run] : commands) {
      if (command->parsed()) asked += " " + command->get_name();
    }
    std::fprintf(stderr, "promenade: %s\nTry %s --help\n", error.what(), asked.c_str());
    return 1;
  }
  spdlog::set_default_logger(spdlog::stderr_color_mt("promenade"));
  spdlog::set_pattern("%Y-%m-%d %H:%M:%S.%e %^%l%$ %v");
  spdlog::set_level(spdlog::level::from_str(common.log_level));

  common.data_dir = command::find_data_directory(common.data_dir);
  if (common.data_dir.empty()) {
    std::fprintf(stderr, "promenade: no data directory found; name it with --data\n");
    return 1;
  }
  for (const auto& [command, run] : commands) {
    if (command->parsed()) return run();
  }
  return 1;
}

}  // namespace
}  // namespace promenade::app

int main(int argc, char** argv) {
  try {
    return promenade::app::run_program(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "promenade: %s\n", error.what());
    return 1;
  }
}
