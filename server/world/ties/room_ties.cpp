// The ties, grips and drags of a room.
#include <algorithm>
#include <cassert>
#include <cmath>

#include "creature/pose.h"
#include "creature/tree_checks.h"
#include "math/rotation.h"
#include "world/command/limits.h"
#include "world/command/tie_codec.h"
#include "world/room/room_impl.h"

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

}  // namespace

physics::TieEnd Room::Impl::end_of(const Anchor& anchor) const {
  physics::TieEnd end;
  Occupant* body = anchor.id == 0 ? nullptr : find_occupant(anchor.id);
  if (body) {
    end.body = &body->physics;
    end.link = anchor.link.empty() ? 0 : body->body->find_link(anchor.link);
  }
  if (anchor.point) end.frame.position = *anchor.point;
  return end;
}

RoomTie& Room::Impl::hold(const Anchor& a, const Anchor& b) {
  for (const CharacterId id : {a.id, b.id}) {
    if (Entity* e = id == 0 ? nullptr : find(id)) need_physics(*e);
  }
  auto made = std::make_unique<RoomTie>();
  made->id = next_tie++;
  made->a = a.id;
  made->b = b.id;
  made->tie.a = end_of(a);
  made->tie.b = end_of(b);
  // An end in the world without a point is where the other end is now.
  if (a.id == 0 && !a.point) made->tie.a.frame.position = made->tie.b.in_world().position;
  if (b.id == 0 && !b.point) made->tie.b.frame.position = made->tie.a.in_world().position;
  for (const CharacterId id : {a.id, b.id}) {
    if (Occupant* one = id == 0 ? nullptr : find_occupant(id)) wake(*one);
  }
  ties.push_back(std::move(made));
  return *ties.back();
}

RoomTie& Room::Impl::add(const Grip& grip) {
  // N/m for a body of 70 kg. A lighter body gets less in proportion, which gives the same
  // frequency.
  constexpr double kStiffness = 1e4, kOfMass = 70;
  RoomTie& out = hold(grip.a, grip.b);
  out.source = RoomTie::Source::kGrip;
  out.type = grip.firm ? TieType::kWeld : TieType::kBall;
  out.tie.kind = kind_of(out.type);
  const double mass = lighter_mass(grip.a.id ? find_occupant(grip.a.id) : nullptr,
                                   grip.b.id ? find_occupant(grip.b.id) : nullptr);
  out.tie.stiffness = grip.stiffness > 0 ? grip.stiffness : kStiffness * mass / kOfMass;
  out.tie.damping = grip.damping;
  out.tie.break_force = grip.max_force > 0 ? grip.max_force : kDefaultGripForce;
  out.tie.collide = true;
  if (grip.firm) physics::keep_present_rotation(out.tie);
  roster_changed();
  return out;
}

RoomTie& Room::Impl::add(const AddTie& wanted, bool of_scene) {
  RoomTie& out = hold(wanted.a, wanted.b);
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
  roster_changed();
  return out;
}

void Room::Impl::add_own_ties(const Occupant& one) {
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
    RoomTie& made = add(wanted, true);
    made.source = RoomTie::Source::kOwn;
    physics::Tie closed = made.tie;
    closed.a.body = closed.b.body = &at_rest;
    closed.b.frame.rotation.setIdentity();
    physics::keep_present_rotation(closed);
    made.tie.b.frame.rotation = closed.b.frame.rotation;
  }
}

void Room::Impl::end_own_ties(CharacterId id) {
  const auto own = [id](const auto& tie) {
    return tie->source == RoomTie::Source::kOwn && tie->a == id;
  };
  if (std::erase_if(ties, own) > 0) roster_changed();
}

void Room::Impl::bring_back_own_ties(CharacterId id) {
  for (const auto& tie : ties) {
    if (tie->over && tie->source == RoomTie::Source::kOwn && tie->a == id) hold_again(*tie);
  }
}

void Room::Impl::drag(Occupant& one, int link, const Vec3& point, const Vec3& target,
                      double max_force) {
  constexpr double kWeights = 20;  // default of the greatest pull, in weights of the body
  constexpr double kQuick = 14;    // rad/s, frequency of the spring that pulls
  const auto found = std::find_if(ties.begin(), ties.end(), [&](const auto& tie) {
    return tie->source == RoomTie::Source::kDrag && tie->a == one.id;
  });
  RoomTie* tie = found != ties.end() ? found->get() : nullptr;
  if (!tie) {
    tie = &hold({one.id, "", point}, {0, "", target});
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
  tie->ends_at = tick_number + std::uint64_t(std::max(1L, std::lround(kDragTime / dt())));
  wake(one);
}

void Room::Impl::end_drag(CharacterId id) {
  std::erase_if(ties, [id](const auto& tie) {
    return tie->source == RoomTie::Source::kDrag && tie->a == id;
  });
}

bool Room::Impl::is_held(CharacterId id) const {
  return std::any_of(ties.begin(), ties.end(), [id](const auto& tie) {
    return (tie->a == id || tie->b == id) && tie->source != RoomTie::Source::kOwn && !tie->over;
  });
}

bool Room::Impl::release(TieId id) {
  const auto found = std::find_if(ties.begin(), ties.end(), [id](const auto& tie) {
    return tie->id == id && tie->source != RoomTie::Source::kDrag && !tie->over;
  });
  if (found == ties.end()) return false;
  wake_ends(**found);
  if (!(*found)->lay_aside()) ties.erase(found);
  roster_changed();
  return true;
}

void Room::Impl::wake_ends(const RoomTie& tie) {
  for (const CharacterId id : {tie.a, tie.b}) {
    if (Occupant* one = id == 0 ? nullptr : find_occupant(id)) wake(*one);
  }
}

void Room::Impl::release_all(CharacterId id) {
  const auto ends = [id](const auto& tie) { return tie->a == id || tie->b == id; };
  if (std::none_of(ties.begin(), ties.end(), ends)) return;
  for (const auto& tie : ties) {
    if (ends(tie)) wake_ends(*tie);
  }
  std::erase_if(ties, [&](const auto& tie) { return ends(tie) && !tie->lay_aside(); });
  roster_changed();
}

void Room::Impl::bring_back_ties(CharacterId id) {
  for (const auto& tie : ties) {
    const bool own = (tie->a == id || tie->a == 0) && (tie->b == id || tie->b == 0);
    if (tie->over && (id == 0 || own)) hold_again(*tie);
  }
}

void Room::Impl::hold_again(RoomTie& tie) {
  tie.over = tie.tie.broken = false;
  tie.tie.impulse_dt = 0;
  wake_ends(tie);
  roster_changed();
}

bool RoomTie::lay_aside() {
  if (!of_scene) return false;
  over = tie.broken = true;
  tie.force.setZero();
  tie.torque.setZero();
  return true;
}

void Room::Impl::end_loose_ties(CharacterId id) {
  for (const auto& tie : ties) {
    if (tie->a == id || tie->b == id) wake_ends(*tie);
  }
  const auto loose = [id](const auto& tie) {
    return !tie->of_scene && (tie->a == id || tie->b == id);
  };
  if (std::erase_if(ties, loose) > 0) roster_changed();
}

void Room::Impl::look_after_ties(std::vector<RoomEvent>& events) {
  for (const auto& tie : ties) {
    if (!tie->tie.broken || tie->over) continue;
    const CharacterId about = tie->a != 0 ? tie->a : tie->b;
    std::string text = "the ";
    text += name_of(tie->source);
    if (!tie->name.empty()) text += " " + schema::in_quotes(tie->name);
    events.push_back({tick_number, about, RoomEvent::Kind::kNotice,
                      text + " " + std::to_string(tie->id) + " broke"});
    wake_ends(*tie);
    tie->lay_aside();
    roster_changed();
  }
  std::erase_if(ties, [this](const auto& tie) {
    const bool let_go = tie->ends_at != 0 && tie->ends_at <= tick_number;
    // A thing that the hand held close to another lies on that now.
    if (let_go) wake_around(*find_occupant(tie->a));
    return let_go || (tie->tie.broken && !tie->over);
  });
}

void Room::Impl::share_out_ties() {
  active_ties.clear();
  for (const auto& tie : ties) {
    if (tie->over) continue;
    const Occupant* a = tie->a ? find_occupant(tie->a) : nullptr;
    const Occupant* b = tie->b ? find_occupant(tie->b) : nullptr;
    const Occupant* in = nullptr;
    for (const Occupant* one : {a, b}) {
      if (!one) continue;
      const auto* prop = dynamic_cast<const Prop*>(one);
      const auto* entity = prop ? nullptr : static_cast<const Entity*>(one);
      if ((prop && !prop->asleep) || (entity && entity->present())) in = one;
    }
    if (!in) continue;
    active_ties.push_back({in->island, &tie->tie});
  }
  std::stable_sort(active_ties.begin(), active_ties.end(),
                   [](const auto& x, const auto& y) { return x.island < y.island; });
}

std::uint64_t RoomTie::digest() const {
  Hash hash;
  hash.add(std::uint64_t(id));
  hash.add((std::uint64_t(a) << 32) | b);
  hash_state(*this, hash);
  return hash.value();
}

void RoomTie::visit(StateVisitor& state) {
  constexpr std::size_t kSources = 5, kKinds = 5;
  state.choice(source, kSources);
  state.choice(type, kKinds + 1);
  if (type == TieType{0}) state.fail("has a number outside its range");
  state.choice(tie.kind, kKinds);
  state(of_scene, over, ends_at);
  for (physics::TieEnd* end : {&tie.a, &tie.b}) {
    state.choice(end->link, physics::kMaxLinks);
    state(end->frame.position, end->frame.rotation, end->velocity, end->omega);
  }
  state(tie.length, tie.stiffness, tie.damping, tie.limit, tie.turn_damping, tie.turn_limit,
        tie.turn_rate, tie.break_force, tie.collide, tie.broken, tie.force, tie.torque, tie.impulse,
        tie.impulse_dt);
}

}  // namespace promenade::world
