// Commands that hold bodies together and let go: grip, add_tie, release.
#include <cmath>

#include "creature/tree_checks.h"
#include "promenade/v1/command.pb.h"
#include "world/command/applier.h"
#include "world/command/kind.h"
#include "world/command/tie_codec.h"

namespace promenade::world {
namespace {

using Code = CommandError::Code;

void write_anchor(const Anchor& anchor, v1::Anchor& m) {
  m.set_id(anchor.id);
  m.set_link(anchor.link);
  if (anchor.point) m.mutable_point_m()->Assign(anchor.point->begin(), anchor.point->end());
}

Anchor parse_anchor(const std::string& field, const v1::Anchor& m, CommandChecker& check,
                    double reach = kMaxPushPoint) {
  const double most = m.id() == 0 ? kMaxCoordinate : reach;
  return {m.id(), check.name(field + ".link", m.link(), false),
          check.vector(field + ".point_m", m.point_m(), most, "m", true)};
}

// Checks that both ends of a grip or tie are there, and that the room has space for another one.
bool check_ends(const char* command, const Anchor& a, const Anchor& b, Applier& applier) {
  const std::string name = command;
  for (const auto& [end, anchor] : {std::pair("a", &a), std::pair("b", &b)}) {
    if (anchor->id == 0) continue;
    const Occupant* body = applier.room.occupants.find_occupant(anchor->id);
    const std::string field = name + "." + end;
    if (!body) {
      const bool any =
          !applier.room.occupants.entities.empty() || !applier.room.occupants.props.empty();
      applier.error(Code::kNotFound, field + ".id", std::to_string(anchor->id),
                    applier.ids_of_all() + (any ? ", or 0 for the world" : ""));
      return false;
    }
    if (!applier.can_be_held(field + ".id", *body)) return false;
    if (!anchor->link.empty() && body->body->find_link(anchor->link) < 0) {
      applier.unknown_link(field + ".link", anchor->link, *body->body);
      return false;
    }
  }
  if (applier.room.ties.size() >= kMaxTies) {
    applier.error(Code::kBusy, name, std::to_string(applier.room.ties.size()) + " ties and grips",
                  "up to " + std::to_string(kMaxTies) + "; release one first");
    return false;
  }
  return true;
}

Grip parse(const v1::Grip& m, CommandChecker& check) {
  Grip out{parse_anchor("a", m.a(), check),
           parse_anchor("b", m.b(), check),
           m.firm(),
           m.stiffness_npm(),
           m.damping_nspm(),
           m.max_force_n()};
  check_anchors("", out.a, out.b, check);
  return out;
}
void write(const Grip& c, v1::Grip& m) {
  write_anchor(c.a, *m.mutable_a());
  write_anchor(c.b, *m.mutable_b());
  m.set_firm(c.firm);
  m.set_stiffness_npm(c.stiffness);
  m.set_damping_nspm(c.damping);
  m.set_max_force_n(c.max_force);
}
void apply(const Grip& c, Applier& applier) {
  if (!check_ends("grip", c.a, c.b, applier)) return;
  applier.result.tie = applier.room.ties.add(c, applier.room.view());
}

AddTie parse(const v1::AddTie& m, CommandChecker& check) {
  return parse_tie("tie", m.tie(), check);
}
void write(const AddTie& c, v1::AddTie& m) {
  v1::Tie& tie = *m.mutable_tie();
  tie.set_name(c.name);
  write_anchor(c.a, *tie.mutable_a());
  write_anchor(c.b, *tie.mutable_b());
  tie.set_kind(static_cast<v1::Tie::Kind>(c.kind));
  if (has_axis(c.kind)) tie.mutable_axis()->Assign(c.axis.begin(), c.axis.end());
  tie.set_length_m(c.length);
  tie.set_stiffness_npm(c.stiffness);
  tie.set_damping_nspm(c.damping);
  tie.set_break_n(c.break_force);
}
void apply(const AddTie& c, Applier& applier) {
  if (!check_ends("tie.tie", c.a, c.b, applier)) return;
  applier.result.tie = applier.room.ties.add(c, false, applier.room.view());
}

Release parse(const v1::Release& m, CommandChecker& check) {
  if ((m.id() == 0) == (m.character() == 0)) {
    check.fail("id", m.id() == 0 ? "0, like `character`" : "given together with `character`",
               "exactly one of the two");
  }
  return {m.id(), m.character()};
}
void write(const Release& c, v1::Release& m) {
  m.set_id(c.tie);
  m.set_character(c.character);
}
void apply(const Release& c, Applier& applier) {
  auto& room = applier.room;
  if (c.tie == 0) {
    if (applier.occupant("release", c.character)) room.ties.release_all(c.character);
    return;
  }
  if (room.ties.release(c.tie)) return;
  std::string known = "none, because the room has no ties and grips";
  for (const auto& tie : room.ties.all()) {
    if (tie->source == RoomTie::Source::kDrag || tie->over) continue;
    known = "the id of a tie or grip, such as " + std::to_string(tie->id);
  }
  applier.error(Code::kNotFound, "release.id", std::to_string(c.tie), known);
}

}  // namespace

bool has_axis(TieType kind) { return kind == TieType::kHinge || kind == TieType::kSlider; }

void check_anchors(const std::string& prefix, const Anchor& a, const Anchor& b,
                   CommandChecker& check) {
  if (a.id == 0 && b.id == 0) {
    check.fail(prefix + "a.id", "0, like b.id", "the id of a character or thing at a or b or both");
  } else if (a.id == b.id && a.link == b.link) {
    check.fail(prefix + "b.link", "the same link as at a", "another link, or another body");
  }
}

AddTie parse_tie(const std::string& path, const v1::Tie& m, CommandChecker& check, double reach) {
  const std::string at = path.empty() ? "" : path + ".";
  AddTie out;
  out.name = check.name(at + "name", m.name(), false);
  out.a = parse_anchor(at + "a", m.a(), check, reach);
  out.b = parse_anchor(at + "b", m.b(), check, reach);
  check_anchors(at, out.a, out.b, check);
  if (m.kind() < v1::Tie::BALL || m.kind() > v1::Tie::SPRING) {
    check.fail(at + "kind", given_kind(m.kind()), "BALL, HINGE, SLIDER, WELD or SPRING");
    return out;
  }
  out.kind = static_cast<TieType>(m.kind());
  if (has_axis(out.kind)) {
    if (check.length(at + "axis", m.axis(), 3, false)) {
      out.axis = Vec3(m.axis(0), m.axis(1), m.axis(2));
      if (!(std::abs(out.axis.norm() - 1) <= 1e-3)) {  // not so for NaN
        check.fail(at + "axis", "of length " + schema::number(out.axis.norm()), "of length 1");
      }
    }
  } else if (!m.axis().empty()) {
    check.fail(at + "axis", "an axis", "left out, because only HINGE and SLIDER have an axis");
  }
  out.length = check.number(at + "length_m", m.length_m(), 0, kMaxTieLength, "m");
  out.stiffness = check.number(at + "stiffness_npm", m.stiffness_npm(), 0, kMaxTieStiffness, "N/m");
  if (out.kind == TieType::kSpring && out.stiffness == 0) {
    check.fail(at + "stiffness_npm", "0", "more than 0 N/m for a SPRING");
  }
  out.damping = check.number(at + "damping_nspm", m.damping_nspm(), 0, kMaxTieDamping, "N s/m");
  out.break_force = check.number(at + "break_n", m.break_n(), 0, kMaxTieForce, "N");
  return out;
}

CommandKinds tie_kinds() {
  static const CommandKind kinds[] = {
      describe<Grip, v1::Grip, parse, write, apply>(),
      describe<AddTie, v1::AddTie, parse, write, apply>(),
      describe<Release, v1::Release, parse, write, apply>(),
  };
  return kinds;
}

}  // namespace promenade::world
