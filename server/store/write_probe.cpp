#include "store/write_probe.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <string>

namespace promenade::store {

int error_of_writing(const std::filesystem::path& directory) {
  const auto file =
      (directory.empty() ? "." : directory) / (".promenade-probe-" + std::to_string(::getpid()));
  const int descriptor = ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (descriptor < 0) return errno;
  const std::array<char, 4096> page{};
  int error =
      ::write(descriptor, page.data(), page.size()) < 0 || ::fsync(descriptor) < 0 ? errno : 0;
  ::close(descriptor);
  ::unlink(file.c_str());
  return error;
}

}  // namespace promenade::store
