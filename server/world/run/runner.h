#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "promenade/v1/checkpoint.pb.h"
#include "world/journal/room_journal.h"
#include "world/room/room.h"
#include "world/showing/onlookers.h"

namespace promenade::world {

class SideThread;

struct RunnerSettings {
  RoomSettings room;
  std::size_t queue_capacity = 256;  // commands waiting for the next tick
  double snapshot_hz = 60;           // most often, of wall-clock time; 0: every tick
  /// A room of more characters is told 30 times a second at most, and its hash is found a few times
  /// a second, or where somebody asks: each costs as much as the crowd's motion.
  std::size_t many = 1000;
  /// Where the room records what happens to it, and goes on from; empty directory: nowhere.
  JournalSettings journal;
  bool start_paused = false;
  /// Share of a tick's time that ticks may take: a command that needs more is refused. 0: any.
  double max_load = 0;
  /// Seconds without watchers, commands and touch() after which the room sleeps. 0: never.
  double sleep_after = 0;
  /// Where what takes longer than a tick may is made; null: on a thread of the room's own. Rooms
  /// of a process share one.
  std::shared_ptr<SideThread> side = nullptr;
  /// s of a processor a second that the commands of one payer may use in the long run; 0: any.
  double visitor_work = 0;
};

/// How far the making of a room's next scene is.
struct SceneMaking {
  std::string scene;
  double share = 0;   // of the work, 0 to 1
  std::string doing;  // for people
  bool over = false;  // it is made, or was refused
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

/// Figures of a room that runs in a process of its own.
struct ProcessFigures {
  bool own = false;     // it does; else all below stay as they are here
  std::string trouble;  // why the room does not run now, for people; empty: it runs
  std::uint64_t crashes = 0, hangs = 0, over_memory = 0;  // ends of its process, by cause
  double resident_bytes = 0, cpu_s = 0;                   // of the process that runs now
};

struct RunnerStats {
  std::uint64_t ticks = 0;
  double real_time_factor = 0;  // simulated over wall-clock seconds, about the last second
  std::uint64_t overruns = 0;   // times that wall-clock time was given up because ticks were late
  std::uint64_t commands_applied = 0, commands_refused = 0, commands_busy = 0;
  std::size_t queue_length = 0;
  RoomJournal::Figures journal;
  std::size_t characters = 0;
  bool asleep = false;
  double load = 0;    // share of a tick's time that ticks take
  double behind = 0;  // s for which the room has been slower than half its clock, at the last tick
  double control_s = 0, physics_s = 0, behaviour_s = 0, snapshot_s = 0;  // of workers, sums
  double beside_s = 0;        // of a processor, on what was made beside the room's thread
  double commands_s = 0;      // of the room's thread, on commands
  std::size_t held = 0;       // orders that wait for what is made there, or for their payer
  std::uint64_t put_off = 0;  // commands that had to wait, as their payer had used up its share
  TickHistogram tick_time;
  ProcessFigures process;
};

/// A room that ticks against the wall clock, in this process (RoomRunner) or in another one
/// (isolation/remote_runner.h). Callbacks run on the runner's thread: they must be quick and must
/// not block. All public functions may be called from any thread.
class Runner {
 public:
  using Reply = std::function<void(const CommandResult&)>;
  using OnSnapshot = std::function<void(std::shared_ptr<const Snapshot>)>;
  using OnEvents = std::function<void(std::span<const RoomEvent>)>;
  using OnMaking = std::function<void(const SceneMaking&)>;

  virtual ~Runner() = default;

  /// @pre before start()
  virtual void on_snapshot(OnSnapshot callback) = 0;
  virtual void on_events(OnEvents callback) = 0;
  /// Called several times a second while a scene is made that is to take the present one's place.
  virtual void on_making(OnMaking callback) = 0;

  /// Nothing ticks before.
  virtual void start() = 0;
  /// Ends the thread after the tick under way, answers waiting commands with an error and closes
  /// the journal. Idempotent.
  virtual void stop() = 0;

  /// Queues a command for the next tick boundary, also while paused.
  /// @param reply  called once with the result, on the runner's thread or, once the command is
  ///               written, on the journal's; may be empty
  /// @param payer  the payer of its work, as Asker::payer(); empty: nobody. Orders of one payer
  ///               keep their order.
  /// @return false if the queue is full or the runner has stopped; the reply is then never called
  virtual bool submit(Command command, Reply reply = {}, const std::string& payer = {}) = 0;

  using Saved = std::variant<v1::Checkpoint, CommandError>;
  using OnSaved = std::function<void(const Saved&)>;
  /// Saves or restores the room's state between two ticks, in the order of commands; otherwise as
  /// submit(). The journal of a room that is restored begins a new segment.
  virtual bool save(OnSaved reply, const std::string& payer = {}) = 0;
  virtual bool restore(v1::Checkpoint checkpoint, Reply reply, const std::string& payer = {}) = 0;

  /// How many viewers watch. The room does not sleep while somebody does, and wakes where it was.
  virtual void set_watchers(std::size_t count) = 0;
  /// Sets the characters whose joints its viewers look at. At first: everybody.
  virtual void set_onlookers(Onlookers onlookers) = 0;
  /// Somebody looks at the room once: it wakes, and does not sleep for a while.
  virtual void touch() = 0;

  /// The last published snapshot; never null.
  virtual std::shared_ptr<const Snapshot> latest() const = 0;
  virtual RunnerStats stats() const = 0;
  /// How the room was found at the start, for a log; empty where it has no journal.
  virtual const std::vector<std::string>& notes() const = 0;
  /// For a log: what had been recorded and could not be gone on from.
  virtual const std::vector<std::string>& losses() const = 0;
  /// The part of the journal left out since earlier starts came to nothing; empty: nothing.
  virtual std::string left_out() const = 0;
};

}  // namespace promenade::world
