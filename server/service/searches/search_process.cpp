#include "service/searches/search_process.h"

#include <signal.h>
#include <sys/wait.h>

#include <cerrno>
#include <fstream>
#include <utility>

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

SearchProcess::SearchProcess(const std::vector<std::string>& arguments,
                             const std::filesystem::path& errors)
    : errors_(errors) {
  std::vector<std::string> all = {"search", "gait"};
  all.insert(all.end(), arguments.begin(), arguments.end());
  all.push_back("--background");
  id_ = isolation::spawn_self(std::move(all), {.errors = errors.string(), .silent = true});
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
