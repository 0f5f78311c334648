#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "promenade/v1/checkpoint.pb.h"
#include "promenade/v1/journal.pb.h"
#include "schema/error.h"
#include "world/command/command.h"
#include "world/room/room.h"

// Reads and writes the content of a journal's file (see journal.proto), to and from values.
namespace promenade::world {

/// The latest tick that a journal or a checkpoint may name: five centuries at 60 a second.
inline constexpr std::uint64_t kMaxTick = std::uint64_t{1} << 40;

/// 16 hexadecimal digits, as hashes are shown everywhere.
std::string format_hash(std::uint64_t hash);

/// The header of a room's journal that starts from the scene.
v1::JournalHeader journal_header(const RoomSettings& settings, std::uint64_t data_digest);

/// Puts into a header what it starts from instead.
void start_with(v1::JournalStart how, const v1::Checkpoint& state, v1::JournalHeader& header);

// Lines as they stand in the file, each with its '\n'.
std::string journal_line(const v1::JournalHeader& header);
std::string journal_line(std::uint64_t tick, const Command& command);
/// @param lost  lines that are missing before it
std::string journal_mark(std::uint64_t tick, std::uint64_t hash, bool end = false,
                         std::uint64_t lost = 0);

/// The file of the state that a journal starts from, where that is not the scene's.
std::filesystem::path start_file_of(const std::filesystem::path& journal);

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
    std::size_t after;  // entries that stand before it
  };
  std::vector<Mark> marks;
  bool whole = false;  // it has an end mark, and nothing was lost
  std::uint64_t end_tick = 0;
  /// Where reading ended before the end of the file, and why; empty text: nowhere.
  std::string damage;
  /// The lines from the damage to the end of the file, as far as they can be read.
  struct Behind {
    std::size_t lines = 0, commands = 0;
    std::uint64_t last_tick = 0;  // 0: no line that has one can be read
  };
  Behind behind = {};

  RoomSettings settings(int threads) const;

  enum class Damage {
    kRefused,  // a line that is wrong makes the file wrong
    kIsTheEnd  // the lines before it are read
  };
  /// Errors name file, line and key. A last line that is cut off is left out: the program that
  /// wrote it was killed.
  /// @param from  byte at which the first line to read begins; the header is read in any case
  static schema::Result<Journal> read(const std::filesystem::path& path,
                                      Damage damage = Damage::kRefused, std::uint64_t from = 0);
};

/// The header alone. @return the error if the first line is none
schema::Result<v1::JournalHeader> read_journal_header(const std::filesystem::path& path);

}  // namespace promenade::world
