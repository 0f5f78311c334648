#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <variant>

#include "promenade/v1/checkpoint.pb.h"
#include "world/room.h"

namespace promenade::world {

struct RunnerSettings {
  RoomSettings room;
  std::size_t queue_capacity = 256;  // commands waiting for the next tick
  double snapshot_hz = 60;           // most often, of wall-clock time; 0: every tick
  std::filesystem::path journal;     // empty: none
  bool start_paused = false;
};

/// Times of ticks, microseconds, since the runner started. Cumulative like Prometheus histograms.
struct TickHistogram {
  static constexpr std::array<double, 12> kUpperBounds = {
      250, 500, 1000, 2000, 4000, 8000, 12000, 16667, 25000, 50000, 100000, 250000};
  std::array<std::uint64_t, kUpperBounds.size() + 1> counts{};  // not cumulative; last: above all
  std::uint64_t total = 0;
  double sum_us = 0;
  /// Upper bound of the bucket that holds the quantile, us. @param q  0 to 1
  double quantile(double q) const;
};

struct RunnerStats {
  std::uint64_t ticks = 0;
  double real_time_factor = 0;  // simulated over wall-clock seconds, about the last second
  std::uint64_t overruns = 0;   // times that wall-clock time was given up because ticks were late
  std::uint64_t commands_applied = 0, commands_refused = 0, commands_busy = 0;
  std::size_t queue_length = 0;
  std::uint64_t journal_dropped = 0;  // entries lost because the disk was too slow; 0 means whole
  std::size_t characters = 0;
  double control_s = 0, physics_s = 0, behaviour_s = 0, snapshot_s = 0;  // of workers, sums
  TickHistogram tick_time;
};

/// Owns a room and the thread that ticks it against the wall clock. Callbacks run on that thread:
/// they must be quick and must not block. All public functions may be called from any thread.
class RoomRunner {
 public:
  using Reply = std::function<void(const CommandResult&)>;
  using OnSnapshot = std::function<void(std::shared_ptr<const Snapshot>)>;
  using OnEvents = std::function<void(std::span<const RoomEvent>)>;

  /// Loads the room at once (throws RoomError for an unknown scene or a journal that cannot be
  /// written); nothing ticks before start().
  RoomRunner(const std::shared_ptr<const Library>& library, const RunnerSettings& settings);
  ~RoomRunner();  // stop()

  /// @pre before start()
  void on_snapshot(OnSnapshot callback);
  void on_events(OnEvents callback);

  void start();
  /// Ends the thread after the tick under way, answers waiting commands with an error and closes
  /// the journal. Idempotent.
  void stop();

  /// Queues a command for the next tick boundary, also while paused.
  /// @param reply  called once on the room thread with the result; may be empty
  /// @return false if the queue is full or the runner has stopped; the reply is then never called
  bool submit(Command command, Reply reply = {});

  using OnSaved = std::function<void(const std::variant<v1::Checkpoint, CommandError>&)>;
  /// Saves or restores the room's state between two ticks, in the order of commands; otherwise as
  /// submit(). A room that keeps a journal is not restored: its journal would no longer tell how
  /// its state came about.
  bool save(OnSaved reply);
  bool restore(v1::Checkpoint checkpoint, Reply reply);

  /// The last published snapshot; never null.
  std::shared_ptr<const Snapshot> latest() const;
  RunnerStats stats() const;

 private:
  struct Impl;
  struct Waiting;
  bool queue(Waiting waiting);
  std::unique_ptr<Impl> impl_;
};

}  // namespace promenade::world
