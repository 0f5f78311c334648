#pragma once

#include <cstdint>

namespace promenade::app {

/// Calls of operator new on this thread since it began. The program has an operator new of its own
/// that counts them (allocation_count.cpp).
std::uint64_t allocations_of_this_thread();

}  // namespace promenade::app
