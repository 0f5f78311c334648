// The command line of Promenade: subcommands, what they share, and exit codes.
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/subcommands.h"
#include "command/config_file.h"
#include "command/files.h"
#include "command/help.h"
#include "command/nearest.h"
#include "command/standard_files.h"
#include "isolation/process.h"
#include "isolation/room_process.h"
#include "service/serve/config.h"

namespace promenade::app {
namespace {

struct Entry {
  const char* name;
  const char* description;
  command::AddCommand add;
  const char* variables;  // the beginning of its environment variables' names
};

constexpr Entry kCommands[] = {
    {"serve", "Serves the page, the WebSocket and the HTTP API on one port.", add_serve,
     "PROMENADE_"},
    {"token", "Makes tokens that give visitors a role, for serve --token-file.", add_token,
     "PROMENADE_TOKEN_"},
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
    {"search",
     "Searches for controller parameters with which characters walk as an objective asks.",
     add_search, "PROMENADE_SEARCH_"},
    {"backup",
     "Copies the store, tokens and rooms of a server, also while it runs, or checks such a copy.",
     add_backup, "PROMENADE_"},
    {"restore", "Restores a backup, or puts the state of one of its rooms into a running server.",
     add_restore, "PROMENADE_"},
    {"doctor",
     "Checks everything that could keep `serve` with these settings from starting or serving.",
     add_doctor, "PROMENADE_"},
    {"gaits", "Measures how all bodies walk in all styles, for servers that find the tables then.",
     add_gaits, "PROMENADE_GAITS_"},
    {"load",
     "Puts a server under load with honest, slow and dead viewers and with attacks, and prints "
     "what the viewers got.",
     add_load, "PROMENADE_LOAD_"},
};

void add_common_options(CLI::App& command, command::CommonOptions& common) {
  command
      .add_option(
          "--data", common.data_dir,
          "Directory with creatures/, things/, styles/, gaits/, scenes/, controllers/ and "
          "tasks.json. "
          "Left out: the one of the installation, build or source tree that the program is in.")
      ->envname("PROMENADE_DATA")
      ->check(CLI::ExistingDirectory);
  command
      .add_option("--log-level", common.log_level,
                  "Least severe messages that are logged to standard error.")
      ->envname("PROMENADE_LOG_LEVEL")
      ->check(CLI::IsMember({"trace", "debug", "info", "warn", "error", "off"}))
      ->capture_default_str();
}

// The text for a wrong command line. For an option without its value CLI11 prints its own type and
// range; for a flag in a file it does not say which values it can have.
std::string text_of(const CLI::ParseError& error) {
  std::string text = error.what();
  const std::size_t raw = text.find(": 1 required ");
  if (error.get_name() == "ArgumentMismatch" && raw != std::string::npos) {
    text.replace(raw, std::string::npos, ": a value is missing");
  }
  const std::size_t most = text.find(": At Most 1 required");
  if (most != std::string::npos)
    text.replace(most, std::string::npos, ": given more than once; allowed once");
  constexpr std::string_view kConvert = "Could not convert: ";
  if (const auto equals = text.find(" = "); text.starts_with(kConvert) && equals != text.npos) {
    const std::string flag = text.substr(kConvert.size(), equals - kConvert.size());
    text = flag + ": \"" + text.substr(equals + 3) + "\" is not allowed, must be true or false";
  }
  return text;
}

/// The program with its subcommands: reads a command line and does what it asks for.
class Program {
 public:
  Program(int argc, char** argv);
  /// @return  the exit code
  int execute();

 private:
  void add_command(const Entry& entry);
  void tell_config_of_keys();
  int refuse(const CLI::ParseError& error) const;
  std::optional<int> parse();

  const int argc_;
  char** const argv_;
  CLI::App app_{
      "Promenade simulates crowds of physics-based bipeds, other creatures and things, and serves "
      "them\n"
      "to a page in the browser.",
      "promenade"};
  std::shared_ptr<command::ConfigFile> config_;
  command::CommonOptions common_;
  std::vector<std::pair<CLI::App*, command::Run>> commands_;
};

Program::Program(int argc, char** argv) : argc_(argc), argv_(argv) {
  app_.formatter(std::make_shared<command::HelpFormatter>());
  app_.set_version_flag("--version", std::string("promenade ") + PROMENADE_VERSION);
  app_.set_config("--config", "",
                  "File of settings in TOML, with a section for each command: port = 8090 under "
                  "[serve] does the same as serve --port 8090.")
      ->type_name("FILE")
      ->envname("PROMENADE_CONFIG");
  // Where a server keeps things is said once for all that copy them.
  config_ = std::make_shared<command::ConfigFile>(
      std::vector<command::ConfigFile::Shared>{
          {"serve", {"backup", "restore"}, {"store", "state-dir", "token-file"}},
          {"serve", {"doctor"}, {}}},
      std::vector<std::string>(argv, argv + argc));
  app_.config_formatter(config_);
  app_.allow_config_extras(CLI::config_extras_mode::error);
  app_.require_subcommand(1);
  app_.footer(
      "Examples:\n"
      "  promenade serve --scene playground    and open http://localhost:8080\n"
      "  promenade run one --seconds 5         a single human, five simulated seconds\n"
      "`promenade COMMAND --help` lists the settings of a command. The scenes are the files in\n"
      "server/data/scenes.");
  for (const Entry& entry : kCommands) add_command(entry);
  tell_config_of_keys();
}

void Program::add_command(const Entry& entry) {
  CLI::App* command = app_.add_subcommand(entry.name, entry.description);
  command->fallthrough();  // --config may stand behind the subcommand too
  add_common_options(*command, common_);
  command::Run run = entry.add(*command, common_);
  service::name_variables(*command, entry.variables);
  std::string footer = command->get_footer();  // the command's own
  if (!footer.empty()) footer += "\n";
  command->footer(
      footer + "A setting is taken from the flag, else from a file (promenade --config FILE " +
      entry.name + ", section [" + entry.name + "]" +
      (config_->shares(entry.name) ? ",\nor its section [serve] for what that lacks" : "") +
      "),\nelse from the environment variable.");
  commands_.emplace_back(command, std::move(run));
}

/// Files are checked against the settings that each command has.
void Program::tell_config_of_keys() {
  for (const auto& [command, run] : commands_) {
    std::vector<std::string> keys;
    for (const CLI::Option* option : command->get_options()) {
      for (const std::string& name : option->get_lnames()) keys.push_back(name);
    }
    config_->know(command->get_name(), std::move(keys));
  }
}

/// Says what is wrong with the command line.
int Program::refuse(const CLI::ParseError& error) const {
  std::string asked;
  std::vector<std::string> names;
  for (const auto& [command, run] : commands_) {
    names.push_back(command->get_name());
    if (command->parsed()) asked = command->get_name();
  }
  const std::string file = app_.get_config_ptr()->as<std::string>();
  std::string text = config_->explain(text_of(error), file, asked);
  const std::vector<std::string> extra = app_.remaining();
  if (asked.empty() && !extra.empty()) {
    text = "\"" + extra.front() + "\" is not a command" + command::meant(extra.front(), names) +
           "; the commands are";
    for (const std::string& name : names) text += (name == names.front() ? " " : ", ") + name;
  }
  std::fprintf(stderr, "promenade: %s\nTry promenade%s%s --help\n", text.c_str(),
               asked.empty() ? "" : " ", asked.c_str());
  return 1;
}

/// @return  the exit code, if the command line asks for nothing to be run
std::optional<int> Program::parse() {
  try {
    app_.parse(argc_, argv_);
    return std::nullopt;
  } catch (const CLI::Success& asked) {  // --help, --version
    return app_.exit(asked);
  } catch (const CLI::ParseError& error) {
    return refuse(error);
  }
}

int Program::execute() {
  if (const std::optional<int> code = parse()) return *code;
  spdlog::set_default_logger(spdlog::stderr_color_mt("promenade"));
  spdlog::set_pattern("%Y-%m-%d %H:%M:%S.%e %^%l%$ %v");
  spdlog::set_level(spdlog::level::from_str(common_.log_level));

  common_.data_dir = command::find_data_directory(common_.data_dir);
  if (common_.data_dir.empty()) {
    std::fprintf(stderr, "promenade: no data directory found; name one with --data\n");
    return 1;
  }
  for (const auto& [command, run] : commands_) {
    try {
      if (command->parsed()) return run();
    } catch (const CLI::ParseError& error) {  // of settings that are checked together
      return refuse(error);
    }
  }
  return 1;
}

}  // namespace
}  // namespace promenade::app

int main(int argc, char** argv) {
  if (!promenade::command::open_standard_files()) {
    std::fprintf(stderr,
                 "promenade: standard input, output or error is closed, and /dev/null cannot be "
                 "opened in its place\n");
    return 1;
  }
  try {
    // The server starts this (--isolate), people do not. It reads no settings but the server's.
    if (argc >= 2 && std::string_view(argv[1]) == promenade::isolation::kRoomProcess) {
      return promenade::isolation::run_room_process();
    }
    return promenade::app::Program(argc, argv).execute();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "promenade: %s\n", error.what());
    return 1;
  }
}
