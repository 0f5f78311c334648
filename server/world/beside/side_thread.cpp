#include "world/beside/side_thread.h"

#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <exception>
#include <utility>

#include "math/thread_clock.h"

namespace promenade::world {
namespace {

constexpr int kNice = 5;  // above the other threads': about a third of their weight

void lower_priority() {
  // The priority of this thread alone: Linux has one for each.
  setpriority(PRIO_PROCESS, static_cast<id_t>(syscall(SYS_gettid)), kNice);
}

}  // namespace

SideThread::SideThread(double rate) : purses_({rate, kSaved}), thread_([this] { run(); }) {}

SideThread::~SideThread() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  thread_.join();
}

void SideThread::submit(const std::string& payer, Part part) {
  {
    const std::lock_guard lock(mutex_);
    waiting_[payer].push_back(std::move(part));
  }
  wake_.notify_all();
}

std::map<std::string, std::deque<SideThread::Part>>::iterator SideThread::next(
    Purse::Clock::time_point now) {
  auto best = waiting_.end();
  double most = 0;
  auto at = waiting_.upper_bound(last_);
  for (std::size_t i = 0; i < waiting_.size(); ++i, ++at) {
    if (at == waiting_.end()) at = waiting_.begin();
    const double saved = purses_.saved(at->first, now);
    if (saved <= most) continue;
    most = saved;
    best = at;
  }
  return best;
}

Purse::Clock::time_point SideThread::next_opening(Purse::Clock::time_point now) {
  auto out = Purse::Clock::time_point::max();
  for (const auto& [payer, parts] : waiting_) out = std::min(out, purses_.opens(payer, now));
  return out;
}

void SideThread::run() {
  lower_priority();
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    const auto now = Purse::Clock::now();
    const auto found = next(now);
    if (found == waiting_.end()) {
      if (waiting_.empty()) {
        wake_.wait(lock);
      } else {
        wake_.wait_until(lock, next_opening(now));
      }
      continue;
    }
    const std::string payer = last_ = found->first;
    Part part = std::move(found->second.front());
    lock.unlock();
    const double began = thread_cpu_s();
    bool last = true;
    try {
      last = part();
    } catch (const std::exception&) {
      // The one who waits for it sees that by its own means: the job is destroyed.
    }
    if (last) part = nullptr;
    const double used = thread_cpu_s() - began;
    lock.lock();
    purses_.charge(payer, used, Purse::Clock::now());
    // Only this thread takes from queues, so the place is still the first.
    auto& parts = waiting_.at(payer);
    if (last) {
      parts.pop_front();
    } else {
      parts.front() = std::move(part);
    }
    if (parts.empty()) waiting_.erase(payer);
  }
}

}  // namespace promenade::world
