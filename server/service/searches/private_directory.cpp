#include "service/searches/private_directory.h"

#include <spdlog/spdlog.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace promenade::service {
namespace {

// Whether a path is still the directory that was made: what clears old files may have removed it,
// and somebody else may have put something in its place.
bool is_own_directory(const std::filesystem::path& path) {
  struct stat status {};
  return ::lstat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode) &&
         status.st_uid == ::geteuid();
}

}  // namespace

const std::filesystem::path& PrivateDirectory::make() {
  if (!path_.empty() && is_own_directory(path_)) return path_;
  path_.clear();
  std::error_code code;
  const std::filesystem::path parent = std::filesystem::temp_directory_path(code);
  std::string pattern = (parent / (name_ + "-XXXXXX")).string();
  if (!code && ::mkdtemp(pattern.data())) {
    path_ = pattern;
    return path_;
  }
  if (!code) code = {errno, std::generic_category()};
  spdlog::error("no directory {} can be made: {}", pattern, code.message());
  return path_;
}

void PrivateDirectory::remove() {
  if (path_.empty()) return;
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
  path_.clear();
}

world::CommandError no_directory(std::string field) {
  return world::refuse(world::CommandError::Code::kInternal, std::move(field),
                       "its files cannot be written", "a disk that takes them");
}

}  // namespace promenade::service
