#pragma once

#include <cstddef>

namespace promenade {

/// A base for classes of which a large crowd has thousands that every tick visits: their objects
/// stand side by side, on huge pages where the system gives any (madvise(2), MADV_HUGEPAGE). Among
/// all else on the heap each is on a page of its own, and looking up the pages takes a fifth of
/// the crowd's tick. Memory that is given back is used again for such objects only. Any thread.
struct DenseMemory {
  static void* operator new(std::size_t size);
  static void operator delete(void* object, std::size_t size) noexcept;
};

}  // namespace promenade
