#pragma once

#include <cstdint>

namespace promenade {

/// Counts calls of operator new on all threads while it lives; those of threads that run at the
/// moment it is made or read may be missed or counted by one. A program that uses it has its own
/// operator new (allocation_counter.cpp).
class AllocationCounter {
 public:
  AllocationCounter();
  AllocationCounter(const AllocationCounter&) = delete;
  AllocationCounter& operator=(const AllocationCounter&) = delete;
  std::uint64_t count() const;

 private:
  std::uint64_t start_;
};

}  // namespace promenade
