#include "world/worker_pool.h"

#include <cassert>
#include <chrono>

namespace promenade::world {
namespace {

// The parts of a tick follow each other within less than that, and waking a thread that sleeps
// takes a good part of it.
constexpr std::chrono::microseconds kAwake(200);

/// Waits awake for a while. Whoever else wants the core gets it.
template <typename Condition>
void yield_until(Condition&& condition) {
  using Clock = std::chrono::steady_clock;
  for (const auto end = Clock::now() + kAwake; !condition() && Clock::now() < end;) {
    std::this_thread::yield();
  }
}

}  // namespace

WorkerPool::WorkerPool(int threads) {
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

void WorkerPool::take_pieces(int worker) {
  for (int piece = next_.fetch_add(1); piece < pieces_; piece = next_.fetch_add(1)) {
    call_(context_, piece, worker);
  }
}

void WorkerPool::run_erased(int pieces, void* context, Call call) {
  pieces_ = pieces;
  context_ = context;
  call_ = call;
  next_ = 0;
  // One piece is not worth waking anybody for.
  const bool shared = pieces > 1 && !helpers_.empty();
  if (shared) {
    busy_ = int(helpers_.size());
    job_.fetch_add(1, std::memory_order_release);
    job_.notify_all();
  }
  take_pieces(0);
  if (!shared) return;
  // Every helper checks out of every job, so none can meet the next one half set up.
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
