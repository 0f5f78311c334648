#include "world/hands/workplace.h"

#include <algorithm>
#include <cmath>

#include "creature/biped/biped_state.h"
#include "math/rotation.h"

namespace promenade::world {
namespace {

using behaviour::tasks::BodySeen;
using behaviour::tasks::ThingSeen;

constexpr double kStandsOn = 0.03;  // m, between one thing and another that stands on it
constexpr double kOverlap = 0.03;   // m, level, of two of which one stands on the other

Vec3 palm_of(const Entity& e, std::size_t side) {
  const physics::LinkMotion& lower =
      e.physics.links()[std::size_t(e.biped->link[kLeftLowerArm + side])];
  return lower.position + lower.rotation * e.biped->palm[side];
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
    for (const auto& tie : ties_.all()) {
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
  const Occupant* one = now_.occupants.find_occupant(id);
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
      now_.ground_now().at(out.position.x(), out.position.y(), out.position.z());
  if (under.there) out.friction = std::sqrt(out.friction * under.friction);
  out.round = shapes.size() == 1 && shapes.front().kind == physics::Shape::Kind::kSphere;
  return true;
}

bool RoomWorkplace::see_link(behaviour::tasks::ThingId id, std::size_t link, ThingSeen& out) const {
  if (!see(id, out)) return false;
  if (link == 0) return true;
  const auto& links = now_.occupants.find_occupant(id)->physics.links();
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
      std::lower_bound(hands_.claims().begin(), hands_.claims().end(), id,
                       [](const auto& claim, CharacterId thing) { return claim.thing < thing; });
  if (first == hands_.claims().end() || first->thing != id || first->character == self_.id)
    return 0;
  return first->character;
}

bool RoomWorkplace::bears(behaviour::tasks::ThingId id) const {
  const Prop* below = now_.occupants.find_prop(id);
  if (!below) return false;
  const Eigen::AlignedBox3d& box = below->physics.bounds();
  for (const auto& prop : now_.occupants.props) {
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
  return now_.ground_now().height(at.x(), at.y());
}

double RoomWorkplace::height(const Vec2& at, behaviour::tasks::ThingId except) const {
  double highest = ground(at);
  for (const auto& prop : now_.occupants.props) {
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

bool RoomWorkplace::see_somebody(behaviour::tasks::ThingId id,
                                 behaviour::tasks::SomebodySeen& out) const {
  const Entity* other = now_.occupants.find(id);
  if (!other || id == self_.id) return false;
  out.works = other->does_tasks();
  out.down = other->fallen;
  out.takes = behaviour::tasks::Takes::kNow;
  for (const auto& told : hands_.handings()) {
    if (told.id == id) out.handing = told.handing;
    if (told.id == self_.id) out.takes = told.taker;
  }
  for (const auto& tie : ties_.all()) {
    if (tie->source != RoomTie::Source::kHand || tie->over || tie->a != id || !out.works) continue;
    const int right = other->biped->link[kRightLowerArm];
    out.holds[tie->tie.a.link == right ? kRight : kLeft] = tie->b;
  }
  out.mass = other->body->total_mass;
  // A character that the physics does not move may be moving at this moment.
  out.physical = out.works && other->present() && !other->kinematic();
  if (!out.physical) return true;
  const BipedState state = observe(*other->biped, other->physics, {});
  for (const std::size_t side : {kLeft, kRight}) {
    out.feet += 0.5 * state.ankle[side].head<2>();
    out.arm += 0.5 * (other->biped->upper_arm[side] + other->biped->forearm[side]);
  }
  return true;
}

behaviour::tasks::ThingId RoomWorkplace::giver() const {
  for (const auto& told : hands_.handings()) {
    const auto stage = told.handing.stage;
    const bool gives = stage == behaviour::tasks::Handing::Stage::kComes ||
                       stage == behaviour::tasks::Handing::Stage::kOffers;
    if (gives && told.handing.other == self_.id) return told.id;
  }
  return 0;
}

}  // namespace promenade::world
