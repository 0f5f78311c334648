#pragma once

#include <span>

#include "behaviour/crowd/half_planes.h"

namespace promenade::behaviour::crowd {

/// Share of their free speed at which people walk in a crowd.
/// Law:    v / v0 = 1 - exp(-1.913 (1 / rho - 1 / 5.4)), rho people / m^2, and 0 from 5.4 on
/// Source: Weidmann, "Transporttechnik der Fussgaenger", 1993, from 25 studies; v0 is 1.34 m/s
float weidmann_share(float density);

inline constexpr float kWeidmannFree = 1.34f;  // m/s, free speed
inline constexpr float kWeidmannJam = 5.4f;    // people / m^2, at which nobody moves

/// How crowded it is ahead of a walker.
///
/// Law: rho = (sum over others of w(d) max(0, cos a) + 1 / pi) / (D^2 / 2), w(d) = 1 - (d / D)^2,
///   d distance of another, a angle between the way ahead and the other, D reach of the look. The
///   denominator is the integral of the weights, 1 / pi the walker's own weight averaged over all
///   directions: without it a walker would take the space that it fills for free.
/// Source: the idea, a speed that the space ahead allows, is of Best, Narang, Curtis and Manocha,
///   "DenseSense: interactive crowd simulation using density-dependent filters", 2014; the weights
///   are ours. They fall to 0 at D and to both sides, so that nobody's coming or going is a jump.
class DensityAhead {
 public:
  /// @param ahead  unit vector
  /// @param reach  m, D
  DensityAhead(const Vec2f& ahead, float reach) : ahead_(ahead), reach2_(reach * reach) {}
  void add(const Vec2f& offset, float distance, float weight = 1);
  float people_per_m2() const;

 private:
  Vec2f ahead_;
  float reach2_;
  float sum_ = 0;
};

}  // namespace promenade::behaviour::crowd
