#include "study/trial/rig/workshop.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "math/random.h"
#include "math/rotation.h"
#include "study/trial/rig/data_copy.h"
#include "world/command/command_codec.h"
#include "world/showing/snapshot.h"

namespace promenade::trial {
namespace {

using world::CharacterId;
using world::RoomEvent;

constexpr const char* kScene = "workshop";
constexpr const char* kRisingScene = "workshop-rising";
constexpr double kWarmUp = 1.5;   // s, in which the worker begins to stand or has walked a little
constexpr double kScatter = 0.3;  // m, of the worker's place

world::Command decoded(const v1::Command& message) {
  auto command = world::command_from_proto(message);
  if (const auto* error = std::get_if<world::CommandError>(&command)) {
    throw std::runtime_error(error->field + ": " + error->message);
  }
  return std::get<world::Command>(std::move(command));
}

v1::Creature box_of(const BoxSpec& box) {
  v1::Creature out;
  out.set_name("box");
  out.set_title("Box");
  v1::Link& link = *out.add_links();
  link.set_name("box");
  const double mass = box.mass > 0 ? box.mass : 100;
  link.set_mass_kg(mass);
  for (int k = 0; k < 3; ++k) {
    link.add_inertia_kgm2(mass / 12 * (box.size.squaredNorm() - box.size[k] * box.size[k]));
  }
  v1::Shape& shape = *link.add_shapes();
  for (int k = 0; k < 3; ++k) {
    shape.mutable_box()->add_center_m(0);
    shape.mutable_box()->add_half_m(0.5 * box.size[k]);
  }
  shape.mutable_material()->set_friction(box.friction);
  if (box.mass <= 0) out.set_root(v1::FIXED);
  return out;
}

world::RoomSettings settings_of(const std::string& scene, std::uint64_t seed) {
  world::RoomSettings settings;
  settings.scene = scene;
  settings.seed = std::max<std::uint64_t>(1, seed);
  return settings;
}

}  // namespace

behaviour::tasks::Task task(behaviour::tasks::TaskKind kind, CharacterId thing) {
  behaviour::tasks::Task out;
  out.kind = kind;
  out.thing = thing;
  return out;
}

behaviour::tasks::Task task_at(behaviour::tasks::TaskKind kind, const Vec2& at, CharacterId thing) {
  behaviour::tasks::Task out = task(kind, thing);
  out.point.head<2>() = at;
  out.coordinates = 2;
  return out;
}

std::shared_ptr<const Library> workshop_library(const std::filesystem::path& data_dir,
                                                const std::vector<v1::Scene>& more) {
  const DataCopy copy(data_dir);
  v1::Scene scene;
  scene.set_name(kScene);
  scene.set_title("A workshop");
  scene.set_get_up_delay_s(-1);
  copy.add(scene);
  v1::Scene rising;
  rising.set_name(kRisingScene);
  rising.set_title("A workshop where they get up again");
  copy.add(rising);
  for (const v1::Scene& one : more) copy.add(one);
  return copy.load();
}

Workshop::Workshop(const std::shared_ptr<const Library>& library, const std::string& body,
                   const std::string& style, std::uint64_t seed)
    : Workshop(library, seed, false) {
  Random random = Random::stream(seed, 0x3057ULL);
  Vec2 at;
  for (int k = 0; k < 2; ++k) at[k] = random.uniform(-kScatter, kScatter);
  spawn(body, style, at, random.uniform(-kPi, kPi));
}

Workshop::Workshop(const std::shared_ptr<const Library>& library, std::uint64_t seed, bool rise)
    : Workshop(library, std::string(rise ? kRisingScene : kScene), seed) {}

Workshop::Workshop(const std::shared_ptr<const Library>& library, const std::string& scene,
                   std::uint64_t seed)
    : room_(library, settings_of(scene, seed)) {}

world::CommandResult Workshop::apply(const world::Command& command) {
  world::CommandResult result = room_.apply(command);
  if (result.error) throw std::runtime_error(result.error->field + ": " + result.error->message);
  return result;
}

CharacterId Workshop::spawn(const std::string& body, const std::string& style, const Vec2& at,
                            double heading) {
  v1::Command message;
  v1::Spawn& spawn = *message.mutable_spawn();
  spawn.set_body(body);
  spawn.set_style(style);
  spawn.set_controller("gbwc");
  for (int k = 0; k < 2; ++k) spawn.add_position_m(at[k]);
  spawn.set_heading_rad(heading);
  return apply(decoded(message)).character;
}

CharacterId Workshop::add(const BoxSpec& box, const Vec2& at, double yaw, const Vec2& velocity) {
  v1::Command message;
  v1::SpawnThing& spawn = *message.mutable_spawn_thing();
  *spawn.mutable_thing_definition() = box_of(box);
  for (int k = 0; k < 2; ++k) spawn.add_position_m(at[k]);
  spawn.set_yaw_rad(yaw);
  for (const double v : {velocity.x(), velocity.y(), 0.0}) spawn.add_velocity_mps(v);
  return apply(decoded(message)).character;
}

Pose Workshop::pose_of(CharacterId id) const {
  const auto snapshot = room_.make_snapshot(false);
  for (std::size_t i = 0; i < snapshot->things.size(); ++i) {
    if (snapshot->roster->things[i].id != id) continue;
    return snapshot->things[i].root;
  }
  for (std::size_t i = 0; i < snapshot->characters.size(); ++i) {
    if (snapshot->roster->entries[i].id != id) continue;
    return snapshot->characters[i].root;
  }
  throw std::runtime_error("there is no " + std::to_string(id) + " in the workshop");
}

WorkRun Workshop::work(const std::vector<behaviour::tasks::Task>& tasks, double seconds,
                       const std::function<void(world::Room&)>& each) {
  const double dt = room_.tick_seconds();
  if (room_.tick_count() == 0) {
    for (int i = 0; i < int(kWarmUp / dt); ++i) room_.tick();
  }
  apply(world::SetTasks{kWorker, tasks, false, false});
  WorkRun out;
  out.up = true;
  const int all = int(tasks.size());
  while (out.up && out.done + out.failed < all && out.seconds < seconds) {
    if (each) each(room_);
    for (const RoomEvent& event : room_.tick()) {
      if (event.kind == RoomEvent::Kind::kFell && event.character == kWorker) out.up = false;
      if (event.kind == RoomEvent::Kind::kTaskDone) {
        if (tasks[std::size_t(out.done + out.failed)].kind == behaviour::tasks::TaskKind::kReach)
          out.reach_error.push_back(event.missed_by);
        ++out.done;
      }
      if (event.kind != RoomEvent::Kind::kTaskFailed) continue;
      if (out.why.empty()) out.why = event.text;
      ++out.failed;
    }
    out.seconds += dt;
  }
  return out;
}

}  // namespace promenade::trial
