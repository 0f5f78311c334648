#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace promenade::service {

/// A process of this program that searches gaits (`promenade search gait`), by time of processors
/// that nothing else wants. Whatever a body or an objective makes of the physics, the server goes
/// on. The kernel kills it when the thread that made it ends.
class SearchProcess {
 public:
  /// @param arguments  behind `search gait`; @param errors  file that gets its words, anew
  /// Throws std::system_error.
  SearchProcess(const std::vector<std::string>& arguments, const std::filesystem::path& errors);
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
