#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>

namespace promenade::service {

/// What a process of a search is told.
struct SearchWork {
  std::filesystem::path data_dir;
  std::filesystem::path log;     // that it goes on with
  std::filesystem::path errors;  // gets its words, anew
  std::uint64_t budget = 0;      // candidates
  int threads = 1;
};

/// A process of this program that goes on with a search (`promenade search gait --resume`), by time
/// of processors that nothing else wants. Whatever a body or an objective makes of the physics, the
/// server goes on. The kernel kills it when the thread that made it ends.
class SearchProcess {
 public:
  /// Throws std::system_error.
  explicit SearchProcess(const SearchWork& work);
  ~SearchProcess();  // kills it if it has not ended: a log that is cut off is gone on with
  SearchProcess(const SearchProcess&) = delete;
  SearchProcess& operator=(const SearchProcess&) = delete;

  /// How it ended: empty: well; nothing while it runs.
  std::optional<std::string> ended();

 private:
  std::filesystem::path errors_;
  pid_t id_ = -1;
  std::optional<std::string> end_;
};

}  // namespace promenade::service
