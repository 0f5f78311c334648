#include "world/journal/durable_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace promenade::world {
namespace {

constexpr int kAttempts = 2;  // attempts at a write that fails

/// Writes as much as goes. @return the errno of what failed
int write_some(int descriptor, std::string_view bytes, std::size_t* done) {
  int failures = 0;
  while (*done < bytes.size()) {
    const ssize_t some = ::write(descriptor, bytes.data() + *done, bytes.size() - *done);
    if (some > 0) {
      *done += std::size_t(some);
    } else if (some == 0 || errno != EINTR) {
      const int error = some == 0 ? EIO : errno;
      if (++failures == kAttempts) return error;
    }
  }
  return 0;
}

/// @return the errno of what failed
int write_new(const std::filesystem::path& path, std::string_view bytes) {
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor < 0) return errno;
  std::size_t done = 0;
  int error = write_some(descriptor, bytes, &done);
  if (!error && ::fsync(descriptor) != 0) error = errno;
  if (::close(descriptor) != 0 && !error) error = errno;
  return error;
}

}  // namespace

int write_durably(const std::filesystem::path& path, std::string_view bytes) {
  std::filesystem::path beside = path;
  beside += ".part";
  int error = write_new(beside, bytes);
  if (!error && ::rename(beside.c_str(), path.c_str()) != 0) error = errno;
  if (error) {
    ::unlink(beside.c_str());
    return error;
  }
  return sync_directory(path.parent_path());
}

int sync_directory(const std::filesystem::path& directory) {
  const char* name = directory.empty() ? "." : directory.c_str();
  const int descriptor = ::open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return errno;
  // Some file systems cannot sync a directory and say EINVAL: there is nothing more to do then.
  const int error = ::fsync(descriptor) != 0 && errno != EINVAL ? errno : 0;
  ::close(descriptor);
  return error;
}

LineFile::~LineFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

int LineFile::open(const std::filesystem::path& path, Open how) {
  const int flags = how == Open::kNew ? O_EXCL : O_TRUNC;
  descriptor_ = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | flags, 0666);
  return descriptor_ < 0 ? errno : 0;
}

LineFile::Written LineFile::append(std::string_view lines) {
  std::size_t done = 0;
  Written written;
  written.error = write_some(descriptor_, lines, &done);
  const std::string_view whole = lines.substr(0, lines.substr(0, done).rfind('\n') + 1);
  size_ += whole.size();
  if (whole.size() < done) {
    // Shrinking needs no room on the disk, so only what is no file, such as a pipe, refuses it.
    [[maybe_unused]] const int refused = ::ftruncate(descriptor_, off_t(size_));
  }
  written.lines = std::size_t(std::count(whole.begin(), whole.end(), '\n'));
  return written;
}

int LineFile::sync() { return ::fdatasync(descriptor_) != 0 ? errno : 0; }

}  // namespace promenade::world
