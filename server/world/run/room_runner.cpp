#include "world/run/room_runner.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <iterator>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "math/thread_clock.h"
#include "world/beside/command_lanes.h"
#include "world/journal/recovery.h"
#include "world/journal/room_journal.h"
#include "world/journal/start_count.h"
#include "world/library/library.h"
#include "world/run/factor_meter.h"
#include "world/run/work_budget.h"

namespace promenade::world {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::duration;
using std::chrono::duration_cast;

constexpr int kMaxCatchUp = 4;          // ticks that are made up for; later ones count as lost time
constexpr double kBehind = 0.5;         // share of its clock: a room that is slower is behind
constexpr double kMarkInterval = 0.25;  // simulated s between hashes in the journal
constexpr double kManyHz = 30;          // Hz, snapshots of rooms of many, at most
constexpr double kHashesAsked = 2.0;    // s, for which snapshots have the hash after somebody asked
// s of work on ticks and commands from one state that a restart can go on from to the next: a
// restart takes that long to repeat them.
constexpr double kStateInterval = 1.0;
constexpr double kTellMaking = 0.25;  // s between two words of how far the next scene is

Clock::duration seconds(double s) { return duration_cast<Clock::duration>(duration<double>(s)); }
double to_seconds(Clock::duration d) { return duration<double>(d).count(); }

}  // namespace

struct RoomRunner::Impl {
  Impl(const std::shared_ptr<const Library>& library, const RunnerSettings& settings_in)
      : settings(settings_in),
        found(find_room(library, settings_in)),
        room(*found.room),
        mark_ticks(std::max<std::uint64_t>(
            1, std::uint64_t(kMarkInterval * room.settings().ticks_per_second))),
        budget(settings.max_load, library, settings.room),
        lanes(settings.side ? settings.side : std::make_shared<SideThread>(settings.visitor_work),
              settings.visitor_work, [this] { ring(); }) {
    if (!settings.journal.directory.empty()) {
      v1::JournalHeader header = journal_header(room.settings(), library->digest());
      journal = std::make_unique<RoomJournal>(settings.journal, std::move(header), found.start);
      room.set_command_sink(
          [this](std::uint64_t tick, const Command& command) { journal->add(tick, command); });
    }
    found.start.state.reset();
    if (settings.start_paused) room.apply(Pause{});
    set_latest(make_snapshot());
  }

  static Recovered find_room(const std::shared_ptr<const Library>& library,
                             const RunnerSettings& settings) {
    if (!settings.journal.directory.empty()) {
      return recover_with_caution(library, settings.room, settings.journal);
    }
    return {std::make_unique<Room>(library, settings.room)};
  }

  std::shared_ptr<const Snapshot> make_snapshot() {
    const auto start = Clock::now();
    const bool with_hash = room.character_count() <= settings.many || !room.wants_tick() ||
                           !hashed_at || room.tick_count() - *hashed_at >= mark_ticks ||
                           to_seconds(start - asked_at) < kHashesAsked;
    if (with_hash) hashed_at = room.tick_count();
    {
      const std::lock_guard lock(mutex);
      if (new_onlookers) onlookers = *std::exchange(new_onlookers, std::nullopt);
    }
    // A room that stands still is not shown anew when a camera turns: everybody is posed.
    auto snapshot = room.make_snapshot(with_hash, room.wants_tick() ? onlookers : Onlookers{});
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

  // Takes the waiting orders, but never waits for a submitter: if one holds the lock, it is adding
  // a command, and all are taken next time.
  void take_orders() {
    {
      std::unique_lock lock(mutex, std::try_to_lock);
      if (!lock.owns_lock()) return;
      rang = false;
      if (queue.empty()) return;
      taken.swap(queue);
    }
    interest = asked_at = Clock::now();
    for (Order& order : taken) lanes.take(std::move(order));
    taken.clear();
  }

  void apply_commands() {
    take_orders();
    if (lanes.empty()) return tell_making();
    bool any = false;
    const auto judge = [this](const Order& order) { return judge_order(order); };
    while (auto turn = lanes.next(room, judge)) {
      const std::string payer = turn->order.payer;
      const double start = thread_cpu_s();
      carry_out(*turn);
      const double took = thread_cpu_s() - start;
      lanes.charge(payer, took);
      lanes.discard(std::move(turn->prepared));
      work += took;
      any = true;
    }
    held = lanes.held();
    tell_making();
    if (!any) return;
    // While paused there is no tick that would publish the change.
    if (!room.wants_tick()) publish();
    share_stats();
  }

  std::optional<CommandError> judge_order(const Order& order) {
    if (const auto* command = std::get_if<Command>(&order.what)) {
      return budget.judge(*command, room);
    }
    const auto* state = std::get_if<Order::State>(&order.what);
    return state ? budget.judge(**state) : std::nullopt;
  }

  void carry_out(CommandLanes::Turn& turn) {
    Order& order = turn.order;
    if (turn.refused) {
      ++own.commands_refused;
      return answer([order = std::move(order), error = *turn.refused, tick = room.tick_count()] {
        order.refuse(error, tick);
      });
    }
    if (auto* save = std::get_if<Order::Save>(&order.what)) {
      return answer([reply = std::move(save->reply), state = Runner::Saved(room.save())] {
        if (reply) reply(state);
      });
    }
    const auto* command = std::get_if<Command>(&order.what);
    const CommandResult result =
        command ? room.apply(*command, turn.prepared.get())
                : restore(*std::get<Order::State>(order.what), turn.prepared.get());
    ++(result.error ? own.commands_refused : own.commands_applied);
    answer([reply = std::move(order.reply), result] {
      if (reply) reply(result);
    });
  }

  /// Tells how far the next scene is, a few times a second, and when that is over.
  void tell_making() {
    if (!on_making) return;
    const auto now = Clock::now();
    auto making = lanes.making();
    if (!making || making->scene != told.scene) {
      if (std::exchange(told_any, false)) {
        told.over = true;
        on_making(told);
      }
      told = making.value_or(SceneMaking{});
      told_at = now;
      return;
    }
    if (to_seconds(now - told_at) < kTellMaking) return;
    told_at = now;
    told = *std::move(making);
    told_any = true;
    on_making(told);
  }

  /// Answers once what was applied so far is recorded, also refusals, so that answers keep the
  /// order of their commands.
  template <typename Answer>
  void answer(Answer&& give) {
    if (journal) {
      journal->then(std::forward<Answer>(give));
    } else {
      give();
    }
  }

  CommandResult restore(const v1::Checkpoint& checkpoint, Preparation* prepared) {
    CommandResult result;
    const std::uint64_t tick = room.tick_count(), hash = journal ? room.state_hash() : 0;
    result.error = room.restore(checkpoint, prepared);
    result.tick = room.tick_count();
    if (journal && !result.error) {
      journal->begin_segment({v1::RESTORED, checkpoint}, tick, hash);
      work = 0;
    }
    return result;
  }

  // Keeps the journal such that a restart is quick, and takes up a new segment when it is time.
  void tend_journal() {
    if (!journal) return;
    if (!steady && to_seconds(Clock::now() - began) > StartCount::kSteady && !journal->failing()) {
      steady = true;
      journal->then([where = settings.journal] { start_went_well(where); });
    }
    journal->tend();
    if (journal->wants_segment()) {
      journal->begin_segment({v1::CONTINUED, room.save()}, room.tick_count(), room.state_hash());
      work = 0;
    } else if (work > kStateInterval && journal->takes_state()) {
      journal->keep(room.save());
      work = 0;
    }
  }

  void one_tick() {
    const auto start = Clock::now();
    const std::size_t moving = room.moving_links();
    const std::vector<RoomEvent> events = room.tick();
    const auto done = Clock::now();
    const double took = to_seconds(done - start);
    count_tick(1e6 * took);
    work += took;
    simulated += room.tick_seconds();
    meter.sample(done, simulated);
    watch_the_clock(done);
    if (journal && room.tick_count() % mark_ticks == 0) {
      journal->mark(room.tick_count(), room.state_hash());
    }
    if (on_events && !events.empty()) on_events(events);
    if (!room.wants_tick() || is_publication_due(done)) publish();
    budget.measure(to_seconds(Clock::now() - start), moving);
    share_stats();
  }

  bool is_publication_due(Clock::time_point now) const {
    double hz = settings.snapshot_hz;
    if (hz <= 0) return true;
    if (room.character_count() > settings.many) hz = std::min(hz, kManyHz);
    // A snapshot is due at the tick nearest to its time, as ticks do not end at even intervals.
    const double scale = room.time_scale();
    const double tick = scale > 0 ? room.tick_seconds() / scale : 0;
    return to_seconds(now - last_published) >= 1 / hz - 0.5 * std::min(tick, 1 / hz);
  }

  void watch_the_clock(Clock::time_point now) {
    const double asked = room.time_scale() == 0 ? 1 : std::min(1.0, room.time_scale());
    if (meter.factor() >= kBehind * asked) in_time = now;
    own.behind = to_seconds(now - in_time);
  }

  bool may_sleep(Clock::time_point now) {
    if (watchers > 0) interest = now;
    return settings.sleep_after > 0 && lanes.empty() &&
           to_seconds(now - interest) > settings.sleep_after && !(journal && journal->failing());
  }

  // Sleeps until somebody watches, commands or looks. The state of the room does not change.
  void sleep() {
    if (journal) journal->mark(room.tick_count(), room.state_hash());
    asked_at = Clock::now();
    publish();  // the state at which it goes on
    share_sleep(true);
    {
      std::unique_lock lock(mutex);
      wake.wait(lock, [this] { return stopping || !queue.empty() || watchers > 0 || touched; });
    }
    interest = in_time = Clock::now();
    meter.clear();
    publish();  // before anybody takes the time of the last snapshot for one at which it hangs
    share_sleep(false);
  }

  void share_sleep(bool asleep) {
    own.asleep = asleep;
    own.behind = 0;
    const std::lock_guard lock(stats_mutex);  // readers hold it for a copy only
    shared_stats.asleep = asleep;
    shared_stats.behind = 0;
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
    own.load = room.wants_tick() ? budget.load() : 0;
    const RoomTimes times = room.times();
    own.control_s = times.control;
    own.physics_s = times.physics;
    own.behaviour_s = times.behaviour;
    own.beside_s = lanes.beside_s();
    own.commands_s = lanes.commands_s();
    own.put_off = lanes.put_off();
    shared_stats = own;
  }

  void sleep_until(Clock::time_point when) {
    if (const auto opens = lanes.opens()) when = std::min(when, *opens);
    std::unique_lock lock(mutex);
    wake.wait_until(lock, when, [this] { return stopping || rang || !queue.empty(); });
  }

  /// Something was made for an order that waits. Another thread calls it.
  void ring() {
    {
      const std::lock_guard lock(mutex);
      rang = true;
    }
    wake.notify_one();
  }

  void run() {
    publish();
    auto next = Clock::now();  // when the next tick is due
    double scale = room.time_scale();
    bool running = false;
    interest = in_time = began = next;
    while (!stopping) {
      ++turns;
      apply_commands();
      tend_journal();
      if (stopping) break;
      const auto now = Clock::now();
      if (touched.exchange(false)) interest = asked_at = now;
      if (may_sleep(now)) {
        running = false;
        sleep();
        continue;
      }
      if (!room.wants_tick()) {
        if (running && journal) journal->mark(room.tick_count(), room.state_hash());
        running = false;
        in_time = now;
        own.behind = 0;
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
    std::vector<Order> rest = lanes.close();
    {
      const std::lock_guard lock(mutex);
      std::move(queue.begin(), queue.end(), std::back_inserter(rest));
      queue.clear();
    }
    for (const Order& order : rest) {
      order.refuse({CommandError::Code::kBusy, "", "", "", "the room is closing"},
                   room.tick_count());
    }
    tell_making();
    if (journal) journal->close(room.tick_count(), room.state_hash());
  }

  RunnerSettings settings;
  Recovered found;
  Room& room;
  const std::uint64_t mark_ticks;
  std::unique_ptr<RoomJournal> journal;
  WorkBudget budget;
  double work = 0;  // s of ticks and commands since the last state was kept
  OnSnapshot on_snapshot;
  OnEvents on_events;
  OnMaking on_making;
  SceneMaking told;       // that is being made; without a name: none is
  bool told_any = false;  // on_making() knows of it
  Clock::time_point told_at{};
  std::thread thread;

  // Held for a push_back, a swap or a copy of onlookers only, never across a callback.
  mutable std::mutex mutex;
  std::condition_variable wake;
  std::vector<Order> queue;
  bool rang = false;  // see ring()
  std::optional<Onlookers> new_onlookers;
  std::atomic<bool> stopping{false};
  std::atomic<std::uint64_t> busy{0};
  std::atomic<std::size_t> watchers{0};
  std::atomic<bool> touched{false};  // since the room last looked
  std::atomic<std::uint64_t> turns{0};

  std::atomic<std::size_t> held{0};  // orders that wait in lanes
  std::vector<Order> taken;
  Onlookers onlookers;
  FactorMeter meter;
  double simulated = 0;  // s
  Clock::time_point last_published{};
  Clock::time_point asked_at{};  // when somebody last asked for the state, or sent a command
  std::optional<std::uint64_t> hashed_at;  // tick of the last snapshot that had the hash
  Clock::time_point interest{};            // when somebody was last interested in the room
  Clock::time_point in_time{};             // when it last was not behind its clock
  Clock::time_point began{};               // when the room's thread did
  bool steady = false;  // it has gone on for long enough not to be what ended a start
  RunnerStats own;      // of the room thread

  mutable std::mutex stats_mutex;
  RunnerStats shared_stats;

  // A lock, not std::atomic<std::shared_ptr>: in libstdc++ 12 a load of that races with a later
  // store (github.com/google/sanitizers/issues/1558). Held for a copy of the pointer only.
  mutable std::mutex latest_mutex;
  std::shared_ptr<const Snapshot> latest;

  // Last, as the side thread may ring until they are gone.
  CommandLanes lanes;
};

RoomRunner::RoomRunner(const std::shared_ptr<const Library>& library,
                       const RunnerSettings& settings) try
    : impl_(std::make_unique<Impl>(library, settings)) {
} catch (...) {
  // An error that is told is none of the state's.
  if (!settings.journal.directory.empty()) start_went_well(settings.journal);
  throw;
}

RoomRunner::~RoomRunner() { stop(); }

void RoomRunner::on_snapshot(OnSnapshot callback) { impl_->on_snapshot = std::move(callback); }
void RoomRunner::on_events(OnEvents callback) { impl_->on_events = std::move(callback); }
void RoomRunner::on_making(OnMaking callback) { impl_->on_making = std::move(callback); }

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
  // Whether it has ticked or not: the process was not ended by it.
  if (impl_->journal) start_went_well(impl_->settings.journal);
}

bool RoomRunner::submit(Command command, Reply reply, const std::string& payer) {
  return queue({std::move(command), std::move(reply), payer});
}

bool RoomRunner::save(OnSaved reply, const std::string& payer) {
  return queue({Order::Save{std::move(reply)}, {}, payer});
}

bool RoomRunner::restore(v1::Checkpoint checkpoint, Reply reply, const std::string& payer) {
  return queue(
      {std::make_shared<const v1::Checkpoint>(std::move(checkpoint)), std::move(reply), payer});
}

bool RoomRunner::queue(Order order) {
  {
    const std::lock_guard lock(impl_->mutex);
    if (impl_->stopping || impl_->queue.size() >= impl_->settings.queue_capacity) {
      ++impl_->busy;
      return false;
    }
    impl_->queue.push_back(std::move(order));
  }
  impl_->wake.notify_one();
  return true;
}

void RoomRunner::set_watchers(std::size_t count) {
  {
    const std::lock_guard lock(impl_->mutex);
    impl_->watchers = count;
  }
  impl_->wake.notify_one();
}

void RoomRunner::set_onlookers(Onlookers onlookers) {
  const std::lock_guard lock(impl_->mutex);
  impl_->new_onlookers = std::move(onlookers);
}

void RoomRunner::touch() {
  {
    const std::lock_guard lock(impl_->mutex);
    impl_->touched = true;
  }
  impl_->wake.notify_one();
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
  out.held = impl_->held;
  {
    const std::lock_guard lock(impl_->mutex);
    out.queue_length = impl_->queue.size() + out.held;
  }
  if (impl_->journal) out.journal = impl_->journal->figures();
  return out;
}

std::uint64_t RoomRunner::turns() const { return impl_->turns; }

const std::vector<std::string>& RoomRunner::notes() const { return impl_->found.notes; }

const std::vector<std::string>& RoomRunner::losses() const { return impl_->found.losses; }

std::string RoomRunner::left_out() const { return impl_->found.left_out; }

}  // namespace promenade::world
