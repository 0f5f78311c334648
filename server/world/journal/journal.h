#pragma once

#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "promenade/v1/journal.pb.h"
#include "schema/error.h"
#include "world/command/command.h"
#include "world/room.h"

namespace promenade::world {

/// The latest tick that a journal or a checkpoint may name: five centuries at 60 a second.
inline constexpr std::uint64_t kMaxTick = std::uint64_t{1} << 40;

/// 16 hexadecimal digits, as hashes are shown everywhere.
std::string format_hash(std::uint64_t hash);

/// Writes a room's commands to a file (see journal.proto) from a thread of its own: add() never
/// waits for the disk. When the disk falls behind by more than the queue, entries are lost and
/// counted, and the last mark says so.
class JournalWriter {
 public:
  /// Creates the file and writes the header. Throws RoomError if it cannot.
  JournalWriter(const std::filesystem::path& path, const RoomSettings& settings,
                std::uint64_t data_digest, std::size_t capacity = 8192);
  ~JournalWriter();  // without close() the file has no end mark, as after a crash

  void add(std::uint64_t tick, const Command& command);
  void mark(std::uint64_t tick, std::uint64_t hash);
  /// Writes the end mark and everything waiting, then closes the file.
  void close(std::uint64_t tick, std::uint64_t hash);

  std::uint64_t lost() const;

 private:
  void push(v1::JournalLine line);
  void write_lines();

  struct File;
  std::unique_ptr<File> file_;
  std::size_t capacity_;
  mutable std::mutex mutex_;  // guards what follows; held for a push or a swap only
  std::condition_variable wake_;
  std::vector<v1::JournalLine> waiting_;
  std::uint64_t lost_ = 0;
  bool closing_ = false;
  std::thread thread_;
};

/// A journal read back and checked.
struct Journal {
  v1::JournalHeader header;
  struct Entry {
    std::uint64_t tick;
    Command command;
  };
  std::vector<Entry> entries;  // ticks never fall
  struct Mark {
    std::uint64_t tick;
    std::uint64_t hash;
  };
  std::vector<Mark> marks;
  bool whole = false;  // it has an end mark, and nothing was lost
  std::uint64_t end_tick = 0;

  RoomSettings settings(int threads) const;

  /// Errors name file, line and key. A last line that is cut off is left out: the program that
  /// wrote it was killed.
  static schema::Result<Journal> read(const std::filesystem::path& path);
};

/// The result of replaying a journal.
struct ReplayResult {
  std::uint64_t ticks = 0;
  std::uint64_t hash = 0;  // at the end
  int marks_checked = 0;
  bool equal = true;                   // every mark's hash came out again
  std::uint64_t first_difference = 0;  // tick of the first mark that did not
  std::string error;                   // a recorded command that is refused now; empty: none
};

/// Runs a journal through a new room.
/// @param progress  called now and then with the tick and the last tick; may be empty
ReplayResult replay(const Journal& journal, std::shared_ptr<const Library> library, int threads,
                    const std::function<void(std::uint64_t, std::uint64_t)>& progress = {});

}  // namespace promenade::world
