#include <sys/resource.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

#include "app/subcommands.h"
#include "command/files.h"
#include "command/processors.h"
#include "net/http/static_files.h"
#include "net/metrics.h"
#include "net/server.h"
#include "net/socket/socket_client.h"
#include "service/people/access.h"
#include "service/serve/config.h"
#include "service/store/lock_file.h"
#include "store/store.h"
#include "world/library/library.h"

namespace promenade::app {
namespace {

namespace fs = std::filesystem;

/// Prints one line for each thing looked at, and keeps the worst.
class Findings {
 public:
  void good(const char* what, const std::string& text) { print("ok", what, text); }
  void doubtful(const char* what, const std::string& text) { print("warn", what, text); }
  void bad(const char* what, const std::string& text) {
    print("FAIL", what, text);
    failed_ = true;
  }
  bool failed() const { return failed_; }

 private:
  static void print(const char* verdict, const char* what, const std::string& text) {
    std::printf("%-4s  %-12s %s\n", verdict, what, text.c_str());
  }
  bool failed_ = false;
};

std::string megabytes(double bytes) { return std::to_string(long(bytes / 1e6)) + " MB"; }

void look_at_machine(Findings& found, const service::ServeConfig& config) {
  found.good("processors",
             command::usable_processors().text() + ": " +
                 std::to_string(service::threads_of_room(config)) + " threads step a room, " +
                 std::to_string(service::threads_of_network(config)) + " serve connections");
  std::ifstream meminfo("/proc/meminfo");
  std::string key, unit;
  double kilobytes = 0, available = 0;
  while (meminfo >> key >> kilobytes >> unit) {
    if (key == "MemAvailable:") available = 1e3 * kilobytes;
  }
  constexpr double kLeastMemory = 200e6;
  if (available > 0 && available < kLeastMemory) {
    found.doubtful("memory", megabytes(available) +
                                 " are free; a room of a hundred characters and "
                                 "some hundred viewers take about 200 MB");
  } else {
    found.good("memory", megabytes(available) + " are free");
  }
  rlimit files{};
  getrlimit(RLIMIT_NOFILE, &files);
  const auto wanted = rlim_t(config.max_viewers) + 256;
  if (files.rlim_max != RLIM_INFINITY && files.rlim_max < wanted) {
    found.doubtful("open files", "at most " + std::to_string(files.rlim_max) + " may be open, so " +
                                     "fewer than --max-connections " +
                                     std::to_string(config.max_viewers) +
                                     " are served; raise `ulimit -n`");
  } else {
    found.good("open files", "enough for " + std::to_string(config.max_viewers) + " connections");
  }
}

void look_at_data(Findings& found, const service::ServeConfig& config,
                  const command::CommonOptions& common) {
  const auto library = Library::load(common.data_dir);
  if (!library) return found.bad("data", library.error().text());
  found.good("data", common.data_dir.string() + ": " +
                         std::to_string((*library)->scene_names().size()) + " scenes, " +
                         std::to_string((*library)->bodies().size()) + " bodies");
  for (const service::RoomConfig& room : service::rooms_of(config)) {
    if (!(*library)->find_scene(room.scene)) {
      found.bad("rooms", "room \"" + room.id + "\": there is no scene \"" + room.scene + "\"");
    } else {
      found.good("rooms", room.id + ": scene " + room.scene);
    }
  }
  const fs::path page = command::find_web_root(config.web_root);
  if (net::StaticFiles(page).has_index()) {
    found.good("page", page.string());
  } else {
    found.doubtful("page",
                   "the page is not built; only the socket and the API would be served. "
                   "./scripts/serve builds it");
  }
}

void look_at_space(Findings& found, const char* what, const fs::path& directory) {
  struct statvfs space {};
  if (statvfs(directory.c_str(), &space) != 0) return;
  const double free = double(space.f_bavail) * double(space.f_frsize);
  constexpr double kLeastSpace = 1e9;
  const std::string text = megabytes(free) + " are free in " + directory.string();
  free < kLeastSpace ? found.doubtful(what, text) : found.good(what, text);
}

bool is_there(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

/// The directory in which a file that is not there would be made, or the first of the directories
/// above it that there is.
fs::path nearest_directory(const fs::path& path) {
  fs::path there = fs::absolute(path).parent_path();
  while (!is_there(there)) there = there.parent_path();
  return there;
}

/// Why a file or directory that is not there cannot be made; empty: it can. Nothing is made here:
/// it would belong to the user who asks, who need not be the server's user.
std::string why_not_made(const fs::path& path) {
  const fs::path there = nearest_directory(path);
  if (fs::is_directory(there) && access(there.c_str(), W_OK | X_OK) == 0) return "";
  return path.string() + " does not exist and cannot be made in " + there.string();
}

void look_at_store(Findings& found, const service::ServeConfig& config) {
  fs::path file;
  try {
    file = service::store_file_of(config);
  } catch (const CLI::ValidationError& error) {
    return found.bad("store", error.what());
  }
  if (file != ":memory:" && !is_there(file)) {
    if (const std::string why = why_not_made(file); !why.empty()) {
      return found.bad("store", why + "; name another file with --store");
    }
    found.good("store", file.string() + " will be made at the first start");
    return look_at_space(found, "disk", nearest_directory(file));
  }
  try {
    const store::Store store(file);
    found.good("store",
               file.string() + ": " + std::to_string(store.in_force(store::Kind::kStyle).size()) +
                   " saved styles, " + std::to_string(store.in_force(store::Kind::kBody).size()) +
                   " saved bodies");
  } catch (const store::StoreError& error) {
    return found.bad("store", error.what());
  }
  if (file != ":memory:") look_at_space(found, "disk", fs::absolute(file).parent_path());
}

// Whether a Promenade server has the port already: `doctor` may run beside it.
bool is_served(std::uint16_t port) {
  try {
    const net::SocketClient client(port, "/ws", "promenade.v1");
    return true;
  } catch (const std::runtime_error&) {
    return false;
  }
}

void look_at_state(Findings& found, const service::ServeConfig& config) {
  const fs::path& directory = config.state_dir;
  if (directory.empty()) {
    return found.doubtful(
        "state",
        "rooms start from their scenes whenever the server starts, as --state-dir is not set");
  }
  if (!is_there(directory)) {
    if (const std::string why = why_not_made(directory); !why.empty()) {
      return found.bad("state", why + "; name another directory with --state-dir");
    }
    found.good("state", directory.string() + " will be made at the first start");
    return look_at_space(found, "state", nearest_directory(directory));
  }
  if (!fs::is_directory(directory)) {
    return found.bad("state", directory.string() + " is not a directory");
  }
  if (access(directory.c_str(), W_OK | X_OK) != 0) {
    return found.bad("state", directory.string() + " is not writable");
  }
  if (const std::string who = service::LockFile::holder(service::lock_of_state(directory));
      !who.empty()) {
    const std::string text = directory.string() + " is in use by another server, " + who;
    if (!is_served(static_cast<std::uint16_t>(config.port))) {
      return found.bad(
          "state", text + "; stop that server first, or name another directory with --state-dir");
    }
    found.good("state", text + ": the one that answers on port " + std::to_string(config.port));
  } else {
    found.good("state", directory.string());
  }
  look_at_space(found, "state", directory);
}

void look_at_audit(Findings& found, const service::ServeConfig& config) {
  const fs::path& file = config.audit_log;
  if (file.empty()) return found.good("audit", "who did what goes to the log");
  if (!is_there(file)) {
    const std::string why = why_not_made(file);
    return why.empty() ? found.good("audit", file.string() + " will be made at the first start")
                       : found.bad("audit", why + "; name another file with --audit-log");
  }
  if (!fs::is_regular_file(file) || access(file.c_str(), W_OK) != 0) {
    return found.bad("audit", file.string() + " is not writable");
  }
  found.good("audit", file.string());
}

void look_at_tokens(Findings& found, const service::ServeConfig& config) {
  const api::Tokens given = service::tokens_of(config);  // throws, as `serve` does
  try {
    const service::Access access(given, config.token_file);
    const std::string known = std::to_string(access.tokens()->all().size()) + " tokens";
    if (config.token_file.empty()) return found.good("tokens", known);
    if (service::others_may_use(config.token_file)) {
      return found.doubtful("tokens", config.token_file.string() + " can be read or changed by " +
                                          "others; chmod 600 it");
    }
    found.good("tokens", known + ", including those of " + config.token_file.string());
  } catch (const std::runtime_error& error) {
    found.bad("tokens", error.what());
  }
}

void look_at_network(Findings& found, const service::ServeConfig& config) {
  const net::ServerSettings settings = service::server_settings_of(config);
  const std::string where = settings.address + ":" + std::to_string(settings.port);
  net::Metrics metrics;
  net::Server server(settings, metrics, {}, {});
  try {
    server.start();
    server.stop({});
    found.good("port", where + " is free");
  } catch (const net::ListenError& error) {
    if (is_served(settings.port)) {
      found.good("port", where + ": a Promenade server answers there");
    } else {
      found.bad("port", error.what());
    }
  }
}

void look_at_rights(Findings& found, const service::ServeConfig& config) {
  const net::ServerSettings settings = service::server_settings_of(config);
  const api::Tokens tokens = service::tokens_of(config);
  const std::string guests = std::string("guests may ") + api::role_duties(tokens.guest());
  if (settings.hosts.loopback_only)
    return found.good("rights", guests + "; only this machine connects");
  if (tokens.guest() >= api::Role::kOperator) {
    found.doubtful("rights", guests + ", and anyone can connect; see --guest-role");
  } else {
    found.good("rights", guests);
  }
  if (settings.hosts.names.empty()) {
    found.doubtful("names",
                   "guests who reach the server by a name instead of an IP address may only watch; "
                   "see --host");
  }
}

int examine(const service::ServeConfig& config, const command::CommonOptions& common) {
  Findings found;
  look_at_machine(found, config);
  look_at_data(found, config, common);
  look_at_store(found, config);
  look_at_state(found, config);
  look_at_network(found, config);
  look_at_rights(found, config);
  look_at_tokens(found, config);
  look_at_audit(found, config);
  return found.failed() ? 1 : 0;
}

}  // namespace

command::Run add_doctor(CLI::App& command, const command::CommonOptions& common) {
  auto config = std::make_shared<service::ServeConfig>();
  service::add_serve_options(command, *config);
  command.footer(
      "Takes the settings of `serve` (flags, file, environment) and checks everything that a "
      "server\nneeds. The exit code is 1 if the server could not start.");
  return [config, &common] { return examine(*config, common); };
}

}  // namespace promenade::app
