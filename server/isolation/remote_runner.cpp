#include "isolation/remote_runner.h"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#include "isolation/bell.h"
#include "isolation/definition_codec.h"
#include "isolation/frames.h"
#include "isolation/listeners.h"
#include "isolation/message_codec.h"
#include "isolation/order_book.h"
#include "isolation/process.h"
#include "isolation/restart_policy.h"
#include "isolation/signs_of_life.h"
#include "isolation/snapshot_codec.h"
#include "world/library/library.h"

namespace promenade::isolation {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;
using world::CommandError;
using world::CommandResult;
using world::RunnerStats;

constexpr milliseconds kLook{250};             // time between looks at the process and its memory
constexpr std::chrono::seconds kStopLimit{8};  // time for a process that was told to end
constexpr milliseconds kEndLimit{2000};        // time from the end of the socket to the process's
constexpr int kStartTries = 8;                 // tries, while the server starts

/// Why a process ended.
struct End {
  enum class Cause { kStopped, kCrash, kHang, kMemory, kRefused } cause;
  std::string text;  // as in "killed by signal 11"; of kRefused: what its room lacks
};

}  // namespace

struct RemoteRunner::Impl {
  Impl(std::shared_ptr<const Library> library_in, const world::RunnerSettings& settings_in,
       IsolationSettings isolation_in)
      : library(std::move(library_in)),
        settings(settings_in),
        isolation(std::move(isolation_in)),
        book(settings_in.queue_capacity) {
    shared_stats.process.own = true;
    shared_stats.process.trouble = "is being started";
  }

  void tell_process(v1::RoomOrder order) {
    book.tell(std::move(order));
    bell.ring();
  }

  bool give(v1::RoomOrder order, OrderBook::Waiting waiting) {
    if (!book.give(std::move(order), std::move(waiting))) return false;
    bell.ring();
    changed.notify_all();
    return true;
  }

  // All functions from here on are the thread's.

  void run() {
    RestartPolicy policy;
    for (int tries = 1;; ++tries) {
      const auto began = Clock::now();
      End end = live();
      const double lived = seconds_since(began);
      const bool never_came = !was_ready;
      if (end.cause == End::Cause::kStopped) {
        refuse_all(true);
        if (never_came) fail(end.text);
        return;
      }
      const bool hopeless = end.cause == End::Cause::kRefused || end.cause == End::Cause::kMemory;
      if (never_came && (hopeless || tries >= kStartTries)) {
        refuse_all(false);
        return fail(end.cause == End::Cause::kRefused ? end.text
                                                      : "its process does not start: " + end.text);
      }
      const auto next = policy.ended(std::chrono::duration<double>(lived));
      // Before the room is there somebody waits for it, and would not wait for long.
      const std::chrono::seconds wait = never_came ? std::min(next, std::chrono::seconds(1)) : next;
      if (end.cause == End::Cause::kRefused) end.text = "cannot make its room: " + end.text;
      note_end(end, wait);  // before commands are answered: refused senders find it in /readyz
      if (!wait_to_restart(wait)) return;
    }
  }

  /// Tells the constructor, which waits.
  void fail(const std::string& why) {
    const std::lock_guard lock(mutex);
    failure = why;
    changed.notify_all();
  }

  void note_end(const End& end, std::chrono::seconds wait) {
    listeners.end_making();
    restart_text = "the room was started again: its process " + end.text;
    {
      const std::lock_guard lock(mutex);
      world::ProcessFigures& process = shared_stats.process;
      process.trouble = "is being started again: its process " + end.text;
      process.resident_bytes = 0;
      shared_stats.asleep = false;
      switch (end.cause) {
        case End::Cause::kHang:
          ++process.hangs;
          break;
        case End::Cause::kMemory:
          ++process.over_memory;
          break;
        default:
          ++process.crashes;
      }
    }
    tell("the process " + end.text + "; it is started again" +
         (wait.count() > 0 ? " in " + std::to_string(wait.count()) + " s" : ""));
  }

  void tell(const std::string& text) const {
    if (isolation.tell) isolation.tell(text);
  }

  void note(const std::string& text) const {
    if (isolation.note) isolation.note(text);
  }

  /// @return false: the runner is stopped instead
  bool wait_to_restart(std::chrono::seconds wait) {
    const auto until = Clock::now() + wait;
    for (;;) {
      refuse_all(false);
      std::unique_lock lock(mutex);
      // Commands do not change what the lock guards: one that comes at this moment waits a little.
      changed.wait_until(lock, std::min(until, Clock::now() + kLook),
                         [this] { return stopping || !book.empty(); });
      if (stopping) {
        lock.unlock();
        refuse_all(true);
        return false;
      }
      if (Clock::now() >= until) return true;
    }
  }

  void refuse_all(bool closing) {
    book.refuse_all(closing ? "the room is closing"
                            : "the room is being started again after a fault; whether the command "
                              "took effect is not known",
                    last_snapshot ? last_snapshot->tick : 0);
  }

  /// One process, from its start to its end.
  End live() {
    std::optional<Process> process;
    try {
      process.emplace(settings.journal.room);
    } catch (const std::system_error& error) {
      return {End::Cause::kCrash, std::string("could not be started: ") + error.what()};
    }
    begin();
    End end{End::Cause::kCrash, ""};
    while (!look_after(*process, end)) {
    }
    return end;
  }

  void begin() {
    const std::uint64_t epoch = last_snapshot ? last_snapshot->roster->epoch + 1 : 0;
    const std::uint64_t version = last_snapshot ? last_snapshot->roster->version + 1 : 0;
    decoder.emplace(library, epoch, version);
    frames = FrameReader();
    out.clear();
    written = 0;
    ready = shown = told_to_stop = false;
    refusal.clear();
    turns = 0;
    last_memory_look = Clock::now();
    signs = {last_memory_look, last_memory_look, last_memory_look};
    world::RunnerSettings now = settings;
    if (last_snapshot) {
      now.start_paused = settings.journal.directory.empty() && last_snapshot->paused;
    }
    v1::RoomOrder order;
    *order.mutable_setup() = encode_setup(now, isolation, library->digest());
    append(order);
  }

  void append(const v1::RoomOrder& order) {
    append_frame(FrameKind::kMessage, order.SerializeAsString(), out);
  }

  /// Reads, writes and judges once. @return whether the process has ended
  bool look_after(Process& process, End& end) {
    take_orders();
    pollfd files[2] = {{process.socket(), POLLIN, 0}, {bell.file(), POLLIN, 0}};
    if (written < out.size()) files[0].events |= POLLOUT;
    ::poll(files, 2, static_cast<int>(kLook.count()));
    if (files[1].revents != 0) bell.hush();
    bool open = true;
    if ((files[0].revents & POLLOUT) != 0) open = write(process);
    if ((files[0].revents & (POLLIN | POLLHUP | POLLERR)) != 0) open = read(process, end) && open;
    if (!open) {
      finish(process, end);
      return true;
    }
    return judge(process, end);
  }

  void take_orders() {
    const bool stop = is_stopping();
    // Until the room is there its process reads nothing, and it may not come up.
    if (ready) {
      for (const v1::RoomOrder& order : book.take()) append(order);
    }
    if (stop && !told_to_stop) {
      told_to_stop = true;
      stop_since = Clock::now();
      v1::RoomOrder order;
      order.set_stop(true);
      append(order);
    }
  }

  bool write(Process& process) {
    const ssize_t count =
        ::send(process.socket(), out.data() + written, out.size() - written, MSG_NOSIGNAL);
    if (count < 0) return errno == EAGAIN || errno == EINTR;
    written += static_cast<std::size_t>(count);
    if (written == out.size()) {
      out.clear();
      written = 0;
    }
    return true;
  }

  bool read(Process& process, End& end) {
    buffer.resize(std::size_t{1} << 18);
    const ssize_t count = ::recv(process.socket(), buffer.data(), buffer.size(), 0);
    if (count < 0) return errno == EAGAIN || errno == EINTR;
    if (count == 0) return false;
    signs.sign = Clock::now();
    frames.add({buffer.data(), static_cast<std::size_t>(count)});
    while (const auto frame = frames.next()) {
      const bool was = ready;
      if (take(*frame)) {
        // Before anybody is told of the room: a limit that it exceeds as it is would end it for
        // ever.
        if (ready != was && takes_too_much(process, end)) return false;
        if (unwanted) {
          end = {End::Cause::kStopped, "it is not wanted any more"};
          return false;
        }
        continue;
      }
      end.text = "sent something that cannot be read";
      return false;
    }
    if (frames.bad()) end.text = "sent something that cannot be read";
    return !frames.bad();
  }

  /// @return false: the frame cannot be read
  bool take(const Frame& frame) {
    if (frame.kind == FrameKind::kSnapshot) {
      const auto snapshot = decoder->decode(frame.content);
      if (!snapshot) return false;
      show(snapshot);
      return true;
    }
    v1::RoomWord word;
    if (!word.ParseFromArray(frame.content.data(), static_cast<int>(frame.content.size()))) {
      return false;
    }
    switch (word.kind_case()) {
      case v1::RoomWord::kReady:
        take_ready(word.ready());
        break;
      case v1::RoomWord::kFailed:
        refusal = word.failed();
        break;
      case v1::RoomWord::kAnswer:
        book.answer(word.answer());
        break;
      case v1::RoomWord::kEvent:
        listeners.tell(decode_event(word.event()));
        break;
      case v1::RoomWord::kFigures:
        take_figures(word.figures());
        break;
      case v1::RoomWord::kMaking:
        take_making(word.making());
        break;
      case v1::RoomWord::kTold:
        if (settings.journal.tell) settings.journal.tell(word.told());
        break;
      case v1::RoomWord::KIND_NOT_SET:
        return false;
    }
    return true;
  }

  void take_making(const v1::RoomProgress& making) {
    if (making.scene().empty()) {
      unwanted =
          !was_ready && isolation.making && !isolation.making(making.share(), making.doing());
      return;
    }
    listeners.tell(
        world::SceneMaking{making.scene(), making.share(), making.doing(), making.over()});
  }

  void take_ready(const v1::RoomReady& message) {
    ready = true;
    owed_since = signs.turn = Clock::now();
    if (was_ready) {
      for (const std::string& text : message.notes()) note(text);
      for (const std::string& text : message.losses()) tell(text);
    }
    v1::RoomOrder watch;
    const std::lock_guard lock(mutex);
    if (!was_ready) {
      notes.assign(message.notes().begin(), message.notes().end());
      losses.assign(message.losses().begin(), message.losses().end());
    }
    left_out = message.left_out();
    // This process is told what the one before was told.
    watch.set_watchers(watchers);
    append(watch);
    *watch.mutable_onlookers() = encode_onlookers(onlookers);
    append(watch);
    if (was_ready && started) {
      v1::RoomOrder order;
      order.set_start(true);
      append(order);
    }
  }

  void show(const std::shared_ptr<const world::Snapshot>& snapshot) {
    const bool first = !shown;
    shown = true;
    {
      const std::lock_guard lock(mutex);
      last_snapshot = snapshot;
      shared_stats.process.trouble.clear();
      was_ready = true;
    }
    if (first) changed.notify_all();
    listeners.tell(snapshot);
    if (first && !restart_text.empty()) {
      note("goes on at tick " + std::to_string(snapshot->tick) + ", " +
           std::to_string(snapshot->characters.size()) + " characters");
      const world::RoomEvent event{
          snapshot->tick, 0, world::RoomEvent::Kind::kNotice,
          restart_text + (settings.journal.directory.empty() ? "; it begins anew" : "")};
      listeners.tell(event);
      restart_text.clear();
    }
  }

  void take_figures(const v1::RoomFigures& figures) {
    if (!ready) return;
    if (figures.turns() != turns || figures.asleep() || !is_started()) signs.turn = Clock::now();
    turns = figures.turns();
    const std::lock_guard lock(mutex);
    const auto held = shared_stats.held;
    decode_figures(figures, shared_stats);
    if (held > shared_stats.held) owed_since = Clock::now();  // their answers are on their way
  }

  /// Kills a process that hangs or takes too much memory. @return whether it has ended
  bool judge(Process& process, End& end) {
    const auto now = Clock::now();
    if (told_to_stop && now - stop_since > kStopLimit) {
      tell("the process does not end and is killed");
      end = {End::Cause::kStopped, ""};
      return true;
    }
    if (const std::string why =
            signs.why_hung(ready, is_started(), oldest_order(), isolation.hang_timeout_s);
        !why.empty()) {
      end = {End::Cause::kHang, why + " and was killed"};
      return true;
    }
    return now - last_memory_look >= kLook && takes_too_much(process, end);
  }

  bool takes_too_much(const Process& process, End& end) {
    last_memory_look = Clock::now();
    const std::size_t bytes = process.resident_bytes();
    {
      const std::lock_guard lock(mutex);
      shared_stats.process.resident_bytes = double(bytes);
    }
    if (isolation.memory_bytes == 0 || bytes <= isolation.memory_bytes) return false;
    end = {End::Cause::kMemory,
           "took " + std::to_string(bytes >> 20) + " MB of memory, above the " +
               std::to_string(isolation.memory_bytes >> 20) + " it may take, and was killed"};
    return true;
  }

  bool is_started() const {
    const std::lock_guard lock(mutex);
    return started && !stopping;
  }
  bool is_stopping() const {
    const std::lock_guard lock(mutex);
    return stopping;
  }
  bool holds_orders() const {
    const std::lock_guard lock(mutex);
    return shared_stats.held > 0;
  }
  /// s for which this process has owed the answer that it has owed longest.
  double oldest_order() const {
    if (holds_orders()) return 0;  // they may wait long for what is made for them
    const auto oldest = book.oldest();
    return oldest ? seconds_since(std::max(*oldest, owed_since)) : 0;
  }

  /// The socket has closed: finds out why.
  void finish(Process& process, End& end) {
    if (!end.text.empty()) return;  // it is known, and the process is killed
    const auto until = Clock::now() + kEndLimit;
    auto how = process.ended();
    while (!how && Clock::now() < until) {
      std::this_thread::sleep_for(milliseconds(1));
      how = process.ended();
    }
    if (told_to_stop) {
      end = {End::Cause::kStopped, ""};
    } else if (!refusal.empty()) {
      end = {End::Cause::kRefused, refusal};
    } else {
      end = {End::Cause::kCrash, how.value_or("closed its socket and was killed")};
    }
  }

  const std::shared_ptr<const Library> library;
  const world::RunnerSettings settings;
  const IsolationSettings isolation;
  OrderBook book;
  Listeners listeners;  // a process may be started again before start()
  Bell bell;
  std::vector<std::string> notes, losses;  // of the first process; written before the constructor
                                           // returns

  // Only the thread uses these.
  std::optional<SnapshotDecoder> decoder;
  FrameReader frames;
  std::string out, buffer;
  std::size_t written = 0;  // of `out`
  bool ready = false;       // the process has its room
  bool shown = false;       // and a snapshot of it has come
  bool told_to_stop = false;
  bool unwanted = false;  // the room that is being made
  std::string refusal, restart_text;
  std::uint64_t turns = 0;
  SignsOfLife signs;
  Clock::time_point owed_since, last_memory_look, stop_since;

  mutable std::mutex mutex;  // guards what follows; held for copies only, never across a callback
  std::condition_variable changed;
  std::size_t watchers = 0;
  world::Onlookers onlookers;
  bool started = false, stopping = false;
  bool was_ready = false;  // once
  std::string failure;     // the first process did not come up
  std::string left_out;
  // Written by the thread alone, which reads it without the lock.
  std::shared_ptr<const world::Snapshot> last_snapshot;
  RunnerStats shared_stats;
  std::thread thread;
};

RemoteRunner::RemoteRunner(const std::shared_ptr<const Library>& library,
                           const world::RunnerSettings& settings, IsolationSettings isolation)
    : impl_(std::make_unique<Impl>(library, settings, std::move(isolation))) {
  impl_->thread = std::thread([this] { impl_->run(); });
  std::string failure;
  {
    std::unique_lock lock(impl_->mutex);
    impl_->changed.wait(lock, [this] { return impl_->was_ready || !impl_->failure.empty(); });
    failure = impl_->failure;
  }
  if (failure.empty()) return;
  impl_->thread.join();
  throw world::RoomError(failure);
}

RemoteRunner::~RemoteRunner() { RemoteRunner::stop(); }

void RemoteRunner::on_snapshot(OnSnapshot callback) { impl_->listeners.set(std::move(callback)); }
void RemoteRunner::on_events(OnEvents callback) { impl_->listeners.set(std::move(callback)); }
void RemoteRunner::on_making(OnMaking callback) { impl_->listeners.set(std::move(callback)); }

void RemoteRunner::start() {
  v1::RoomOrder order;
  order.set_start(true);
  {
    const std::lock_guard lock(impl_->mutex);
    if (impl_->started || impl_->stopping) return;
    impl_->started = true;
  }
  impl_->tell_process(std::move(order));
}

void RemoteRunner::stop() {
  {
    const std::lock_guard lock(impl_->mutex);
    impl_->stopping = true;
  }
  impl_->book.close();
  impl_->changed.notify_all();
  impl_->bell.ring();
  if (impl_->thread.joinable()) impl_->thread.join();
}

bool RemoteRunner::submit(world::Command command, Reply reply, const std::string& payer) {
  v1::RoomOrder order;
  order.set_payer(payer);
  *order.mutable_command() = encode_command(command);
  return impl_->give(std::move(order), {std::move(reply)});
}

bool RemoteRunner::save(OnSaved reply, const std::string& payer) {
  v1::RoomOrder order;
  order.set_payer(payer);
  order.set_save(true);
  return impl_->give(std::move(order), {{}, std::move(reply)});
}

bool RemoteRunner::restore(v1::Checkpoint checkpoint, Reply reply, const std::string& payer) {
  v1::RoomOrder order;
  order.set_payer(payer);
  *order.mutable_restore() = std::move(checkpoint);
  return impl_->give(std::move(order), {std::move(reply)});
}

void RemoteRunner::set_watchers(std::size_t count) {
  v1::RoomOrder order;
  order.set_watchers(count);
  {
    const std::lock_guard lock(impl_->mutex);
    impl_->watchers = count;
  }
  impl_->tell_process(std::move(order));
}

void RemoteRunner::set_onlookers(world::Onlookers onlookers) {
  v1::RoomOrder order;
  *order.mutable_onlookers() = encode_onlookers(onlookers);
  {
    const std::lock_guard lock(impl_->mutex);
    impl_->onlookers = std::move(onlookers);
  }
  impl_->tell_process(std::move(order));
}

void RemoteRunner::touch() {
  v1::RoomOrder order;
  order.set_touch(true);
  impl_->tell_process(std::move(order));
}

std::shared_ptr<const world::Snapshot> RemoteRunner::latest() const {
  const std::lock_guard lock(impl_->mutex);
  return impl_->last_snapshot;
}

world::RunnerStats RemoteRunner::stats() const {
  const std::lock_guard lock(impl_->mutex);
  RunnerStats out = impl_->shared_stats;
  out.commands_busy = impl_->book.busy();
  out.queue_length = impl_->book.waiting();
  return out;
}

const std::vector<std::string>& RemoteRunner::notes() const { return impl_->notes; }

const std::vector<std::string>& RemoteRunner::losses() const { return impl_->losses; }

std::string RemoteRunner::left_out() const {
  const std::lock_guard lock(impl_->mutex);
  return impl_->left_out;
}

}  // namespace promenade::isolation
