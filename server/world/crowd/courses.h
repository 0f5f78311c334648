#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "behaviour/behaviour.h"
#include "math/state.h"
#include "physics/ground/ground.h"
#include "world/command/command.h"
#include "world/room/tick_view.h"
#include "world/showing/snapshot.h"

namespace promenade::world {

/// The courses of a room's scene: which obstacles stand on each lane, who walks along it, and how
/// often it was passed. The obstacles of a part are drawn anew once somebody has been in it and
/// nobody is near. With or without lanes it keeps the ground and obstacles of the room, which are
/// those of the scene and of the lanes. It reads characters and things, and changes none.
class Courses {
 public:
  /// Whether the scene has no lanes.
  bool empty() const { return lanes_.empty(); }
  /// Sets the lanes as they are when the scene is loaded. lay() must follow.
  void begin(const Scene& scene);
  /// Makes the ground of the scene and of what is drawn on its lanes.
  /// @param scene  for which it has begun; @param seed  of the room
  void lay(const Scene& scene, std::uint64_t seed);
  /// Counts walkers that have passed a lane, and draws parts anew that nobody is near.
  /// @return whether something was drawn: lay() must follow
  bool run(const TickView& now, std::vector<RoomEvent>& events);

  // As lay() has made them.
  const physics::Ground& ground() const { return *ground_; }
  std::span<const behaviour::Obstacle> obstacles() const { return obstacles_; }
  /// An encoded v1::CourseBlocks of the lanes; empty where there are none.
  const std::string& blocks() const { return blocks_; }

  /// Visits what decides the future of lanes that have been begun.
  void visit(StateVisitor& state);

 private:
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
    std::vector<Walker> walkers;                 // ascending ids
    std::uint32_t passed = 0, without_fall = 0;  // rounds
  };

  static void count_rounds(const TickView& now, const CoursePlan& plan, Lane& lane,
                           std::vector<RoomEvent>& events);
  static bool draw_anew(const TickView& now, const CoursePlan& plan, std::vector<Part>& parts);

  std::vector<Lane> lanes_;
  // What follows from the lanes.
  std::string blocks_;
  std::vector<behaviour::Obstacle> obstacles_;
  std::shared_ptr<const physics::Ground> ground_;
};

}  // namespace promenade::world
