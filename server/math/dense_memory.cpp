#include "math/dense_memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <memory_resource>
#include <new>

namespace promenade {
namespace {

#if defined(__SANITIZE_ADDRESS__)
constexpr bool kSeenThrough = true;
#elif defined(__has_feature)
constexpr bool kSeenThrough = __has_feature(address_sanitizer);
#else
constexpr bool kSeenThrough = false;
#endif

/// Large pieces are whole huge pages. Small ones, as those of small rooms, are not: a huge page
/// would be resident as a whole.
class HugePages final : public std::pmr::memory_resource {
  static constexpr std::size_t kPage = 2 << 20;  // bytes

  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    const bool huge = bytes >= kPage / 2;
    const std::size_t unit = huge ? kPage : alignment;
    const std::size_t size = (bytes + unit - 1) / unit * unit;
    void* memory = std::aligned_alloc(unit, size);
    if (!memory) throw std::bad_alloc();
    if (huge) madvise(memory, size, MADV_HUGEPAGE);  // where it fails, usual pages do
    return memory;
  }
  void do_deallocate(void* memory, std::size_t, std::size_t) override { std::free(memory); }
  bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override {
    return this == &other;
  }
};

std::pmr::memory_resource& pool() {
  // Never destroyed: objects may live until the program's end.
  static auto& pages = *new HugePages;
  static auto& pool = *new std::pmr::synchronized_pool_resource(
      {.max_blocks_per_chunk = 4096, .largest_required_pool_block = 8192}, &pages);
  return pool;
}

constexpr std::size_t kAlignment = 64;  // bytes of a cache line
std::size_t rounded(std::size_t size) { return (size + kAlignment - 1) / kAlignment * kAlignment; }

}  // namespace

void* DenseMemory::operator new(std::size_t size) {
  // A sanitizer has to see each object by itself.
  if (kSeenThrough) return ::operator new(size);
  return pool().allocate(rounded(size), kAlignment);
}

void DenseMemory::operator delete(void* object, std::size_t size) noexcept {
  if (kSeenThrough) return ::operator delete(object);
  pool().deallocate(object, rounded(size), kAlignment);
}

}  // namespace promenade
