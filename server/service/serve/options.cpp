#include <string>
#include <vector>

#include "command/ranges.h"
#include "service/serve/config.h"

namespace promenade::service {
namespace {

using command::finite_range;
using command::whole_number;

/// A heading of --help and the options below it.
class Group {
 public:
  Group(CLI::App& command, const char* heading) : command_(command), heading_(heading) {}

  void flag(const std::string& name, bool& value, const std::string& text) const {
    command_.add_flag("--" + name, value, text)->group(heading_);
  }
  template <typename T>
  void add(const std::string& name, T& value, const CLI::Validator& allowed,
           const std::string& text) const {
    option(name, value, text)->check(allowed);
  }
  /// @param type  what --help calls the value
  template <typename T>
  void add(const std::string& name, T& value, const char* type, const std::string& text) const {
    option(name, value, text)->type_name(type);
  }
  /// Values with commas between them.
  void list(const std::string& name, std::vector<std::string>& values, const char* type,
            const std::string& text) const {
    option(name, values, text)->delimiter(',')->type_name(type);
  }

 private:
  template <typename T>
  CLI::Option* option(const std::string& name, T& value, const std::string& text) const {
    return command_.add_option("--" + name, value, text)->capture_default_str()->group(heading_);
  }

  CLI::App& command_;
  const char* const heading_;
};

/// Where the server is, and by which names it is reached.
void add_addresses(const Group& group, ServeConfig& c) {
  group.add(
      "address", c.address, "ADDRESS",
      "IP address to listen on: localhost lets only this machine connect, 0.0.0.0 every machine.");
  group.add("port", c.port, whole_number(0, 65535),
            "Port of page, WebSocket and HTTP API; 0 takes any free one.");
  group.add(
      "web-root", c.web_root, CLI::ExistingDirectory,
      "Directory of the built page. Left out: the one of the installation or the source tree.");
  group.add(
      "io-threads", c.io_threads, whole_number(0, 16),
      "Threads that serve connections. 0: half as many as processors may be used, but 2 to 8.");
  group.list("host", c.hosts, "NAME",
             "Name by which visitors reach the server, as in walk.example.org; separate several by "
             "commas. Other names are then refused; IP addresses and localhost always work. Left "
             "out: guests from other machines who use a name may only watch.");
  group.list("trusted-proxy", c.trusted_proxies, "ADDRESS[/BITS]",
             "Address or network of a proxy in front of the server, as in 127.0.0.1 or 10.0.0.0/8; "
             "separate several by commas. The server believes what it says in X-Forwarded-For, "
             "-Host, -Proto and -Prefix.");
  group.add("base-path", c.base_path, "PATH",
            "Path below which visitors see the server, as in /sim/a for "
            "https://example.org/sim/a/, where a proxy passes on that part of a site; the proxy "
            "may leave the path in requests or take it off. Links to the server begin with it. "
            "What a trusted proxy says in X-Forwarded-Prefix comes before it.");
}

void add_limits_of_connections(const Group& group, ServeConfig& c) {
  group.add("max-connections", c.max_viewers, whole_number(1, 100'000),
            "Most connections at a time; more are answered with HTTP 503.");
  group.add("max-per-ip", c.max_per_ip, whole_number(0, 100'000),
            "Most connections at a time from one IP address (IPv6: one /64); more are answered "
            "with HTTP 429. 0: no limit. This machine itself has no limit.");
  group.add(
      "request-rate", c.request_rate, finite_range(1.0, 100'000.0),
      "HTTP requests a second from one IP address on average, and four times as many at once; more "
      "are answered slowly, with HTTP 429. Ten files of the page count as one request.");
  group.add(
      "idle-timeout", c.idle_timeout_s, finite_range(2.0, 3600.0),
      "Seconds of silence after which a connection is closed; it is pinged after half of them.");
}

void add_rights(const Group& group, ServeConfig& c) {
  group.add("guest-role", c.guest_role, CLI::IsMember({"viewer", "player", "operator", "admin"}),
            "Role of visitors without a token: a viewer watches, a player also pushes gently and "
            "steers and changes one character of their own, an operator also commands all "
            "characters and builds, an admin also loads scenes, resets everyone and sets the "
            "clock. Left out: admin if only this machine can connect; viewer with another "
            "--address, a --host or a --trusted-proxy.");
  group.list("token", c.tokens, "ROLE:TOKEN",
             "A role and a token that gives it, as in operator:open-sesame; the token has 8 to 256 "
             "characters. Separate several by commas.");
  group.add("token-file", c.token_file, "FILE",
            "File of tokens, one per line: ROLE TOKEN-OR-HASH [NAME] [ROOM], as `promenade token "
            "new` prints it; # begins a comment. It is read again on SIGHUP and when it changes; a "
            "token that is gone loses its role at once.");
  group.add("audit-log", c.audit_log, "FILE",
            "File that records who did what (scenes, saves, deletions, refused tokens, what admins "
            "do about visitors), one JSON object per line; 10 files of 10 MB are kept. Left out: "
            "in the log.");
  group.add("player-grace", c.player.grace_s, finite_range(0.0, 86'400.0),
            "Seconds after which the character of a player who has left is removed.");
  group.add("player-force", c.player.push_force_n, finite_range(0.0, 5000.0),
            "Greatest force of a player's push, in N.");
  group.list("origin", c.origins, "ORIGIN",
             "Web origin, as in https://example.org, whose pages may connect, besides this "
             "server's own. Separate several by commas.");
  group.add("command-rate", c.command_rate, finite_range(1.0, 10'000.0),
            "Messages a second that one connection may send on average.");
  group.add("command-burst", c.command_burst, finite_range(1.0, 100'000.0),
            "Messages that one connection may send at once.");
}

void add_limits_of_visitors(const Group& group, ServeConfig& c) {
  group.add("visitor-commands", c.visitor.commands_hz, finite_range(1.0, 100'000.0),
            "Commands a second over all connections, on average.");
  group.add("visitor-reads", c.visitor.reads_hz, finite_range(1.0, 100'000.0),
            "Reads of states and definitions a second over HTTP, on average.");
  group.add("visitor-saves", c.visitor.saves_a_minute, whole_number(1, 100'000),
            "Saves of styles and bodies a minute.");
  group.add("visitor-names", c.visitor.saved_names, whole_number(1, 1000),
            "New names saved in 30 days.");
  group.add("visitor-characters", c.visitor.characters, whole_number(1, 100'000),
            "Characters added by the visitor that may exist at once.");
  group.add("visitor-things", c.visitor.things, whole_number(1, 2000),
            "Things added by the visitor that may exist at once.");
}

/// What is in the rooms, and how it is stepped.
void add_rooms(const Group& group, ServeConfig& c) {
  group.add("scene", c.scene, "SCENE",
            "Scene of the room \"main\", which exists if --room is not given.");
  group.list("room", c.rooms, "ID:SCENE",
             "A room and its scene, as in lab:push-lab, instead of the room \"main\". Separate "
             "several by commas; visitors who name no room enter the first.");
  group.add("seed", c.seed, whole_number(0), "Seed of everything random; 0: the scene's own.");
  group.add("threads", c.threads, whole_number(0, 64),
            "Threads that step the bodies of a room; 0: one per processor that affinity and quota "
            "of control groups leave, at most 8. Results do not depend on it.");
  group.add("tick-rate", c.tick_rate, whole_number(10, 1000),
            "Ticks per simulated second. Commands take effect, and frames are made, at ticks.");
  group.add("substeps", c.substeps, whole_number(1, 100),
            "Steps of physics and control per tick. Walks are tuned for 480 steps a second: 60 "
            "ticks of 8 steps.");
}

void add_limits_of_rooms(const Group& group, ServeConfig& c) {
  group.add("max-characters", c.max_characters, whole_number(1, 10'000),
            "Most characters in a room.");
  group.add(
      "max-load", c.max_load, finite_range(0.0, 1.0),
      "Share of real time that the ticks of a room may take. Whatever would need more (characters, "
      "things, larger bodies, scenes) is refused with BUSY and the number that fits; 0: no limit.");
  group.add("visitor-work", c.visitor_work, finite_range(0.0, 64.0),
            "Seconds of a processor that the commands of one visitor may use a second in the long "
            "run beside a room, and up to 10 saved up; while a room itself waits for a command, a "
            "fifth of that, and half a second saved up. Commands of whoever has used more wait, "
            "those of others go on; 0: no limit.");
}

/// When rooms do not run at the usual pace or with the usual detail.
void add_pace(const Group& group, ServeConfig& c) {
  group.add(
      "sleep-after", c.sleep_after_s, finite_range(0.0, 1e6),
      "Seconds without viewers, commands and requests for its state after which a room sleeps: it "
      "uses no processor time, and continues as soon as there are some. 0: never.");
  group.flag(
      "fixed-levels", c.fixed_levels,
      "Leaves it to scenes and commands how many characters are in full physics and what is looked "
      "at. Otherwise the server sends a room set_detail, by its load and by what its viewers see: "
      "then the same commands do not give the same run twice, but a replay of the journal does.");
  group.flag("paused", c.start_paused, "Starts with the clock stopped.");
}

void add_journal(const Group& group, ServeConfig& c) {
  group.add("state-dir", c.state_dir, "DIR",
            "Directory in which each room records what happens, and from which it continues after "
            "a restart, a crash or a power cut; it is made if it does not exist. `promenade replay "
            "DIR/ROOM` repeats the record. Left out: rooms start from their scenes, and nothing is "
            "recorded.");
  group.add("journal-segment-mb", c.journal_segment_mb, whole_number(1, 1000),
            "Megabytes after which a room's journal continues in a new file.");
  group.add("journal-total-mb", c.journal_total_mb, whole_number(2, 1'000'000),
            "Megabytes that a room's files in --state-dir may take before the oldest are removed; "
            "the newest and the one before it stay.");
}

void add_isolation(const Group& group, ServeConfig& c) {
  group.flag("isolate", c.isolate,
             "Runs each room in a process of its own. A room that crashes, hangs or takes too much "
             "memory is started again and continues from its journal (--state-dir) or else from "
             "its scene; the server and the other rooms are not affected.");
  group.add("room-hang-timeout", c.room_hang_timeout_s, finite_range(1.0, 3600.0),
            "With --isolate: seconds without a tick or an answer after which a room's process is "
            "killed.");
  group.add(
      "room-memory-mb", c.room_memory_mb, whole_number(0, 1'000'000),
      "With --isolate: megabytes of memory above which a room's process is killed; 0: no limit.");
}

/// What is kept for later: closed rooms, and what visitors save.
void add_keeping(const Group& group, ServeConfig& c) {
  group.add("closed-total-mb", c.closed_total_mb, whole_number(0, 1'000'000),
            "Megabytes that files of closed rooms may take in closed/ of --state-dir before the "
            "oldest are removed; 100 rooms at most. 0: none are kept.");
  group.add("store", c.store, "FILE",
            "File with the saved styles and bodies; it is made if it does not exist. :memory: "
            "keeps them only while the server runs. Left out: promenade/promenade.db in "
            "$XDG_DATA_HOME or ~/.local/share; a user without a home must give it.");
  group.add("max-store", c.max_store_mb, whole_number(1, 1'000'000),
            "Most megabytes in that file; saves beyond that are refused.");
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

void add_serve_options(CLI::App& command, ServeConfig& config) {
  const Group network(command, "Network");
  add_addresses(network, config);
  add_limits_of_connections(network, config);
  add_rights(Group(command, "Rights"), config);
  add_limits_of_visitors(
      Group(command, "Limits of a visitor: an address together with a token; admins have none"),
      config);
  const Group rooms(command, "Rooms");
  add_rooms(rooms, config);
  add_limits_of_rooms(rooms, config);
  add_pace(rooms, config);
  add_journal(rooms, config);
  add_isolation(rooms, config);
  add_keeping(rooms, config);
  command.footer(
      "Example, for a lecture hall: everyone may push, only the lecturer may load scenes:\n  "
      "promenade serve --address 0.0.0.0 --host hall.example.org --guest-role operator --token "
      "admin:open-sesame");
}

}  // namespace promenade::service
