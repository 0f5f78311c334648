// Commands about crowds: set_level, set_detail, alarm.
#include "promenade/v1/command.pb.h"
#include "world/beside/preparation.h"
#include "world/command/applier.h"
#include "world/command/kind.h"

namespace promenade::world {
namespace {

SetLevel parse(const v1::SetLevel& m, CommandChecker& check) {
  if (!v1::SetLevel::Level_IsValid(m.level())) {
    check.fail("level", std::to_string(int(m.level())), "AUTO (0), PHYSICS (1) or LIGHT (2)");
  }
  return {check.character(m.character()), Level(int(m.level()))};
}
void write(const SetLevel& c, v1::SetLevel& m) {
  m.set_character(c.character);
  m.set_level(v1::SetLevel::Level(int(c.level)));
}
void prepare(const SetLevel& c, Applier& applier, Preparation& out) {
  const Entity* e = applier.character("set_level", c.character);
  if (!e || !e->style_definition || !applier.room.levels.may_become_light(*e->family, c.level))
    return;
  out.need_gait(e->body, e->style_definition->style);
}
void apply(const SetLevel& c, Applier& applier) {
  Entity* e = applier.character("set_level", c.character);
  if (!e) return;
  const bool light = c.level == Level::kLight;
  if (light && !e->may_be_light()) {
    return applier.error(CommandError::Code::kUnsupported, "set_level.character",
                         std::to_string(c.character) + ", a " + e->body->name + " driven by " +
                             std::string(e->family->name),
                         "a biped driven by gbwc, which a pendulum can stand for");
  }
  if (light && applier.room.ties.is_held(e->id)) {
    return applier.error(CommandError::Code::kUnsupported, "set_level.level", "LIGHT",
                         "AUTO or PHYSICS while the character is held; release it first");
  }
  e->level = c.level;
}

SetDetail parse(const v1::SetDetail& m, CommandChecker&) {
  SetDetail out;
  if (m.has_in_physics()) out.in_physics = m.in_physics();
  for (const auto& view : m.views())
    out.views.push_back({*point(view.eye_m()), *point(view.at_m())});
  return out;
}
void write(const SetDetail& c, v1::SetDetail& m) {
  if (c.in_physics) m.set_in_physics(*c.in_physics);
  for (const View& view : c.views) {
    auto* out = m.add_views();
    out->mutable_eye_m()->Assign(view.eye.begin(), view.eye.end());
    out->mutable_at_m()->Assign(view.at.begin(), view.at.end());
  }
}
void prepare(const SetDetail& c, Applier& applier, Preparation& out) {
  const auto& room = applier.room;
  if (c.in_physics.value_or(room.levels.in_physics()) == 0 || room.levels.in_physics() > 0) return;
  // Now anybody may become light.
  for (const auto& e : room.occupants.entities) {
    if (e->may_be_light()) out.need_gait(e->body, e->style_definition->style);
  }
  if (const auto* flow = room.crowd.flow())
    out.need_gaits(room.crowd.given().mix, flow->plan().most_people);
}
void apply(const SetDetail& c, Applier& applier) {
  Levels& levels = applier.room.levels;
  levels.set_detail(c.in_physics.value_or(levels.in_physics()), c.views);
}

Alarm parse(const v1::Alarm& m, CommandChecker&) {
  return {*ground_point(m.center_m()), m.radius_m() != 0 ? m.radius_m() : kDefaultAlarmRadius,
          m.duration_s() != 0 ? m.duration_s() : kDefaultAlarmDuration};
}
void write(const Alarm& c, v1::Alarm& m) {
  m.mutable_center_m()->Assign(c.center.begin(), c.center.end());
  m.set_radius_m(c.radius);
  m.set_duration_s(c.duration);
}
void apply(const Alarm& c, Applier& applier) {
  auto* flow = applier.room.crowd.flow();
  if (!flow) {
    return applier.error(CommandError::Code::kUnsupported, "alarm", "given",
                         "a scene with people who come and go, as station");
  }
  if (!flow->start_panic(c.center, c.radius, c.duration)) {
    applier.error(CommandError::Code::kBusy, "alarm", "one more",
                  "few at a time; wait for one to end");
  }
}

}  // namespace

CommandKinds crowd_kinds() {
  static const CommandKind kinds[] = {
      prepared<SetLevel, prepare>(describe<SetLevel, v1::SetLevel, parse, write, apply>()),
      prepared<SetDetail, prepare>(describe<SetDetail, v1::SetDetail, parse, write, apply>()),
      describe<Alarm, v1::Alarm, parse, write, apply>(),
  };
  return kinds;
}

}  // namespace promenade::world
