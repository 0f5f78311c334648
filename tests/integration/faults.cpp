// A library to preload into a server: calls that write to files below a directory fail.
//   FAULTS_BELOW   the directory; files elsewhere, sockets and pipes are left alone
//   FAULTS_WHILE   a file: faults happen only while it is there. Its content is a line
//                  "CALL EVERY ERRNO MILLISECONDS": every EVERY-th CALL (write, fsync, open,
//                  rename, or any) takes that long and then fails with ERRNO; 0 lets it succeed.
//   CLOCK_AHEAD    a file with a number: the clock of the day is so many seconds ahead while it is
//                  there.
#include <dlfcn.h>
#include <fcntl.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

std::atomic<unsigned> calls{0};

template <typename Function>
Function real(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

bool is_below(const char* path) {
  const char* directory = std::getenv("FAULTS_BELOW");
  return directory && path && std::strncmp(path, directory, std::strlen(directory)) == 0;
}

bool is_below(int descriptor) {
  char link[64], path[4096];
  std::snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  const ssize_t size = readlink(link, path, sizeof path - 1);
  if (size <= 0) return false;
  path[size] = '\0';
  return is_below(path);
}

/// The errno with which this call is to fail; 0: it is not.
int fault(const char* call) {
  const char* name = std::getenv("FAULTS_WHILE");
  const int file = name ? real<int (*)(const char*, int, ...)>("open")(name, O_RDONLY) : -1;
  if (file < 0) return 0;
  char text[128] = {}, wanted[16] = {};
  const ssize_t size = read(file, text, sizeof text - 1);
  close(file);
  unsigned every = 0, error = 0, milliseconds = 0;
  if (size <= 0 || std::sscanf(text, "%15s %u %u %u", wanted, &every, &error, &milliseconds) != 4)
    return 0;
  if (std::strcmp(wanted, "any") != 0 && std::strcmp(wanted, call) != 0) return 0;
  if (every == 0 || ++calls % every != 0) return 0;
  usleep(milliseconds * 1000);
  return int(error);
}

int open_or_fail(const char* name, const char* path, int flags, mode_t mode) {
  const bool writes = (flags & O_ACCMODE) != O_RDONLY;
  if (const int error = writes && is_below(path) ? fault("open") : 0) {
    errno = error;
    return -1;
  }
  return real<int (*)(const char*, int, ...)>(name)(path, flags, mode);
}

int sync_or_fail(const char* name, int descriptor) {
  if (const int error = is_below(descriptor) ? fault("fsync") : 0) {
    errno = error;
    return -1;
  }
  return real<int (*)(int)>(name)(descriptor);
}

long seconds_ahead() {
  const char* name = std::getenv("CLOCK_AHEAD");
  const int file = name ? real<int (*)(const char*, int, ...)>("open")(name, O_RDONLY) : -1;
  if (file < 0) return 0;
  char text[32] = {};
  const ssize_t size = read(file, text, sizeof text - 1);
  close(file);
  return size > 0 ? std::atol(text) : 0;
}

mode_t mode_of(int flags, va_list arguments) {
  return flags & O_CREAT ? va_arg(arguments, mode_t) : 0;
}

}  // namespace

extern "C" {

int open(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  return open_or_fail("open", path, flags, mode);
}

int open64(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  return open_or_fail("open64", path, flags, mode);
}

ssize_t write(int descriptor, const void* bytes, size_t size) {
  const auto next = real<ssize_t (*)(int, const void*, size_t)>("write");
  if (const int error = is_below(descriptor) ? fault("write") : 0) {
    errno = error;
    return -1;
  }
  return next(descriptor, bytes, size);
}

int clock_gettime(clockid_t clock, struct timespec* now) {
  const int done = real<int (*)(clockid_t, struct timespec*)>("clock_gettime")(clock, now);
  if (done == 0 && clock == CLOCK_REALTIME) now->tv_sec += seconds_ahead();
  return done;
}

int fsync(int descriptor) { return sync_or_fail("fsync", descriptor); }
int fdatasync(int descriptor) { return sync_or_fail("fdatasync", descriptor); }

int rename(const char* from, const char* to) {
  if (const int error = is_below(to) ? fault("rename") : 0) {
    errno = error;
    return -1;
  }
  return real<int (*)(const char*, const char*)>("rename")(from, to);
}
}
