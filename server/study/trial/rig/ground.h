#pragma once

#include <cstdint>
#include <memory>

#include "physics/ground/ground.h"

// Ground for experiments, on which no controller was tuned, around and ahead of a walker that
// starts at the origin and walks along x.
namespace promenade::trial {

/// Tiles of 0.5 x 0.6 m, each of a random height up to `roughness` m, from 1.5 m ahead on for 18 m
/// on both sides of the way.
std::shared_ptr<const physics::Ground> rough_track(double roughness, std::uint64_t seed);

/// 2 m of level ground, then 20 m along a slope of `angle` rad: positive up, negative down.
std::shared_ptr<const physics::Ground> long_slope(double angle);

/// A hillside that rises to the left by `angle` rad, under the walker from the start.
std::shared_ptr<const physics::Ground> hillside(double angle);

inline constexpr double kEdgeAhead = 2;  // m, from the start to a kerb or stairs, unless given

/// A kerb ahead, then 20 m of level ground. @param height  m; positive up, negative down
/// @param edge  m ahead
std::shared_ptr<const physics::Ground> kerb(double height, double edge = kEdgeAhead);

/// Stairs ahead, then level ground. @param rise  m, of a step; positive up, negative down
/// @param tread  m, of a step along x
/// @param edge   m ahead, of the first step
std::shared_ptr<const physics::Ground> stairs(double rise, int steps, double tread,
                                              double edge = kEdgeAhead);

/// Level islands with nothing between them: gaps of one width, islands of random length from 0.4 to
/// 1.2 m, over 20 m from 2 m ahead on.
std::shared_ptr<const physics::Ground> gaps(double width, std::uint64_t seed);

/// Stones to step on, m: how long and wide each is, and how far to the left and right of the way
/// they lie in turn.
struct Stones {
  double length, across, beside;
};
inline constexpr Stones kNarrowStones{0.34, 0.3, 0.1}, kWideStones{0.4, 1.4, 0};
/// Level stones with nothing between them: one each `step` m, moved by up to `scatter` m along and
/// half of it across.
std::shared_ptr<const physics::Ground> stepping_stones(const Stones& stones, double step,
                                                       double scatter, std::uint64_t seed);

/// The same ground with another friction wherever the ground has no material of its own.
std::shared_ptr<const physics::Ground> with_friction(const physics::Ground& ground,
                                                     double friction);

/// Level ground with an area of another material across the way. @param from, length  m along x
std::shared_ptr<const physics::Ground> patch_across(const physics::Material& material, double from,
                                                    double length);

/// Level ground with a moving walkway of 8 m, 2 m ahead.
/// @param surface  m/s, of it, along the way and to the left
std::shared_ptr<const physics::Ground> walkway(const Vec2& surface);

/// Two banks and a bridge of 6 m between them, 2 m ahead, that sways sideways.
/// @param amplitude  m
/// @param period     s
std::shared_ptr<const physics::Ground> swaying_bridge(double amplitude, double period);

}  // namespace promenade::trial
