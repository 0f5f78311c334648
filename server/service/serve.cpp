#include "service/serve.h"

#include <google/protobuf/stubs/logging.h>
#include <signal.h>
#include <spdlog/spdlog.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <exception>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "command/files.h"
#include "isolation/remote_runner.h"
#include "schema/refusal.h"
#include "service/access.h"
#include "service/audit.h"
#include "service/bans.h"
#include "service/http_api.h"
#include "service/invitations.h"
#include "service/lobby_api.h"
#include "service/lock_file.h"
#include "service/people.h"
#include "service/room_keeper.h"
#include "service/room_metrics.h"
#include "service/rooms.h"
#include "service/saved.h"
#include "service/viewer.h"
#include "service/worker.h"
#include "world/gaits.h"
#include "world/journal/set_aside.h"
#include "world/room_runner.h"

namespace promenade::service {
namespace {

/// What rooms are made with, whenever that is.
struct HouseSettings {
  const ServeConfig& config;
  const std::filesystem::path& data_dir;
};

// Signals are taken by sigwait() in the main thread; all threads started later inherit the mask.
sigset_t block_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGHUP);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  signal(SIGPIPE, SIG_IGN);
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

std::string shown_host(const std::string& address) {
  if (address == "0.0.0.0" || address == "::" || address == "127.0.0.1") return "localhost";
  return address.find(':') == address.npos ? address : "[" + address + "]";
}

int fail(const std::string& text) {
  std::fprintf(stderr, "promenade: %s\n", text.c_str());
  return 1;
}

/// Makes the state directory and takes it for this process. @return why it cannot
std::optional<std::string> take_state_directory(const std::filesystem::path& directory,
                                                LockFile& lock) {
  if (directory.empty()) return std::nullopt;
  const std::string name = "the state directory " + directory.string();
  std::error_code failed;
  std::filesystem::create_directories(directory, failed);
  if (failed) return name + " cannot be made: " + failed.message();
  switch (lock.hold(lock_of_state(directory))) {
    case LockFile::Outcome::kTaken:
      return name + " is in use by another server, " + lock.text() +
             "; stop that server first, or name another directory with --state-dir";
    case LockFile::Outcome::kFailed:
      return name + " cannot be written: " + lock.text();
    case LockFile::Outcome::kHeld:
      break;
  }
  return std::nullopt;
}

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

/// Where a room runs: in this process, or with --isolate in one of its own.
std::unique_ptr<world::Runner> make_runner(const HouseSettings& house,
                                           const std::shared_ptr<const Library>& library,
                                           const std::string& id,
                                           const world::RunnerSettings& settings) {
  if (!house.config.isolate) return std::make_unique<world::RoomRunner>(library, settings);
  isolation::IsolationSettings own = isolation_settings_of(house.config, house.data_dir);
  own.tell = [id](const std::string& text) { spdlog::warn("room {}: {}", id, text); };
  own.note = [id](const std::string& text) { spdlog::info("room {}: {}", id, text); };
  return std::make_unique<isolation::RemoteRunner>(library, settings, std::move(own));
}

/// Measures how the people of a scene walk, as far as nobody knows, on all threads that rooms have,
/// and tells how far that is. Rooms with processes of their own find the tables in files.
void know_gaits(const HouseSettings& house, Rooms& rooms, const v1::RoomSpec& spec, int threads) {
  const Library& library = *rooms.library();
  const auto scene = library.find_scene(spec.scene());
  const bool found_later = !house.config.isolate || !gait_directory_of(house.config).empty();
  if (!scene || !found_later) return;
  const std::vector<world::GaitPair> pairs = world::gaits_of(*scene, library);
  std::atomic<std::size_t> next{0}, done{0};
  std::atomic<bool> wanted{true};
  std::vector<std::jthread> workers;
  for (int i = 0; i < threads; ++i) {
    workers.emplace_back([&] {
      for (std::size_t k = next++; k < pairs.size() && wanted; k = next++) {
        world::know_gait(library, pairs[k]);
        const std::size_t known = ++done;
        wanted = rooms.tell(spec.id(), {spec.scene(), double(known) / double(pairs.size() + 1),
                                        "measuring how people walk, " + std::to_string(known) +
                                            " of " + std::to_string(pairs.size())});
      }
    });
  }
  workers.clear();  // waits for them
  if (!wanted) throw world::RoomError("it is not wanted any more: the server stops");
}

/// Makes a room; it does not tick yet. Throws world::RoomError.
/// @param why_here  why there is such a room, for the log
/// @param server  must outlive the room: its snapshots go out on the server's threads
std::shared_ptr<RoomHost> make_room(const HouseSettings& house, Rooms& rooms,
                                    const v1::RoomSpec& spec, const std::string& why_here,
                                    net::Server& server) {
  const ServeConfig& config = house.config;
  world::RunnerSettings settings = runner_settings_of(config, {spec.id(), spec.scene()});
  if (spec.max_characters() > 0) {
    settings.room.max_characters = static_cast<int>(spec.max_characters());
  }
  know_gaits(house, rooms, spec, settings.room.threads);
  auto room = std::make_shared<RoomHost>(
      spec.id(), rooms.library(), settings,
      make_runner(house, rooms.library(), spec.id(), settings),
      [&server](std::function<void()> work) { server.post(std::move(work)); });
  room->set_spec(spec);
  for (const std::string& loss : room->losses()) spdlog::warn("room {}: {}", spec.id(), loss);
  for (const std::string& note : room->notes()) spdlog::info("room {}: {}", spec.id(), note);
  const world::Snapshot& snapshot = room->current()->snapshot();
  spdlog::info("room {}: scene {}, {} characters; {}", spec.id(), snapshot.roster->scene,
               snapshot.characters.size(), why_here);
  return room;
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

/// What is wrong with the rooms of the settings, as far as that can be seen at once.
std::optional<std::string> check_rooms(std::span<const RoomConfig> wanted, const Library& library) {
  for (const RoomConfig& room : wanted) {
    if (library.find_scene(room.scene)) continue;
    return "room \"" + room.id + "\": " +
           schema::refusal("room.scene", schema::in_quotes(room.scene),
                           schema::listed_names(library.scene_names()));
  }
  return std::nullopt;
}

/// Makes the rooms of the settings and lets them tick. @return why one could not be made
std::optional<std::string> make_rooms(const HouseSettings& house,
                                      std::span<const RoomConfig> wanted, net::Server& server,
                                      Rooms& rooms) {
  const std::string why_here =
      house.config.rooms.empty() ? "the default room, as no --room is given" : "given with --room";
  for (const RoomConfig& room : wanted) {
    v1::RoomSpec spec;
    spec.set_id(room.id);
    spec.set_scene(room.scene);
    spec.set_permanent(true);
    try {
      const auto made = make_room(house, rooms, spec, why_here, server);
      made->start();
      rooms.add(made);
    } catch (const std::exception& error) {
      return "room \"" + room.id + "\": " + error.what();
    }
  }
  return std::nullopt;
}

/// Names the rooms that the state directory has and nobody serves: their state stays there for
/// ever, and whoever misses one should not have to guess.
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

constexpr const char* kCounts = "saved count";  // of the store's records

/// What the server is made of, in the order in which it is made; taken apart the other way round.
struct House {
  House(const ServeConfig& config, std::shared_ptr<const Library> library)
      : saved(library, store_file_of(config), std::int64_t{config.max_store_mb} << 20),
        access(tokens_of(config), config.token_file),
        audit(config.audit_log, log),
        bans(keeper_of("ban")),
        invitations(keeper_of("invitation")),
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
/// and what people may do.
void keep_viewers_informed(net::Server& server, House& house) {
  Rooms& rooms = house.rooms;
  SavedDefinitions& saved = house.saved;
  server.every(std::chrono::milliseconds(500), [&house] {
    for (const auto& room : house.rooms.all()) {
      room->heartbeat();
      room->keep_levels();
    }
    house.saved.poll();
    if (house.invitations.end_some()) house.access.changed();
    house.people.look_after([&house](const std::string& id) { return house.rooms.find(id); });
  });
  server.every(std::chrono::milliseconds(100), [&rooms] {
    for (const auto& room : rooms.all()) {
      room->share_company();
      room->keep_onlookers();
    }
  });
  server.every(std::chrono::milliseconds(250), [&rooms] { rooms.look_again(); });
  // Not at every save: what a visitor saved in the last seconds before a kill does not count.
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

/// Prints the address and who may do what, and warns where strangers would be admins.
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
void wait_for_the_end(const sigset_t& signals, Access& access) {
  for (;;) {
    const timespec patience{0, 500'000'000};
    const int number = sigtimedwait(&signals, nullptr, &patience);
    if (number == SIGINT || number == SIGTERM) return;
    access.reload(number == SIGHUP);
  }
}

// For the rooms to be made before the address is printed.
constexpr std::chrono::milliseconds kAnnounceLater{200};

int serve_house(House& house, const HouseSettings& house_settings,
                std::span<const RoomConfig> room_configs, net::ServerSettings settings,
                const net::StaticFiles& files, const sigset_t& signals) {
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
  const HttpApi http(api, keeper, house.invitations, lobby, files);
  const ViewerContext viewers{&api, &house.log,
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
  if (const auto error = check_rooms(room_configs, *house.rooms.library())) return fail(*error);
  // From here on they have their places, the first one that of the default room.
  for (const RoomConfig& room : room_configs) house.rooms.begin(room.id, room.scene);
  export_rooms(house.metrics, house.rooms);
  export_visitors(house.metrics, house.people, house.rooms);
  export_store(house.metrics, house.saved);
  export_process(house.metrics);
  house.metrics.collect([&server](net::MetricsWriter& out) {
    out.family("promenade_connections", "gauge", "Open connections, HTTP and WebSocket.");
    out.sample({}, static_cast<double>(server.connections()));
  });
  keep_viewers_informed(server, house);
  server.every(LobbyApi::kEvery, [&lobby] { lobby.sample(); });
  try {
    server.start();
  } catch (const net::ListenError& error) {
    return fail(error.what());
  }
  // The port is open; rooms come when they are made.
  std::string why_hopeless;  // written before the next is set
  std::atomic<bool> hopeless{false};
  std::promise<bool> made;
  house.worker.submit([&] {
    if (auto error = make_rooms(house_settings, room_configs, server, house.rooms)) {
      if (!house.rooms.given_up()) {
        why_hopeless = std::move(*error);
        hopeless = true;
      }
      made.set_value(false);
      ::kill(::getpid(), SIGTERM);  // ends the wait below
      return;
    }
    keeper.take_up_kept_rooms();
    tell_of_unserved(house_settings.config.state_dir, house.rooms);
    made.set_value(true);
  });
  // Small scenes take some hundredths of a second: whoever reads the address finds them made.
  auto all_made = made.get_future();
  if (all_made.wait_for(kAnnounceLater) != std::future_status::ready || all_made.get()) {
    announce(settings, server.port(), *house.access.tokens());
  }
  wait_for_the_end(signals, house.access);
  house.rooms.give_up_all();
  spdlog::info("stopping");
  house.worker.stop();  // no room comes or goes from here on
  // Rooms first, so that commands under way are answered while connections are still open.
  for (const auto& room : house.rooms.all()) room->stop();
  while (house.keep_counts()) {
  }
  house.saved.stop();
  server.stop();
  for (const auto& room : house.rooms.all()) room->forget_viewers();
  spdlog::info("stopped");
  return hopeless ? fail(why_hopeless) : 0;
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
  net::ServerSettings settings = server_settings_of(config);
  raise_file_limit(settings.limits.max_connections);

  auto library = Library::load(common.data_dir);
  if (!library) return fail(library.error().text());
  spdlog::info("data from {}: {} bodies, {} styles, {} scenes", common.data_dir.string(),
               (*library)->bodies().size(), (*library)->styles().size(),
               (*library)->scene_names().size());

  world::keep_gaits(**library, {command::gaits_made_beforehand(), gait_directory_of(config)});

  const net::StaticFiles files(command::find_web_root(config.web_root));
  if (!files.has_index()) {
    spdlog::warn(
        "the page is not built; only the socket and the API are served. ./scripts/serve builds it");
  }

  LockFile state_lock, store_lock;
  if (const auto error = take_state_directory(config.state_dir, state_lock)) return fail(*error);
  std::unique_ptr<House> house;
  try {
    house = std::make_unique<House>(config, *library);
    look_for_others_at(store_file_of(config), store_lock);
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
  return serve_house(*house, {config, common.data_dir}, room_configs, std::move(settings), files,
                     signals);
}

}  // namespace promenade::service
