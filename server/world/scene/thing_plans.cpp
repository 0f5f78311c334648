#include "world/scene/thing_plans.h"

#include <cmath>

#include "math/rotation.h"
#include "world/command/held_ids.h"
#include "world/command/limits.h"
#include "world/command/tie_codec.h"

namespace promenade::world {
namespace {

bool known(const std::string& key, const std::string& name, const CreatureLibrary& things,
           schema::Checker& check) {
  return things.find(name) ||
         check.fail(key, schema::in_quotes(name), schema::listed_names(things.names()));
}

ThingPlan read_thing(const std::string& key, const v1::PlacedThing& m,
                     const CreatureLibrary& things, schema::Checker& check) {
  ThingPlan plan;
  plan.thing = m.thing();
  plan.of_scene = true;
  known(key + ".thing", m.thing(), things, check);
  const int count = m.position_m_size();
  if (count != 2 && count != 3) {
    check.fail(key + ".position_m", std::to_string(count) + " entries", "2 or 3");
    return plan;
  }
  for (int i = 0; i < count; ++i) {
    check.range(schema::indexed(key + ".position_m", i), m.position_m(i), -kMaxCoordinate,
                kMaxCoordinate, " m");
  }
  if (count == 2) {
    plan.on_ground = Vec2(m.position_m(0), m.position_m(1));
  } else {
    plan.position = Vec3(m.position_m(0), m.position_m(1), m.position_m(2));
  }
  check.range(key + ".yaw_deg", m.yaw_deg(), -360, 360, " degrees");
  check.range(key + ".pitch_deg", m.pitch_deg(), -360, 360, " degrees");
  check.range(key + ".roll_deg", m.roll_deg(), -360, 360, " degrees");
  plan.rotation = rotation_z(m.yaw_deg() * kRadFromDeg) * rotation_y(m.pitch_deg() * kRadFromDeg) *
                  rotation_x(m.roll_deg() * kRadFromDeg);
  if (m.velocity_mps_size() != 0 &&
      check.count(key + ".velocity_mps", std::size_t(m.velocity_mps_size()), 3)) {
    for (int i = 0; i < 3; ++i) {
      check.range(schema::indexed(key + ".velocity_mps", i), m.velocity_mps(i), -kMaxThrow,
                  kMaxThrow, " m/s");
      plan.velocity[i] = m.velocity_mps(i);
    }
  }
  if (!m.color().empty()) check.color(key + ".color", m.color());
  plan.color = m.color();
  return plan;
}

HeapPlan read_heap(const std::string& key, const v1::ThingHeap& m, const CreatureLibrary& things,
                   schema::Checker& check) {
  HeapPlan plan;
  if (m.count() < 1 || m.count() > std::uint32_t(kMaxThings)) {
    check.fail(key + ".count", std::to_string(m.count()), "1 to " + std::to_string(kMaxThings));
    return plan;
  }
  plan.count = int(m.count());
  for (int i = 0; i < m.things_size(); ++i) {
    known(schema::indexed(key + ".things", i), m.things(i), things, check);
  }
  plan.things.assign(m.things().begin(), m.things().end());
  if (plan.things.empty()) {
    for (const std::string& name : things.names()) {
      if (things.find(name)->body->total_mass <= kHeaviestInHeap) plan.things.push_back(name);
    }
  }
  if (plan.things.empty()) {
    check.fail(key + ".things", "empty, and no thing is light enough", "names of things");
    return plan;
  }
  if (m.center_m_size() != 0 && check.count(key + ".center_m", std::size_t(m.center_m_size()), 2)) {
    for (int i = 0; i < 2; ++i) {
      check.range(schema::indexed(key + ".center_m", i), m.center_m(i), -kMaxCoordinate,
                  kMaxCoordinate, " m");
      plan.center[i] = m.center_m(i);
    }
  }
  check.range(key + ".radius_m", m.radius_m(), 0.01, kMaxWanderRadius, " m");
  check.range(key + ".height_m", m.height_m(), 0, 50, " m");
  plan.radius = m.radius_m();
  plan.height = m.height_m();
  return plan;
}

}  // namespace

bool check_numbers(const google::protobuf::Message& message, const std::string& key,
                   const Scene& scene, schema::Checker& check) {
  const auto last = CharacterId(scene.character_count() + scene.thing_count());
  for (const HeldId& held : ids_in(message)) {
    if (held.kind != v1::HOLDS_BODY || held.id <= last) continue;
    std::string allowed = "1 to " + std::to_string(last) +
                          ", counting characters, crowds, things and heaps in this order";
    if (last == 1) allowed = "1, the only character or thing of the scene";
    if (last == 0) allowed = "none, because the scene has no characters and no things";
    return check.fail(key + "." + held.field, std::to_string(held.id), allowed);
  }
  return true;
}

void read_things(const v1::Scene& m, const CreatureLibrary& things, Scene& scene,
                 schema::Checker& check) {
  for (int i = 0; i < m.things_size() && check.ok(); ++i) {
    scene.things.push_back(read_thing(schema::indexed("things", i), m.things(i), things, check));
  }
  for (int i = 0; i < m.heaps_size() && check.ok(); ++i) {
    scene.heaps.push_back(read_heap(schema::indexed("heaps", i), m.heaps(i), things, check));
  }
  if (check.ok() && scene.thing_count() > kMaxThings) {
    check.fail(m.heaps_size() ? "heaps" : "things",
               std::to_string(scene.thing_count()) + " things in all",
               "up to " + std::to_string(kMaxThings));
  }
  if (m.ties_size() > int(kMaxTies)) {
    check.fail("ties", std::to_string(m.ties_size()) + " ties",
               "up to " + std::to_string(kMaxTies));
  }
  for (int i = 0; i < m.ties_size() && check.ok(); ++i) {
    const std::string key = schema::indexed("ties", i);
    CommandChecker tie_check(key);
    scene.ties.push_back(parse_tie("", m.ties(i), tie_check));
    if (!tie_check.ok()) {
      const CommandError error = tie_check.take();
      check.fail(error.field, error.value, error.allowed);
      continue;
    }
    check_numbers(m.ties(i), key, scene, check);
  }
}

}  // namespace promenade::world
