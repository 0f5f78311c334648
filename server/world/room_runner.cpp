#include "world/room_runner.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

#include "world/journal/journal.h"
#include "world/library.h"

namespace promenade::world {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::duration;
using std::chrono::duration_cast;

constexpr int kMaxCatchUp = 4;         // ticks that are made up for; later ones count as lost time
constexpr double kFactorWindow = 1.0;  // s over which the real-time factor is measured
constexpr double kFactorStep = 0.05;   // s between its samples
constexpr std::uint64_t kMarkTicks = 600;  // between hashes in the journal

Clock::duration seconds(double s) { return duration_cast<Clock::duration>(duration<double>(s)); }
double to_seconds(Clock::duration d) { return duration<double>(d).count(); }

// Measures simulated over wall-clock time in about the last second.
class FactorMeter {
 public:
  void sample(Clock::time_point now, double simulated) {
    if (!samples_.empty() && to_seconds(now - samples_.back().at) < kFactorStep) return;
    samples_.push_back({now, simulated});
    while (samples_.size() > 2 && to_seconds(now - samples_[1].at) > kFactorWindow) {
      samples_.pop_front();
    }
  }
  double factor() const {
    if (samples_.size() < 2) return 0;
    const double wall = to_seconds(samples_.back().at - samples_.front().at);
    return wall > 0 ? (samples_.back().simulated - samples_.front().simulated) / wall : 0;
  }

 private:
  struct Sample {
    Clock::time_point at;
    double simulated;
  };
  std::deque<Sample> samples_;
};

}  // namespace

double TickHistogram::quantile(double q) const {
  if (total == 0) return 0;
  const double wanted = q * double(total);
  std::uint64_t below = 0;
  for (std::size_t i = 0; i < kUpperBounds.size(); ++i) {
    below += counts[i];
    if (double(below) >= wanted) return kUpperBounds[i];
  }
  return kUpperBounds.back();
}

/// A job to be done between two ticks: a command, a save or a restore.
struct RoomRunner::Waiting {
  struct Save {
    OnSaved reply;
  };
  std::variant<Command, Save, v1::Checkpoint> what;  // v1::Checkpoint: to restore
  Reply reply = {};                                  // of all but Save

  void refuse(const CommandError& error, std::uint64_t tick) const {
    if (const auto* save = std::get_if<Save>(&what)) {
      if (save->reply) save->reply(error);
    } else if (reply) {
      CommandResult result;
      result.tick = tick;
      result.error = error;
      reply(result);
    }
  }
};

struct RoomRunner::Impl {
  Impl(const std::shared_ptr<const Library>& library, const RunnerSettings& settings_in)
      : settings(settings_in), room(library, settings_in.room) {
    if (!settings.journal.empty()) {
      journal =
          std::make_unique<JournalWriter>(settings.journal, room.settings(), library->digest());
      room.set_command_sink(
          [this](std::uint64_t tick, const Command& command) { journal->add(tick, command); });
    }
    if (settings.start_paused) room.apply(Pause{});
    set_latest(make_snapshot());
  }

  std::shared_ptr<const Snapshot> make_snapshot() {
    const auto start = Clock::now();
    auto snapshot = room.make_snapshot();
    snapshot->server_time_us =
        std::uint64_t(duration_cast<std::chrono::microseconds>(start.time_since_epoch()).count());
    snapshot->real_time_factor = room.wants_tick() ? meter.factor() : 0;
    own.snapshot_s += to_seconds(Clock::now() - start);
    return snapshot;
  }

  void set_latest(std::shared_ptr<const Snapshot> snapshot) {
    const std::lock_guard lock(latest_mutex);
    latest.swap(snapshot);  // the old one is freed after the lock is released
  }

  void publish() {
    last_published = Clock::now();
    auto snapshot = make_snapshot();
    set_latest(snapshot);
    if (on_snapshot) on_snapshot(std::move(snapshot));
  }

  // Takes the waiting jobs, but never waits for a submitter: if one holds the lock, it is adding a
  // command, and all are taken next time.
  bool take_commands() {
    std::unique_lock lock(mutex, std::try_to_lock);
    if (!lock.owns_lock() || queue.empty()) return false;
    taken.swap(queue);
    return true;
  }

  void apply_commands() {
    if (!take_commands()) return;
    for (Waiting& waiting : taken) {
      if (auto* save = std::get_if<Waiting::Save>(&waiting.what)) {
        if (save->reply) save->reply(room.save());
        continue;
      }
      const auto* command = std::get_if<Command>(&waiting.what);
      const CommandResult result =
          command ? room.apply(*command) : restore(std::get<v1::Checkpoint>(waiting.what));
      ++(result.error ? own.commands_refused : own.commands_applied);
      if (waiting.reply) waiting.reply(result);
    }
    taken.clear();
    // While paused there is no tick that would publish the change.
    if (!room.wants_tick()) publish();
    share_stats();
  }

  CommandResult restore(const v1::Checkpoint& checkpoint) {
    CommandResult result;
    if (journal) {
      result.error = refuse(CommandError::Code::kUnsupported, "checkpoint",
                            "given to a room that keeps a journal",
                            "a room without one: start the server without --journal-dir");
    } else {
      result.error = room.restore(checkpoint);
    }
    result.tick = room.tick_count();
    return result;
  }

  void one_tick() {
    const auto start = Clock::now();
    const std::vector<RoomEvent> events = room.tick();
    const auto done = Clock::now();
    count_tick(1e6 * to_seconds(done - start));
    simulated += room.tick_seconds();
    meter.sample(done, simulated);
    if (journal && room.tick_count() % kMarkTicks == 0) {
      journal->mark(room.tick_count(), room.state_hash());
    }
    if (on_events && !events.empty()) on_events(events);
    const double interval = settings.snapshot_hz > 0 ? 0.999 / settings.snapshot_hz : 0;
    if (!room.wants_tick() || to_seconds(done - last_published) >= interval) publish();
    share_stats();
  }

  void count_tick(double us) {
    TickHistogram& h = own.tick_time;
    const auto& bounds = TickHistogram::kUpperBounds;
    const auto bucket = std::lower_bound(bounds.begin(), bounds.end(), us) - bounds.begin();
    ++h.counts[std::size_t(bucket)];
    ++h.total;
    h.sum_us += us;
  }

  // Copies the figures for readers, unless one is reading at this moment.
  void share_stats() {
    std::unique_lock lock(stats_mutex, std::try_to_lock);
    if (!lock.owns_lock()) return;
    own.ticks = room.tick_count();
    own.real_time_factor = room.wants_tick() ? meter.factor() : 0;
    own.characters = room.character_count();
    const RoomTimes times = room.times();
    own.control_s = times.control;
    own.physics_s = times.physics;
    own.behaviour_s = times.behaviour;
    shared_stats = own;
  }

  void sleep_until(Clock::time_point when) {
    std::unique_lock lock(mutex);
    wake.wait_until(lock, when, [this] { return stopping || !queue.empty(); });
  }

  void run() {
    publish();
    auto next = Clock::now();  // when the next tick is due
    double scale = room.time_scale();
    bool running = false;
    while (!stopping) {
      apply_commands();
      if (stopping) break;
      const auto now = Clock::now();
      if (!room.wants_tick()) {
        running = false;
        meter.sample(now, simulated);
        sleep_until(now + std::chrono::milliseconds(100));
        continue;
      }
      if (!running || scale != room.time_scale()) {
        running = true;
        scale = room.time_scale();
        next = now;
      }
      if (scale == 0) {
        one_tick();
        continue;
      }
      if (next > now) {
        sleep_until(next);
        continue;
      }
      const auto period = seconds(room.tick_seconds() / scale);
      if (now - next > kMaxCatchUp * period) {
        // Too late to catch up: the room's clock falls behind the wall clock, and this is counted.
        ++own.overruns;
        next = now - period;
      }
      next += period;
      one_tick();
    }
    finish();
  }

  void finish() {
    std::vector<Waiting> rest;
    {
      const std::lock_guard lock(mutex);
      rest.swap(queue);
    }
    for (Waiting& waiting : rest) {
      waiting.refuse({CommandError::Code::kBusy, "", "", "", "the room is closing"},
                     room.tick_count());
    }
    if (journal) journal->close(room.tick_count(), room.state_hash());
  }

  RunnerSettings settings;
  Room room;
  std::unique_ptr<JournalWriter> journal;
  OnSnapshot on_snapshot;
  OnEvents on_events;
  std::thread thread;

  // Held for a push_back or a swap only, never across a callback.
  mutable std::mutex mutex;
  std::condition_variable wake;
  std::vector<Waiting> queue;
  std::atomic<bool> stopping{false};
  std::atomic<std::uint64_t> busy{0};

  std::vector<Waiting> taken;
  FactorMeter meter;
  double simulated = 0;  // s
  Clock::time_point last_published{};
  RunnerStats own;  // of the room thread

  mutable std::mutex stats_mutex;
  RunnerStats shared_stats;

  // A lock, not std::atomic<std::shared_ptr>: in libstdc++ 12 a load of that races with a later
  // store (github.com/google/sanitizers/issues/1558). Held for a copy of the pointer only.
  mutable std::mutex latest_mutex;
  std::shared_ptr<const Snapshot> latest;
};

RoomRunner::RoomRunner(const std::shared_ptr<const Library>& library,
                       const RunnerSettings& settings)
    : impl_(std::make_unique<Impl>(library, settings)) {}

RoomRunner::~RoomRunner() { stop(); }

void RoomRunner::on_snapshot(OnSnapshot callback) { impl_->on_snapshot = std::move(callback); }
void RoomRunner::on_events(OnEvents callback) { impl_->on_events = std::move(callback); }

void RoomRunner::start() {
  if (!impl_->thread.joinable() && !impl_->stopping) {
    impl_->thread = std::thread([this] { impl_->run(); });
  }
}

void RoomRunner::stop() {
  {
    const std::lock_guard lock(impl_->mutex);
    impl_->stopping = true;
  }
  impl_->wake.notify_all();
  if (impl_->thread.joinable()) impl_->thread.join();
}

bool RoomRunner::submit(Command command, Reply reply) {
  return queue({std::move(command), std::move(reply)});
}

bool RoomRunner::save(OnSaved reply) { return queue({Waiting::Save{std::move(reply)}}); }

bool RoomRunner::restore(v1::Checkpoint checkpoint, Reply reply) {
  return queue({std::move(checkpoint), std::move(reply)});
}

bool RoomRunner::queue(Waiting waiting) {
  {
    const std::lock_guard lock(impl_->mutex);
    if (impl_->stopping || impl_->queue.size() >= impl_->settings.queue_capacity) {
      ++impl_->busy;
      return false;
    }
    impl_->queue.push_back(std::move(waiting));
  }
  impl_->wake.notify_one();
  return true;
}

std::shared_ptr<const Snapshot> RoomRunner::latest() const {
  const std::lock_guard lock(impl_->latest_mutex);
  return impl_->latest;
}

RunnerStats RoomRunner::stats() const {
  RunnerStats out;
  {
    const std::lock_guard lock(impl_->stats_mutex);
    out = impl_->shared_stats;
  }
  out.commands_busy = impl_->busy;
  {
    const std::lock_guard lock(impl_->mutex);
    out.queue_length = impl_->queue.size();
  }
  if (impl_->journal) out.journal_dropped = impl_->journal->lost();
  return out;
}

}  // namespace promenade::world
