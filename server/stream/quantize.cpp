#include "stream/quantize.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace promenade::stream {

namespace {

// Rounds as std::round does, a number that fits 63 bits.
double rounded(double value) {
  const auto whole = static_cast<double>(static_cast<std::int64_t>(value));
  const double rest = value - whole;
  return whole + (rest >= 0.5) - (rest <= -0.5);
}

}  // namespace

std::uint32_t pack_rotation(const Quat& rotation) {
  std::array<double, 4> q{rotation.x(), rotation.y(), rotation.z(), rotation.w()};
  double norm = 0;
  for (const double c : q) norm += c * c;
  norm = std::sqrt(norm);
  if (!std::isfinite(norm) || norm < 1e-9) {
    q = {0, 0, 0, 1};
    norm = 1;
  }
  // Of components of equal magnitude the last is left out: w of the identity and rotations near it.
  std::uint32_t omitted = 3;
  for (std::uint32_t i = 0; i < 3; ++i) {
    if (std::abs(q[i]) > std::abs(q[omitted])) omitted = i;
  }
  const double scale = (q[omitted] < 0 ? -1 : 1) * std::sqrt(2.0) * kSmallestThreeScale / norm;
  std::uint32_t bits = omitted;
  for (std::uint32_t i = 0; i < 4; ++i) {
    if (i == omitted) continue;
    const double value =
        std::clamp(rounded(q[i] * scale), -kSmallestThreeScale, kSmallestThreeScale);
    bits = bits << 10 | static_cast<std::uint32_t>(value + kSmallestThreeScale);
  }
  return bits;
}

Quat unpack_rotation(std::uint32_t bits) {
  const std::uint32_t omitted = bits >> 30;
  std::array<double, 4> q{};
  double rest = 1;
  int shift = 20;
  for (std::uint32_t i = 0; i < 4; ++i) {
    if (i == omitted) continue;
    q[i] =
        (((bits >> shift) & 1023) - kSmallestThreeScale) / (std::sqrt(2.0) * kSmallestThreeScale);
    rest -= q[i] * q[i];
    shift -= 10;
  }
  q[omitted] = std::sqrt(std::max(0.0, rest));
  return Quat(q[3], q[0], q[1], q[2]).normalized();
}

}  // namespace promenade::stream
