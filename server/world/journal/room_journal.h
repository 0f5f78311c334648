#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <variant>
#include <vector>

#include "promenade/v1/checkpoint.pb.h"
#include "world/journal/journal.h"
#include "world/journal/journal_health.h"
#include "world/journal/journal_keeper.h"
#include "world/journal/journal_set.h"

namespace promenade::world {

struct JournalSettings {
  std::filesystem::path directory;                        // empty: no journal
  std::string room = "main";                              // the beginning of the files' names
  std::uint64_t segment_bytes = std::uint64_t{64} << 20;  // of lines, when a new segment begins
  std::uint64_t total_bytes = std::uint64_t{512} << 20;   // of all files of the room
  std::function<void(const std::string&)> tell;           // trouble, for a log; any thread
};

/// Keeps a room's journal on the disk, as a set of segments (JournalSet), and the answers to its
/// commands back until the commands are written. The room's thread calls all functions but
/// figures(), and never waits for the disk: lines are written by a thread of this, syncs and states
/// by that of the keeper.
///
/// A line that cannot be written breaks the segment: from then on the journal is failing, and lines
/// are counted as lost until a new segment begins, with the room's whole state. Answers are given
/// all the same, and so they are while a write takes longer than a second.
class RoomJournal {
 public:
  /// The start of a segment. @pre state, unless how is SCENE
  struct Start {
    v1::JournalStart how = v1::SCENE;
    std::optional<v1::Checkpoint> state = std::nullopt;
  };
  struct Figures {
    bool failing = false;    // lines or syncs do not reach the disk now
    std::uint64_t lost = 0;  // lines that were not written
    double unsynced_s = 0;   // age of the oldest line that the disk may not have
    std::uint32_t segment = 0;
    bool state_failing = false;  // the newest state that was to be kept could not be written
  };

  /// Begins a new segment. Throws RoomError if it cannot be written; but where the disk has no
  /// room, the journal is failing until it has, as if that had happened later.
  /// @param header  of journal_header(); its start is set here
  RoomJournal(const JournalSettings& settings, v1::JournalHeader header, const Start& start);
  ~RoomJournal();  // without close() there is no end mark, as after a crash

  void add(std::uint64_t tick, const Command& command);
  void mark(std::uint64_t tick, std::uint64_t hash);
  /// Calls an answer once all that was added before is written, or cannot be. On the journal's
  /// thread, or at once where the disk does not answer.
  void then(std::function<void()> answer);

  /// Whether a segment should begin: the present one is full, or broken and it is time to try.
  bool wants_segment() const;
  /// @param tick, hash  of the room before `start`: the end of the present segment
  void begin_segment(Start start, std::uint64_t tick, std::uint64_t hash);
  /// Whether a state that is given to keep() now would be written.
  bool takes_state() const { return !keeper_.busy() && !asked_ && !broken_ && !stalled_; }
  /// A state to go on from after a crash. Room::save() of now.
  void keep(v1::Checkpoint state);
  /// To be called several times a second: where a write has not come back for a second, the answers
  /// that wait for it are given.
  void tend();
  /// Writes the end mark and all that waits, has the disk keep it, and closes the files.
  void close(std::uint64_t tick, std::uint64_t hash);

  bool failing() const { return health_.failing() || broken_; }
  Figures figures() const;

 private:
  using Clock = std::chrono::steady_clock;
  struct Entry {
    std::uint64_t tick;
    Command command;
  };
  struct Mark {
    std::uint64_t tick, hash;
    bool end = false;
  };
  struct Segment {
    Start start;
    Mark before;  // the end of the present one
  };
  using Answer = std::function<void()>;
  using Item = std::variant<Entry, Mark, Answer, Segment, v1::Checkpoint>;

  void push(Item item, bool line);
  void run();
  void handle(Item& item);
  void add_text(const std::string& line);
  void flush();
  void begin(Segment& wanted);
  int create(const Start& start);
  void break_segment(const std::string& why);

  const JournalSettings settings_;
  const JournalSet set_;
  v1::JournalHeader header_;
  JournalHealth health_;

  // Only the writing thread uses these.
  std::shared_ptr<LineFile> file_;
  std::string lines_;           // to be written
  std::size_t line_count_ = 0;  // in them
  std::uint32_t next_number_ = 1;

  std::atomic<std::uint32_t> number_{0};  // of the present segment
  std::atomic<bool> broken_{false};       // it misses lines
  std::atomic<bool> full_{false};
  std::atomic<bool> asked_{false};    // begin_segment() was called, and is not done
  std::atomic<bool> stalled_{false};  // a write does not come back
  std::atomic<std::uint64_t> lost_{0};
  std::atomic<Clock::time_point> retry_at_{Clock::time_point::min()};

  mutable std::mutex mutex_;  // guards what follows; held for a push or a swap only
  std::condition_variable wake_;
  std::vector<Item> waiting_;
  std::size_t waiting_lines_ = 0;
  std::optional<Clock::time_point> writing_since_;
  std::vector<Answer> answers_;  // that wait for the write under way
  bool closing_ = false;
  JournalKeeper keeper_;
  std::thread thread_;
};

}  // namespace promenade::world
