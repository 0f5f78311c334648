#include "study/trial/crowd/dancers.h"

#include <cmath>
#include <cstdio>
#include <set>

#include "creature/creature_edit.h"
#include "math/rotation.h"
#include "study/trial/rig/data_copy.h"
#include "world/room/room.h"

namespace promenade::trial {
namespace {

constexpr const char* kStyles[] = {"dance", "normal", "stroll", "dance", "proud"};

}  // namespace

std::shared_ptr<const Library> with_random_dancers(const std::filesystem::path& data_dir, int count,
                                                   double radius, std::uint64_t seed) {
  const DataCopy data(data_dir);
  v1::Scene scene;
  scene.set_name("random-dancers");
  scene.set_title("Dancers of random bodies");
  for (int i = 0; i < count; ++i) {
    char name[24];
    std::snprintf(name, sizeof name, "dancer%02d", i + 1);
    v1::Creature character;
    character.set_name(name);
    character.set_title(name);
    character.set_base("human");
    *character.mutable_edit() = random_edit(seed * 1000 + std::uint64_t(i));
    data.add(character);
    // A closed path across the circle and back by a third point, the same for all at once.
    v1::Placement* placement = scene.add_characters();
    placement->set_body(name);
    placement->set_style(kStyles[std::size_t(i) % std::size(kStyles)]);
    const double angle = kTwoPi * i / count;
    placement->add_position_m(radius * std::cos(angle));
    placement->add_position_m(radius * std::sin(angle));
    placement->set_heading_deg(wrap_angle(angle + kPi) / kRadFromDeg);
    v1::Path* path = placement->mutable_path();
    path->set_closed(true);
    for (const double turn : {kPi, 1.9, 0.0}) {
      v1::Point2* point = path->add_points();
      point->set_x_m(radius * std::cos(angle + turn));
      point->set_y_m(radius * std::sin(angle + turn));
    }
  }
  data.add(scene);
  return data.load();
}

DancersRun run_dancers(const std::shared_ptr<const Library>& library, const std::string& scene,
                       double seconds, std::uint64_t seed) {
  world::RoomSettings settings;
  settings.scene = scene;
  settings.seed = seed;
  world::Room room(library, settings);
  const double dt = room.tick_seconds();
  const auto ticks = std::uint64_t(std::llround(seconds / dt));
  DancersRun out;
  out.dancers = int(room.character_count());
  // A contact between two dancers is listed by one of them only, and counted for that one.
  std::set<world::CharacterId> before, now;
  std::vector<world::CharacterId> ids;
  const auto snapshot = room.snapshot();
  for (const auto& character : snapshot->characters) ids.push_back(character.id);
  double touched = 0;
  for (std::uint64_t tick = 0; tick < ticks; ++tick) {
    for (const world::RoomEvent& event : room.tick()) {
      out.falls += event.kind == world::RoomEvent::Kind::kFell;
      out.quarantines += event.kind == world::RoomEvent::Kind::kQuarantined;
    }
    now.clear();
    for (const world::CharacterId id : ids) {
      const physics::ArticulatedBody* body = room.body_for_test(id);
      for (const physics::ContactPoint& contact : body->contacts()) {
        if (!contact.on_ground && !contact.force.isZero()) now.insert(id);
      }
    }
    touched += double(now.size());
    for (const world::CharacterId id : now) out.bumps += before.count(id) == 0;
    before = now;
  }
  out.seconds = double(ticks) * dt;
  out.touching = touched / (double(ticks) * double(ids.size()));
  return out;
}

}  // namespace promenade::trial
