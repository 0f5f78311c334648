// Counts allocations, so that `promenade bench` and tests can tell whether a tick makes any. Each
// thread adds to a number of its own, so that counting makes no thread wait for another.
#include "study/bench/allocation_counter.h"

#include <atomic>
#include <cstdlib>
#include <mutex>
#include <new>

// The thread sanitizer brings operators of its own, which cannot be replaced: with it nothing is
// counted.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define PROMENADE_THREAD_SANITIZER
#endif
#endif

#ifdef PROMENADE_THREAD_SANITIZER

namespace {
std::uint64_t allocations() { return 0; }
}  // namespace

#else

namespace {

class ThreadCount;

/// The numbers of all threads: a list of those that live, and the sum of those that have ended.
/// Never destroyed, as threads may end after static objects are gone.
struct AllCounts {
  std::mutex mutex;
  ThreadCount* first = nullptr;
  std::uint64_t of_ended = 0;
};

AllCounts& all_counts() {
  alignas(AllCounts) static char memory[sizeof(AllCounts)];
  static AllCounts* const counts = new (memory) AllCounts;
  return *counts;
}

class ThreadCount {
 public:
  ThreadCount() {
    AllCounts& all = all_counts();
    const std::lock_guard lock(all.mutex);
    next_ = all.first;
    all.first = this;
  }
  ~ThreadCount() {
    AllCounts& all = all_counts();
    const std::lock_guard lock(all.mutex);
    all.of_ended += made();
    ThreadCount** link = &all.first;
    while (*link != this) link = &(*link)->next_;
    *link = next_;
  }
  ThreadCount(const ThreadCount&) = delete;
  ThreadCount& operator=(const ThreadCount&) = delete;

  void add() { made_.store(made() + 1, std::memory_order_relaxed); }  // of its own thread only
  std::uint64_t made() const { return made_.load(std::memory_order_relaxed); }
  const ThreadCount* next() const { return next_; }

 private:
  std::atomic<std::uint64_t> made_{0};
  ThreadCount* next_ = nullptr;
};

thread_local ThreadCount of_this_thread;

std::uint64_t allocations() {
  AllCounts& all = all_counts();
  const std::lock_guard lock(all.mutex);
  std::uint64_t sum = all.of_ended;
  for (const ThreadCount* one = all.first; one; one = one->next()) sum += one->made();
  return sum;
}

void* allocate_or_null(std::size_t size) noexcept {
  of_this_thread.add();
  return std::malloc(size ? size : 1);
}

void* allocate(std::size_t size) {
  if (void* memory = allocate_or_null(size)) return memory;
  throw std::bad_alloc();
}

void* allocate(std::size_t size, std::size_t alignment) {
  of_this_thread.add();
  size = (size + alignment - 1) / alignment * alignment;
  if (void* memory = std::aligned_alloc(alignment, size ? size : alignment)) return memory;
  throw std::bad_alloc();
}

}  // namespace

void* operator new(std::size_t size) { return allocate(size); }
void* operator new[](std::size_t size) { return allocate(size); }
// The library's own would call those above; that of a sanitizer would not.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return allocate_or_null(size);
}
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
  return allocate_or_null(size);
}
void* operator new(std::size_t size, std::align_val_t alignment) {
  return allocate(size, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
  return allocate(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

#endif

namespace promenade {

AllocationCounter::AllocationCounter() : start_(allocations()) {}
std::uint64_t AllocationCounter::count() const { return allocations() - start_; }

}  // namespace promenade
