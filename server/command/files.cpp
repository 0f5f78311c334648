#include "command/files.h"

#include <cstdlib>
#include <system_error>

namespace promenade::command {
namespace fs = std::filesystem;
namespace {

// `installed` below PREFIX/share/promenade, or `in_source` in a directory above the program (a
// build directory lies in the source tree) or above the working directory.
fs::path find(const fs::path& given, const fs::path& installed, const fs::path& in_source,
              const fs::path& marker) {
  if (!given.empty()) return given;
  std::error_code ignored;
  fs::path share = program_directory().parent_path() / "share" / "promenade" / installed;
  if (fs::exists(share / marker, ignored)) return share;
  for (fs::path start : {program_directory(), fs::current_path(ignored)}) {
    for (; start.has_relative_path(); start = start.parent_path()) {
      if (fs::exists(start / in_source / marker, ignored)) return start / in_source;
    }
  }
  const fs::path built_from = fs::path(PROMENADE_SOURCE_DIR) / in_source;
  return fs::exists(built_from / marker, ignored) ? built_from : fs::path();
}

}  // namespace

fs::path program_directory() {
  std::error_code ignored;
  return fs::read_symlink("/proc/self/exe", ignored).parent_path();
}

fs::path find_data_directory(const fs::path& given) {
  return find(given, "data", fs::path("server") / "data", "creatures");
}

fs::path user_data_directory() {
  // The XDG specification says that a path that is not absolute is to be ignored.
  const char* data = std::getenv("XDG_DATA_HOME");
  if (data && fs::path(data).is_absolute()) return fs::path(data) / "promenade";
  const char* home = std::getenv("HOME");
  if (home && fs::path(home).is_absolute()) {
    return fs::path(home) / ".local" / "share" / "promenade";
  }
  std::error_code ignored;
  return fs::current_path(ignored);
}

std::vector<fs::path> gaits_made_beforehand() {
  const fs::path program = program_directory();
  return {program / "gaits", program.parent_path() / "share" / "promenade" / "gaits"};
}

fs::path find_web_root(const fs::path& given) {
  return find(given, "web", fs::path("web") / "dist", "index.html");
}

}  // namespace promenade::command
