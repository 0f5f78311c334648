#include "world/journal/journal_writer.h"

#include <cstring>

#include "world/checkpoint/checkpoint.h"

namespace promenade::world {

JournalWriter::JournalWriter(const std::filesystem::path& path, const RoomSettings& settings,
                             std::uint64_t data_digest, const v1::Checkpoint* start) {
  v1::JournalHeader header = journal_header(settings, data_digest);
  int failed = 0;
  if (start) {
    start_with(v1::RESTORED, *start, header);
    failed = write_durably(start_file_of(path), checkpoint_bytes(*start));
  }
  if (!failed) failed = file_.open(path, LineFile::Open::kReplace);
  if (!failed) failed = file_.append(journal_line(header)).error;
  if (failed) {
    throw RoomError("the journal " + path.string() +
                    " cannot be written: " + std::strerror(failed));
  }
}

void JournalWriter::add(std::uint64_t tick, const Command& command) {
  lost_ += 1 - file_.append(journal_line(tick, command)).lines;
}

void JournalWriter::mark(std::uint64_t tick, std::uint64_t hash) {
  lost_ += 1 - file_.append(journal_mark(tick, hash)).lines;
}

void JournalWriter::close(std::uint64_t tick, std::uint64_t hash) {
  lost_ += 1 - file_.append(journal_mark(tick, hash, true, lost_)).lines;
}

}  // namespace promenade::world
