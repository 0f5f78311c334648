// Hands of those who do tasks: what they see, grip and feel, and what is told of their tasks.
#include "world/hands/room_hands.h"

#include <algorithm>
#include <cmath>

#include "behaviour/tasks/abilities.h"
#include "behaviour/tasks/worker.h"
#include "creature/biped/biped_state.h"
#include "math/rotation.h"
#include "world/command/limits.h"

namespace promenade::world {
namespace {

using behaviour::tasks::BodySeen;
using behaviour::tasks::HandOrder;
using behaviour::tasks::TaskNews;
using behaviour::tasks::ThingSeen;

constexpr double kSlips = 0.12;      // m, between palm and grip, of a human: it has slipped off
constexpr double kStandsOn = 0.03;   // m, between one thing and another that stands on it
constexpr double kOverlap = 0.03;    // m, level, of two of which one stands on the other
constexpr double kHumanMass = 70.4;  // kg, body of which wrists have these numbers
constexpr double kWristDamping = 3;  // N m s, of a human: a crate of 10 kg hardly swings
constexpr double kWristTorque = 10;  // N m, of a human's wrist, at most
constexpr double kLevelGain = 6;     // 1/s, with which wrists turn a carried thing to be level
constexpr double kLevelRate = 1.5;   // rad/s, at most

Vec3 palm_of(const Entity& e, std::size_t side) {
  const physics::LinkMotion& lower =
      e.physics.links()[std::size_t(e.biped->link[kLeftLowerArm + side])];
  return lower.position + lower.rotation * e.biped->palm[side];
}

/// Whether one end of a tie is that link of that body.
bool ends_at(const RoomTie& tie, const Entity& e, int link) {
  return (tie.a == e.id && tie.tie.a.link == link) || (tie.b == e.id && tie.tie.b.link == link);
}

}  // namespace

BodySeen RoomWorkplace::body() const {
  BodySeen out;
  if (!self_.biped) return out;
  const Biped& biped = *self_.biped;
  const BipedState state = observe(biped, self_.physics, {});
  out.sole = 1e9;
  for (const std::size_t side : {kLeft, kRight}) {
    out.palm[side] = palm_of(self_, side);
    out.shoulder[side] = joint_position(self_.physics, biped.link[kLeftUpperArm + int(side)]);
    out.sole = std::min(out.sole, state.ankle[side].z() - biped.ankle_height[side]);
    out.feet += 0.5 * state.ankle[side].head<2>();
    out.hand += 0.5 * biped.hand_radius[side];
    out.arms[side] = biped.upper_arm[side] + biped.forearm[side];
    out.arm += 0.5 * out.arms[side];
    out.force[side] = self_.goal.hand[side].force;
    for (const auto& tie : room_.ties.all()) {
      if (tie->source != RoomTie::Source::kHand || tie->over || tie->a != self_.id) continue;
      if (tie->tie.a.link == biped.link[kLeftLowerArm + int(side)]) out.holds[side] = tie->b;
    }
  }
  out.shoulder_height = self_.shoulder_height;
  out.low_shoulders = self_.driver().manner().low_shoulders;
  out.toes = self_.toes_ahead;
  out.mass = self_.body->total_mass;
  const control::ControlReport& report = self_.driver().report();
  out.standing = report.standing;
  out.stoop = report.stoop;
  return out;
}

bool RoomWorkplace::see(behaviour::tasks::ThingId id, ThingSeen& out) const {
  const Occupant* one = room_.occupants.find_occupant(id);
  if (!one || id == self_.id) return false;
  const auto* entity = dynamic_cast<const Entity*>(one);
  // A character that the physics does not move may be moving at this moment.
  if (entity && (!entity->present() || entity->kinematic())) return false;
  const physics::LinkMotion& first = one->physics.links().front();
  out.position = first.position;
  out.rotation = Quat(first.rotation);
  out.velocity = first.velocity;
  out.omega = first.omega;
  out.mass = one->body->total_mass;
  out.fixed = one->body->model->links.front().joint == physics::JointKind::kFixed;
  out.character = entity != nullptr;
  const auto* prop = entity ? nullptr : static_cast<const Prop*>(one);
  out.center = prop ? prop->box_center : Vec3(Vec3::Zero());
  out.half = prop ? prop->box_half : Vec3(0.2, 0.2, 0.2);
  const auto& shapes = one->body->model->links.front().shapes;
  out.friction = physics::Material{}.friction;
  if (!shapes.empty() && shapes.front().material) out.friction = shapes.front().material->friction;
  const physics::GroundPoint under =
      room_.view().ground_now().at(out.position.x(), out.position.y(), out.position.z());
  if (under.there) out.friction = std::sqrt(out.friction * under.friction);
  out.round = shapes.size() == 1 && shapes.front().kind == physics::Shape::Kind::kSphere;
  return true;
}

bool RoomWorkplace::see_link(behaviour::tasks::ThingId id, std::size_t link, ThingSeen& out) const {
  if (!see(id, out)) return false;
  if (link == 0) return true;
  const auto& links = room_.occupants.find_occupant(id)->physics.links();
  if (link >= links.size()) return false;
  const physics::LinkMotion& seen = links[link];
  out.position = seen.position;
  out.rotation = Quat(seen.rotation);
  out.velocity = seen.velocity;
  out.omega = seen.omega;
  out.center.setZero();
  out.half.setZero();
  out.round = false;
  return true;
}

behaviour::tasks::ThingId RoomWorkplace::taken_by(behaviour::tasks::ThingId id) const {
  const auto first =
      std::lower_bound(room_.claims.begin(), room_.claims.end(), id,
                       [](const auto& claim, CharacterId thing) { return claim.thing < thing; });
  if (first == room_.claims.end() || first->thing != id || first->character == self_.id) return 0;
  return first->character;
}

bool RoomWorkplace::bears(behaviour::tasks::ThingId id) const {
  const Prop* below = room_.occupants.find_prop(id);
  if (!below) return false;
  const Eigen::AlignedBox3d& box = below->physics.bounds();
  for (const auto& prop : room_.occupants.props) {
    if (prop->id == id) continue;
    const Eigen::AlignedBox3d& other = prop->physics.bounds();
    const auto low = other.min().head<2>().array(), high = other.max().head<2>().array();
    const bool over = (low + kOverlap < box.max().head<2>().array()).all() &&
                      (high - kOverlap > box.min().head<2>().array()).all();
    const double gap = other.min().z() - box.max().z();
    if (over && std::abs(gap) < kStandsOn && taken_by(prop->id) == 0) return true;
  }
  return false;
}

double RoomWorkplace::ground(const Vec2& at) const {
  return room_.view().ground_now().height(at.x(), at.y());
}

double RoomWorkplace::height(const Vec2& at, behaviour::tasks::ThingId except) const {
  double highest = ground(at);
  for (const auto& prop : room_.occupants.props) {
    if (prop->id == except) continue;
    const Eigen::AlignedBox3d& box = prop->physics.bounds();
    if ((at.array() < box.min().head<2>().array()).any() ||
        (at.array() > box.max().head<2>().array()).any())
      continue;
    // Inside the box along its own axes, if it stands upright.
    const physics::LinkMotion& first = prop->physics.links().front();
    const Vec3 local =
        first.rotation.transpose() * (Vec3(at.x(), at.y(), first.position.z()) - first.position);
    const Vec3 out = (local - prop->box_center).cwiseAbs() - prop->box_half;
    const bool upright = first.rotation.row(2).cwiseAbs().maxCoeff() > 0.99;
    if (upright) {
      int vertical = 0;
      first.rotation.row(2).cwiseAbs().maxCoeff(&vertical);
      bool beside = false;
      for (int k = 0; k < 3; ++k) beside = beside || (k != vertical && out[k] > 0);
      if (beside) continue;
    }
    highest = std::max(highest, box.max().z());
  }
  return highest;
}

void Room::Impl::gather_claims() {
  claims.clear();
  for (const auto& e : occupants.entities) {
    if (e->behaviour_kind != behaviour::BehaviourKind::kTasks || !e->present() || e->fallen)
      continue;
    const auto& claim = static_cast<const behaviour::tasks::Worker&>(*e->behaviour).claim();
    if (claim.thing != 0) claims.push_back({claim.thing, e->id, false, claim.since});
  }
  if (std::none_of(occupants.entities.begin(), occupants.entities.end(), [](const auto& e) {
        return e->behaviour_kind == behaviour::BehaviourKind::kTasks;
      }))
    return;
  for (const auto& tie : ties.all()) {
    if (tie->over || tie->source == RoomTie::Source::kOwn || tie->a == 0 || tie->b == 0) continue;
    for (const auto& [one, held] : {std::pair{tie->a, tie->b}, std::pair{tie->b, tie->a}}) {
      if (occupants.find(one) && occupants.find_prop(held)) claims.push_back({held, one, true, 0});
    }
  }
  std::sort(claims.begin(), claims.end(), [](const ThingClaim& a, const ThingClaim& b) {
    if (a.thing != b.thing) return a.thing < b.thing;
    if (a.holds != b.holds) return a.holds;
    if (a.since != b.since) return a.since > b.since;
    return a.character < b.character;
  });
}

void Room::Impl::feel_hands(Entity& e) const {
  if (!e.biped) return;
  for (const std::size_t side : {kLeft, kRight}) {
    e.goal.hand[side].force.setZero();
    const int link = e.biped->link[kLeftLowerArm + int(side)];
    for (const auto& tie : ties.all()) {
      if (tie->over || tie->source == RoomTie::Source::kOwn || !ends_at(*tie, e, link)) continue;
      e.goal.hand[side].force += tie->a == e.id ? tie->tie.force : Vec3(-tie->tie.force);
    }
  }
}

void Room::Impl::grip(Entity& e, std::size_t side, const HandOrder& order) {
  let_go(e, side);
  Anchor hand{e.id, e.body->link_names[std::size_t(e.biped->link[kLeftLowerArm + int(side)])],
              e.biped->palm[side]};
  const Occupant& held = *occupants.find_occupant(order.thing);
  const double scale = e.body->leg_scale();
  // Wrists: without them a thing that hangs in the hands would swing with every step.
  const double stronger = e.body->total_mass / kHumanMass * scale;
  ties.grip({.hand = hand,
             .thing = {order.thing, held.body->link_names[order.link], order.point},
             .stiffness = 2e4 * scale,
             .limit = behaviour::tasks::kHandForce,
             .turn_damping = kWristDamping * stronger * std::sqrt(scale),
             .turn_limit = kWristTorque * stronger},
            view());
}

void Room::Impl::let_go(Entity& e, std::size_t side) {
  ties.let_go(e.id, e.biped->link[kLeftLowerArm + int(side)]);
}

void Room::Impl::turn_wrists() {
  ties.turn_wrists([this](const RoomTie& tie) -> Vec3 {
    const Entity* one = occupants.find(tie.a);
    const Prop* thing = occupants.find_prop(tie.b);
    if (!one || !thing || one->behaviour_kind != behaviour::BehaviourKind::kTasks)
      return Vec3::Zero();
    const auto& worker = static_cast<const behaviour::tasks::Worker&>(*one->behaviour);
    if (worker.carries() != thing->id) return Vec3::Zero();
    // The axis that is nearest to the vertical is to be vertical.
    const Mat3 rotation(thing->physics.links().front().rotation);
    int axis = 0;
    rotation.row(2).cwiseAbs().maxCoeff(&axis);
    const Vec3 up = rotation.col(axis) * (rotation(2, axis) < 0 ? -1 : 1);
    Vec3 rate = kLevelGain * up.cross(Vec3::UnitZ());
    if (rate.norm() > kLevelRate) rate *= kLevelRate / rate.norm();
    return one->physics.links()[std::size_t(tie.tie.a.link)].omega - rate;
  });
}

void Room::Impl::use_hands(std::vector<RoomEvent>& events) {
  // A hand no longer holds what slipped out of it, or if its owner fell or does something else.
  ties.let_slip([this](const RoomTie& tie) {
    const Entity* one = occupants.find(tie.a);
    if (!one || !one->present() || one->fallen || one->kinematic() ||
        one->behaviour_kind != behaviour::BehaviourKind::kTasks)
      return true;
    const double scale = one->body->leg_scale();
    return (tie.tie.a.in_world().position - tie.tie.b.in_world().position).norm() > kSlips * scale;
  });

  for (const auto& one : occupants.entities) {
    Entity& e = *one;
    if (e.behaviour_kind != behaviour::BehaviourKind::kTasks || !e.present() || e.fallen) continue;
    auto& worker = static_cast<behaviour::tasks::Worker&>(*e.behaviour);
    const auto orders = worker.take_orders();
    for (const std::size_t side : {kLeft, kRight}) {
      const HandOrder& order = orders[side];
      if (order.kind == HandOrder::Kind::kLetGo) let_go(e, side);
      const bool possible = order.kind == HandOrder::Kind::kGrip && e.biped &&
                            occupants.find_occupant(order.thing) && order.thing != e.id &&
                            ties.size() < kMaxTies;
      if (possible) grip(e, side, order);
    }
    const TaskNews news = worker.take_news();
    bool to_tell = news.kind != TaskNews::Kind::kNone;
    if (to_tell && worker.shares()) {
      to_tell = false;
      for (auto& list : shared.lists) to_tell = list.told(e.id, news) || to_tell;
    }
    if (to_tell) tell_news(e, news, events);
  }
  turn_wrists();
}

void Room::Impl::tell_news(const Entity& e, const TaskNews& news,
                           std::vector<RoomEvent>& events) const {
  const bool done = news.kind == TaskNews::Kind::kDone;
  std::string text = e.body->title + " " + std::to_string(e.id) + (done ? " did " : " cannot ") +
                     behaviour::tasks::task_name(news.task.kind);
  const auto name = [&](CharacterId id, const char* before) {
    if (const Occupant* one = id != 0 ? occupants.find_occupant(id) : nullptr)
      text += before + one->body->title + " " + std::to_string(one->id);
  };
  name(news.task.thing != 0 ? news.task.thing : news.task.on, ", ");
  name(news.task.somebody,
       news.task.kind == behaviour::tasks::TaskKind::kHandOver ? " to " : " from ");
  if (done) {
    const long cm = std::lround(100 * news.error);
    if (cm > 0) text += ", within " + std::to_string(cm) + " cm";
  } else {
    text += std::string(": ") + news.why;
  }
  events.push_back({tick_number, e.id,
                    done ? RoomEvent::Kind::kTaskDone : RoomEvent::Kind::kTaskFailed,
                    std::move(text), news.error});
}

}  // namespace promenade::world
