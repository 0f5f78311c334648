// The command line of Promenade: subcommands, what they share, and exit codes.
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/subcommands.h"
#include "command/files.h"
#include "command/help.h"
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
    {"serve", "Serves the page, the WebSocket and the HTTP API on one port.", add_serve,
     "PROMENADE_"},
    {"run", "Runs a scene without a server, as fast as the machine allows, and prints how it went.",
     add_run, "PROMENADE_RUN_"},
    {"replay", "Repeats what a journal recorded, and checks that the same state comes out.",
     add_replay, "PROMENADE_REPLAY_"},
    {"bench",
     "Measures how many characters this machine runs in real time, and the times, memory and "
     "allocations of a tick.",
     add_bench, "PROMENADE_BENCH_"},
    {"report",
     "Repeats published experiments and compares the figures, or prints how often encounters with "
     "things end well.",
     add_report, "PROMENADE_REPORT_"},
};

void add_common_options(CLI::App& command, command::CommonOptions& common) {
  command
      .add_option(
          "--data", common.data_dir,
          "Directory with creatures/, things/, styles/, scenes/ and controllers/. Left out: that "
          "of the installation, the build or the source tree which the program is in.")
      ->envname("PROMENADE_DATA")
      ->check(CLI::ExistingDirectory);
  command
      .add_option("--log-level", common.log_level,
                  "Least important messages that are logged to standard error.")
      ->envname("PROMENADE_LOG_LEVEL")
      ->check(CLI::IsMember({"trace", "debug", "info", "warn", "error", "off"}))
      ->capture_default_str();
}

// What is wrong with a command line. Of an option that lacks its value CLI11 prints its own type
// and range.
std::string text_of(const CLI::ParseError& error) {
  std::string text = error.what();
  const std::size_t raw = text.find(": 1 required ");
  if (error.get_name() == "ArgumentMismatch" && raw != std::string::npos) {
    text.replace(raw, std::string::npos, ": a value is missing");
  }
  return text;
}

int run_program(int argc, char** argv) {
  CLI::App program(
      "Promenade simulates crowds of physics-based bipeds, other creatures and things, and serves "
      "them\n"
      "to a page in the browser.",
      "promenade");
  program.formatter(std::make_shared<command::HelpFormatter>());
  program.set_version_flag("--version", std::string("promenade ") + PROMENADE_VERSION);
  program
      .set_config(
          "--config", "",
          "File of settings in TOML, with a section for each command: the lines [serve] and "
          "port = 8090 do what serve --port 8090 does.")
      ->type_name("FILE")
      ->envname("PROMENADE_CONFIG");
  program.allow_config_extras(CLI::config_extras_mode::error);
  program.require_subcommand(1);

  program.footer(
      "Examples:\n"
      "  promenade serve --scene playground    and open http://localhost:8080\n"
      "  promenade run one --seconds 5         a single human, five simulated seconds\n"
      "`promenade COMMAND --help` lists the settings of a command. The scenes are the files in\n"
      "server/data/scenes.");

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
    command->footer(
        footer + "A setting comes from the flag, else from a file (promenade --config FILE " +
        entry.name + ", section [" + entry.name + "]),\nelse from the environment variable.");
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
    std::fprintf(stderr, "promenade: %s\nTry %s --help\n", text_of(error).c_str(), asked.c_str());
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
