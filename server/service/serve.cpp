#include "service/serve.h"

#include <google/protobuf/stubs/logging.h>
#include <signal.h>
#include <spdlog/spdlog.h>
#include <sys/resource.h>

#include <cstdio>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "command/files.h"
#include "service/http_api.h"
#include "service/room_metrics.h"
#include "service/rooms.h"
#include "service/saved.h"
#include "service/viewer.h"

namespace promenade::service {
namespace {

// Signals are taken by sigwait() in the main thread; all threads started later inherit the mask.
sigset_t block_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
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

/// Makes the rooms that are asked for; none ticks yet. @return why one could not be made
/// @param server  must outlive the rooms: their snapshots go out on its threads
std::optional<std::string> make_rooms(const ServeConfig& config, std::span<const RoomConfig> wanted,
                                      net::Server& server, Rooms& rooms) {
  for (const RoomConfig& room : wanted) {
    try {
      rooms.hosts.push_back(std::make_unique<RoomHost>(
          room.id, rooms.library, runner_settings_of(config, room),
          [&server](std::function<void()> work) { server.post(std::move(work)); }));
    } catch (const world::RoomError& error) {
      return "room \"" + room.id + "\": " + error.what();
    }
    spdlog::info("room {}: scene {}, {} characters", room.id, room.scene,
                 rooms.hosts.back()->current()->snapshot().characters.size());
  }
  return std::nullopt;
}

/// Has the server look after viewers: heartbeats of paused rooms, and the catalogue when it
/// changes.
void keep_viewers_informed(net::Server& server, const Rooms& rooms, SavedDefinitions& saved) {
  server.every(std::chrono::milliseconds(500), [&rooms, &saved] {
    for (const auto& room : rooms.hosts) room->heartbeat();
    saved.poll();
  });
  saved.on_change([&rooms, &saved, &server] {
    server.post([&rooms, bytes = saved.catalogue_bytes()] {
      for (const auto& room : rooms.hosts) room->tell(bytes);
    });
  });
}

/// Prints the address, and warns where strangers would be admins.
void announce(const net::ServerSettings& settings, std::uint16_t port, const api::Tokens& tokens) {
  std::printf("Promenade is at http://%s:%u\n", shown_host(settings.address).c_str(),
              static_cast<unsigned>(port));
  std::fflush(stdout);
  if (!settings.origins.loopback_only && tokens.guest() == api::Role::kAdmin) {
    spdlog::warn("everyone who reaches {} may do everything; see --guest-role and --token",
                 settings.address);
  }
}

}  // namespace

int serve(const ServeConfig& config, const command::CommonOptions& common) {
  const sigset_t signals = block_signals();
  // Protobuf would log every message of a client whose text is not UTF-8; the client is told
  // instead.
  google::protobuf::SetLogHandler(nullptr);
  const std::vector<RoomConfig> room_configs = rooms_of(config);
  const api::Tokens tokens = tokens_of(config);
  net::ServerSettings settings = server_settings_of(config);
  raise_file_limit(settings.limits.max_connections);

  auto library = Library::load(common.data_dir);
  if (!library) return fail(library.error().text());
  spdlog::info("data from {}: {} bodies, {} styles, {} scenes", common.data_dir.string(),
               (*library)->bodies().size(), (*library)->styles().size(),
               (*library)->scene_names().size());

  const net::StaticFiles files(command::find_web_root(config.web_root));
  if (!files.has_index()) {
    spdlog::warn("the page has not been built; only the socket and the API are served");
  }

  std::unique_ptr<SavedDefinitions> saved;
  try {
    saved = std::make_unique<SavedDefinitions>(*library, store_file_of(config));
  } catch (const store::StoreError& error) {
    return fail(std::string(error.what()) +
                "; name another file with --store, or :memory: to keep nothing");
  }

  net::Metrics metrics;
  Rooms rooms;
  rooms.library = *library;
  const HttpApi http(rooms, *saved, tokens, metrics, files);
  const ViewerContext viewer_context{&rooms,
                                     saved.get(),
                                     &tokens,
                                     &metrics,
                                     settings.limits.messages_per_second,
                                     static_cast<std::uint32_t>(settings.limits.max_message_bytes)};
  settings.body_limit = [&http, most = settings.limits.max_body_bytes](
                            const net::HttpRequest& head) { return http.body_limit(head, most); };
  net::Server server(
      settings, metrics,
      [&http](const net::HttpRequest& request, net::HttpReply reply) {
        http.handle(request, std::move(reply));
      },
      [&viewer_context](const std::shared_ptr<net::Socket>& socket) {
        return std::make_shared<Viewer>(socket, viewer_context);
      });
  if (const auto error = make_rooms(config, room_configs, server, rooms)) return fail(*error);
  export_rooms(metrics, rooms);
  export_process(metrics);
  metrics.collect([&server](net::MetricsWriter& out) {
    out.family("promenade_connections", "gauge", "Connections of both kinds now.");
    out.sample({}, static_cast<double>(server.connections()));
  });

  keep_viewers_informed(server, rooms, *saved);

  try {
    server.start();
  } catch (const net::ListenError& error) {
    return fail(error.what());
  }
  for (const auto& room : rooms.hosts) room->start();
  announce(settings, server.port(), tokens);

  int signal_number = 0;
  sigwait(&signals, &signal_number);
  spdlog::info("stopping");
  // Rooms first, so that commands under way are answered while connections are still open.
  for (const auto& room : rooms.hosts) room->stop();
  saved->stop();
  server.stop();
  spdlog::info("stopped");
  return 0;
}

}  // namespace promenade::service
