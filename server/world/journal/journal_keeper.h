#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "promenade/v1/checkpoint.pb.h"
#include "world/journal/durable_file.h"
#include "world/journal/journal_health.h"
#include "world/journal/journal_set.h"

namespace promenade::world {

/// Has the disk keep what a room's journal has written: syncs the newest segment, writes states to
/// go on from, removes old files. On a thread of its own, so that a slow disk holds up no line and
/// no answer.
class JournalKeeper {
 public:
  JournalKeeper(const JournalSet& set, std::uint64_t total_bytes, JournalHealth& health);
  ~JournalKeeper();  // after what was asked for is done

  /// The segment that grows from now on.
  void watch(std::uint32_t segment, std::shared_ptr<LineFile> file);
  /// Lines were written to it.
  void written();
  /// Writes a state of after the first `offset` bytes of the segment. Takes none while busy().
  void keep(v1::Checkpoint state, std::uint32_t segment, std::uint64_t offset);
  /// A state waits to be written.
  bool busy() const { return busy_; }
  /// Age of the oldest line that the disk may not have yet, s.
  double unsynced() const;

 private:
  using Clock = std::chrono::steady_clock;
  struct Job {
    v1::Checkpoint state;
    std::uint32_t segment;
    std::uint64_t offset;
  };
  void run();
  void sync();
  void write(const Job& job);

  const JournalSet& set_;
  const std::uint64_t total_bytes_;
  JournalHealth& health_;
  std::atomic<bool> busy_{false};
  mutable std::mutex mutex_;  // guards what follows
  std::condition_variable wake_;
  std::uint32_t segment_ = 0;
  std::shared_ptr<LineFile> file_;
  bool fresh_ = false;  // the segment is a new one
  std::optional<Clock::time_point> unsynced_;
  std::optional<Job> job_;
  bool closing_ = false;
  std::thread thread_;
};

}  // namespace promenade::world
