#include "command/files.h"

#include <pwd.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <system_error>
#include <vector>

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

/// The home that the system's list of users has for the user of this process; empty if it has none
/// or that directory does not exist: users of services have such as /nonexistent.
fs::path home_of_user() {
  std::vector<char> texts(16384);  // grows for users whose entries are longer
  passwd entry{};
  passwd* found = nullptr;
  while (::getpwuid_r(::geteuid(), &entry, texts.data(), texts.size(), &found) == ERANGE) {
    texts.resize(2 * texts.size());
  }
  if (found == nullptr || found->pw_dir == nullptr) return {};
  const fs::path home = found->pw_dir;
  std::error_code ignored;
  return home.is_absolute() && fs::is_directory(home, ignored) ? home : fs::path();
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
  const char* data = std::getenv("XDG_DATA_HOME");
  if (data && fs::path(data).is_absolute()) return fs::path(data) / "promenade";
  const char* given = std::getenv("HOME");
  const fs::path home = given && fs::path(given).is_absolute() ? fs::path(given) : home_of_user();
  return home.empty() ? fs::path() : home / ".local" / "share" / "promenade";
}

std::vector<fs::path> gaits_made_beforehand() {
  const fs::path program = program_directory();
  return {program / "gaits", program.parent_path() / "share" / "promenade" / "gaits"};
}

fs::path find_web_root(const fs::path& given) {
  return find(given, "web", fs::path("web") / "dist", "index.html");
}

}  // namespace promenade::command
