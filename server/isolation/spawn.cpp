#include "isolation/spawn.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <system_error>

namespace promenade::isolation {
namespace {

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

pid_t spawn_self(std::vector<std::string> arguments, const SpawnFiles& files) {
  Plan plan;
  posix_spawn_file_actions_addopen(&plan.files, 0, "/dev/null", O_RDONLY, 0);
  if (!files.errors.empty()) {
    posix_spawn_file_actions_addopen(&plan.files, 2, files.errors.c_str(),
                                     O_WRONLY | O_CREAT | O_TRUNC, 0640);
  }
  if (files.silent) {
    posix_spawn_file_actions_addopen(&plan.files, 1, "/dev/null", O_WRONLY, 0);
  } else {
    posix_spawn_file_actions_adddup2(&plan.files, 2, 1);
  }
  if (files.at_3 >= 0) posix_spawn_file_actions_adddup2(&plan.files, files.at_3, 3);
  posix_spawn_file_actions_addclosefrom_np(&plan.files, files.at_3 >= 0 ? 4 : 3);
  sigset_t none, defaults;
  sigemptyset(&none);
  sigemptyset(&defaults);
  sigaddset(&defaults, SIGPIPE);
  posix_spawnattr_setsigmask(&plan.attributes, &none);
  posix_spawnattr_setsigdefault(&plan.attributes, &defaults);
  posix_spawnattr_setflags(&plan.attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  arguments.insert(arguments.begin(), "promenade");
  std::vector<char*> words;
  words.reserve(arguments.size() + 1);
  for (std::string& argument : arguments) words.push_back(argument.data());
  words.push_back(nullptr);
  pid_t id = -1;
  const int failed =
      ::posix_spawn(&id, "/proc/self/exe", &plan.files, &plan.attributes, words.data(), environ);
  if (failed != 0) {
    throw std::system_error(failed, std::generic_category(), "this program cannot be started");
  }
  return id;
}

std::optional<std::string> end_of(pid_t process) {
  int status = 0;
  if (::waitpid(process, &status, WNOHANG) != process) return std::nullopt;
  if (WIFSIGNALED(status)) {
    const int number = WTERMSIG(status);
    return "killed by signal " + std::to_string(number) + " (" + ::strsignal(number) + ")";
  }
  return "ended with exit code " + std::to_string(WEXITSTATUS(status));
}

}  // namespace promenade::isolation
