#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace promenade::service {

/// A thread for work that waits for a disk or loads a scene, which network threads and rooms must
/// not do. Jobs run one after the other, in their order.
class Worker {
 public:
  static constexpr std::size_t kMaxJobs = 256;  // jobs that may wait

  Worker();
  ~Worker();  // stop()
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  /// Any thread. @return false: as many wait as may, or stop() has been called; it will not run
  bool submit(std::function<void()> job);
  /// Jobs that wait for their turn.
  std::size_t waiting() const;
  /// Finishes the jobs that wait and ends the thread. Idempotent.
  void stop();

 private:
  void run();

  mutable std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::function<void()>> jobs_;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace promenade::service
