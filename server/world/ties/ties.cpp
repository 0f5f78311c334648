#include "world/ties/ties.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

#include "creature/pose.h"
#include "creature/tree_checks.h"
#include "math/rotation.h"
#include "world/command/limits.h"
#include "world/command/tie_codec.h"

namespace promenade::world {
namespace {

physics::TieKind kind_of(TieType type) {
  switch (type) {
    case TieType::kBall:
      return physics::TieKind::kBall;
    case TieType::kHinge:
      return physics::TieKind::kHinge;
    case TieType::kSlider:
      return physics::TieKind::kSlider;
    case TieType::kWeld:
      return physics::TieKind::kWeld;
    case TieType::kSpring:
      return physics::TieKind::kSpring;
  }
  return physics::TieKind::kBall;
}

const char* name_of(RoomTie::Source source) {
  return source == RoomTie::Source::kGrip ? "grip" : "tie";
}

// kg, of the lighter body that a tie holds; the world is heavier than all.
double lighter_mass(const Occupant* a, const Occupant* b) {
  if (!a) return b->body->total_mass;
  return b ? std::min(a->body->total_mass, b->body->total_mass) : a->body->total_mass;
}

/// Whether one end of a tie is at that body, or in the world.
bool ends_at(const RoomTie& tie, CharacterId id) { return tie.a == id || tie.b == id; }

bool is_of(const RoomTie& tie, RoomTie::Source source, CharacterId id) {
  return tie.source == source && tie.a == id;
}

}  // namespace

bool Ties::is_tied(CharacterId id) const {
  return std::any_of(all_.begin(), all_.end(),
                     [id](const RoomTie* tie) { return ends_at(*tie, id); });
}

bool Ties::is_held(CharacterId id) const {
  return std::any_of(all_.begin(), all_.end(), [id](const RoomTie* tie) {
    return ends_at(*tie, id) && tie->source != RoomTie::Source::kOwn && !tie->over;
  });
}

void Ties::restore(IdList<RoomTie> saved, TieId first, TieId next) {
  all_ = std::move(saved);
  first_id_ = first;
  next_id_ = next;
}

physics::TieEnd Ties::end_of(const Anchor& anchor) {
  physics::TieEnd end;
  if (Occupant* body = anchor.id == 0 ? nullptr : occupants_.find_occupant(anchor.id)) {
    end.body = &body->physics;
    end.link = anchor.link.empty() ? 0 : body->body->find_link(anchor.link);
  }
  if (anchor.point) end.frame.position = *anchor.point;
  return end;
}

RoomTie& Ties::hold(const Anchor& a, const Anchor& b, const TickView& now) {
  for (const CharacterId id : {a.id, b.id}) {
    if (Entity* e = id == 0 ? nullptr : occupants_.find(id)) e->need_physics(now.tick, now.dt);
  }
  auto made = std::make_unique<RoomTie>();
  made->id = next_id_++;
  made->a = a.id;
  made->b = b.id;
  made->tie.a = end_of(a);
  made->tie.b = end_of(b);
  // An end in the world without a point is where the other end is now.
  if (a.id == 0 && !a.point) made->tie.a.frame.position = made->tie.b.in_world().position;
  if (b.id == 0 && !b.point) made->tie.b.frame.position = made->tie.a.in_world().position;
  wake_ends(*made);
  return all_.add(std::move(made));
}

TieId Ties::add(const Grip& grip, const TickView& now) {
  // N/m for a body of 70 kg. A lighter body gets less in proportion, which gives the same
  // frequency.
  constexpr double kStiffness = 1e4, kOfMass = 70;
  RoomTie& out = hold(grip.a, grip.b, now);
  out.source = RoomTie::Source::kGrip;
  out.type = grip.firm ? TieType::kWeld : TieType::kBall;
  out.tie.kind = kind_of(out.type);
  const double mass = lighter_mass(grip.a.id ? occupants_.find_occupant(grip.a.id) : nullptr,
                                   grip.b.id ? occupants_.find_occupant(grip.b.id) : nullptr);
  out.tie.stiffness = grip.stiffness > 0 ? grip.stiffness : kStiffness * mass / kOfMass;
  out.tie.damping = grip.damping;
  out.tie.break_force = grip.max_force > 0 ? grip.max_force : kDefaultGripForce;
  out.tie.collide = true;
  if (grip.firm) physics::keep_present_rotation(out.tie);
  roster_.changed();
  return out.id;
}

TieId Ties::add(const AddTie& wanted, bool of_scene, const TickView& now) {
  return add_tie(wanted, of_scene, now).id;
}

RoomTie& Ties::add_tie(const AddTie& wanted, bool of_scene, const TickView& now) {
  RoomTie& out = hold(wanted.a, wanted.b, now);
  out.name = wanted.name;
  out.of_scene = of_scene;
  out.type = wanted.kind;
  out.tie.kind = kind_of(wanted.kind);
  out.tie.length = wanted.length;
  out.tie.stiffness = wanted.stiffness;
  out.tie.damping = wanted.damping;
  out.tie.break_force = wanted.break_force;
  if (has_axis(wanted.kind)) {
    out.tie.a.frame.rotation = Quat::FromTwoVectors(Vec3::UnitX(), wanted.axis.normalized());
  }
  physics::keep_present_rotation(out.tie);
  roster_.changed();
  return out;
}

void Ties::add_own(const Occupant& one, const TickView& now) {
  const auto& messages = one.body_definition->whole.ties();
  if (messages.empty()) return;
  // The loops are closed in the rest pose. A character that changes its body is in another one, and
  // the ties would keep the links turned to each other as they are at that moment.
  physics::ArticulatedBody at_rest(one.body->model);
  at_rest.set_state(rest_state(*one.body, Pose()));
  for (const v1::Tie& message : messages) {
    CommandChecker check("ties");
    v1::Tie own = message;
    own.mutable_a()->set_id(one.id);
    own.mutable_b()->set_id(one.id);
    const AddTie wanted = parse_tie("", own, check, kFarthest);
    assert(check.ok());  // check_ties of tree_checks.h has let it pass, with limits no wider
    RoomTie& made = add_tie(wanted, true, now);
    made.source = RoomTie::Source::kOwn;
    physics::Tie closed = made.tie;
    closed.a.body = closed.b.body = &at_rest;
    closed.b.frame.rotation.setIdentity();
    physics::keep_present_rotation(closed);
    made.tie.b.frame.rotation = closed.b.frame.rotation;
  }
}

void Ties::drag(Occupant& one, int link, const Vec3& point, const Vec3& target, double max_force,
                const TickView& now) {
  constexpr double kWeights = 20;  // default of the greatest pull, in weights of the body
  constexpr double kQuick = 14;    // rad/s, frequency of the spring that pulls
  const auto found = std::find_if(all_.begin(), all_.end(), [&](const RoomTie* tie) {
    return is_of(*tie, RoomTie::Source::kDrag, one.id);
  });
  RoomTie* tie = found != all_.end() ? *found : nullptr;
  if (!tie) {
    tie = &hold({one.id, "", point}, {0, "", target}, now);
    tie->source = RoomTie::Source::kDrag;
    tie->tie.kind = physics::TieKind::kBall;
    tie->tie.collide = true;
  }
  const double mass = one.body->total_mass;
  tie->tie.a.link = link;
  tie->tie.a.frame.position = point;
  tie->tie.b.frame.position = target;
  tie->tie.stiffness = mass * kQuick * kQuick;
  tie->tie.limit =
      max_force > 0 ? max_force : std::min(kMaxPushForce, kWeights * mass * physics::kGravity);
  tie->ends_at = now.tick + std::uint64_t(std::max(1L, std::lround(kDragTime / now.dt)));
  sleep_.wake(one);
}

void Ties::grip(const HandGrip& wanted, const TickView& now) {
  RoomTie& made = hold(wanted.hand, wanted.thing, now);
  made.source = RoomTie::Source::kHand;
  made.type = TieType::kBall;
  made.tie.kind = physics::TieKind::kBall;
  made.tie.stiffness = wanted.stiffness;
  made.tie.limit = wanted.limit;
  made.tie.turn_damping = wanted.turn_damping;
  made.tie.turn_limit = wanted.turn_limit;
  roster_.changed();
}

bool Ties::release(TieId id) {
  RoomTie* found = all_.find(id);
  if (!found || found->source == RoomTie::Source::kDrag || found->over) return false;
  wake_ends(*found);
  if (!found->lay_aside()) all_.erase_if([found](const RoomTie* tie) { return tie == found; });
  roster_.changed();
  return true;
}

void Ties::release_all(CharacterId id) {
  if (!is_tied(id)) return;
  for (const RoomTie* tie : all_) {
    if (ends_at(*tie, id)) wake_ends(*tie);
  }
  all_.erase_if([id](RoomTie* tie) { return ends_at(*tie, id) && !tie->lay_aside(); });
  roster_.changed();
}

void Ties::end_loose(CharacterId id) {
  for (const RoomTie* tie : all_) {
    if (ends_at(*tie, id)) wake_ends(*tie);
  }
  const auto loose = [id](const RoomTie* tie) { return !tie->of_scene && ends_at(*tie, id); };
  if (all_.erase_if(loose) > 0) roster_.changed();
}

void Ties::end_drag(CharacterId id) {
  all_.erase_if([id](const RoomTie* tie) { return is_of(*tie, RoomTie::Source::kDrag, id); });
}

void Ties::end_own(CharacterId id) {
  const auto own = [id](const RoomTie* tie) { return is_of(*tie, RoomTie::Source::kOwn, id); };
  if (all_.erase_if(own) > 0) roster_.changed();
}

void Ties::forget(CharacterId id) {
  release_all(id);
  all_.erase_if([id](const RoomTie* tie) { return ends_at(*tie, id); });
}

void Ties::carry_over(const Entity& e, const Creature& before) {
  all_.erase_if([&](RoomTie* tie) {
    for (auto [id, end] : {std::pair(tie->a, &tie->tie.a), std::pair(tie->b, &tie->tie.b)}) {
      if (id != e.id) continue;
      const int link = e.body->find_link(before.link_names[std::size_t(end->link)]);
      if (link < 0) {
        wake_ends(*tie);
        return true;
      }
      end->link = link;
    }
    return false;
  });
}

void Ties::bring_back_own(CharacterId id) {
  for (RoomTie* tie : all_) {
    if (tie->over && is_of(*tie, RoomTie::Source::kOwn, id)) hold_again(*tie);
  }
}

void Ties::bring_back(CharacterId id) {
  for (RoomTie* tie : all_) {
    const bool own = (tie->a == id || tie->a == 0) && (tie->b == id || tie->b == 0);
    if (tie->over && (id == 0 || own)) hold_again(*tie);
  }
}

void Ties::hold_again(RoomTie& tie) {
  tie.over = tie.tie.broken = false;
  tie.tie.impulse_dt = 0;
  wake_ends(tie);
  roster_.changed();
}

void Ties::wake_ends(const RoomTie& tie) {
  for (const CharacterId id : {tie.a, tie.b}) {
    if (Occupant* one = id == 0 ? nullptr : occupants_.find_occupant(id)) sleep_.wake(*one);
  }
}

void Ties::let_go(CharacterId id, int link) {
  end_and_wake([&](const RoomTie& tie) {
    return is_of(tie, RoomTie::Source::kHand, id) && tie.tie.a.link == link;
  });
}

void Ties::join(std::span<const Eigen::AlignedBox3d> boxes,
                std::vector<Islands::Pair>& joined) const {
  for (const RoomTie* tie : all_) {
    if (tie->over || tie->a == 0 || tie->b == 0 || tie->a == tie->b) continue;
    const std::uint32_t a = occupants_.place_of(tie->a), b = occupants_.place_of(tie->b);
    // A tie between two sleepers joins nothing: both stay asleep.
    if (!boxes[a].isEmpty() || !boxes[b].isEmpty()) joined.emplace_back(a, b);
  }
}

void Ties::share_out() {
  active_.clear();
  for (RoomTie* tie : all_) {
    if (tie->over) continue;
    const Occupant* in = nullptr;
    for (const CharacterId id : {tie->a, tie->b}) {
      if (id == 0) continue;
      const Entity* e = occupants_.find(id);
      const Prop* prop = e ? nullptr : occupants_.find_prop(id);
      if (e && e->present()) in = e;
      if (prop && !prop->asleep) in = prop;
    }
    if (in) active_.push_back({in->island, &tie->tie});
  }
  std::stable_sort(active_.begin(), active_.end(),
                   [](const auto& x, const auto& y) { return x.island < y.island; });
}

void Ties::look_after(std::uint64_t tick, std::vector<RoomEvent>& events) {
  for (RoomTie* tie : all_) {
    if (!tie->tie.broken || tie->over) continue;
    const CharacterId about = tie->a != 0 ? tie->a : tie->b;
    std::string text = "the ";
    text += name_of(tie->source);
    if (!tie->name.empty()) text += " " + schema::in_quotes(tie->name);
    events.push_back(
        {tick, about, RoomEvent::Kind::kNotice, text + " " + std::to_string(tie->id) + " broke"});
    wake_ends(*tie);
    tie->lay_aside();
    roster_.changed();
  }
  all_.erase_if([this, tick](const RoomTie* tie) {
    const bool let_go = tie->ends_at != 0 && tie->ends_at <= tick;
    // A thing that the hand held close to another lies on that now.
    if (let_go) sleep_.wake_around(*occupants_.find_occupant(tie->a));
    return let_go || (tie->tie.broken && !tie->over);
  });
}

}  // namespace promenade::world
