#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "api/roles.h"
#include "net/server.h"
#include "world/room_runner.h"

namespace promenade::service {

/// Settings of `promenade serve`, as given; each can come from a flag, a file or the environment.
struct ServeConfig {
  std::string address = "localhost";
  int port = 8080;
  std::filesystem::path web_root;  // empty: found beside the program
  std::string scene = "square";
  std::vector<std::string> rooms;  // "id:scene"; empty: one room "main" with `scene`
  std::uint64_t seed = 0;
  int threads = 0;  // 0: as many as the machine has, up to 8
  int tick_rate = 60;
  int substeps = 8;
  int max_characters = 1000;
  bool start_paused = false;
  std::filesystem::path journal_dir;
  std::filesystem::path store;  // empty: in the user's data directory
  std::string guest_role = "admin";
  std::vector<std::string> tokens;  // "role:token"
  std::vector<std::string> origins;
  int max_viewers = 512;
  int max_per_ip = 0;
  double command_rate = 100;
  double command_burst = 200;
  double idle_timeout_s = 50;
  int io_threads = 1;
};

/// Gives every option of a command an environment variable, the prefix and its name in capitals:
/// --tick-rate is PREFIX_TICK_RATE. Leaves out arguments without a flag, and options that already
/// have a variable.
void name_variables(CLI::App& command, const std::string& prefix);

/// Declares the options with their ranges and defaults.
void add_serve_options(CLI::App& command, ServeConfig& config);

struct RoomConfig {
  std::string id;
  std::string scene;
};

/// The rooms asked for. Throws CLI::ValidationError, which names option, value and what is allowed.
std::vector<RoomConfig> rooms_of(const ServeConfig& config);
/// Tokens and the guests' role. Throws CLI::ValidationError.
api::Tokens tokens_of(const ServeConfig& config);
net::ServerSettings server_settings_of(const ServeConfig& config);
/// Where saved styles and bodies are kept.
std::filesystem::path store_file_of(const ServeConfig& config);
world::RunnerSettings runner_settings_of(const ServeConfig& config, const RoomConfig& room);

}  // namespace promenade::service
