#pragma once

#include <cstdint>

#include "math/random.h"

// The starts of trials of gaits: numbers that are the seeds of rollouts.
namespace promenade::trial {

/// From here on starts are others: no search tries its candidates from them.
inline constexpr std::uint64_t kOtherStarts = 1000000;

/// Where in the span of moments that a trial has for its leap the leap of a start comes, 0 to 1.
inline double leap_moment(std::uint64_t start) { return Random::stream(start, 0x1ea9).uniform(); }

}  // namespace promenade::trial
