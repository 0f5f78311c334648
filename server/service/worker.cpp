#include "service/worker.h"

#include <spdlog/spdlog.h>

#include <exception>
#include <utility>

namespace promenade::service {

Worker::Worker() : thread_([this] { run(); }) {}

Worker::~Worker() { stop(); }

bool Worker::submit(std::function<void()> job) {
  {
    const std::lock_guard lock(mutex_);
    if (stopping_ || jobs_.size() >= kMaxJobs) return false;
    jobs_.push_back(std::move(job));
  }
  wake_.notify_one();
  return true;
}

std::size_t Worker::waiting() const {
  const std::lock_guard lock(mutex_);
  return jobs_.size();
}

void Worker::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void Worker::run() {
  for (;;) {
    std::function<void()> job;
    {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [this] { return stopping_ || !jobs_.empty(); });
      if (jobs_.empty()) return;
      job = std::move(jobs_.front());
      jobs_.pop_front();
    }
    try {
      job();
    } catch (const std::exception& error) {
      spdlog::error("a job in the background ended early: {}", error.what());
    }
  }
}

}  // namespace promenade::service
