#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <span>

#include "stream/coded/number_code.h"

// What both ends of a connection know of a character: the values that were told last, and where
// they lead. web/src/net/coded/track.ts has the same, to the last bit: whole numbers, and of
// floating point only what IEEE 754 rounds in one way (+, -, *, / and the square root).
namespace promenade::stream {

/// When the last three values of a group of channels were told, and what these moments make of now.
struct TrackTimes {
  std::array<std::uint64_t, 3> tick{};  // the last first
  std::uint32_t told = 0;               // how many values there are, at most 3

  void push(std::uint64_t now) {
    tick = {now, tick[0], tick[1]};
    told = std::min(told + 1, 3u);
  }
  /// Nothing moved from what was before to what was told last.
  void forget() { told = std::min(told, 1u); }
};

/// How far ahead of the last values a moment is.
struct Ahead {
  double share = 0;   // of the time between the last two values; 0 where there is no earlier one
  bool even = false;  // three values and this moment are equally far apart

  /// @param most  ticks that a motion is continued for; after that it is taken to rest
  Ahead(const TrackTimes& times, std::uint64_t now, std::uint64_t most) {
    const std::uint64_t last = times.tick[0];
    if (times.told < 2 || now <= last || last <= times.tick[1]) return;
    const std::uint64_t passed = last - times.tick[1];
    const std::uint64_t since = now - last;
    share = static_cast<double>(std::min(since, most)) / static_cast<double>(passed);
    even = times.told == 3 && since == passed && since <= most && times.tick[1] > times.tick[2] &&
           times.tick[1] - times.tick[2] == passed;
  }
};

/// To 32 bits, whatever does not fit cut off; as `| 0` of a script.
inline std::int32_t wrapped(std::int64_t value) { return static_cast<std::int32_t>(value); }

/// As std::floor, of what fits 63 bits.
inline std::int64_t floor_of(double value) {
  const auto towards_zero = static_cast<std::int64_t>(value);
  return towards_zero - (value < static_cast<double>(towards_zero));
}

/// One number of a character over time, in the units of a Frame.
///
/// Law:    of the values told last, a, b before and c before that, what is expected now is
///           a (rest), a + share (a - b) (constant velocity), or 3 a - 3 b + c (constant
///           acceleration, where the three are even),
///         whichever was closest lately: each miss counts for 1/8 of its mean
struct Channel {
  std::array<std::int32_t, 3> value{};  // the last first
  std::array<std::uint16_t, 3> miss{};  // mean of |expected - told| by each law, sixteenths
  SeriesScale scale;                    // of what is coded, in quanta

  /// What each law makes of now, and which is believed.
  struct Guess {
    std::int32_t by_velocity = 0, by_acceleration = 0, expected = 0;
  };
  Guess guess(const Ahead& ahead) const {
    Guess out;
    const double step = static_cast<double>(value[0]) - static_cast<double>(value[1]);
    out.by_velocity = wrapped(value[0] + floor_of(step * ahead.share + 0.5));
    out.by_acceleration = wrapped(3 * (std::int64_t{value[0]} - value[1]) + value[2]);
    const bool accelerates = ahead.even && miss[2] < miss[0] && miss[2] < miss[1];
    const bool moves = ahead.share != 0 && miss[1] <= miss[0];
    out.expected = moves ? out.by_velocity : value[0];
    if (accelerates) out.expected = out.by_acceleration;
    return out;
  }
  std::int32_t expected(const Ahead& ahead) const {
    return ahead.share == 0 ? value[0] : guess(ahead).expected;
  }
  /// @param guess  of the same moment
  void push(const Ahead& ahead, const Guess& guess, std::int32_t told) {
    if (ahead.share != 0) {
      note(0, value[0], told);
      note(1, guess.by_velocity, told);
      if (ahead.even) note(2, guess.by_acceleration, told);
    }
    value = {told, value[0], value[1]};
  }
  /// What is coded is counted in quanta: 2^change times as large from now on.
  void rescale(int change) {
    const int mean =
        change > 0 ? scale.mean >> std::min(change, 15) : scale.mean << std::min(-change, 15);
    scale.mean = static_cast<std::uint16_t>(std::clamp(mean, 1, 1 << 14));
  }

 private:
  void note(std::size_t law, std::int32_t guess, std::int32_t told) {
    const std::int64_t off =
        std::min<std::int64_t>(std::abs(std::int64_t{guess} - told), 1 << 10) * 16;
    miss[law] = static_cast<std::uint16_t>(miss[law] + ((off - miss[law]) >> 3));
  }
};

/// A rotation in the numbers of pack_rotation(): four, of which the greatest is left out.
struct RotationTrack {
  static constexpr std::int32_t kHalf = 511;
  std::uint32_t omitted = 3;       // 0 x, 1 y, 2 z, 3 w
  std::array<Channel, 4> channel;  // x, y, z, w; that of the omitted one follows from the others

  /// Leaves out another component from now on; earlier values get the sign that it asks for.
  void omit(std::uint32_t other);
  /// Tells the omitted component of what was pushed last into the others.
  void complete();
  /// As pack_rotation(). @param parts  of the three others, in order
  std::uint32_t packed(const std::array<std::int32_t, 3>& parts) const;
  /// Indices of the three that are not left out.
  std::array<std::size_t, 3> others() const;
};

/// The three parts of a packed rotation, from -511 to 511.
std::array<std::int32_t, 3> rotation_parts(std::uint32_t packed);

}  // namespace promenade::stream
