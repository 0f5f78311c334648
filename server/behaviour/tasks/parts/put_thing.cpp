#include "behaviour/tasks/parts/put_thing.h"

#include "behaviour/tasks/parts/stand_before.h"

namespace promenade::behaviour::tasks {
namespace {

constexpr double kAtRest = 0.05, kAtRestTurning = 0.3;  // m/s, rad/s: slower ones rest
constexpr double kRestsFor = 0.25;                      // s, until that is believed
constexpr double kRestIn = 3;                           // s, that it is given
constexpr double kFellBy = 0.08;                        // m, below its place: it fell
constexpr double kStaysBy = 0.2;                        // m, of its place

}  // namespace

void PutThing::put(const Now& now, ThingId thing, ThingId on, const Vec3& place) {
  *this = PutThing{};
  thing_ = thing;
  on_ = on;
  place_ = place;
  ThingSeen support;
  if (on != 0 && now.place.see(on, support)) support_ = support.position;
}

void PutThing::see_it_rest(const Now& now, Work& work) {
  ThingSeen thing, support;
  if (!now.place.see(thing_, thing)) {
    work.failed("it is not there any more");
    return;
  }
  // What it was put on may move, and it with that.
  Vec3 place = place_, velocity = Vec3::Zero();
  if (on_ != 0 && now.place.see(on_, support)) {
    place += support.position - support_;
    velocity = support.velocity;
  }
  const bool rests = (thing.velocity - velocity).norm() < kAtRest &&
                     (thing.omega - support.omega).norm() < kAtRestTurning;
  rested_ = rests ? rested_ + now.dt : 0;
  const double beside = (thing.middle() - place).head<2>().norm();
  if (lowest_of(thing) < place.z() - kFellBy) {
    work.failed("it did not stay there: it fell down");
  } else if (beside > kStaysBy) {
    work.failed("it did not stay there: it moved away");
  } else if (rested_ > kRestsFor) {
    work.done(beside);
  } else if (work.attempt.clock > kRestIn) {
    work.failed("it does not come to rest there");
  }
}

}  // namespace promenade::behaviour::tasks
