#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "api/tokens.h"
#include "isolation/remote_runner.h"
#include "net/server.h"
#include "service/people/people.h"
#include "service/people/visitor_limits.h"
#include "world/run/runner.h"

namespace promenade::service {

inline constexpr const char* kDefaultScene = "plaza";

/// Settings of `promenade serve`, as given; each can come from a flag, a file or the environment.
struct ServeConfig {
  std::string address = "localhost";
  int port = 8080;
  std::filesystem::path web_root;  // empty: found beside the program
  std::string scene = kDefaultScene;
  std::vector<std::string> rooms;  // "id:scene"; empty: one room "main" with `scene`
  std::uint64_t seed = 0;
  int threads = 0;  // 0: one a processor that may be used, up to 8
  int tick_rate = 60;
  int substeps = 8;
  int max_characters = 1000;
  bool start_paused = false;
  std::filesystem::path state_dir;  // empty: rooms keep nothing
  int journal_segment_mb = 64;
  int journal_total_mb = 512;
  int closed_total_mb = 512;
  double max_load = 0.8;
  double visitor_work = 0.25;  // s of a processor a second; 0: no limit
  double sleep_after_s = 30;
  bool fixed_levels = false;
  bool isolate = false;
  double room_hang_timeout_s = 10;
  int room_memory_mb = 1024;        // of a room's process; 0: no limit
  std::filesystem::path store;      // empty: in the user's data directory
  std::string guest_role;           // empty: admin on loopback, viewer beyond
  std::vector<std::string> tokens;  // "role:token"
  std::filesystem::path token_file;
  std::filesystem::path audit_log;  // empty: the log
  PlayerAllowance player;
  VisitorAllowance visitor;
  int max_store_mb = 512;
  std::vector<std::string> origins;
  std::vector<std::string> hosts;            // names of this server
  std::vector<std::string> trusted_proxies;  // addresses and networks
  std::string base_path;                     // empty: at the top of the site
  int max_viewers = 512;
  int max_per_ip = 128;
  double request_rate = 200;
  double command_rate = 100;
  double command_burst = 200;
  double idle_timeout_s = 50;
  int io_threads = 0;  // 0: half as many as processors may be used, 2 to 8
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
/// Tokens of the command line and the guests' role. Throws CLI::ValidationError.
api::Tokens tokens_of(const ServeConfig& config);
/// Where and how to listen. Throws CLI::ValidationError.
net::ServerSettings server_settings_of(const ServeConfig& config);
/// Where saved styles and bodies are kept. Throws CLI::ValidationError where none is given and the
/// user has no home.
std::filesystem::path store_file_of(const ServeConfig& config);
/// Threads that step the bodies of a room, and that serve connections.
int threads_of_room(const ServeConfig& config);
int threads_of_network(const ServeConfig& config);
/// Where tables of gaits are kept that the server has measured; empty: nowhere.
std::filesystem::path gait_directory_of(const ServeConfig& config);
world::RunnerSettings runner_settings_of(const ServeConfig& config, const RoomConfig& room);
/// The settings of rooms in processes of their own.
isolation::IsolationSettings isolation_settings_of(const ServeConfig& config,
                                                   const std::filesystem::path& data_dir);

}  // namespace promenade::service
