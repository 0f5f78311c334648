#include "stream/coded/track.h"

namespace promenade::stream {
namespace {

// The sum of the four squares, in the units of packed rotations: (sqrt(2) 511)^2.
constexpr std::int32_t kWhole = 2 * RotationTrack::kHalf * RotationTrack::kHalf;

}  // namespace

std::array<std::size_t, 3> RotationTrack::others() const {
  std::array<std::size_t, 3> out{};
  for (std::size_t i = 0, k = 0; i < 4; ++i) {
    if (i != omitted) out[k++] = i;
  }
  return out;
}

void RotationTrack::omit(std::uint32_t other) {
  omitted = other;
  for (std::size_t age = 0; age < 3; ++age) {
    if (channel[other].value[age] >= 0) continue;
    for (Channel& one : channel) one.value[age] = -one.value[age];
  }
}

void RotationTrack::complete() {
  std::int32_t rest = kWhole;
  for (const std::size_t i : others()) rest -= channel[i].value[0] * channel[i].value[0];
  auto& out = channel[omitted].value;
  const double root = std::sqrt(static_cast<double>(std::max(rest, 0)));
  out = {static_cast<std::int32_t>(std::floor(root + 0.5)), out[0], out[1]};
}

std::uint32_t RotationTrack::packed(const std::array<std::int32_t, 3>& parts) const {
  std::uint32_t bits = omitted;
  for (const std::int32_t part : parts) {
    bits = bits << 10 | static_cast<std::uint32_t>(std::clamp(part, -kHalf, kHalf) + kHalf);
  }
  return bits;
}

std::array<std::int32_t, 3> rotation_parts(std::uint32_t packed) {
  std::array<std::int32_t, 3> parts{};
  for (int i = 0; i < 3; ++i) {
    const auto bits = static_cast<std::int32_t>(packed >> (20 - 10 * i) & 1023);
    parts[static_cast<std::size_t>(i)] = std::min(bits, 1022) - RotationTrack::kHalf;
  }
  return parts;
}

}  // namespace promenade::stream
