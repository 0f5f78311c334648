#include "service/serve/serve.h"

#include <google/protobuf/stubs/logging.h>
#include <signal.h>
#include <spdlog/spdlog.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "command/files.h"
#include "command/processors.h"
#include "schema/refusal.h"
#include "service/http/http_api.h"
#include "service/http/lobby_api.h"
#include "service/people/access.h"
#include "service/people/audit.h"
#include "service/people/bans.h"
#include "service/people/invitations.h"
#include "service/people/people.h"
#include "service/rooms/room_keeper.h"
#include "service/rooms/rooms.h"
#include "service/rooms/shown_host.h"
#include "service/searches/gait_searches.h"
#include "service/searches/gait_studies.h"
#include "service/serve/room_maker.h"
#include "service/serve/room_metrics.h"
#include "service/store/lock_file.h"
#include "service/store/saved.h"
#include "service/viewers/viewer.h"
#include "service/worker.h"
#include "store/no_room.h"
#include "world/crowd/gaits.h"
#include "world/journal/set_aside.h"

namespace promenade::service {
namespace {

// Signals are taken by sigwait() in the main thread; all threads started later inherit the mask.
sigset_t block_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGHUP);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN);  // a write beyond a limit of the system is told by its error
  return signals;
}

// Each connection needs a file descriptor, and the usual soft limit is 1024.
void raise_file_limit(std::size_t connections) {
  const rlim_t wanted = connections + 256;
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= wanted) return;
  limit.rlim_cur = limit.rlim_max == RLIM_INFINITY ? wanted : std::min(wanted, limit.rlim_max);
  if (setrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur < wanted) {
    spdlog::warn("only {} files may be open: fewer than {} connections will be served",
                 limit.rlim_cur, connections);
  }
}

int fail(const std::string& text) {
  std::fprintf(stderr, "promenade: %s\n", text.c_str());
  return 1;
}

/// Takes a state directory for this process, so that no other server uses it. Where its disk has no
/// room for that it tries again.
class StateDirectory {
 public:
  explicit StateDirectory(std::filesystem::path directory) : directory_(std::move(directory)) {}

  /// Makes the directory and takes it. @return why it cannot
  std::optional<std::string> take() {
    if (directory_.empty()) return std::nullopt;
    const std::string name = "the state directory " + directory_.string();
    std::error_code failed;
    std::filesystem::create_directories(directory_, failed);
    if (failed) return no_room(failed.value(), name + " cannot be made: " + failed.message());
    switch (lock_.hold(lock_of_state(directory_))) {
      case LockFile::Outcome::kTaken:
        return name + " is in use by another server, " + lock_.text() +
               "; stop that server first, or name another directory with --state-dir";
      case LockFile::Outcome::kFailed:
        return no_room(lock_.error(), name + " cannot be written: " + lock_.text());
      case LockFile::Outcome::kHeld:
        waits_ = false;
        break;
    }
    return std::nullopt;
  }
  /// To be called from time to time.
  void try_again() {
    if (!waits_) return;
    if (const auto error = take()) {
      spdlog::error("{}", *error);
      waits_ = false;  // rooms are recorded twice: an admin has to look after that
    }
  }

 private:
  std::optional<std::string> no_room(int error, const std::string& text) {
    if (!store::is_no_room(error)) return text;
    if (!waits_) spdlog::warn("{}; the server goes on, and tries again", text);
    waits_ = true;
    return std::nullopt;
  }

  const std::filesystem::path directory_;
  LockFile lock_;
  bool waits_ = false;  // for room on the disk
};

/// Other servers may share a store, and see each other's saves; that is told, as it may be a
/// mistake. The lock is let go when the process ends.
void look_for_others_at(const std::filesystem::path& store, LockFile& lock) {
  if (store == ":memory:") return;
  std::filesystem::path beside = store;
  beside += ".lock";
  if (lock.hold(beside) == LockFile::Outcome::kTaken) {
    spdlog::warn(
        "the store {} is also in use by another server, {}: each shows what the other saves",
        store.string(), lock.text());
  }
}

/// Sets the files of a closed room aside, within the limits. @return what went wrong
std::string put_away(const ServeConfig& config, const std::string& id) {
  if (config.state_dir.empty()) return "";
  const world::SetAside closed(config.state_dir, "closed");
  const auto moved = closed.move(world::JournalSet(config.state_dir, id));
  if (!moved.error.empty()) return moved.error;
  if (!moved.directory.empty()) {
    spdlog::info("room {}: closed; its files are in {}", id, moved.directory.string());
  }
  closed.prune(std::uint64_t(config.closed_total_mb) << 20);
  return "";
}

/// The rooms of the settings. Throws world::RoomError where one cannot be made at all.
std::vector<v1::RoomSpec> specs_of(std::span<const RoomConfig> wanted, const Library& library) {
  std::vector<v1::RoomSpec> specs;
  for (const RoomConfig& room : wanted) {
    if (!library.find_scene(room.scene)) {
      throw world::RoomError("room \"" + room.id + "\": " +
                             schema::refusal("room.scene", schema::in_quotes(room.scene),
                                             schema::listed_names(library.scene_names())));
    }
    v1::RoomSpec& spec = specs.emplace_back();
    spec.set_id(room.id);
    spec.set_scene(room.scene);
    spec.set_permanent(true);
  }
  return specs;
}

/// Names the rooms that the state directory has and nobody serves: their state stays there for
/// ever, and a visitor who misses one should not have to guess.
void tell_of_unserved(const std::filesystem::path& state_dir, const Rooms& rooms) {
  if (state_dir.empty()) return;
  for (const std::string& id : world::JournalSet::rooms_in(state_dir)) {
    const auto all = rooms.all();
    const auto is_it = [&id](const auto& room) { return room->id() == id; };
    if (std::any_of(all.begin(), all.end(), is_it)) continue;
    spdlog::warn(
        "room {}: recorded in {}, but not served. To continue it, give --room {}:SCENE with its "
        "scene, or POST /api/v1/rooms with this id and scene. To get rid of it, remove the files",
        id, (state_dir / (id + ".*")).string(), id);
  }
}

constexpr const char* kCounts = "saved count";  // kind of the store's records

/// The parts of the server, in the order in which they are made; they end the other way round.
struct House {
  House(const ServeConfig& config, const std::filesystem::path& store_file,
        std::shared_ptr<const Library> library)
      : saved(library, store_file, std::int64_t{config.max_store_mb} << 20),
        access(tokens_of(config), config.token_file),
        audit(config.audit_log, log),
        bans(keeper_of("ban")),
        invitations(keeper_of("invitation"), [this] { access.changed(); }),
        door(access, bans, audit),
        limits(config.visitor),
        people(access, limits, config.player),
        rooms(std::move(library)) {
    for (const auto& entry : kept("ban")) bans.take_kept(entry.content);
    for (const auto& entry : kept("invitation")) invitations.take_kept(entry.content);
    for (const auto& entry : kept(kCounts)) {
      if (limits.take_kept_count(entry.key, entry.content)) continue;
      spdlog::warn("the record of what a visitor has saved is lost: {} cannot be read", entry.key);
    }
    access.add_source({[this](std::string_view token) { return invitations.find(token); },
                       [this](std::string_view key) { return invitations.of_key(key); },
                       [this](const std::string& key, const std::string& visitor) {
                         return invitations.use(key, visitor);
                       }});
  }

  /// Keeps texts of a kind in the store; an empty one is forgotten. Says when it is done.
  Bans::Keep keeper_of(std::string kind) {
    return [this, kind = std::move(kind)](const std::string& key, const std::string& content,
                                          const Bans::Done& done) {
      saved.use_records(
          [kind, key, content, done](store::Records& records) {
            content.empty() ? records.erase(kind, key) : records.put(kind, key, content);
            if (done) done(std::nullopt);
          },
          [kind, done](const world::CommandError& error) {
            spdlog::error("a changed {} could not be kept: {}", kind, error.message);
            if (done) done(error);
          });
    };
  }
  /// Keeps what visitors have saved. @return whether there may be more to keep
  bool keep_counts() {
    const auto changes = limits.changed_counts();
    if (changes.empty()) return false;
    saved.use_records(
        [changes](store::Records& records) {
          for (const auto& [key, content] : changes) {
            content.empty() ? records.erase(kCounts, key) : records.put(kCounts, key, content);
          }
        },
        [](const world::CommandError& error) {
          spdlog::error("the record of what visitors have saved could not be kept: {}",
                        error.message);
        });
    return true;
  }
  /// The texts of a kind in the store. Waits for it.
  std::vector<store::Records::Entry> kept(const std::string& kind) {
    std::promise<std::vector<store::Records::Entry>> read;
    saved.use_records([&](store::Records& records) { read.set_value(records.all(kind)); },
                      [&](const world::CommandError& error) {
                        spdlog::error("the records of the store ({}) cannot be read: {}", kind,
                                      error.message);
                        read.set_value({});
                      });
    return read.get_future().get();
  }

  net::Metrics metrics;
  EventLog log;
  SavedDefinitions saved;
  Access access;
  Audit audit;
  Bans bans;
  Invitations invitations;
  Door door;
  VisitorLimits limits;
  People people;
  Rooms rooms;
  Worker worker;
};

/// Has the server look after viewers: heartbeats of paused rooms, the catalogue when it changes,
/// and what people may do; and rooms what is looked at, unless their levels are fixed.
void keep_viewers_informed(net::Server& server, House& house, bool fixed_levels) {
  Rooms& rooms = house.rooms;
  SavedDefinitions& saved = house.saved;
  server.every(std::chrono::milliseconds(500), [&house, fixed_levels] {
    for (const auto& room : house.rooms.all()) {
      room->heartbeat();
      if (!fixed_levels) room->keep_levels();
    }
    house.saved.poll();
    house.invitations.look_at_the_clock();
    house.people.look_after([&house](const std::string& id) { return house.rooms.find(id); });
  });
  server.every(std::chrono::milliseconds(100), [&rooms] {
    for (const auto& room : rooms.all()) {
      room->share_company();
      room->keep_onlookers();
    }
  });
  server.every(std::chrono::milliseconds(250), [&rooms] { rooms.look_again(); });
  // The counts are not kept at every save: saves of the last seconds before a kill do not count.
  server.every(std::chrono::seconds(5), [&house] { house.keep_counts(); });
  saved.on_change([&rooms, &server] {
    server.post([&rooms] {
      for (const auto& room : rooms.all()) room->catalogue_changed();
    });
  });
}

/// "Guests may watch; 2 operator tokens, 1 admin token"
std::string who_may_do_what(const api::Tokens& tokens) {
  std::string text = std::string("Guests may ") + api::role_duties(tokens.guest());
  std::string more;
  for (const api::Role role :
       {api::Role::kViewer, api::Role::kPlayer, api::Role::kOperator, api::Role::kAdmin}) {
    const auto count = std::count_if(tokens.all().begin(), tokens.all().end(),
                                     [role](const auto& one) { return one.role == role; });
    if (count == 0) continue;
    more += std::string(more.empty() ? "" : ", ") + std::to_string(count) + " " +
            api::role_name(role) + (count == 1 ? " token" : " tokens");
  }
  return text + (more.empty() ? "" : "; " + more);
}

/// "any", or those of --host.
std::string names_of(const net::ServerSettings& settings, const api::Tokens& tokens) {
  if (settings.hosts.names.empty()) {
    if (settings.hosts.loopback_only) return "localhost";
    return tokens.guest() == api::Role::kViewer
               ? "any"
               : "any, but guests who use a name may only watch (see --host)";
  }
  std::string text;
  for (const std::string& name : settings.hosts.names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

/// Prints the address and the roles of visitors, and warns where strangers would be admins.
void announce(const net::ServerSettings& settings, std::uint16_t port, const api::Tokens& tokens) {
  std::printf("Promenade is at http://%s:%u\n%s; names: %s\n", shown_host(settings.address).c_str(),
              static_cast<unsigned>(port), who_may_do_what(tokens).c_str(),
              names_of(settings, tokens).c_str());
  std::fflush(stdout);
  if (!settings.hosts.loopback_only && tokens.guest() == api::Role::kAdmin) {
    spdlog::warn("anyone who reaches {} may do everything; see --guest-role and --token",
                 settings.address);
  }
}

/// Waits until the server is to stop; reads the token file again when it changes and on SIGHUP.
void wait_for_the_end(const sigset_t& signals, Access& access, StateDirectory& state) {
  for (;;) {
    const timespec patience{0, 500'000'000};
    const int number = sigtimedwait(&signals, nullptr, &patience);
    if (number == SIGINT || number == SIGTERM) return;
    access.reload(number == SIGHUP);
    state.try_again();
  }
}

/// Makes the rooms while the server answers already, and serves until it is to stop.
/// @param open  tells the address
/// @return why the rooms of the settings cannot be made
std::optional<std::string> serve_rooms(House& house, RoomKeeper& keeper,
                                       const std::vector<RoomKeeper::Planned>& planned,
                                       const std::filesystem::path& state_dir,
                                       const std::function<void()>& open,
                                       const std::function<void()>& wait_for_the_end) {
  // Small scenes take some hundredths of a second: readers of the address find them made.
  constexpr std::chrono::milliseconds kOpenAtLast{200};
  std::promise<std::optional<std::string>> outcome;
  const auto made = outcome.get_future().share();
  house.worker.submit([&] {
    outcome.set_value(keeper.take_up(planned));
    if (made.get()) {
      ::kill(::getpid(), SIGTERM);  // ends the wait below
    } else if (!house.rooms.given_up()) {
      tell_of_unserved(state_dir, house.rooms);
    }
  });
  if (made.wait_for(kOpenAtLast) != std::future_status::ready || !made.get()) open();
  wait_for_the_end();
  spdlog::info("stopping");
  house.rooms.give_up_all();
  house.worker.stop();  // no room comes or goes from here on
  return made.get();
}

int serve_house(House& house, const HouseSettings& house_settings,
                const std::vector<v1::RoomSpec>& specs, net::ServerSettings settings,
                const net::StaticFiles& files, const sigset_t& signals, StateDirectory& state) {
  net::Server* running = nullptr;
  const CommandGate gate(
      house.people, house.saved, house.audit, house.metrics,
      [&running](std::function<void()> work) { running->post(std::move(work)); });
  const ApiContext api{house.rooms,  house.saved, house.door,  house.people,
                       house.limits, gate,        house.audit, house.metrics};
  RoomKeeper keeper(
      house.rooms, house.people, house.saved, house.worker,
      [&](const v1::RoomSpec& spec, const std::string& why_here) {
        return make_room(house_settings, house.rooms, spec, why_here, *running);
      },
      [&](const std::string& id) { return put_away(house_settings.config, id); });
  LobbyApi lobby(api);
  GaitSearches searches(house.rooms, house_settings.data_dir, house_settings.config.state_dir,
                        command::usable_processors().count);
  GaitStudies studies(house.rooms, house_settings.data_dir, command::usable_processors().count);
  const HttpApi http(api, keeper, house.invitations, searches, studies, lobby, files,
                     [&running](net::Clock::duration wait, std::function<void()> work) {
                       running->after(wait, std::move(work));
                     });
  EncodingBudget encoding(settings.threads);
  const ViewerContext viewers{&api, &house.log, &encoding,
                              static_cast<std::uint32_t>(settings.limits.max_message_bytes)};
  settings.body_limit = [&http, most = settings.limits.max_body_bytes](
                            const net::HttpRequest& head) { return http.body_limit(head, most); };
  settings.cost = [&http](const net::HttpRequest& head) { return http.cost(head); };
  net::Server server(
      settings, house.metrics,
      [&http](const net::HttpRequest& request, const net::HttpReply& reply) {
        http.handle(request, reply);
      },
      [&viewers](const std::shared_ptr<net::Socket>& socket) {
        return std::make_shared<Viewer>(socket, viewers);
      });
  running = &server;
  const auto planned = keeper.plan(specs, house_settings.config.rooms.empty()
                                              ? "the default room, as no --room is given"
                                              : "given with --room");
  export_rooms(house.metrics, house.rooms);
  export_visitors(house.metrics, house.people, house.rooms);
  export_store(house.metrics, house.saved);
  export_process(house.metrics);
  house.metrics.collect([&server](net::MetricsWriter& out) {
    out.family("promenade_connections", "gauge", "Open connections, HTTP and WebSocket.");
    out.sample({}, static_cast<double>(server.connections()));
  });
  keep_viewers_informed(server, house, house_settings.config.fixed_levels);
  server.every(LobbyApi::kEvery, [&lobby] { lobby.sample(); });
  try {
    server.start();
  } catch (const net::ListenError& error) {
    return fail(error.what());
  }
  const auto wrong = serve_rooms(
      house, keeper, planned, house_settings.config.state_dir,
      [&] { announce(settings, server.port(), *house.access.tokens()); },
      [&] { wait_for_the_end(signals, house.access, state); });
  searches.stop();
  studies.stop();
  // Rooms first, so that commands under way are answered while connections are still open.
  for (const auto& room : house.rooms.all()) room->stop();
  while (house.keep_counts()) {
  }
  house.saved.stop();
  server.stop();
  for (const auto& room : house.rooms.all()) room->forget_viewers();
  spdlog::info("stopped");
  return wrong ? fail(*wrong) : 0;
}

}  // namespace

int serve(const ServeConfig& config, const command::CommonOptions& common) {
  const sigset_t signals = block_signals();
  // Store, journals and audit trail hold what visitors said and did: they are not for every user of
  // the machine. A stricter mask stays.
  ::umask(::umask(0077) | 0027);
  // Protobuf would log every message of a client whose text is not UTF-8; the client is told
  // instead.
  google::protobuf::SetLogHandler(nullptr);
  const std::vector<RoomConfig> room_configs = rooms_of(config);
  if (!config.rooms.empty() && config.scene != kDefaultScene) {
    spdlog::warn(
        "--scene {} has no effect: it is for the room \"main\", which does not exist when --room "
        "is given",
        config.scene);
  }
  const std::filesystem::path store_file = store_file_of(config);
  net::ServerSettings settings = server_settings_of(config);
  raise_file_limit(settings.limits.max_connections);

  auto library = Library::load(common.data_dir);
  if (!library) return fail(library.error().text());
  spdlog::info("data from {}: {} bodies, {} styles, {} scenes", common.data_dir.string(),
               (*library)->bodies().size(), (*library)->styles().size(),
               (*library)->scene_names().size());

  spdlog::info("threads: {} step each room, {} serve connections; {}", threads_of_room(config),
               settings.threads, command::usable_processors().text());
  if (store_file == ":memory:") {
    spdlog::info("store: in memory, nothing is kept");
  } else {
    spdlog::info("store: {}", std::filesystem::absolute(store_file).string());
  }
  std::vector<v1::RoomSpec> specs;
  try {
    specs = specs_of(room_configs, **library);
  } catch (const world::RoomError& error) {
    return fail(error.what());
  }
  world::keep_gaits(**library, {command::gaits_made_beforehand(), gait_directory_of(config)});

  const net::StaticFiles files(command::find_web_root(config.web_root));
  if (!files.has_index()) {
    spdlog::warn(
        "the page is not built; only the socket and the API are served. ./scripts/serve builds it");
  }

  StateDirectory state(config.state_dir);
  if (const auto error = state.take()) return fail(*error);
  LockFile store_lock;
  std::unique_ptr<House> house;
  try {
    house = std::make_unique<House>(config, store_file, *library);
    look_for_others_at(store_file, store_lock);
  } catch (const store::StoreError& error) {
    return fail(std::string(error.what()) +
                "; name another file with --store, or :memory: to keep nothing");
  } catch (const std::runtime_error& error) {  // of the token file or the audit log
    return fail(error.what());
  }
  if (others_may_use(config.token_file)) {
    spdlog::warn("other users of this machine can read or change {}; chmod 600 it",
                 config.token_file.string());
  }
  return serve_house(
      *house, {config, common.data_dir, std::make_shared<world::SideThread>(config.visitor_work)},
      specs, std::move(settings), files, signals, state);
}

}  // namespace promenade::service
