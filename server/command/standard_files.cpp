#include "command/standard_files.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

namespace promenade::command {

bool open_standard_files() {
  for (int number = STDIN_FILENO; number <= STDERR_FILENO; ++number) {
    if (::fcntl(number, F_GETFD) >= 0 || errno != EBADF) continue;
    // open() takes the lowest free number, which is this one, as all below it are open by now.
    const int mode = number == STDIN_FILENO ? O_RDONLY : O_WRONLY;
    if (::open("/dev/null", mode) != number) return false;
  }
  return true;
}

}  // namespace promenade::command
