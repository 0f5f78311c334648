#pragma once

#include <cstdint>
#include <vector>

#include "math/state.h"
#include "world/command/command.h"

namespace promenade::world {

/// Which characters of a room are in full physics; room_levels.cpp decides.
struct RoomLevels {
  std::uint32_t in_physics = 0;  // by nearness; 0: all
  std::vector<View> views;       // empty: `usual`
  View usual;                    // of the scene's camera

  // What was last decided.
  struct Ranked {
    double distance;       // m, as seen: see view_distance()
    std::uint32_t entity;  // its index
  };
  std::vector<Ranked> ranked;
  /// Those that others could touch, by x.
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
