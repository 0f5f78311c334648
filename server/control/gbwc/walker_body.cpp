#include "control/gbwc/walker_body.h"

#include <algorithm>
#include <cmath>

#include "control/gbwc/posture/duck.h"
#include "control/gbwc/posture/stoop.h"
#include "creature/creature.h"

namespace promenade::control::gbwc {
namespace {

constexpr double kHumanMass = 70.4;  // kg, of the body that forces and gains are given for

/// How far the foot reaches from the ankle in its own frame: forward, backward, half width.
Vec3 foot_reach(const Creature& body, const Biped& biped, int side) {
  const auto& links = body.model->links;
  const int foot = biped.link[kLeftFoot + side], toes = biped.link[kLeftToes + side];
  const Vec3 ankle = links[foot].at_child;
  const Vec3 toes_in_foot = links[toes].at_parent - links[toes].at_child;
  Vec3 reach(0.05, 0.05, 0.03);
  auto extend = [&](int link, const Vec3& offset) {
    for (const physics::Shape& shape : links[link].shapes) {
      if (shape.kind != physics::Shape::Kind::kBox) continue;
      const Vec3 center = shape.a + offset - ankle;
      reach.x() = std::max(reach.x(), center.x() + shape.b.x());
      reach.y() = std::max(reach.y(), -(center.x() - shape.b.x()));
      reach.z() = std::max(reach.z(), shape.b.y());
    }
  };
  extend(foot, Vec3::Zero());
  extend(toes, toes_in_foot);
  return reach;
}

/// Height of the top of the head above the soles in the rest pose, m.
double stature(const Creature& body, const Biped& biped) {
  const physics::ArticulationModel& model = *body.model;
  physics::ArticulatedBody rest(body.model);
  Pose root;
  root.position.z() = body.standing_height;
  rest.set_state(physics::ArticulatedBody::zero_state(model, root));
  const int head = biped.link[kHead];
  double top = 0;
  for (const physics::Shape& shape : model.links[head].shapes) {
    const double z = rest.links()[head].position.z();
    const bool box = shape.kind == physics::Shape::Kind::kBox;
    const double high =
        box ? shape.a.z() + shape.b.z() : std::max(shape.a.z(), shape.b.z()) + shape.radius;
    top = std::max(top, z + high);
  }
  return top;
}

/// Distance of the ankles, m, at which one leg passes the other with a finger's breadth between.
double clear_width(const Creature& body, const Biped& biped, double between) {
  double both = 0;
  for (const int side : {kLeft, kRight}) {
    double half = 0;
    for (const int part : {kLeftShank + side, kLeftFoot + side}) {
      for (const physics::Shape& shape : body.model->links[biped.link[part]].shapes) {
        const bool box = shape.kind == physics::Shape::Kind::kBox;
        half = std::max(half, box ? shape.b.y() : shape.radius);
      }
    }
    both += half;
  }
  return both + between * body.leg_scale();
}

}  // namespace

WalkerBody::WalkerBody(std::shared_ptr<const Creature> of,
                       const std::shared_ptr<const GbwcParameters>& p, double lean)
    : creature(std::move(of)),
      biped(biped_of(*creature).value()),
      mass_scale(creature->total_mass / kHumanMass),
      length_scale(creature->leg_scale()),
      time_scale(std::sqrt(length_scale)) {
  for (int side : {kLeft, kRight})
    foot_reach[std::size_t(side)] = gbwc::foot_reach(*creature, biped, side);
  leg_of.assign(creature->model->links.size(), kNoLeg);
  for (int side : {kLeft, kRight}) {
    for (Part part : {kLeftThigh, kLeftShank, kLeftFoot, kLeftToes})
      leg_of[std::size_t(biped.link[part + side])] = side;
  }
  sight = sight_of(*p, length_scale, foot_reach);
  const double between = p->placement().between_legs_m();
  clear_width = gbwc::clear_width(*creature, biped, between);
  narrowest = clear_width - between * length_scale;
  stature = gbwc::stature(*creature, biped);
  stoops = stoop_table_of(creature, biped, p, lean, stooped_rest(*this, p->stoop()));
  deepest_knee = deepest_crouch(*this, *p);
  duck_drop = gbwc::duck_drop(*this, p->bend());
}

}  // namespace promenade::control::gbwc
