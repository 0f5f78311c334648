#include "service/store/lock_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace promenade::service {

LockFile::~LockFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

namespace {

std::string process_in(int descriptor) {
  char pid[24] = {};
  const ssize_t size = ::pread(descriptor, pid, sizeof pid - 1, 0);
  return "process " + (size > 0 ? std::string(pid, std::size_t(size)) : "unknown");
}

}  // namespace

std::string LockFile::holder(const std::filesystem::path& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return "";
  const bool taken = ::flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  std::string who = taken ? process_in(descriptor) : "";
  ::close(descriptor);
  return who;
}

LockFile::Outcome LockFile::hold(const std::filesystem::path& path) {
  descriptor_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor_ < 0) {
    error_ = errno;
    text_ = std::strerror(error_);
    return Outcome::kFailed;
  }
  if (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
    error_ = errno;
    const bool taken = error_ == EWOULDBLOCK;
    text_ = taken ? process_in(descriptor_) : std::strerror(error_);
    ::close(std::exchange(descriptor_, -1));
    return taken ? Outcome::kTaken : Outcome::kFailed;
  }
  // The content is for people only: the lock does not depend on it.
  const std::string pid = std::to_string(::getpid());
  [[maybe_unused]] const bool told =
      ::ftruncate(descriptor_, 0) == 0 && ::pwrite(descriptor_, pid.data(), pid.size(), 0) > 0;
  return Outcome::kHeld;
}

}  // namespace promenade::service
