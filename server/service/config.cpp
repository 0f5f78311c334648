#include "service/config.h"

#include <algorithm>
#include <set>
#include <thread>

#include "command/files.h"
#include "command/ranges.h"

namespace promenade::service {
namespace {

template <typename T>
CLI::Option* add(CLI::App& command, const std::string& name, T& value, const std::string& text) {
  if constexpr (std::is_same_v<T, bool>) {
    return command.add_flag("--" + name, value, text);
  } else {
    return command.add_option("--" + name, value, text)->capture_default_str();
  }
}

bool is_name(const std::string& text) {
  return !text.empty() && text.size() <= 40 &&
         text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_-") == text.npos;
}

}  // namespace

void name_variables(CLI::App& command, const std::string& prefix) {
  for (CLI::Option* option : command.get_options()) {
    if (option->get_lnames().empty() || option == command.get_help_ptr()) continue;
    if (!option->get_envname().empty()) continue;
    std::string variable = prefix + option->get_lnames().front();
    for (char& c : variable) {
      c = c == '-' ? '_' : static_cast<char>(c >= 'a' && c <= 'z' ? c - 32 : c);
    }
    option->envname(variable);
  }
}

void add_serve_options(CLI::App& command, ServeConfig& c) {
  const char* kNetwork = "Network";
  add(command, "address", c.address,
      "IP address to listen on: localhost lets only this machine connect, 0.0.0.0 every machine.")
      ->type_name("ADDRESS")
      ->group(kNetwork);
  add(command, "port", c.port, "Port of page, WebSocket and HTTP API; 0 takes any free one.")
      ->check(command::whole_number(0, 65535))
      ->group(kNetwork);
  add(command, "web-root", c.web_root,
      "Directory of the built page. Left out: that of the installation or of the source tree.")
      ->check(CLI::ExistingDirectory)
      ->group(kNetwork);
  add(command, "io-threads", c.io_threads, "Threads that serve connections.")
      ->check(command::whole_number(1, 16))
      ->group(kNetwork);
  add(command, "max-connections", c.max_viewers,
      "Most connections at a time; further ones are answered with HTTP 503.")
      ->check(command::whole_number(1, 100'000))
      ->group(kNetwork);
  add(command, "max-per-ip", c.max_per_ip,
      "Most connections at a time from one IP address; 0 sets no such limit.")
      ->check(command::whole_number(0, 100'000))
      ->group(kNetwork);
  add(command, "idle-timeout", c.idle_timeout_s,
      "Seconds without a sign of life after which a connection is closed; after half of them it is "
      "pinged.")
      ->check(command::finite_range(2.0, 3600.0))
      ->group(kNetwork);

  const char* kRights = "Rights";
  add(command, "guest-role", c.guest_role,
      "Role of visitors without a token: a viewer watches, an operator also commands characters "
      "and builds, an admin also loads scenes, removes bodies and sets the clock.")
      ->check(CLI::IsMember({"viewer", "operator", "admin"}))
      ->group(kRights);
  add(command, "token", c.tokens,
      "A role and a token that gives it, as in operator:open-sesame; the token has 8 to 256 "
      "characters. Several are separated by commas.")
      ->delimiter(',')
      ->type_name("ROLE:TOKEN")
      ->group(kRights);
  add(command, "origin", c.origins,
      "Web origin whose pages may connect besides this server's own, as in https://example.org. "
      "Several are separated by commas.")
      ->delimiter(',')
      ->type_name("ORIGIN")
      ->group(kRights);
  add(command, "command-rate", c.command_rate,
      "Messages a second that one connection may send in the long run.")
      ->check(command::finite_range(1.0, 10'000.0))
      ->group(kRights);
  add(command, "command-burst", c.command_burst, "Messages that one connection may send at once.")
      ->check(command::finite_range(1.0, 100'000.0))
      ->group(kRights);

  const char* kRooms = "Rooms";
  add(command, "scene", c.scene, "Scene of the room \"main\".")->type_name("SCENE")->group(kRooms);
  add(command, "room", c.rooms,
      "A room and its scene, as in lab:push-lab, instead of the room \"main\". Several are "
      "separated by commas; visitors who name no room enter the first.")
      ->delimiter(',')
      ->type_name("ID:SCENE")
      ->group(kRooms);
  add(command, "seed", c.seed, "Seed of everything random; 0 takes the scene's own.")
      ->check(command::whole_number(0))
      ->group(kRooms);
  add(command, "threads", c.threads,
      "Threads that step the bodies of a room; 0 takes one a core, at most 8. Results do not "
      "depend on it.")
      ->check(command::whole_number(0, 64))
      ->group(kRooms);
  add(command, "tick-rate", c.tick_rate,
      "Ticks in a simulated second. Commands take effect at ticks, and frames are made of them.")
      ->check(command::whole_number(10, 1000))
      ->group(kRooms);
  add(command, "substeps", c.substeps,
      "Steps of physics and control in a tick. Walks are tuned for 480 steps a second: 60 ticks "
      "of 8 steps.")
      ->check(command::whole_number(1, 100))
      ->group(kRooms);
  add(command, "max-characters", c.max_characters, "Most characters in a room.")
      ->check(command::whole_number(1, 10'000))
      ->group(kRooms);
  add(command, "paused", c.start_paused, "Starts with the clock stopped.")->group(kRooms);
  add(command, "journal-dir", c.journal_dir,
      "Directory in which each room records ROOM.journal for `promenade replay`. Left out: "
      "nothing is recorded.")
      ->check(CLI::ExistingDirectory)
      ->group(kRooms);
  add(command, "store", c.store,
      "File of the saved styles and bodies, made if there is none; :memory: keeps them only as "
      "long as the server runs. Left out: promenade/promenade.db in $XDG_DATA_HOME or in "
      "~/.local/share.")
      ->type_name("FILE")
      ->group(kRooms);
  command.footer(
      "Example, for a lecture hall: everybody may push, only the lecturer may load scenes:\n"
      "  promenade serve --address 0.0.0.0 --guest-role operator --token admin:open-sesame");
}

std::filesystem::path store_file_of(const ServeConfig& config) {
  return config.store.empty() ? command::user_data_directory() / "promenade.db" : config.store;
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
          "--room", "\"" + text + "\" is not ID:SCENE, both of 1 to 40 of a-z 0-9 _ -");
    }
    if (!seen.insert(room.id).second) {
      throw CLI::ValidationError("--room", "the room \"" + room.id + "\" is given twice");
    }
    rooms.push_back(std::move(room));
  }
  return rooms;
}

api::Tokens tokens_of(const ServeConfig& config) {
  api::Tokens tokens(api::parse_role(config.guest_role).value());
  for (const std::string& text : config.tokens) {
    const auto colon = text.find(':');
    const auto role = api::parse_role(text.substr(0, colon));
    const std::string token = colon == text.npos ? "" : text.substr(colon + 1);
    if (!role || token.size() < 8 || token.size() > 256) {
      // The value is not shown: a mistyped token is most of a secret.
      throw CLI::ValidationError("--token",
                                 "one is not ROLE:TOKEN with a role of viewer, operator, admin and "
                                 "a token of 8 to 256 characters");
    }
    tokens.add(token, *role);
  }
  return tokens;
}

net::ServerSettings server_settings_of(const ServeConfig& config) {
  net::ServerSettings settings;
  settings.address = config.address;
  settings.port = static_cast<std::uint16_t>(config.port);
  settings.threads = config.io_threads;
  settings.origins.allowed = config.origins;
  settings.origins.loopback_only =
      config.address == "localhost" || config.address == "127.0.0.1" || config.address == "::1";
  settings.limits.max_connections = static_cast<std::size_t>(config.max_viewers);
  settings.limits.max_connections_per_ip = static_cast<std::size_t>(config.max_per_ip);
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
  settings.room.threads =
      config.threads > 0
          ? config.threads
          : static_cast<int>(std::clamp(std::thread::hardware_concurrency(), 1u, 8u));
  settings.room.substeps = config.substeps;
  settings.room.ticks_per_second = config.tick_rate;
  settings.room.max_characters = config.max_characters;
  settings.start_paused = config.start_paused;
  if (!config.journal_dir.empty()) settings.journal = config.journal_dir / (room.id + ".journal");
  return settings;
}

}  // namespace promenade::service
