#include "world/journal/start_count.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <fstream>
#include <system_error>

#include "schema/message.h"
#include "world/journal/durable_file.h"

namespace promenade::world {
namespace fs = std::filesystem;
namespace {

fs::path path_of(const JournalSet& set) { return set.directory() / (set.room() + ".starts"); }

/// Whether a segment has more than its header: its room took a command, ticked or was closed.
bool has_lines(const fs::path& segment) {
  std::ifstream in(segment);
  std::string line;
  return std::getline(in, line) && !in.eof() && in.get() != std::ifstream::traits_type::eof();
}

}  // namespace

fs::path first_state_path(const JournalSet& set) {
  return set.directory() / (set.room() + ".first.checkpoint");
}

std::optional<StartCount> read_starts(const JournalSet& set) {
  constexpr std::uintmax_t kMostBytes = 1000;
  const auto text = schema::read_file(path_of(set), kMostBytes);
  StartCount count;
  if (!text ||
      std::sscanf(text->c_str(),
                  "starts %d from segment %" SCNu32 " offset %" SCNu64 " seed %" SCNu64
                  " next %" SCNu32,
                  &count.starts, &count.segment, &count.offset, &count.seed, &count.next) != 5) {
    return std::nullopt;
  }
  const auto files = set.list();
  const bool went_on =
      std::any_of(files.segments.begin(), files.segments.end(),
                  [&](const auto& one) { return one.number >= count.next && has_lines(one.path); });
  return went_on ? std::nullopt : std::optional(count);
}

int write_starts(const JournalSet& set, const StartCount& count) {
  char text[160];
  std::snprintf(text, sizeof text,
                "starts %d from segment %" PRIu32 " offset %" PRIu64 " seed %" PRIu64
                " next %" PRIu32 "\n",
                count.starts, count.segment, count.offset, count.seed, count.next);
  return write_durably(path_of(set), text);
}

void forget_starts(const JournalSet& set) {
  std::error_code ignored;
  // The count first: without it, the state means nothing.
  if (fs::remove(path_of(set), ignored)) sync_directory(set.directory());
  fs::remove(first_state_path(set), ignored);
}

}  // namespace promenade::world
