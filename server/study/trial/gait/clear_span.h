#pragma once

#include <array>
#include <utility>
#include <vector>

#include "creature/creature.h"
#include "physics/articulated_body.h"

namespace promenade::trial {

/// Over what a body in the air could have passed: for each centimetre of level ground along +x the
/// least height at which any part of the body was above it, from the first step of a flight to the
/// first on which it touches again. Counted is what its soles were wholly behind at first and
/// wholly past at the end; of a creature without legs all links are soles.
class ClearSpan {
 public:
  /// @param high  m, of what is to be passed over, above 0
  ClearSpan(const Creature& creature, double high);

  /// To be called after each step.
  void note(const physics::ArticulatedBody& body, bool in_air);

  /// A flight and the longest stretch of ground over which all of the body was above `high`.
  struct Span {
    double from = 0, to = 0;  // m, world frame, along x; equal: none
    /// m: each bit of ground that was passed over counts by its height over 1.25 `high`, squared,
    /// and in full from there. Above 0 also where the span is empty.
    double worth = 0;

    double length() const { return to - from; }
  };
  /// That of the flight of most worth so far.
  const Span& best() const { return best_; }

 private:
  static constexpr double kBin = 0.01;                  // m
  static constexpr int kBins = 600, kBinsBehind = 150;  // of a flight; behind where it begins
  using Profile = std::array<float, kBins>;             // m
  struct Sample {
    std::size_t link = 0;
    Vec3 at = Vec3::Zero();  // m, link frame
    double radius = 0;       // m
    bool sole = false;
  };
  void sample(std::size_t link, const physics::Shape& shape, bool sole);
  void sample_line(std::size_t link, const Vec3& from, const Vec3& to, double radius, bool sole);
  void lower(const physics::ArticulatedBody& body);
  Span judged(const physics::ArticulatedBody& body) const;
  /// The soles' extent along x, in bins from first_.
  std::pair<int, int> extent(const physics::ArticulatedBody& body) const;

  double high_;
  std::vector<Sample> samples_;
  bool flies_ = false;
  int first_ = 0;  // of low_, in bins of the world
  int ahead_ = 0;  // of low_: the first bin that the soles were behind when they took off
  Profile low_;    // infinity: nothing was above it
  Span best_;
};

}  // namespace promenade::trial
