#include "world/step/worker_pool.h"

#include <cassert>
#include <chrono>

namespace promenade::world {
namespace {

// Time for which a helper waits without sleeping. The parts of a tick follow each other within
// less, and waking a sleeping thread takes a good part of that time.
constexpr std::chrono::microseconds kAwake(200);

constexpr std::uint64_t kLow = 0xffffffff;
std::uint64_t packed(std::uint64_t first, std::uint64_t end) { return end << 32 | first; }

/// Waits without sleeping for a while, but yields the core to other threads.
template <typename Condition>
void yield_until(Condition&& condition) {
  using Clock = std::chrono::steady_clock;
  for (const auto end = Clock::now() + kAwake; !condition() && Clock::now() < end;) {
    std::this_thread::yield();
  }
}

}  // namespace

WorkerPool::WorkerPool(int threads) : shares_(std::size_t(threads)) {
  assert(threads >= 1);
  helpers_.reserve(std::size_t(threads - 1));
  for (int worker = 1; worker < threads; ++worker) {
    helpers_.emplace_back([this, worker] { help(worker); });
  }
}

WorkerPool::~WorkerPool() {
  stop_ = true;
  job_.fetch_add(1, std::memory_order_release);
  job_.notify_all();
}

// The same pieces go to the same worker each time, so that their bodies stay in its core's cache.
// This saves a hundredth to a fiftieth of a crowd's tick on two cores.
void WorkerPool::share_out(int pieces) {
  const auto count = std::uint64_t(pieces), workers = std::uint64_t(shares_.size());
  for (std::uint64_t worker = 0; worker < workers; ++worker) {
    shares_[worker].pieces = packed(count * worker / workers, count * (worker + 1) / workers);
  }
}

void WorkerPool::take_pieces(int worker) {
  const std::size_t workers = shares_.size();
  for (std::size_t i = 0; i < workers; ++i) {
    const bool own = i == 0;
    std::atomic<std::uint64_t>& pieces = shares_[(std::size_t(worker) + i) % workers].pieces;
    for (std::uint64_t seen = pieces;;) {
      const std::uint64_t first = seen & kLow, end = seen >> 32;
      if (first >= end) break;
      const std::uint64_t rest = own ? packed(first + 1, end) : packed(first, end - 1);
      if (!pieces.compare_exchange_weak(seen, rest)) continue;
      call_(context_, int(own ? first : end - 1), worker);
      seen = pieces;
    }
  }
}

void WorkerPool::run_erased(int pieces, void* context, Call call) {
  context_ = context;
  call_ = call;
  share_out(pieces);
  // For a single piece no helper is woken.
  const bool shared = pieces > 1 && !helpers_.empty();
  if (shared) {
    busy_ = int(helpers_.size());
    job_.fetch_add(1, std::memory_order_release);
    job_.notify_all();
  }
  take_pieces(0);
  if (!shared) return;
  // Waits until every helper has left the job, so that none sees the next one half set up.
  yield_until([&] { return busy_.load() == 0; });
  for (int busy = busy_.load(); busy != 0; busy = busy_.load()) busy_.wait(busy);
}

void WorkerPool::help(int worker) {
  std::uint32_t seen = 0;
  for (;;) {
    yield_until([&] { return job_.load(std::memory_order_acquire) != seen; });
    job_.wait(seen, std::memory_order_acquire);
    seen = job_.load(std::memory_order_acquire);
    if (stop_) return;
    take_pieces(worker);
    if (busy_.fetch_sub(1) == 1) busy_.notify_one();
  }
}

}  // namespace promenade::world
