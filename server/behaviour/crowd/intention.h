#pragma once

#include <cstdint>

#include "behaviour/crowd/half_planes.h"
#include "behaviour/crowd/pace.h"

namespace promenade::behaviour::crowd {

/// The velocity that a walker in a crowd wants before it avoids anybody: how people adapt their
/// speed and way to those around them. Built from the others one by one, nearest first.
///
/// Laws, e the preferred direction, r to its right, a the angle between e and another's offset,
/// d its distance, c the cosine between the two preferred directions:
///   - Pace: weidmann_share() of the density ahead, in which people who come count double.
///   - Lanes: for those ahead it turns to the right by the sum of 0.1 m cos a d / (d^2 + 0.1 m^2)
///     times k sin a for one who goes the same way, which is towards them, and -c for one who
///     comes; at most 1 rad. Without k, a faster walker would follow instead of overtaking.
///   - News: a crowd knows when another comes towards it. k = 1 if a walker sees somebody within 4
///     m with cos a > 0.7 and c < -0.7; else 0.9 of the greatest k of those within 1.5 m. It turns
///     to the right by 0.5 k rad.
///   - Held up: a walker hardly moving for 0.5 to 2.5 s (h from 0 to 1) turns by another 1.2 h k
///     rad and goes h k 0.5 m/s at least: a jam of two crowds begins to turn instead of standing.
///     Where nobody comes, as before a door, two of five step back at 0.4 m/s for 1.2 s now and
///     then, so that an arch breaks.
///   - Room: those nearer than 0.25 m push one another off at 0.3 m/s (1 - gap / 0.25 m) where they
///     go the same way.
/// Source: the laws but the pace are ours; keeping to the right, and following, are what
/// pedestrians do (Helbing and Molnar 1995; Moussaid et al. 2009).
class Intention {
 public:
  struct Other {
    Vec2f offset;     // m
    Vec2f preferred;  // m/s
    float distance;   // m, of the centres
    float gap;        // m, between the discs
    float news;       // k
  };
  /// @param preferred  m/s, not 0
  /// @param reach      m, within which everybody is known
  Intention(const Vec2f& preferred, float reach);
  void add(const Other& other);

  /// A walker's own luck, -1 to 1 each way, the same for as long as it should last.
  struct Luck {
    Vec2f waver;
    Vec2f yield;
  };
  /// @param held   s, see Walkers::Disc
  /// @param waver  of the speed, at random
  Vec2f wish(float held, float waver, const Luck& luck) const;
  /// Share of the free speed that the density ahead allows.
  float pace() const { return weidmann_share(density_.people_per_m2()); }
  /// k, for the others to see.
  float news() const { return news_; }

 private:
  Vec2f turned(float by) const;

  float speed_;
  Vec2f ahead_, right_;
  DensityAhead density_;
  float follow_ = 0, give_way_ = 0;  // rad
  float news_ = 0;
  Vec2f push_ = Vec2f::Zero();  // m/s
};

/// m, how far ahead a walker looks to see how crowded it is.
inline constexpr float kLook = 1.5f;

}  // namespace promenade::behaviour::crowd
