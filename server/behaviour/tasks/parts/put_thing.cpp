#include "behaviour/tasks/parts/put_thing.h"

#include "behaviour/tasks/parts/stand_before.h"

namespace promenade::behaviour::tasks {

void PutThing::put(const Now& now, ThingId thing, ThingId on, const Vec3& place) {
  *this = PutThing{};
  thing_ = thing;
  on_ = on;
  place_ = place;
  ThingSeen support;
  if (on != 0 && now.place.see(on, support)) support_ = support.position;
}

void PutThing::see_it_rest(const Now& now, Work& work) {
  const v1::PutThingParameters& p = now.parameters.put_thing();
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
  const bool rests = (thing.velocity - velocity).norm() < p.at_rest_mps() &&
                     (thing.omega - support.omega).norm() < p.at_rest_radps();
  rested_ = rests ? rested_ + now.dt : 0;
  const double beside = (thing.middle() - place).head<2>().norm();
  if (lowest_of(thing) < place.z() - p.fell_by_m()) {
    work.failed("it did not stay there: it fell down");
  } else if (beside > p.stays_by_m()) {
    work.failed("it did not stay there: it moved away");
  } else if (rested_ > p.rests_for_s()) {
    work.done(beside);
  } else if (work.attempt.clock > p.rest_in_s()) {
    work.failed("it does not come to rest there");
  }
}

}  // namespace promenade::behaviour::tasks
