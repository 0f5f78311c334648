#include "service/serve/config.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <set>

#include "command/files.h"
#include "command/processors.h"
#include "command/ranges.h"
#include "net/http/authority.h"
#include "net/http/base_path.h"
#include "world/command/limits.h"

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

/// Whether only this machine can connect.
bool is_loopback(const ServeConfig& config) {
  return config.address == "localhost" || config.address == "127.0.0.1" || config.address == "::1";
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
      "Directory of the built page. Left out: the one of the installation or the source tree.")
      ->check(CLI::ExistingDirectory)
      ->group(kNetwork);
  add(command, "io-threads", c.io_threads,
      "Threads that serve connections. 0: half as many as processors may be used, but 2 to "
      "8.")
      ->check(command::whole_number(0, 16))
      ->group(kNetwork);
  add(command, "host", c.hosts,
      "Name by which visitors reach the server, as in walk.example.org; separate several by "
      "commas. Other names are then refused; IP addresses and localhost always work. Left out: "
      "guests from other machines who use a name may only watch.")
      ->delimiter(',')
      ->type_name("NAME")
      ->group(kNetwork);
  add(command, "trusted-proxy", c.trusted_proxies,
      "Address or network of a proxy in front of the server, as in 127.0.0.1 or 10.0.0.0/8; "
      "separate several by commas. The server believes what it says in X-Forwarded-For, -Host, "
      "-Proto and -Prefix.")
      ->delimiter(',')
      ->type_name("ADDRESS[/BITS]")
      ->group(kNetwork);
  add(command, "base-path", c.base_path,
      "Path below which visitors see the server, as in /sim/a for https://example.org/sim/a/, "
      "where "
      "a proxy passes on that part of a site; the proxy may leave the path in requests or take it "
      "off. Links to the server begin with it. What a trusted proxy says in X-Forwarded-Prefix "
      "comes "
      "before it.")
      ->type_name("PATH")
      ->group(kNetwork);
  add(command, "max-connections", c.max_viewers,
      "Most connections at a time; more are answered with HTTP 503.")
      ->check(command::whole_number(1, 100'000))
      ->group(kNetwork);
  add(command, "max-per-ip", c.max_per_ip,
      "Most connections at a time from one IP address (IPv6: one /64); more are answered with HTTP "
      "429. 0: no limit. This machine itself has no limit.")
      ->check(command::whole_number(0, 100'000))
      ->group(kNetwork);
  add(command, "request-rate", c.request_rate,
      "HTTP requests a second from one IP address on average, and four times as many at once; more "
      "are answered slowly, with HTTP 429. Ten files of the page count as one request.")
      ->check(command::finite_range(1.0, 100'000.0))
      ->group(kNetwork);
  add(command, "idle-timeout", c.idle_timeout_s,
      "Seconds of silence after which a connection is closed; it is pinged after half of them.")
      ->check(command::finite_range(2.0, 3600.0))
      ->group(kNetwork);

  const char* kRights = "Rights";
  add(command, "guest-role", c.guest_role,
      "Role of visitors without a token: a viewer watches, a player also pushes gently and steers "
      "and changes one character of their own, an operator also commands all characters and "
      "builds, an admin also loads scenes, resets everyone and sets the clock. Left out: admin if "
      "only this machine can connect; viewer with another --address, a --host or a "
      "--trusted-proxy.")
      ->check(CLI::IsMember({"viewer", "player", "operator", "admin"}))
      ->group(kRights);
  add(command, "token", c.tokens,
      "A role and a token that gives it, as in operator:open-sesame; the token has 8 to 256 "
      "characters. Separate several by commas.")
      ->delimiter(',')
      ->type_name("ROLE:TOKEN")
      ->group(kRights);
  add(command, "token-file", c.token_file,
      "File of tokens, one per line: ROLE TOKEN-OR-HASH [NAME] [ROOM], as `promenade token new` "
      "prints it; # begins a comment. It is read again on SIGHUP and when it changes; a token that "
      "is gone loses its role at once.")
      ->type_name("FILE")
      ->group(kRights);
  add(command, "audit-log", c.audit_log,
      "File that records who did what (scenes, saves, deletions, refused tokens, what admins do "
      "about visitors), one JSON object per line; 10 files of 10 MB are kept. Left out: in the "
      "log.")
      ->type_name("FILE")
      ->group(kRights);
  add(command, "player-grace", c.player.grace_s,
      "Seconds after which the character of a player who has left is removed.")
      ->check(command::finite_range(0.0, 86'400.0))
      ->group(kRights);
  add(command, "player-force", c.player.push_force_n, "Greatest force of a player's push, in N.")
      ->check(command::finite_range(0.0, 5000.0))
      ->group(kRights);
  add(command, "origin", c.origins,
      "Web origin, as in https://example.org, whose pages may connect, besides this server's own. "
      "Separate several by commas.")
      ->delimiter(',')
      ->type_name("ORIGIN")
      ->group(kRights);
  add(command, "command-rate", c.command_rate,
      "Messages a second that one connection may send on average.")
      ->check(command::finite_range(1.0, 10'000.0))
      ->group(kRights);
  add(command, "command-burst", c.command_burst, "Messages that one connection may send at once.")
      ->check(command::finite_range(1.0, 100'000.0))
      ->group(kRights);

  const char* kVisitors = "Limits of a visitor: an address together with a token; admins have none";
  add(command, "visitor-commands", c.visitor.commands_hz,
      "Commands a second over all connections, on average.")
      ->check(command::finite_range(1.0, 100'000.0))
      ->group(kVisitors);
  add(command, "visitor-reads", c.visitor.reads_hz,
      "Reads of states and definitions a second over HTTP, on average.")
      ->check(command::finite_range(1.0, 100'000.0))
      ->group(kVisitors);
  add(command, "visitor-saves", c.visitor.saves_a_minute, "Saves of styles and bodies a minute.")
      ->check(command::whole_number(1, 100'000))
      ->group(kVisitors);
  add(command, "visitor-names", c.visitor.saved_names, "New names saved in 30 days.")
      ->check(command::whole_number(1, 1000))
      ->group(kVisitors);
  add(command, "visitor-characters", c.visitor.characters,
      "Characters added by the visitor that may exist at once.")
      ->check(command::whole_number(1, 100'000))
      ->group(kVisitors);
  add(command, "visitor-things", c.visitor.things,
      "Things added by the visitor that may exist at once.")
      ->check(command::whole_number(1, 2000))
      ->group(kVisitors);

  const char* kRooms = "Rooms";
  add(command, "scene", c.scene, "Scene of the room \"main\", which exists if --room is not given.")
      ->type_name("SCENE")
      ->group(kRooms);
  add(command, "room", c.rooms,
      "A room and its scene, as in lab:push-lab, instead of the room \"main\". Separate several by "
      "commas; visitors who name no room enter the first.")
      ->delimiter(',')
      ->type_name("ID:SCENE")
      ->group(kRooms);
  add(command, "seed", c.seed, "Seed of everything random; 0: the scene's own.")
      ->check(command::whole_number(0))
      ->group(kRooms);
  add(command, "threads", c.threads,
      "Threads that step the bodies of a room; 0: one per processor that affinity and quota of "
      "control groups leave, at most 8. Results do not depend on it.")
      ->check(command::whole_number(0, 64))
      ->group(kRooms);
  add(command, "tick-rate", c.tick_rate,
      "Ticks per simulated second. Commands take effect, and frames are made, at ticks.")
      ->check(command::whole_number(10, 1000))
      ->group(kRooms);
  add(command, "substeps", c.substeps,
      "Steps of physics and control per tick. Walks are tuned for 480 steps a second: 60 ticks of "
      "8 steps.")
      ->check(command::whole_number(1, 100))
      ->group(kRooms);
  add(command, "max-characters", c.max_characters, "Most characters in a room.")
      ->check(command::whole_number(1, 10'000))
      ->group(kRooms);
  add(command, "max-load", c.max_load,
      "Share of real time that the ticks of a room may take. Whatever would need more (characters, "
      "things, larger bodies, scenes) is refused with BUSY and the number that fits; 0: no limit.")
      ->check(command::finite_range(0.0, 1.0))
      ->group(kRooms);
  add(command, "visitor-work", c.visitor_work,
      "Seconds of a processor that the commands of one visitor may use a second in the long run "
      "beside a room, and up to 10 saved up; while a room itself waits for a command, a fifth of "
      "that, and half a second saved up. Commands of whoever has used more wait, those of others "
      "go on; 0: no limit.")
      ->check(command::finite_range(0.0, 64.0))
      ->group(kRooms);
  add(command, "sleep-after", c.sleep_after_s,
      "Seconds without viewers, commands and requests for its state after which a room sleeps: it "
      "uses no processor time, and continues as soon as there are some. 0: never.")
      ->check(command::finite_range(0.0, 1e6))
      ->group(kRooms);
  add(command, "fixed-levels", c.fixed_levels,
      "Leaves it to scenes and commands how many characters are in full physics and what is looked "
      "at. Otherwise the server sends a room set_detail, by its load and by what its viewers see: "
      "then the same commands do not give the same run twice, but a replay of the journal does.")
      ->group(kRooms);
  add(command, "paused", c.start_paused, "Starts with the clock stopped.")->group(kRooms);
  add(command, "state-dir", c.state_dir,
      "Directory in which each room records what happens, and from which it continues after a "
      "restart, a crash or a power cut; it is made if it does not exist. `promenade replay "
      "DIR/ROOM` repeats the record. Left out: rooms start from their scenes, and nothing is "
      "recorded.")
      ->type_name("DIR")
      ->group(kRooms);
  add(command, "journal-segment-mb", c.journal_segment_mb,
      "Megabytes after which a room's journal continues in a new file.")
      ->check(command::whole_number(1, 1000))
      ->group(kRooms);
  add(command, "journal-total-mb", c.journal_total_mb,
      "Megabytes that a room's files in --state-dir may take before the oldest are removed; the "
      "newest and the one before it stay.")
      ->check(command::whole_number(2, 1'000'000))
      ->group(kRooms);
  add(command, "isolate", c.isolate,
      "Runs each room in a process of its own. A room that crashes, hangs or takes too much memory "
      "is started again and continues from its journal (--state-dir) or else from its scene; the "
      "server and the other rooms are not affected.")
      ->group(kRooms);
  add(command, "room-hang-timeout", c.room_hang_timeout_s,
      "With --isolate: seconds without a tick or an answer after which a room's process is killed.")
      ->check(command::finite_range(1.0, 3600.0))
      ->group(kRooms);
  add(command, "room-memory-mb", c.room_memory_mb,
      "With --isolate: megabytes of memory above which a room's process is killed; 0: no limit.")
      ->check(command::whole_number(0, 1'000'000))
      ->group(kRooms);
  add(command, "closed-total-mb", c.closed_total_mb,
      "Megabytes that files of closed rooms may take in closed/ of --state-dir before the oldest "
      "are removed; 100 rooms at most. 0: none are kept.")
      ->check(command::whole_number(0, 1'000'000))
      ->group(kRooms);
  add(command, "store", c.store,
      "File with the saved styles and bodies; it is made if it does not exist. :memory: keeps them "
      "only while the server runs. Left out: promenade/promenade.db in $XDG_DATA_HOME or "
      "~/.local/share; a user without a home must give it.")
      ->type_name("FILE")
      ->group(kRooms);
  add(command, "max-store", c.max_store_mb,
      "Most megabytes in that file; saves beyond that are refused.")
      ->check(command::whole_number(1, 1'000'000))
      ->group(kRooms);
  command.footer(
      "Example, for a lecture hall: everyone may push, only the lecturer may load scenes:\n  "
      "promenade serve --address 0.0.0.0 --host hall.example.org --guest-role operator --token "
      "admin:open-sesame");
}

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
