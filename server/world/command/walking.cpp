// Commands to walk: set_velocity, set_heading, stop, follow_path, set_wander.
#include "behaviour/direct.h"
#include "math/rotation.h"
#include "promenade/v1/command.pb.h"
#include "schema/refusal.h"
#include "world/command/applier.h"
#include "world/command/kind.h"

namespace promenade::world {
namespace {

// The character's behaviour for direct orders; it replaces any other behaviour.
behaviour::Direct& direct(Entity& e, double heading) {
  if (auto* present = dynamic_cast<behaviour::Direct*>(e.behaviour.get())) return *present;
  auto fresh = std::make_unique<behaviour::Direct>(heading);
  behaviour::Direct& reference = *fresh;
  e.follow(std::move(fresh));
  return reference;
}

SetVelocity parse(const v1::SetVelocity& m, CommandChecker& check) {
  SetVelocity out{check.character(m.character()), Vec2::Zero(), Frame::kCharacter};
  out.velocity = {m.x_mps(), m.y_mps()};
  if (m.frame() == v1::WORLD) {
    out.frame = Frame::kWorld;
  } else if (m.frame() != v1::CHARACTER) {
    check.fail("frame", std::to_string(m.frame()), "CHARACTER (0) or WORLD (1)");
  }
  return out;
}
void write(const SetVelocity& c, v1::SetVelocity& m) {
  m.set_character(c.character);
  m.set_x_mps(c.velocity.x());
  m.set_y_mps(c.velocity.y());
  m.set_frame(c.frame == Frame::kWorld ? v1::WORLD : v1::CHARACTER);
}
void apply(const SetVelocity& c, Applier& applier) {
  Entity* e = applier.walker("set_velocity", c.character);
  if (!e) return;
  behaviour::Direct& order = direct(*e, e->goal.heading);
  if (c.frame == Frame::kWorld) {
    order.walk_in_world(c.velocity);
  } else {
    order.walk_in_character_frame(c.velocity);
  }
}

SetHeading parse(const v1::SetHeading& m, CommandChecker& check) {
  return {check.character(m.character()), wrap_angle(m.heading_rad())};
}
void write(const SetHeading& c, v1::SetHeading& m) {
  m.set_character(c.character);
  m.set_heading_rad(c.heading);
}
void apply(const SetHeading& c, Applier& applier) {
  Entity* e = applier.walker("set_heading", c.character);
  if (!e) return;
  if (!dynamic_cast<behaviour::Direct*>(e->behaviour.get())) {
    // A character on a path or a stroll leaves it and keeps its speed, in the new direction.
    const bool stands = e->goal.stand;
    const Vec2 speed(e->goal.velocity.norm(), 0);
    behaviour::Direct& order = direct(*e, e->goal.heading);
    if (!stands) order.walk_in_character_frame(speed);
  }
  direct(*e, c.heading).set_heading(c.heading);
}

Stop parse(const v1::Stop& m, CommandChecker& check) { return {check.character(m.character())}; }
void write(const Stop& c, v1::Stop& m) { m.set_character(c.character); }
void apply(const Stop& c, Applier& applier) {
  Entity* e = applier.character("stop", c.character);
  if (!e) return;
  // It keeps its present heading, so a turn under way ends, too.
  e->follow(std::make_unique<behaviour::Direct>(e->smooth_heading));
}

FollowPath parse(const v1::FollowPath& m, CommandChecker& check) {
  FollowPath out{check.character(m.character()), {{}, m.path().closed(), m.path().speed_mps()}};
  out.order.points.reserve(static_cast<std::size_t>(m.path().points_size()));
  for (const auto& p : m.path().points()) out.order.points.emplace_back(p.x_m(), p.y_m());
  return out;
}
void write(const FollowPath& c, v1::FollowPath& m) {
  m.set_character(c.character);
  for (const Vec2& p : c.order.points) {
    auto* point = m.mutable_path()->add_points();
    point->set_x_m(p.x());
    point->set_y_m(p.y());
  }
  m.mutable_path()->set_closed(c.order.closed);
  m.mutable_path()->set_speed_mps(c.order.speed);
}
void apply(const FollowPath& c, Applier& applier) {
  applier.order("follow_path", c.character, c.order);
}

SetWander parse(const v1::SetWander& m, CommandChecker& check) {
  SetWander out{check.character(m.character()), {ground_point(m.center_m())}};
  if (m.radius_m() != 0) out.order.radius = m.radius_m();
  return out;
}
void write(const SetWander& c, v1::SetWander& m) {
  m.set_character(c.character);
  if (c.order.center) {
    m.add_center_m(c.order.center->x());
    m.add_center_m(c.order.center->y());
  }
  m.set_radius_m(c.order.radius);
}
void apply(const SetWander& c, Applier& applier) {
  applier.order("set_wander", c.character, c.order);
}

}  // namespace

CommandKinds walking_kinds() {
  static const CommandKind kinds[] = {
      describe<SetVelocity, v1::SetVelocity, parse, write, apply>(),
      describe<SetHeading, v1::SetHeading, parse, write, apply>(),
      describe<Stop, v1::Stop, parse, write, apply>(),
      describe<FollowPath, v1::FollowPath, parse, write, apply>(),
      describe<SetWander, v1::SetWander, parse, write, apply>(),
  };
  return kinds;
}

}  // namespace promenade::world
