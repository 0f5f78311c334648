#include "service/searches/search_process.h"

#include <signal.h>
#include <sys/wait.h>

#include <cerrno>
#include <fstream>

#include "isolation/spawn.h"

namespace promenade::service {
namespace {

std::string last_line(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::string line, last;
  while (std::getline(in, line)) {
    if (!line.empty()) last = line;
  }
  constexpr std::size_t kMost = 400;
  return last.substr(0, kMost);
}

}  // namespace

SearchProcess::SearchProcess(const SearchWork& work) : errors_(work.errors) {
  id_ = isolation::spawn_self(
      {"search", "gait", "--resume", work.log.string(), "--budget", std::to_string(work.budget),
       "--threads", std::to_string(work.threads), "--check-starts", "0", "--background", "--data",
       work.data_dir.string()},
      {.errors = work.errors.string(), .silent = true});
}

SearchProcess::~SearchProcess() {
  if (end_) return;
  ::kill(id_, SIGKILL);
  while (::waitpid(id_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

std::optional<std::string> SearchProcess::ended() {
  if (end_) return end_;
  auto end = isolation::end_of(id_);
  if (!end) return std::nullopt;
  if (*end == "ended with exit code 0") {
    end_ = "";
  } else {
    const std::string why = last_line(errors_);
    end_ = "its process was " + *end + (why.empty() ? "" : ": " + why);
  }
  return end_;
}

}  // namespace promenade::service
