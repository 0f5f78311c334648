#include "world/journal/set_aside.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <system_error>
#include <vector>

#include "schema/message.h"
#include "world/journal/durable_file.h"

namespace promenade::world {
namespace fs = std::filesystem;
namespace {

constexpr int kAttempts = 100;  // attempts at a name that is free
constexpr std::uintmax_t kMaxFileBytes = std::uintmax_t{1} << 30;

/// All files, the newest first: what is left by a move that ends early is older than what moved,
/// and a room that goes on from it repeats itself and does not jump.
std::vector<fs::path> paths_of(const JournalSet::Files& files, std::uint32_t first) {
  std::vector<fs::path> paths;
  for (auto point = files.points.rbegin(); point != files.points.rend(); ++point) {
    if (point->segment >= first) paths.push_back(point->path);
  }
  for (auto one = files.segments.rbegin(); one != files.segments.rend(); ++one) {
    if (one->number >= first) paths.push_back(one->path);
  }
  return paths;
}

std::uint64_t bytes_in(const fs::path& directory) {
  std::uint64_t bytes = 0;
  std::error_code code;
  for (fs::directory_iterator it(directory, code), end; !code && it != end; it.increment(code)) {
    std::error_code ignored;
    const auto size = it->file_size(ignored);
    if (!ignored) bytes += size;
  }
  return bytes;
}

}  // namespace

std::string time_for_names() {
  using std::chrono::system_clock;
  const auto ms =
      std::chrono::duration_cast<std::chrono::milliseconds>(system_clock::now().time_since_epoch())
          .count();
  const auto seconds = static_cast<std::time_t>(ms / 1000);
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  char day[32], text[40];
  std::strftime(day, sizeof day, "%Y%m%dT%H%M%S", &parts);
  std::snprintf(text, sizeof text, "%s.%03dZ", day, static_cast<int>(ms % 1000));
  return text;
}

int link_or_copy(const fs::path& from, const fs::path& to) {
  if (::link(from.c_str(), to.c_str()) == 0) return 0;
  if (errno != EPERM && errno != EOPNOTSUPP && errno != EMLINK) return errno;
  const auto bytes = schema::read_file(from, kMaxFileBytes);
  return bytes ? write_durably(to, *bytes) : EIO;
}

SetAside::Outcome SetAside::make_directory(const std::string& room) const {
  std::error_code failed;
  fs::create_directories(folder_, failed);
  if (failed) return {folder_, failed.message()};
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    const fs::path directory = folder_ / (room + "-" + time_for_names());
    if (::mkdir(directory.c_str(), 0777) == 0) return {directory, ""};
    if (errno != EEXIST) return {directory, std::strerror(errno)};
    ::usleep(1000);  // the name has milliseconds
  }
  return {folder_, std::strerror(EEXIST)};
}

SetAside::Outcome SetAside::move(const JournalSet& set) const {
  const std::vector<fs::path> paths = paths_of(set.list(), 0);
  if (paths.empty()) return {};
  Outcome out = make_directory(set.room());
  if (!out.error.empty()) return out;
  for (const fs::path& path : paths) {
    if (::rename(path.c_str(), (out.directory / path.filename()).c_str()) != 0) {
      out.error = path.string() + ": " + std::strerror(errno);
      return out;
    }
  }
  int error = sync_directory(out.directory);
  if (!error) error = sync_directory(folder_);
  if (!error) error = sync_directory(set.directory());
  if (error) out.error = std::strerror(error);
  return out;
}

SetAside::Outcome SetAside::link(const JournalSet& set, std::uint32_t first) const {
  const std::vector<fs::path> paths = paths_of(set.list(), first);
  if (paths.empty()) return {};
  Outcome out = make_directory(set.room());
  if (!out.error.empty()) return out;
  for (const fs::path& path : paths) {
    if (const int error = link_or_copy(path, out.directory / path.filename())) {
      out.error = path.string() + ": " + std::strerror(error);
      return out;
    }
  }
  int error = sync_directory(out.directory);
  if (!error) error = sync_directory(folder_);
  if (error) out.error = std::strerror(error);
  return out;
}

void SetAside::prune(std::uint64_t most_bytes) const {
  struct Set {
    std::string time;
    fs::path path;
    std::uint64_t bytes;
  };
  std::vector<Set> sets;
  std::uint64_t bytes = 0;
  std::error_code code;
  for (fs::directory_iterator it(folder_, code), end; !code && it != end; it.increment(code)) {
    const std::string name = it->path().filename().string();
    const auto dash = name.rfind('-');
    std::error_code ignored;
    if (dash == name.npos || !it->is_directory(ignored)) continue;
    sets.push_back({name.substr(dash + 1), it->path(), bytes_in(it->path())});
    bytes += sets.back().bytes;
  }
  std::sort(sets.begin(), sets.end(), [](const Set& a, const Set& b) { return a.time < b.time; });
  std::size_t count = sets.size();
  for (const Set& set : sets) {
    if (bytes <= most_bytes && count <= kMostSets) break;
    std::error_code ignored;
    fs::remove_all(set.path, ignored);
    bytes -= set.bytes;
    --count;
  }
}

}  // namespace promenade::world
