#include "stream/roster.h"

#include "promenade/v1/wire.pb.h"
#include "stream/wire_writer.h"
#include "world/library/definitions.h"

namespace promenade::stream {
namespace {

bool is_edited(const world::CreatureDefinition* body) {
  return body && body->origin == world::Origin::kEdited;
}
bool is_edited(const world::StyleDefinition* style) {
  return style && style->origin == world::Origin::kEdited;
}

bool is_edited(const world::GaitDefinition* gait) {
  return gait && gait->origin == world::Origin::kEdited;
}

std::uint64_t gait_id(const world::RosterEntry& entry) {
  return entry.gait_definition ? entry.gait_definition->id : 0;
}
std::uint64_t style_id(const world::RosterEntry& entry) {
  return entry.style_definition ? entry.style_definition->id : 0;
}

void write(const world::RosterEntry& entry, v1::RosterEntry* out) {
  out->set_id(entry.id);
  if (entry.body_definition) out->set_body(entry.body_definition->id);
  out->set_style(entry.style);
  out->set_color(entry.color);
  out->set_controller(entry.controller);
  out->set_style_edited(is_edited(entry.style_definition.get()));
  out->set_body_edited(is_edited(entry.body_definition.get()));
  out->set_dof(entry.coordinates);
  out->set_style_id(style_id(entry));
  if (!entry.gait_definition) return;
  out->set_gait(entry.gait_definition->message.name());
  out->set_gait_id(gait_id(entry));
  out->set_gait_edited(is_edited(entry.gait_definition.get()));
}

void write(const world::ThingEntry& entry, v1::RosterEntry* out) {
  out->set_id(entry.id);
  if (entry.body_definition) out->set_body(entry.body_definition->id);
  out->set_color(entry.color);
  out->set_dof(entry.coordinates);
}

void write(const world::TieEntry& tie, v1::TieInfo* out) {
  out->set_id(tie.id);
  out->set_grip(tie.grip);
  out->set_kind(static_cast<v1::Tie::Kind>(tie.kind));
  const auto set_end = [](const world::TieEntry::End& end, v1::Anchor* anchor) {
    anchor->set_id(end.id);
    anchor->set_link(end.link);
    anchor->mutable_point_m()->Assign(end.point.begin(), end.point.end());
  };
  set_end(tie.a, out->mutable_a());
  set_end(tie.b, out->mutable_b());
}

// Whether viewers are told the same of both.
bool same_body(const std::shared_ptr<const world::CreatureDefinition>& a,
               const std::shared_ptr<const world::CreatureDefinition>& b) {
  return a == b || (a && b && a->id == b->id && is_edited(a.get()) == is_edited(b.get()));
}
bool same(const world::RosterEntry& a, const world::RosterEntry& b) {
  return a.style == b.style && a.color == b.color && a.controller == b.controller &&
         same_body(a.body_definition, b.body_definition) &&
         is_edited(a.style_definition.get()) == is_edited(b.style_definition.get()) &&
         is_edited(a.gait_definition.get()) == is_edited(b.gait_definition.get()) &&
         style_id(a) == style_id(b) && gait_id(a) == gait_id(b);
}
bool same(const world::ThingEntry& a, const world::ThingEntry& b) {
  return a.color == b.color && same_body(a.body_definition, b.body_definition);
}
bool same(const world::TieEntry& a, const world::TieEntry& b) {
  const auto same_end = [](const world::TieEntry::End& x, const world::TieEntry::End& y) {
    return x.id == y.id && x.link == y.link && x.point == y.point;
  };
  return a.grip == b.grip && a.kind == b.kind && same_end(a.a, b.a) && same_end(a.b, b.b);
}

// Walks through two lists by ascending ids at once: tells of the ids that only the first has, and
// of the entries of the second that the first has not, or has otherwise.
template <typename Entry, typename Gone, typename Fresh>
void compare(const std::vector<Entry>& before, const std::vector<Entry>& after, const Gone& gone,
             const Fresh& fresh) {
  auto old = before.begin();
  for (const Entry& entry : after) {
    for (; old != before.end() && old->id < entry.id; ++old) gone(old->id);
    const bool there = old != before.end() && old->id == entry.id;
    if (!there || !same(*old, entry)) fresh(entry);
    if (there) ++old;
  }
  for (; old != before.end(); ++old) gone(old->id);
}

}  // namespace

std::string encode_roster(const world::Roster& roster) {
  v1::ServerMessage message;
  v1::Roster* out = message.mutable_roster();
  out->set_version(roster.version);
  for (const auto& entry : roster.entries) write(entry, out->add_entries());
  for (const auto& entry : roster.things) write(entry, out->add_things());
  for (const auto& tie : roster.ties) write(tie, out->add_ties());
  if (!roster.course.empty()) out->mutable_course()->ParseFromString(roster.course);
  return message.SerializeAsString();
}

std::string encode_roster_change(const world::Roster& before, const world::Roster& after) {
  v1::ServerMessage message;
  v1::RosterChange* out = message.mutable_roster_change();
  out->set_from_version(before.version);
  out->set_version(after.version);
  const auto gone = [out](world::CharacterId id) { out->add_removed(id); };
  compare(before.entries, after.entries, gone,
          [out](const auto& entry) { write(entry, out->add_entries()); });
  compare(before.things, after.things, gone,
          [out](const auto& entry) { write(entry, out->add_things()); });
  compare(
      before.ties, after.ties, [out](world::TieId id) { out->add_removed_ties(id); },
      [out](const auto& tie) { write(tie, out->add_ties()); });
  if (before.course != after.course) out->mutable_course()->ParseFromString(after.course);
  return message.SerializeAsString();
}

std::string encode_body(std::uint64_t id, const world::CreatureDefinition* body) {
  std::string inner, message;
  put_fixed64(inner, v1::Body::kIdFieldNumber, id);
  if (body) {
    put_bytes(inner, v1::Body::kCreatureFieldNumber, body->encoded);
    v1::Body facts;
    for (const std::string_view family : body->facts.families) {
      facts.add_families(std::string(family));
    }
    if (const auto& hands = body->facts.hands) {
      facts.mutable_hands()->set_lift_kg(hands->lift);
      facts.mutable_hands()->set_width_m(hands->width);
      facts.mutable_hands()->set_reach_up_m(hands->reach_up);
    }
    facts.AppendToString(&inner);
  }
  put_bytes(message, v1::ServerMessage::kBodyFieldNumber, inner);
  return message;
}

}  // namespace promenade::stream
