#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "world/library/library.h"

namespace promenade::trial {

/// The result of a crossing of the scene `bridge` by its people, one from each side.
struct BridgeRun {
  int people = 0, across = 0;  // across: got to the other side without a fall
  double sank = 0;             // m, of the cube that sank furthest
  double tilted = 0;           // rad, of the cube that tilted furthest
};

/// The seed moves where they start as the scene's `scatter_m` says.
/// @param family  that drives them; empty: as the scene says
BridgeRun cross_bridge(std::shared_ptr<const Library> library, const std::string& family,
                       std::uint64_t seed);

/// s that a crossing may take.
inline constexpr double kCrossingTime = 24;

}  // namespace promenade::trial
