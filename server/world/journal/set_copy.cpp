#include "world/journal/set_copy.h"

#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include "schema/message.h"
#include "world/checkpoint/checkpoint.h"
#include "world/journal/durable_file.h"
#include "world/journal/journal.h"

namespace promenade::world {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kMaxSegmentBytes = std::size_t{1} << 30;  // bytes, as Journal::read() takes
constexpr int kAttempts = 10;  // attempts: the server may replace files by newer ones meanwhile

schema::FileError cannot(const fs::path& file, std::string what) {
  return {file.string(), 0, "", "", "", std::move(what)};
}

/// One file's content on its way.
struct Piece {
  fs::path name;
  std::string bytes;
};

/// The files of a room as they were read at one moment.
struct Found {
  std::vector<Piece> pieces;
  std::uint64_t from = 0;  // bytes of the segment that came before the newest state
  CopiedRoom room;
};

/// Reads one segment and the states that belong to it. The states first: a state's place is in the
/// lines that were written before it, and a file of lines only grows.
/// @return nothing: they are not whole (any more)
std::optional<Found> read_segment(const JournalSet::Files& files,
                                  const JournalSet::Segment& segment) {
  const auto header = read_journal_header(segment.path);
  if (!header) return std::nullopt;
  Found found;
  std::uint64_t& from = found.from;
  bool start = header->start() == v1::SCENE;
  found.room = {header->version(), header->scene(), header->start_tick(), header->start_hash()};
  for (auto point = files.points.rbegin(); point != files.points.rend(); ++point) {
    if (point->segment != segment.number || (point->offset != 0 && from != 0)) continue;
    auto bytes = schema::read_file(point->path, kMaxCheckpointBytes);
    if (!bytes) continue;
    const auto state = parse_checkpoint(*bytes, point->path.string());
    if (!state) continue;
    if (point->offset == 0) start = true;
    if (from == 0) {
      from = point->offset;
      found.room.tick = state->tick();
      found.room.state_hash = state->state_hash();
    }
    found.pieces.push_back({point->path.filename(), std::move(bytes).value()});
  }
  if (!start && from == 0) return std::nullopt;
  auto lines = schema::read_file(segment.path, kMaxSegmentBytes);
  if (!lines) return std::nullopt;
  lines->resize(lines->rfind('\n') + 1);  // the line that is being written
  if (lines->size() < from) return std::nullopt;
  found.pieces.push_back({segment.path.filename(), std::move(lines).value()});
  return found;
}

std::optional<Found> read_room(const JournalSet& from) {
  const JournalSet::Files files = from.list();
  for (auto segment = files.segments.rbegin(); segment != files.segments.rend(); ++segment) {
    if (auto found = read_segment(files, *segment)) return found;
  }
  return std::nullopt;
}

}  // namespace

schema::Result<CopiedRoom> copy_room(const JournalSet& from, const fs::path& to) {
  std::optional<Found> found;
  for (int attempt = 0; attempt < kAttempts && !found; ++attempt) found = read_room(from);
  if (!found) {
    return cannot(from.directory() / from.room(),
                  "has no segment that can be read, with a state to go on from");
  }
  fs::path segment;
  for (const Piece& piece : found->pieces) {
    const fs::path path = to / piece.name;
    if (const int error = write_durably(path, piece.bytes)) {
      return cannot(path, std::string("cannot be written: ") + std::strerror(error));
    }
    segment = path;  // the last piece
  }
  const auto journal = Journal::read(segment, Journal::Damage::kIsTheEnd, found->from);
  if (!journal) return journal.error();
  std::size_t before = 0;  // entries that are in the hash
  if (!journal->marks.empty() && journal->marks.back().tick >= found->room.tick) {
    found->room.tick = journal->marks.back().tick;
    found->room.state_hash = format_hash(journal->marks.back().hash);
    before = journal->marks.back().after;
  }
  if (before < journal->entries.size() && journal->entries[before].tick <= found->room.tick) {
    found->room.state_hash.clear();  // the room goes on with what was done in the same tick
  }
  return std::move(found->room);
}

}  // namespace promenade::world
