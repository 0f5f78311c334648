#include "world/journal/journal_set.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <optional>
#include <set>
#include <string_view>
#include <system_error>

namespace promenade::world {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view kSegmentEnd = ".journal", kPointEnd = ".checkpoint", kAt = ".at-";

template <typename Number>
std::optional<Number> parse_number(std::string_view text) {
  Number value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || code != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// "main" and 12 of main.000012.journal, and the same of checkpoints.
struct Name {
  std::string_view room;
  std::uint32_t number = 0;
  std::uint64_t offset = 0;
  bool segment = false;
};
std::optional<Name> parse_name(std::string_view name) {
  Name out;
  const auto ends = [&](std::string_view end) {
    if (!name.ends_with(end)) return false;
    name.remove_suffix(end.size());
    return true;
  };
  out.segment = ends(kSegmentEnd);
  if (!out.segment && !ends(kPointEnd)) return std::nullopt;
  if (const auto at = name.rfind(kAt); !out.segment && at != name.npos) {
    const auto offset = parse_number<std::uint64_t>(name.substr(at + kAt.size()));
    if (!offset || *offset == 0) return std::nullopt;
    out.offset = *offset;
    name = name.substr(0, at);
  }
  const auto dot = name.rfind('.');
  if (dot == name.npos || dot == 0) return std::nullopt;
  const auto number = parse_number<std::uint32_t>(name.substr(dot + 1));
  if (!number || *number == 0) return std::nullopt;
  out.number = *number;
  out.room = name.substr(0, dot);
  return out;
}

/// Calls each(path, name) for every file of a directory whose name is one of a room's.
template <typename Each>
void each_file(const fs::path& directory, Each&& each) {
  std::error_code code;
  for (fs::directory_iterator it(directory, code), end; !code && it != end; it.increment(code)) {
    const std::string text = it->path().filename().string();
    if (const auto name = parse_name(text)) each(it->path(), *name);
  }
}

std::uint64_t size_of(const fs::path& path) {
  std::error_code code;
  const auto size = fs::file_size(path, code);
  return code ? 0 : size;
}

bool remove_file(const fs::path& path) {
  std::error_code code;
  return fs::remove(path, code) && !code;
}

}  // namespace

std::uint64_t JournalSet::Files::bytes() const {
  std::uint64_t sum = 0;
  for (const Segment& segment : segments) sum += segment.bytes;
  for (const Point& point : points) sum += point.bytes;
  return sum;
}

std::uint32_t JournalSet::Files::next_number() const {
  std::uint32_t last = segments.empty() ? 0 : segments.back().number;
  if (!points.empty()) last = std::max(last, points.back().segment);
  return last + 1;
}

JournalSet::Files JournalSet::list() const {
  Files files;
  each_file(directory_, [&](const fs::path& path, const Name& name) {
    if (name.room != room_) return;
    if (name.segment) {
      files.segments.push_back({name.number, size_of(path), path});
    } else {
      files.points.push_back({name.number, name.offset, size_of(path), path});
    }
  });
  std::sort(files.segments.begin(), files.segments.end(),
            [](const Segment& a, const Segment& b) { return a.number < b.number; });
  std::sort(files.points.begin(), files.points.end(), [](const Point& a, const Point& b) {
    return std::pair(a.segment, a.offset) < std::pair(b.segment, b.offset);
  });
  return files;
}

fs::path JournalSet::segment_path(std::uint32_t number) const {
  char text[24];
  std::snprintf(text, sizeof text, ".%06u", number);
  return directory_ / (room_ + text + std::string(kSegmentEnd));
}

fs::path JournalSet::point_path(std::uint32_t segment, std::uint64_t offset) const {
  fs::path path = segment_path(segment);
  const std::string at = offset == 0 ? "" : std::string(kAt) + std::to_string(offset);
  return path.replace_extension(at + std::string(kPointEnd));
}

void JournalSet::prune(std::uint64_t most_bytes) const {
  Files files = list();
  if (files.segments.empty()) return;
  const std::uint32_t newest = files.segments.back().number;
  std::uint64_t bytes = files.bytes();
  const auto drop = [&](const fs::path& path, std::uint64_t size) {
    if (remove_file(path)) bytes -= size;
  };
  // Points serve only to go on from, which the newest do.
  std::size_t kept = 0;
  for (auto point = files.points.rbegin(); point != files.points.rend(); ++point) {
    if (point->offset == 0) continue;
    if (point->segment == newest && kept < 2) {
      ++kept;
    } else {
      drop(point->path, point->bytes);
    }
  }
  std::size_t count = files.segments.size();
  for (const Segment& segment : files.segments) {
    if (count <= 2 || (bytes <= most_bytes && count <= kMostSegments)) break;
    // The segment first: a state without one is no start of anything, and is passed over.
    drop(segment.path, segment.bytes);
    for (const Point& point : files.points) {
      if (point.segment == segment.number && point.offset == 0) drop(point.path, point.bytes);
    }
    --count;
  }
}

std::vector<std::string> JournalSet::rooms_in(const fs::path& directory) {
  std::set<std::string> rooms;
  each_file(directory, [&](const fs::path&, const Name& name) {
    if (name.segment) rooms.emplace(name.room);
  });
  return {rooms.begin(), rooms.end()};
}

}  // namespace promenade::world
