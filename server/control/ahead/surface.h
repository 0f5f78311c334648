#pragma once

#include <array>
#include <span>

#include "control/ahead/path_ground.h"
#include "control/ahead/way.h"

// What the surface of the ground on a way is like.
namespace promenade::control::ahead {

/// A place with little friction.
struct SlipperyPlace {
  double distance = 0;  // m along the way
  double friction = 0;
};

/// Such places on a way, the nearest first.
class SlipperyPlaces {
 public:
  static constexpr int kLooks = 16;  // places that are looked at

  void add(const SlipperyPlace& place) { list_[std::size_t(count_++)] = place; }
  std::span<const SlipperyPlace> all() const { return std::span(list_).first(std::size_t(count_)); }

 private:
  std::array<SlipperyPlace, kLooks> list_;
  int count_ = 0;
};

/// Friction of the highest surface at a point that is not above `below`, m.
double friction_at(const physics::GroundNow& ground, const Vec2& at, double below);

/// Looks at kLooks places, one as far from the next as the first from the way's origin and the last
/// one at `sight`, m, for friction of less than `firm`.
SlipperyPlaces slippery_ahead(const physics::GroundNow& ground, const Way& way, double sight,
                              double firm, double below);

/// How uneven the ground is on the next `far` m of a way: the greatest change, from one tenth of it
/// to the next, of the height by which the ground rises in it, m. 0 on any even slope.
double unevenness(const PathGround& ground, const Way& way, double far);

/// Slope of the highest surface at a point that is not above `below`: rise over run.
double steepness_at(const physics::GroundNow& ground, const Vec2& at, double below);

}  // namespace promenade::control::ahead
