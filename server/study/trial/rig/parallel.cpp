#include "study/trial/rig/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "command/processors.h"

namespace promenade::trial {

int core_count() { return command::usable_processors().count; }

void run_parallel(int count, int threads, const std::function<void(int)>& job,
                  const std::function<void(int)>& progress) {
  if (threads <= 0) threads = core_count();
  threads = std::min(threads, count);
  std::atomic<int> next{0};
  std::mutex mutex;
  int done = 0;
  std::exception_ptr failure;
  const auto work = [&] {
    for (int i = next++; i < count; i = next++) {
      try {
        job(i);
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (!failure) failure = std::current_exception();
        next = count;
        return;
      }
      const std::lock_guard lock(mutex);
      ++done;
      if (progress) progress(done);
    }
  };
  std::vector<std::thread> workers;
  for (int t = 1; t < threads; ++t) workers.emplace_back(work);
  work();
  for (std::thread& worker : workers) worker.join();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace promenade::trial
