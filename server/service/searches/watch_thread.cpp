#include "service/searches/watch_thread.h"

namespace promenade::service {

bool WatchThread::end() {
  {
    const std::lock_guard lock(mutex_);
    if (ends_) return false;
    ends_ = true;
  }
  wake_.notify_all();
  thread_.join();
  return true;
}

void WatchThread::run() {
  std::unique_lock lock(mutex_);
  while (!ends_) {
    const std::chrono::milliseconds pause = look_(lock);
    if (!ends_) wake_.wait_for(lock, pause);
  }
}

}  // namespace promenade::service
