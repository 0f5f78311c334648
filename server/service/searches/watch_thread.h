#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>

namespace promenade::service {

/// A thread that looks after things again and again, under a lock that it shares with requests. It
/// makes the processes that it looks after, which the kernel kills when it ends. Any thread.
class WatchThread {
 public:
  /// One look. It has the lock, and may let it go for a while. @return how long until the next
  using Look = std::function<std::chrono::milliseconds(std::unique_lock<std::mutex>& lock)>;

  /// The first look may come before the constructor returns: what it looks at must be there.
  explicit WatchThread(Look look) : look_(std::move(look)), thread_([this] { run(); }) {}
  ~WatchThread() { end(); }
  WatchThread(const WatchThread&) = delete;
  WatchThread& operator=(const WatchThread&) = delete;

  std::unique_lock<std::mutex> lock() { return std::unique_lock(mutex_); }
  /// Whether no further look comes. @pre the lock is held
  bool ends() const { return ends_; }
  /// Looks now.
  void wake() { wake_.notify_all(); }
  /// Waits for the look that is under way; no other comes. @return false: it had ended before
  bool end();

 private:
  void run();

  const Look look_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool ends_ = false;
  std::thread thread_;
};

}  // namespace promenade::service
