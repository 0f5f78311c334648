#pragma once

#include <array>

#include "behaviour/tasks/parts/work.h"

namespace promenade::behaviour::tasks {

/// Whether nothing stands so near before it that it would be walked into by whoever sets out.
/// @param except  what it holds; 0: nothing
bool free_ahead(const Now& now, const Stand& stand, ThingId except);

/// Steps back slowly, from where it stands near something. That is `stand` of the walk.
control::Goal step_back(const Now& now, const Work& work);
bool stepped_back(const Now& now, const Work& work);

/// Hands that leave what they have held, to the sides and up.
class LeavingHands {
 public:
  /// Lets go of what is carried. It is not carried any more.
  /// @param time  s, that the hands take
  void let_go(const Now& now, double time, Work& work);
  /// @return they are away
  bool update(const Now& now, control::Goal* goal);
  void visit(StateVisitor& state);

 private:
  std::array<Vec3, 2> from_{Vec3::Zero(), Vec3::Zero()};  // m, world
  std::array<HandPath, 2> path_;
};

}  // namespace promenade::behaviour::tasks
