#pragma once

#include <cstdint>
#include <memory>

#include "physics/ground.h"

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

}  // namespace promenade::trial
