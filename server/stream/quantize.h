#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "math/types.h"

// How quantities become integers on the wire. docs/protocol.md specifies it; the page has the
// inverse.
namespace promenade::stream {

inline constexpr double kPositionUnit = 0.001;  // m: at most 0.5 mm off on each axis
/// rad: at most 1.5 mrad off for each joint coordinate, less than the root's rotation may be. A
/// crowd in the square takes 57.8, 55.6 and 54.0 bytes a character at 2, 3 and 4 mrad.
inline constexpr double kAngleUnit = 0.003;
inline constexpr double kSmallestThreeScale = 511;
/// Largest angle between a rotation and what comes back from its 32 bits, rad.
inline constexpr double kMaxRotationError = 0.005;

/// round(value / unit), halves to the even number, limited to 32 bits; 0 for a value that is not
/// finite.
inline std::int32_t quantize(double value, double unit) {
  constexpr double kLimit = std::numeric_limits<std::int32_t>::max();
  const double scaled = value / unit;
  if (!(std::abs(scaled) <= kLimit)) {
    if (!std::isfinite(value)) return 0;
    return static_cast<std::int32_t>(scaled < 0 ? -kLimit : kLimit);
  }
  // A double of that size has its unit in the last place: adding it rounds, without a call.
  constexpr double kWholes = 0x1.8p52;
  return static_cast<std::int32_t>(std::bit_cast<std::int64_t>(scaled + kWholes));
}

/// A unit quaternion in 32 bits: bits 31-30 tell the greatest component (x, y, z, w), which is left
/// out; the others follow in that order, 10 bits each. The identity is exact.
std::uint32_t pack_rotation(const Quat& rotation);
Quat unpack_rotation(std::uint32_t bits);

}  // namespace promenade::stream
