#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "behaviour/behaviour.h"
#include "math/state.h"
#include "world/command/command.h"

namespace promenade::world {

struct Scene;

/// The courses of a room's scene: the obstacles and walkers on them.
struct RoomCourses {
  struct Part {
    std::uint32_t drawn = 0;  // times
    bool used = false;        // somebody has been in it since
  };
  /// Somebody who has come by the beginning of the lane and is on it.
  struct Walker {
    CharacterId id = 0;
    bool fell = false;
    bool last = false;  // was seen in the last part: one put beyond the end has not passed
  };
  struct Lane {
    std::vector<Part> parts;
    std::vector<Walker> walkers;
    std::uint32_t passed = 0, without_fall = 0;  // rounds
  };
  std::vector<Lane> lanes;

  // Things that follow from the lanes.
  std::string blocks;                          // an encoded v1::CourseBlocks
  std::vector<behaviour::Obstacle> obstacles;  // with those of the scene

  /// Sets them as they are when the scene is loaded.
  void begin(const Scene& scene);
  /// Reads into lanes that have been begun.
  void visit(StateVisitor& state);
};

}  // namespace promenade::world
