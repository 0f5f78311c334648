#include "service/serve/config.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <set>

#include "command/files.h"
#include "command/processors.h"
#include "net/http/authority.h"
#include "net/http/base_path.h"
#include "world/command/limits.h"

namespace promenade::service {
namespace {

/// Whether only this machine can connect.
bool is_loopback(const ServeConfig& config) {
  return config.address == "localhost" || config.address == "127.0.0.1" || config.address == "::1";
}

bool is_name(const std::string& text) {
  return !text.empty() && text.size() <= 40 &&
         text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_-") == text.npos;
}

}  // namespace

std::filesystem::path store_file_of(const ServeConfig& config) {
  if (!config.store.empty()) return config.store;
  const std::filesystem::path directory = command::user_data_directory();
  if (directory.empty()) {
    throw CLI::ValidationError(
        "--store",
        "it is not given, and this user has no home directory to keep the store in; give --store "
        "FILE, or --store :memory: to keep nothing, or set XDG_DATA_HOME or HOME to an absolute "
        "path");
  }
  return directory / "promenade.db";
}

int threads_of_room(const ServeConfig& config) {
  constexpr int kMost = 8;  // threads; more wait for each other in usual rooms
  return config.threads > 0 ? config.threads : std::min(kMost, command::usable_processors().count);
}

int threads_of_network(const ServeConfig& config) {
  if (config.io_threads > 0) return config.io_threads;
  return std::clamp(command::usable_processors().count / 2, 2, 8);
}

std::filesystem::path gait_directory_of(const ServeConfig& config) {
  if (const auto store = store_file_of(config); store != ":memory:") {
    return store.parent_path() / "gaits";
  }
  return config.state_dir.empty() ? std::filesystem::path() : config.state_dir / "gaits";
}

std::vector<RoomConfig> rooms_of(const ServeConfig& config) {
  if (config.rooms.empty()) return {{"main", config.scene}};
  std::vector<RoomConfig> rooms;
  std::set<std::string> seen;
  for (const std::string& text : config.rooms) {
    const auto colon = text.find(':');
    RoomConfig room{text.substr(0, colon), colon == text.npos ? "" : text.substr(colon + 1)};
    if (!is_name(room.id) || !is_name(room.scene)) {
      throw CLI::ValidationError(
          "--room",
          "\"" + text + "\" is not ID:SCENE, each with 1 to 40 of the characters a-z 0-9 _ -");
    }
    if (!seen.insert(room.id).second) {
      throw CLI::ValidationError("--room", "the room \"" + room.id + "\" is given twice");
    }
    rooms.push_back(std::move(room));
  }
  return rooms;
}

api::Tokens tokens_of(const ServeConfig& config) {
  // With names or proxies there are visitors from beyond this machine, wherever it listens.
  const bool own = is_loopback(config) && config.hosts.empty() && config.trusted_proxies.empty();
  const char* const otherwise = own ? "admin" : "viewer";
  api::Tokens tokens(
      api::parse_role(config.guest_role.empty() ? otherwise : config.guest_role).value());
  for (const std::string& text : config.tokens) {
    const auto colon = text.find(':');
    const auto role = api::parse_role(text.substr(0, colon));
    const std::string token = colon == text.npos ? "" : text.substr(colon + 1);
    if (!role || !api::token_fault(token).empty()) {
      // The value is not shown: a mistyped token is most of a secret.
      throw CLI::ValidationError("--token", "a value is not ROLE:TOKEN with the role " +
                                                api::role_names() +
                                                " and a token of 8 to 256 characters");
    }
    tokens.add(token, *role);
  }
  return tokens;
}

net::ServerSettings server_settings_of(const ServeConfig& config) {
  net::ServerSettings settings;
  settings.address = config.address;
  settings.port = static_cast<std::uint16_t>(config.port);
  settings.threads = threads_of_network(config);
  for (const std::string& origin : config.origins) {
    if (origin != "*" && !net::is_origin(origin)) {
      throw CLI::ValidationError("--origin", "\"" + origin +
                                                 "\" is not http://HOST or https://HOST, without "
                                                 "a path; * allows every origin");
    }
  }
  settings.origins.allowed = config.origins;
  settings.hosts.loopback_only = is_loopback(config);
  for (const std::string& name : config.hosts) {
    const auto parts = net::parse_authority(name);
    if (!parts || !parts->port.empty() || name.back() == ':') {
      throw CLI::ValidationError("--host", "\"" + name +
                                               "\" is not a name such as walk.example.org, without "
                                               "http:// and without a port");
    }
    settings.hosts.names.emplace_back(parts->host);
  }
  for (const std::string& proxy : config.trusted_proxies) {
    if (!settings.proxies.add(proxy)) {
      throw CLI::ValidationError("--trusted-proxy",
                                 "\"" + proxy +
                                     "\" is not an IP address or a network such as "
                                     "10.0.0.0/8");
    }
  }
  const auto base_path = net::parse_base_path(config.base_path);
  if (!base_path) {
    throw CLI::ValidationError("--base-path",
                               "\"" + config.base_path + "\" is not " + net::kBasePathAllowed);
  }
  settings.base_path = *base_path;
  settings.reserved_paths = {"/healthz", "/readyz", "/metrics"};
  settings.limits.max_connections = static_cast<std::size_t>(config.max_viewers);
  settings.limits.max_connections_per_ip = static_cast<std::size_t>(config.max_per_ip);
  settings.limits.visitor_requests = {config.request_rate, 4 * config.request_rate};
  settings.limits.messages_per_second = config.command_rate;
  settings.limits.message_burst = config.command_burst;
  settings.limits.idle_timeout =
      std::chrono::milliseconds(static_cast<int>(1000 * config.idle_timeout_s));
  return settings;
}

world::RunnerSettings runner_settings_of(const ServeConfig& config, const RoomConfig& room) {
  world::RunnerSettings settings;
  settings.room.scene = room.scene;
  settings.room.seed = config.seed;
  settings.room.threads = threads_of_room(config);
  settings.room.substeps = config.substeps;
  settings.room.ticks_per_second = config.tick_rate;
  settings.room.max_characters = config.max_characters;
  settings.room.max_definition_bytes = world::kMaxDefinitionBytes;
  settings.start_paused = config.start_paused;
  settings.max_load = config.max_load;
  settings.sleep_after = config.sleep_after_s;
  settings.visitor_work = config.visitor_work;
  settings.journal.directory = config.state_dir;
  settings.journal.room = room.id;
  settings.journal.segment_bytes = std::uint64_t(config.journal_segment_mb) << 20;
  settings.journal.total_bytes = std::uint64_t(config.journal_total_mb) << 20;
  settings.journal.tell = [id = room.id](const std::string& text) {
    spdlog::warn("room {}: {}", id, text);
  };
  return settings;
}

isolation::IsolationSettings isolation_settings_of(const ServeConfig& config,
                                                   const std::filesystem::path& data_dir) {
  isolation::IsolationSettings settings;
  settings.data_dir = data_dir;
  settings.gaits_ready = command::gaits_made_beforehand();
  settings.gaits_kept = gait_directory_of(config);
  settings.hang_timeout_s = config.room_hang_timeout_s;
  settings.memory_bytes = std::size_t(config.room_memory_mb) << 20;
  return settings;
}

}  // namespace promenade::service
