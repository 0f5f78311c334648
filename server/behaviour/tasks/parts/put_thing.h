#pragma once

#include "behaviour/tasks/parts/work.h"

namespace promenade::behaviour::tasks {

/// What was put down, until it is seen to rest there.
class PutThing {
 public:
  /// @param on     what it was put on; 0: that was not named
  /// @param place  m, world, of the middle of its underside
  void put(const Now& now, ThingId thing, ThingId on, const Vec3& place);
  /// It is put down once it rests where it was put: tells the work when that is so, or cannot come
  /// about any more.
  void see_it_rest(const Now& now, Work& work);
  void visit(StateVisitor& state) { state(thing_, on_, place_, support_, rested_); }

 private:
  ThingId thing_ = 0, on_ = 0;
  Vec3 place_ = Vec3::Zero();
  Vec3 support_ = Vec3::Zero();  // m, where the first link of what it was put on was then
  double rested_ = 0;            // s
};

}  // namespace promenade::behaviour::tasks
