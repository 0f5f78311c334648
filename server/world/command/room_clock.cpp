// Commands to the room itself: pause, resume, single_step, set_time_scale, load_scene.
#include <algorithm>

#include "promenade/v1/command.pb.h"
#include "world/beside/preparation.h"
#include "world/command/applier.h"
#include "world/command/kind.h"

namespace promenade::world {
namespace {

Pause parse(const v1::Pause&, CommandChecker&) { return {}; }
void write(const Pause&, v1::Pause&) {}
void apply(const Pause&, Applier& applier) {
  applier.room.paused = true;
  applier.room.steps_left = 0;
}

Resume parse(const v1::Resume&, CommandChecker&) { return {}; }
void write(const Resume&, v1::Resume&) {}
void apply(const Resume&, Applier& applier) {
  applier.room.paused = false;
  applier.room.steps_left = 0;
}

SingleStep parse(const v1::SingleStep& m, CommandChecker&) {
  return {m.ticks() == 0 ? 1 : m.ticks()};
}
void write(const SingleStep& c, v1::SingleStep& m) { m.set_ticks(c.ticks); }
void apply(const SingleStep& c, Applier& applier) {
  applier.room.paused = true;
  applier.room.steps_left = std::min(applier.room.steps_left + c.ticks, kMaxSingleSteps);
}

SetTimeScale parse(const v1::SetTimeScale& m, CommandChecker&) { return {m.scale()}; }
void write(const SetTimeScale& c, v1::SetTimeScale& m) { m.set_scale(c.scale); }
void apply(const SetTimeScale& c, Applier& applier) { applier.room.time_scale = c.scale; }

LoadScene parse(const v1::LoadScene& m, CommandChecker& check) {
  LoadScene out{check.name("scene", m.scene(), true)};
  if (m.people() != 0) out.people = m.people();
  return out;
}
void write(const LoadScene& c, v1::LoadScene& m) {
  m.set_scene(c.scene);
  if (c.people != 1) m.set_people(c.people);
}

/// With as many people as are asked for. Null: the command is refused.
std::shared_ptr<const Scene> scene_of(const LoadScene& c, Applier& applier) {
  const auto& room = applier.room;
  auto scene = room.library->find_scene(c.scene);
  if (!scene) {
    applier.error(CommandError::Code::kNotFound, "load_scene.scene", schema::in_quotes(c.scene),
                  schema::listed_names(room.library->scene_names()));
    return nullptr;
  }
  scene = with_fewer_people(scene, c.people);
  if (scene->character_count() > room.settings.max_characters) {
    applier.error(CommandError::Code::kInvalid, "load_scene.scene",
                  schema::in_quotes(c.scene) + " of " + std::to_string(scene->character_count()) +
                      " characters",
                  "a scene of up to " + std::to_string(room.settings.max_characters));
    return nullptr;
  }
  return scene;
}

void prepare(const LoadScene& c, Applier& applier, Preparation& out) {
  auto& room = applier.room;
  const auto scene = scene_of(c, applier);
  if (!scene) return;
  out.need_gaits(*scene);
  out.made.first_tie = room.first_number_after(room.ties.next_id());
  out.need("setting everybody down",
           [made = &out.made, make = room.with_scene(scene)] { made->room = make(); });
}

void apply(const LoadScene& c, Applier& applier) {
  auto& room = applier.room;
  auto scene = scene_of(c, applier);
  if (!scene) return;
  room.occupants.next_id = room.first_number_after(room.occupants.next_id);
  room.ties.number_from(room.first_number_after(room.ties.next_id()));
  room.load(std::move(scene));
}

}  // namespace

CommandKinds room_kinds() {
  static const CommandKind kinds[] = {
      describe<Pause, v1::Pause, parse, write, apply>(),
      describe<Resume, v1::Resume, parse, write, apply>(),
      describe<SingleStep, v1::SingleStep, parse, write, apply>(),
      describe<SetTimeScale, v1::SetTimeScale, parse, write, apply>(),
      prepared<LoadScene, prepare>(describe<LoadScene, v1::LoadScene, parse, write, apply>()),
  };
  return kinds;
}

}  // namespace promenade::world
