#pragma once

#include <array>
#include <cmath>
#include <cstdint>

#include "math/state.h"

namespace promenade {

/// Seeded random numbers, the same on every machine and with every standard library, which those of
/// <random>'s distributions are not. xoshiro256** seeded by splitmix64.
/// Source: Blackman and Vigna, "Scrambled linear pseudorandom number generators", 2021.
class Random {
 public:
  using State = std::array<std::uint64_t, 4>;

  explicit Random(std::uint64_t seed = 0) {
    for (std::uint64_t& word : state_) word = split_mix(seed);
  }

  /// 64 random bits.
  std::uint64_t next() {
    const std::uint64_t result = rotate_left(state_[1] * 5, 7) * 9;
    const std::uint64_t shifted = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = rotate_left(state_[3], 45);
    return result;
  }

  /// In [0, 1), 53 random bits.
  double uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }
  /// In [low, high).
  double uniform(double low, double high) { return low + (high - low) * uniform(); }

  /// In [0, count), every value as likely as every other. @pre count > 0
  std::uint64_t below(std::uint64_t count) {
    const std::uint64_t unfair = (0 - count) % count;  // 2^64 mod count
    std::uint64_t bits = next();
    while (bits < unfair) bits = next();
    return bits % count;
  }

  /// Of the standard normal distribution, from two numbers of the stream.
  /// Source: Box and Muller, "A note on the generation of random normal deviates", 1958.
  double normal() {
    constexpr double kTurn = 6.283185307179586;
    const double radius = std::sqrt(-2 * std::log(1 - uniform()));
    return radius * std::cos(kTurn * uniform());
  }

  bool chance(double probability) { return uniform() < probability; }

  /// A generator for the stream `index` of a seed. Streams do not depend on each other.
  static Random stream(std::uint64_t seed, std::uint64_t index) {
    std::uint64_t mixed = seed;
    const std::uint64_t first = split_mix(mixed);
    return Random(first ^ (index * 0xd1342543de82ef95ULL + 0x2545f4914f6cdd1dULL));
  }

  const State& state() const { return state_; }
  void set_state(const State& state) { state_ = state; }
  void visit(StateVisitor& state) { state(state_); }

 private:
  static std::uint64_t rotate_left(std::uint64_t x, int by) { return (x << by) | (x >> (64 - by)); }
  static std::uint64_t split_mix(std::uint64_t& seed) {
    std::uint64_t z = (seed += 0x9e3779b97f4a7c15ULL);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  }

  State state_{};
};

}  // namespace promenade
