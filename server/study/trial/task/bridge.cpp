#include "study/trial/task/bridge.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "world/room/room.h"

namespace promenade::trial {
namespace {

constexpr double kPastCubes = 1;  // m past the last cube: across

}  // namespace

BridgeRun cross_bridge(std::shared_ptr<const Library> library, const std::string& family,
                       std::uint64_t seed) {
  world::RoomSettings settings;
  settings.scene = "bridge";
  settings.seed = seed;
  world::Room room(std::move(library), settings);
  const auto first = room.snapshot();
  double low = 1e9, high = -1e9;  // m, ends of the bridge
  for (const world::ThingSnapshot& thing : first->things) {
    low = std::min(low, thing.root.position.x());
    high = std::max(high, thing.root.position.x());
  }
  struct Person {
    world::CharacterId id;
    double way;  // +1: along x
    bool fell = false, across = false;
  };
  std::vector<Person> people;
  for (std::size_t i = 0; i < first->characters.size(); ++i) {
    const world::CharacterId id = first->characters[i].id;
    people.push_back({id, first->characters[i].root.position.x() < low ? 1.0 : -1.0});
    if (family.empty()) continue;
    if (const auto result = room.apply(world::SetController{id, family}); result.error)
      throw std::invalid_argument(result.error->message);
  }
  BridgeRun out;
  out.people = int(people.size());
  const auto ticks = std::int64_t(std::llround(kCrossingTime / room.tick_seconds()));
  for (std::int64_t tick = 0; tick < ticks; ++tick) {
    for (const world::RoomEvent& event : room.tick()) {
      for (Person& person : people)
        person.fell = person.fell ||
                      (event.character == person.id && event.kind == world::RoomEvent::Kind::kFell);
    }
    const auto now = room.snapshot();
    for (std::size_t i = 0; i < people.size(); ++i) {
      Person& person = people[i];
      const double x = now->characters[i].root.position.x();
      const bool there = person.way > 0 ? x > high + kPastCubes : x < low - kPastCubes;
      person.across = person.across || (there && !person.fell);
    }
    for (std::size_t i = 0; i < now->things.size(); ++i) {
      const Pose& pose = now->things[i].root;
      out.sank = std::max(out.sank, first->things[i].root.position.z() - pose.position.z());
      const Vec3 up = pose.rotation * Vec3::UnitZ();
      out.tilted = std::max(out.tilted, std::acos(std::clamp(up.z(), -1.0, 1.0)));
    }
  }
  for (const Person& person : people) out.across += person.across;
  return out;
}

}  // namespace promenade::trial
