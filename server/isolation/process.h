#pragma once

#include <sys/types.h>

#include <cstddef>
#include <optional>
#include <string>

namespace promenade::isolation {

/// The hidden argument with which the program is started as the process of a room, before the
/// room's id, which is there for those who read the list of processes; and the descriptor at which
/// it finds its end of the wire.
inline constexpr const char* kRoomProcess = "room-process";
inline constexpr int kRoomSocket = 3;

/// A process of this program (`promenade room-process ROOM`) and a socket to it. It inherits
/// standard error and nothing else. The kernel kills it when the thread that made it ends, so that
/// thread must live as long as the process should.
class Process {
 public:
  /// @param room  its id. Throws std::system_error.
  explicit Process(const std::string& room);
  ~Process();  // kills it if it has not ended
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  int socket() const { return socket_; }  // does not block
  void kill();
  /// How it ended, as in "killed by signal 11 (Segmentation fault)"; nothing while it runs.
  std::optional<std::string> ended();
  /// Its memory in bytes; 0 where it cannot be read.
  std::size_t resident_bytes() const;

 private:
  int socket_ = -1;
  pid_t id_ = -1;
  std::optional<std::string> end_;
};

}  // namespace promenade::isolation
