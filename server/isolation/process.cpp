#include "isolation/process.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <system_error>

namespace promenade::isolation {
namespace {

constexpr int kBuffer = 4 << 20;  // bytes: a snapshot of a large room, so that it is one write

void check(int code, const char* what) {
  if (code != 0) throw std::system_error(code, std::generic_category(), what);
}

/// The actions and attributes of posix_spawn(), given back whatever happens.
struct Plan {
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
  Plan() {
    posix_spawn_file_actions_init(&files);
    posix_spawnattr_init(&attributes);
  }
  ~Plan() {
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
  }
};

}  // namespace

Process::Process(const std::string& room) {
  int pair[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) {
    check(errno, "no socket for the process of a room");
  }
  for (const int end : pair) {
    // A smaller buffer than asked for is slower and works.
    ::setsockopt(end, SOL_SOCKET, SO_SNDBUF, &kBuffer, sizeof kBuffer);
  }
  Plan plan;
  posix_spawn_file_actions_addopen(&plan.files, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&plan.files, 2, 1);
  posix_spawn_file_actions_adddup2(&plan.files, pair[1], kRoomSocket);
  posix_spawn_file_actions_addclosefrom_np(&plan.files, kRoomSocket + 1);
  sigset_t none, defaults;
  sigemptyset(&none);
  sigemptyset(&defaults);
  sigaddset(&defaults, SIGPIPE);
  posix_spawnattr_setsigmask(&plan.attributes, &none);
  posix_spawnattr_setsigdefault(&plan.attributes, &defaults);
  posix_spawnattr_setflags(&plan.attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  std::string name = "promenade", argument = kRoomProcess, id = room;
  char* const arguments[] = {name.data(), argument.data(), id.data(), nullptr};
  const int failed =
      ::posix_spawn(&id_, "/proc/self/exe", &plan.files, &plan.attributes, arguments, environ);
  ::close(pair[1]);
  socket_ = pair[0];
  if (failed != 0) {
    ::close(socket_);
    check(failed, "the process of a room cannot be started");
  }
  ::fcntl(socket_, F_SETFL, ::fcntl(socket_, F_GETFL) | O_NONBLOCK);
}

Process::~Process() {
  kill();
  while (!end_ && ::waitpid(id_, nullptr, 0) < 0 && errno == EINTR) {
  }
  ::close(socket_);
}

void Process::kill() {
  if (!end_) ::kill(id_, SIGKILL);
}

std::optional<std::string> Process::ended() {
  int status = 0;
  if (end_ || ::waitpid(id_, &status, WNOHANG) != id_) return end_;
  if (WIFSIGNALED(status)) {
    const int number = WTERMSIG(status);
    end_ = "killed by signal " + std::to_string(number) + " (" + ::strsignal(number) + ")";
  } else {
    end_ = "ended with exit code " + std::to_string(WEXITSTATUS(status));
  }
  return end_;
}

std::size_t Process::resident_bytes() const {
  std::ifstream statm("/proc/" + std::to_string(id_) + "/statm");
  std::size_t pages = 0, resident = 0;
  statm >> pages >> resident;
  return statm ? resident * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)) : 0;
}

}  // namespace promenade::isolation
