// Things in a room: adding, placing, coming back.
#include <algorithm>
#include <cmath>

#include "creature/pose.h"
#include "math/random.h"
#include "math/rotation.h"
#include "world/room/room_impl.h"
#include "world/scene/placement.h"

namespace promenade::world {
namespace {

constexpr double kGap = 0.001;      // m above the body or ground on which a thing is set down
constexpr double kReturnPause = 2;  // s; a thing that is lost again sooner is removed

std::string title_of(const Prop& prop) { return prop.body->title + " " + std::to_string(prop.id); }

}  // namespace

Vec3 Room::Impl::resting_place(const Prop& prop, const Vec2& at, const Quat& rotation) const {
  Pose root;
  root.rotation = rotation;
  root.position = Vec3(at.x(), at.y(), 0);
  physics::ArticulatedBody there(prop.body->model);
  there.set_state(rest_state(*prop.body, root));
  const Eigen::AlignedBox3d box = there.bounds();
  // It stands on the highest of: the ground below its middle and corners, and things below it.
  double floor = courses.ground().height(at.x(), at.y());
  for (const double x : {box.min().x(), box.max().x()}) {
    for (const double y : {box.min().y(), box.max().y()}) {
      floor = std::max(floor, courses.ground().height(x, y));
    }
  }
  for (const auto& other : occupants.props) {
    if (other == &prop) continue;
    const Eigen::AlignedBox3d& taken = other->physics.bounds();
    const bool below = taken.min().x() < box.max().x() && taken.max().x() > box.min().x() &&
                       taken.min().y() < box.max().y() && taken.max().y() > box.min().y();
    if (below) floor = std::max(floor, taken.max().z());
  }
  root.position.z() = floor - box.min().z() + kGap;
  return root.position;
}

Prop& Room::Impl::add(const ThingPlan& plan) {
  auto prop = std::make_unique<Prop>(
      occupants.next_id++, plan.definition ? plan.definition : library->find_thing(plan.thing),
      plan.color);
  prop->of_scene = plan.of_scene;
  Pose root;
  root.rotation = plan.rotation;
  if (plan.position) {
    root.position = *plan.position;
  } else if (plan.on_ground) {
    root.position = resting_place(*prop, *plan.on_ground, plan.rotation);
  } else {
    const Vec2 place = free_place(Vec2::Zero(), prop->size, courses.ground(), courses.obstacles(),
                                  occupants.entities, nullptr);
    root.position = resting_place(*prop, place, plan.rotation);
  }
  prop->start(root, plan.velocity, plan.angular_velocity);
  occupants.props.add(std::move(prop));
  ties.add_own(*occupants.props.back(), view());
  bodies_changed();
  return *occupants.props.back();
}

void Room::Impl::add_heap(const HeapPlan& heap, Random& random) {
  for (int i = 0; i < heap.count; ++i) {
    ThingPlan plan;
    plan.thing = heap.things[std::size_t(i) % heap.things.size()];
    plan.of_scene = true;
    const double angle = random.uniform(-kPi, kPi);
    const double from_center = heap.radius * std::sqrt(random.uniform());
    const Vec2 at = heap.center + from_center * Vec2(std::cos(angle), std::sin(angle));
    plan.rotation = rotation_z(random.uniform(-kPi, kPi));
    plan.on_ground = at;
    add(plan);
    // Dropped from above the things that lie there already, at most from the heap's height.
    Prop& prop = *occupants.props.back();
    Pose root = prop.physics.state().root;
    root.position.z() = std::max(root.position.z(), random.uniform() * heap.height);
    prop.start(root, Vec3::Zero(), Vec3::Zero());
  }
}

void Room::Impl::restart(Prop& prop) {
  ties.end_loose(prop.id);
  sleep.wake_around(prop);
  prop.restart();
  ties.bring_back(prop.id);
  sleep.places_changed();
}

void Room::Impl::remove(CharacterId id) {
  ties.forget(id);
  shared.leave(id);
  sleep.wake_around(*occupants.find_occupant(id));
  occupants.remove(id);
  bodies_changed();
}

void Room::Impl::return_prop(Prop& prop, std::vector<RoomEvent>& events) {
  const auto pause = view().ticks(kReturnPause);
  const bool again = prop.returned_at != 0 && tick_number - prop.returned_at < pause;
  const std::string name = title_of(prop);
  const CharacterId id = prop.id;
  if (prop.of_scene && !again) {
    prop.returned_at = tick_number;
    restart(prop);
    events.push_back({tick_number, id, RoomEvent::Kind::kLeft,
                      name + " fell out of the world and is back where it started"});
  } else {
    remove(id);
    events.push_back({tick_number, id, RoomEvent::Kind::kRemoved,
                      name + " fell out of the world and was removed"});
  }
}

void Room::Impl::look_after_things(std::vector<RoomEvent>& events) {
  std::vector<CharacterId> lost;
  for (const auto& prop : occupants.props) {
    const bool gone = prop->broke || !prop->is_sound();
    if (gone || prop->is_out(courses.ground())) lost.push_back(prop->id);
  }
  sleep.wake_the_disturbed(islands);
  sleep.put_to_sleep(islands, ties.all(), tick_number);
  for (const CharacterId id : lost) return_prop(*occupants.find_prop(id), events);
}

}  // namespace promenade::world
