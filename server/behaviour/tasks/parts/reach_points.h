#pragma once

#include <array>

#include "behaviour/tasks/parts/now.h"
#include "behaviour/tasks/task.h"

namespace promenade::behaviour::tasks {

/// What is reached for, of one hand or of both.
struct ReachTarget {
  std::array<Vec3, 2> at{Vec3::Zero(), Vec3::Zero()};     // m, of the palms
  std::array<Vec3, 2> moves{Vec3::Zero(), Vec3::Zero()};  // m/s
  Vec3 middle = Vec3::Zero();                             // of the hands that reach
  Vec2 velocity = Vec2::Zero();                           // m/s, of that, level
  bool follows = false;                                   // it moves
};

/// Which hands reach, and for which points of a thing or of the world.
class ReachPoints {
 public:
  /// @param drift  m/s, level, of the thing
  void choose(const Now& now, const Task& task, const ThingSeen& thing, const Vec2& drift);
  /// Chooses the hand anew, for what moves.
  /// @param comes  it is on its way: it does not change the hand for a little
  void choose_hand(const Now& now, const Task& task, const ThingSeen& thing, const Vec2& drift,
                   bool comes);
  /// The near side of what moves is another one after a while.
  void take_near_side(const Now& now, const ThingSeen& thing);
  /// Where both palms are to be at one point they meet there.
  /// @param heading  rad, in which it stands
  void let_palms_meet(const Now& now, const Task& task, const ThingSeen& thing, double heading);
  ReachTarget target(const Now& now, const Task& task, const ThingSeen& thing) const;

  bool uses(std::size_t side) const { return uses_[side]; }
  bool both() const { return uses_[kLeft] && uses_[kRight]; }
  /// m, from the middle between two palms at two sides of a thing, where one stands.
  double distance() const { return distance_; }
  void visit(StateVisitor& state) { state(at_, uses_, distance_); }

 private:
  void choose_two_sides(const Now& now, const ThingSeen& thing);

  std::array<Vec3, 2> at_{Vec3::Zero(), Vec3::Zero()};  // frame of the thing, or the world, m
  std::array<bool, 2> uses_{false, false};
  double distance_ = 0;
};

/// rad/s, from which its near side is not one point of it.
bool rolls(const Now& now, const ThingSeen& thing);
/// m/s, from which one walks beside what moves, and does not face it.
double beside_from(const Now& now);

}  // namespace promenade::behaviour::tasks
