#pragma once

#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <system_error>

namespace promenade::isolation {

/// Wakes a thread that waits in poll(). Any thread may ring.
class Bell {
 public:
  Bell() : file_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
    if (file_ < 0) throw std::system_error(errno, std::generic_category(), "eventfd");
  }
  ~Bell() { ::close(file_); }
  Bell(const Bell&) = delete;
  Bell& operator=(const Bell&) = delete;

  /// Readable from ring() to hush().
  int file() const { return file_; }
  void ring() const {
    const std::uint64_t one = 1;
    // It fails only where the bell rings already.
    [[maybe_unused]] const ssize_t count = ::write(file_, &one, sizeof one);
  }
  void hush() const {
    std::uint64_t count = 0;
    [[maybe_unused]] const ssize_t read = ::read(file_, &count, sizeof count);
  }

 private:
  const int file_;
};

}  // namespace promenade::isolation
