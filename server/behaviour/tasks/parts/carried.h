#pragma once

#include <array>

#include "behaviour/tasks/parts/hand_path.h"
#include "behaviour/tasks/parts/now.h"

namespace promenade::behaviour::tasks {

/// What is carried between both hands.
struct Carried {
  ThingId thing = 0;                                      // 0: nothing
  std::array<Vec3, 2> grip{Vec3::Zero(), Vec3::Zero()};   // where, frame of its first link
  std::array<Vec3, 2> place{Vec3::Zero(), Vec3::Zero()};  // of the palms, from the chest
  double mass = 0;                                        // kg
  double yaw = 0;                                         // rad, of the thing against the carrier
  double ahead = 0;     // m, that the carrier needs more room because of it
  bool handed = false;  // taken over from somebody, not held by its middle: it hangs askew

  /// Sets where the palms are to be, from the chest, with what they hold.
  /// @param hands    where they hold it, frame of the thing
  /// @param heading  rad, in which the carrier stands
  /// @param least    m, that they are to be above the soles
  void hold_before(const Now& now, const ThingSeen& seen, const std::array<Vec3, 2>& hands,
                   double heading, double least);
  void visit(StateVisitor& state) { state(thing, grip, place, mass, yaw, ahead, handed); }
};

/// Keeps what is carried before the chest.
void hold_carried(const Now& now, const Carried& carried, control::Goal* goal);

/// Brings what is carried before the chest.
/// @param dt  s, by which it goes on; 0: it is held where it is
void draw_near(const Now& now, const Carried& carried, double dt, std::array<HandPath, 2>* path,
               control::Goal* goal);

}  // namespace promenade::behaviour::tasks
