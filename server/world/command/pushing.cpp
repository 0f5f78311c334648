// Commands that put forces on bodies: push.
#include <algorithm>
#include <cmath>

#include "promenade/v1/command.pb.h"
#include "world/command/applier.h"
#include "world/command/kind.h"

namespace promenade::world {
namespace {

Push parse(const v1::Push& m, CommandChecker& check) {
  Push out{check.character(m.character()), check.name("link", m.link(), false), Vec3::Zero(),
           Vec3::Zero(), kDefaultPushDuration};
  out.point = point(m.point_m()).value_or(Vec3::Zero());
  out.force = *point(m.force_n());
  if (out.force.norm() > kMaxPushForce) {
    check.fail("force_n", "of magnitude " + schema::number(out.force.norm()),
               "a magnitude of " + schema::range_text(0, kMaxPushForce, "N"));
  }
  if (m.duration_s() > 0) out.duration = m.duration_s();
  return out;
}
void write(const Push& c, v1::Push& m) {
  m.set_character(c.character);
  m.set_link(c.link);
  m.mutable_point_m()->Assign(c.point.begin(), c.point.end());
  m.mutable_force_n()->Assign(c.force.begin(), c.force.end());
  m.set_duration_s(c.duration);
}
void apply(const Push& c, Applier& applier) {
  using Code = CommandError::Code;
  Occupant* body = applier.occupant("push", c.character);
  if (!body) return;
  // Without a link it is the torso, or the first link of a body that has no torso.
  const int torso = body->body->find_link("torso");
  const int link = c.link.empty() ? std::max(0, torso) : body->body->find_link(c.link);
  if (link < 0) return applier.unknown_link("push.link", c.link, *body->body);
  Entity* e = applier.room.occupants.find(c.character);
  if (e && !e->present()) {
    return applier.error(Code::kInvalid, "push.character", std::to_string(c.character),
                         "a character that is not being restored after a physics failure");
  }
  if (body->pushes.size() >= kMaxPushes) {
    return applier.error(Code::kBusy, "push.character",
                         std::to_string(body->pushes.size()) + " pushes under way",
                         "up to " + std::to_string(kMaxPushes) + " at once; wait for one to end");
  }
  if (e) e->need_physics(applier.room.tick_number, applier.room.dt());
  const double substep = applier.room.step.settings.dt;
  const int substeps = std::max(1, int(std::lround(c.duration / substep)));
  body->pushes.push_back({link, c.point, c.force, substeps});
  applier.room.sleep.wake(*body);
}

}  // namespace

CommandKinds pushing_kinds() {
  static const CommandKind kinds[] = {describe<Push, v1::Push, parse, write, apply>()};
  return kinds;
}

}  // namespace promenade::world
