#include "isolation/process.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <system_error>

#include "isolation/spawn.h"

namespace promenade::isolation {
namespace {

constexpr int kBuffer = 4 << 20;  // bytes: a snapshot of a large room, so that it is one write

void check(int code, const char* what) {
  if (code != 0) throw std::system_error(code, std::generic_category(), what);
}

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
  socket_ = pair[0];
  try {
    id_ = spawn_self({kRoomProcess, room}, {.at_3 = pair[1]});
  } catch (...) {
    ::close(pair[1]);
    ::close(socket_);
    throw;
  }
  ::close(pair[1]);
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
  if (!end_) end_ = end_of(id_);
  return end_;
}

std::size_t Process::resident_bytes() const {
  std::ifstream statm("/proc/" + std::to_string(id_) + "/statm");
  std::size_t pages = 0, resident = 0;
  statm >> pages >> resident;
  return statm ? resident * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)) : 0;
}

}  // namespace promenade::isolation
