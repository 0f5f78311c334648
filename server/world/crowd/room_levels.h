#pragma once

#include <cstdint>
#include <vector>

#include "math/state.h"
#include "world/command/command.h"

namespace promenade::world {

/// The data by which room_levels.cpp decides which characters are in full physics.
struct RoomLevels {
  std::uint32_t in_physics = 0;  // by nearness; 0: all
  std::vector<View> views;       // empty: `usual`
  View usual;                    // of the scene's camera

  // The last ranking.
  struct Ranked {
    double distance;       // m, as seen: see view_distance()
    std::uint32_t entity;  // its index
  };
  std::vector<Ranked> ranked;
  /// The bodies that others could touch, by x.
  struct Solid {
    Vec2 place, velocity;
    double radius;
  };
  std::vector<Solid> solids;

  void visit(StateVisitor& state) {
    state(in_physics);
    state.length(views, 16);
    for (View& view : views) state(view.eye, view.at);
  }
};

}  // namespace promenade::world
