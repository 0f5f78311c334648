#include "isolation/room_process.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstring>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "isolation/definition_codec.h"
#include "isolation/frames.h"
#include "isolation/message_codec.h"
#include "isolation/process.h"
#include "isolation/snapshot_codec.h"
#include "world/crowd/gaits.h"
#include "world/library/library.h"
#include "world/run/room_runner.h"

namespace promenade::isolation {
namespace {

using Clock = std::chrono::steady_clock;
using world::RoomRunner;

// Time between signs of life, and figures for metrics; longer from a room that sleeps.
constexpr std::chrono::milliseconds kBeat{250}, kSleepingBeat{1000};
constexpr std::chrono::milliseconds kBetweenFigures{50};

double processor_seconds() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) { return double(t.tv_sec) + 1e-6 * double(t.tv_usec); };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

/// Writes to the server, on a thread of its own: the room's thread only leaves words and its newest
/// snapshot, and never waits for the socket.
class Outbox {
 public:
  Outbox() : thread_([this] { run(); }) {}
  ~Outbox() { close(); }

  void say(v1::RoomWord word) {
    {
      const std::lock_guard lock(mutex_);
      words_.push_back(std::move(word));
    }
    wake_.notify_one();
  }
  /// The newest takes the place of one that was not sent yet.
  void show(std::shared_ptr<const world::Snapshot> snapshot) {
    {
      const std::lock_guard lock(mutex_);
      snapshot_.swap(snapshot);
    }
    wake_.notify_one();
  }
  /// Sends this runner's figures from now on; null: nobody's.
  void watch(const RoomRunner* runner) {
    const std::lock_guard lock(runner_mutex_);
    runner_ = runner;
  }
  /// Closes the wire after all that was said is written.
  void close() {
    {
      const std::lock_guard lock(mutex_);
      closing_ = true;
    }
    wake_.notify_one();
    if (thread_.joinable()) thread_.join();
  }

 private:
  void run() {
    bool asleep = false, closing = false;
    std::vector<v1::RoomWord> words;
    std::string bytes, content;
    while (!closing) {
      std::shared_ptr<const world::Snapshot> snapshot;
      {
        std::unique_lock lock(mutex_);
        wake_.wait_for(lock, asleep ? kSleepingBeat : kBeat,
                       [this] { return closing_ || snapshot_ || !words_.empty(); });
        words.swap(words_);
        snapshot.swap(snapshot_);
        closing = closing_;
      }
      bytes.clear();
      // Before the answer to the command that woke the room, so that nobody who has the answer is
      // told that the room sleeps.
      if (const auto now = Clock::now();
          asleep || now - last_figures_ >= kBetweenFigures || !snapshot) {
        last_figures_ = now;
        asleep = add_figures(bytes);
      }
      for (const v1::RoomWord& word : words) append(word, bytes);
      words.clear();
      if (snapshot) {
        content.clear();
        encoder_.encode(*snapshot, content);
        append_frame(FrameKind::kSnapshot, content, bytes);
      }
      write(bytes);
    }
  }

  void append(const v1::RoomWord& word, std::string& bytes) {
    append_frame(FrameKind::kMessage, word.SerializeAsString(), bytes);
  }

  /// @return whether the room sleeps
  bool add_figures(std::string& bytes) {
    v1::RoomWord word;
    *word.mutable_figures() = v1::RoomFigures();
    bool asleep = false;
    {
      const std::lock_guard lock(runner_mutex_);
      if (runner_) {
        const world::RunnerStats stats = runner_->stats();
        asleep = stats.asleep;
        *word.mutable_figures() = encode_figures(stats, runner_->turns(), processor_seconds());
      }
    }
    append(word, bytes);
    return asleep;
  }

  void write(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t count = ::send(kRoomSocket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) return;  // the server is gone: reading shows it, too
      bytes.remove_prefix(static_cast<std::size_t>(count));
    }
  }

  SnapshotEncoder encoder_;
  Clock::time_point last_figures_{};
  std::mutex runner_mutex_;
  const RoomRunner* runner_ = nullptr;
  std::mutex mutex_;  // guards what follows
  std::condition_variable wake_;
  std::vector<v1::RoomWord> words_;
  std::shared_ptr<const world::Snapshot> snapshot_;
  bool closing_ = false;
  std::thread thread_;
};

/// The orders, as they come.
class Inbox {
 public:
  /// Waits. @return nothing once the socket is closed, or what came is no order
  std::optional<v1::RoomOrder> next() {
    for (;;) {
      if (const auto frame = frames_.next()) {
        v1::RoomOrder order;
        if (frame->kind != FrameKind::kMessage ||
            !order.ParseFromArray(frame->content.data(), static_cast<int>(frame->content.size()))) {
          return std::nullopt;
        }
        return order;
      }
      if (frames_.bad()) return std::nullopt;
      const ssize_t count = ::recv(kRoomSocket, buffer_, sizeof buffer_, 0);
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) return std::nullopt;
      frames_.add({buffer_, static_cast<std::size_t>(count)});
    }
  }

 private:
  FrameReader frames_;
  char buffer_[1 << 16];
};

class RoomProcess {
 public:
  int run() {
    const auto first = in_.next();
    if (!first || !first->has_setup()) return 1;
    try {
      make(first->setup());
    } catch (const std::exception& error) {
      v1::RoomWord word;
      word.set_failed(error.what());
      out_.say(std::move(word));
      out_.close();
      return 1;
    }
    while (const auto order = in_.next()) {
      if (order->has_stop()) break;
      obey(*order);
    }
    out_.watch(nullptr);
    runner_->stop();
    out_.close();
    return 0;
  }

 private:
  void make(const v1::RoomProcessSetup& setup) {
    name_process(setup.journal_room());
    auto library = Library::load(setup.data_dir());
    if (!library) throw world::RoomError(library.error().text());
    library_ = *library;
    if (library_->digest() != setup.data_digest()) {
      throw world::RoomError(setup.data_dir() +
                             " has changed since the server started; rooms need the earlier data, "
                             "or a restart of the server");
    }
    world::keep_gaits(
        *library_, {{setup.gaits_ready().begin(), setup.gaits_ready().end()}, setup.gaits_kept()});
    world::RunnerSettings settings = decode_setup(setup);
    settings.journal.tell = [this](const std::string& text) {
      v1::RoomWord word;
      word.set_told(text);
      out_.say(std::move(word));
    };
    know_gaits(settings.room);
    runner_ = std::make_unique<RoomRunner>(library_, settings);
    runner_->on_snapshot([this](std::shared_ptr<const world::Snapshot> snapshot) {
      out_.show(std::move(snapshot));
    });
    runner_->on_events([this](std::span<const world::RoomEvent> events) {
      for (const world::RoomEvent& event : events) {
        v1::RoomWord word;
        *word.mutable_event() = encode_event(event);
        out_.say(std::move(word));
      }
    });
    runner_->on_making([this](const world::SceneMaking& making) {
      v1::RoomWord word;
      word.mutable_making()->set_scene(making.scene);
      word.mutable_making()->set_share(making.share);
      word.mutable_making()->set_doing(making.doing);
      word.mutable_making()->set_over(making.over);
      out_.say(std::move(word));
    });
    v1::RoomWord word;
    if (const std::size_t count = world::gaits_measured(*library_); count > 0) {
      word.mutable_ready()->add_notes(world::gaits_note(count));
    }
    for (const std::string& note : runner_->notes()) word.mutable_ready()->add_notes(note);
    for (const std::string& loss : runner_->losses()) word.mutable_ready()->add_losses(loss);
    word.mutable_ready()->set_left_out(runner_->left_out());
    out_.say(std::move(word));
    out_.show(runner_->latest());
    out_.watch(runner_.get());
  }

  /// Measures the scene's gaits on all the room's threads, before the room asks for each in turn.
  void know_gaits(const world::RoomSettings& room) {
    const auto scene = library_->find_scene(room.scene);
    if (!scene) return;  // the room says what is wrong
    world::know_gaits(*library_, world::gaits_of(*scene, *library_), room.threads,
                      [this](double share, const std::string& doing) {
                        v1::RoomWord word;
                        word.mutable_making()->set_share(share);
                        word.mutable_making()->set_doing(doing);
                        out_.say(std::move(word));
                        return true;
                      });
  }

  /// Sets the name that ps and top show: 15 bytes at most.
  static void name_process(const std::string& room) {
    ::prctl(PR_SET_NAME, ("room " + room).substr(0, 15).c_str());
  }

  void answer(v1::RoomAnswer answer) {
    v1::RoomWord word;
    *word.mutable_answer() = std::move(answer);
    out_.say(std::move(word));
  }

  void answer_save(std::uint64_t number, const RoomRunner::Saved& saved) {
    if (const auto* error = std::get_if<world::CommandError>(&saved)) {
      world::CommandResult result;
      result.error = *error;
      return answer(encode_result(number, result));
    }
    v1::RoomAnswer out;
    out.set_number(number);
    *out.mutable_saved() = std::get<v1::Checkpoint>(saved);
    answer(std::move(out));
  }

  void obey(const v1::RoomOrder& order) {
    const std::uint64_t number = order.number();
    const auto reply = [this, number](const world::CommandResult& result) {
      answer(encode_result(number, result));
    };
    bool taken = true;
    switch (order.kind_case()) {
      case v1::RoomOrder::kStart:
        return runner_->start();
      case v1::RoomOrder::kWatchers:
        return runner_->set_watchers(order.watchers());
      case v1::RoomOrder::kOnlookers:
        return runner_->set_onlookers(decode_onlookers(order.onlookers()));
      case v1::RoomOrder::kTouch:
        return runner_->touch();
      case v1::RoomOrder::kCommand: {
        auto command = decode_command(order.command(), *library_);
        if (!command) {
          return refuse(number, world::CommandError::Code::kInternal,
                        "the command did not reach the process of the room intact");
        }
        taken = runner_->submit(*std::move(command), reply, order.payer());
        break;
      }
      case v1::RoomOrder::kSave:
        taken = runner_->save(
            [this, number](const RoomRunner::Saved& saved) { answer_save(number, saved); },
            order.payer());
        break;
      case v1::RoomOrder::kRestore:
        taken = runner_->restore(order.restore(), reply, order.payer());
        break;
      default:
        break;
    }
    if (!taken) {
      refuse(number, world::CommandError::Code::kBusy,
             "the room has too many commands waiting; try again in a moment");
    }
  }

  void refuse(std::uint64_t number, world::CommandError::Code code, std::string why) {
    world::CommandResult result;
    result.tick = runner_->latest()->tick;
    result.error = world::CommandError{code, "", "", "", std::move(why)};
    answer(encode_result(number, result));
  }

  Inbox in_;
  Outbox out_;
  std::shared_ptr<const Library> library_;
  std::unique_ptr<RoomRunner> runner_;
};

/// Where memory is short the kernel takes a room before the server.
void prefer_for_the_out_of_memory_killer() {
  const int file = ::open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (file < 0) return;
  if (::write(file, "300", 3) < 0) {
    // This is not allowed everywhere, and not needed.
  }
  ::close(file);
}

}  // namespace

int run_room_process() {
  int type = 0;
  socklen_t size = sizeof type;
  if (::getsockopt(kRoomSocket, SOL_SOCKET, SO_TYPE, &type, &size) != 0) {
    std::fprintf(stderr, "promenade: %s is started only by promenade serve --isolate\n",
                 kRoomProcess);
    return 1;
  }
  // A server that is killed takes its rooms along. One that was killed before this line has closed
  // the socket, which ends the process as well.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::fcntl(kRoomSocket, F_SETFD, FD_CLOEXEC);
  // Ctrl-C and service managers tell the whole group: the server, which then tells its rooms.
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXFSZ}) ::signal(number, SIG_IGN);
  prefer_for_the_out_of_memory_killer();
  return std::make_unique<RoomProcess>()->run();
}

}  // namespace promenade::isolation
