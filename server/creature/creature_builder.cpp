#include "creature/creature_builder.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <utility>

#include "creature/creature_checks.h"

namespace promenade {
namespace {

using google::protobuf::RepeatedField;

Vec3 vec3(const RepeatedField<double>& values) { return {values[0], values[1], values[2]}; }

/// Up to three entries, the rest as in `otherwise`.
Vec3 vec3_or(const RepeatedField<double>& values, double otherwise) {
  Vec3 out = Vec3::Constant(otherwise);
  for (int i = 0; i < std::min(values.size(), 3); ++i) out[i] = values[i];
  return out;
}

physics::Shape build_shape(const v1::Shape& shape) {
  physics::Shape out;
  if (shape.has_capsule()) {
    out.kind = physics::Shape::Kind::kCapsule;
    out.a = vec3(shape.capsule().from_m());
    out.b = vec3(shape.capsule().to_m());
    out.radius = shape.capsule().radius_m();
  } else {
    out.kind = physics::Shape::Kind::kBox;
    out.a = vec3(shape.box().center_m());
    out.b = vec3(shape.box().half_m());
  }
  return out;
}

physics::JointKind build_kind(v1::JointKind kind) {
  switch (kind) {
    case v1::HINGE:
      return physics::JointKind::kHinge;
    case v1::UNIVERSAL:
      return physics::JointKind::kUniversal;
    default:
      return physics::JointKind::kBall;
  }
}

JointGains build_gains(const v1::Joint& joint) {
  JointGains gains;
  gains.kp = joint.kp_nm();
  gains.kd = joint.kd_nms() > 0 ? joint.kd_nms() : 2 * std::sqrt(joint.kp_nm());
  gains.limit = joint.torque_limit_nm();
  gains.scale = vec3_or(joint.gain_scale(), 1);
  return gains;
}

double lowest_point(const physics::LinkModel& link) {
  double lowest = 0;
  for (const physics::Shape& shape : link.shapes) {
    const double low = shape.kind == physics::Shape::Kind::kBox
                           ? shape.a.z() - shape.b.z()
                           : std::min(shape.a.z(), shape.b.z()) - shape.radius;
    lowest = std::min(lowest, low);
  }
  return lowest;
}

/// Lengths and heights that follow from the zero pose, where all link frames are parallel.
void measure(Creature* body) {
  const auto& links = body->model->links;
  std::vector<Vec3> origin(links.size(), Vec3::Zero());  // from the root's origin
  std::vector<Vec3> joint(links.size(), Vec3::Zero());
  for (std::size_t i = 1; i < links.size(); ++i) {
    joint[i] = origin[static_cast<std::size_t>(links[i].parent)] + links[i].at_parent;
    origin[i] = joint[i] - links[i].at_child;
  }
  const auto of = [&](Part part) {
    return static_cast<std::size_t>(body->link[static_cast<std::size_t>(part)]);
  };
  double ground = 0;
  Vec3 com = Vec3::Zero();
  body->total_mass = 0;
  for (std::size_t i = 0; i < links.size(); ++i) {
    if (links[i].is_foot) ground = std::min(ground, origin[i].z() + lowest_point(links[i]));
    com += links[i].mass * origin[i];
    body->total_mass += links[i].mass;
  }
  com /= body->total_mass;
  body->standing_height = -ground;
  body->standing_com_height = com.z() - ground;
  for (std::size_t side = 0; side < 2; ++side) {
    const std::size_t thigh = of(side == 0 ? kLeftThigh : kRightThigh);
    const std::size_t foot = of(side == 0 ? kLeftFoot : kRightFoot);
    body->leg_length[side] = (joint[thigh] - joint[foot]).norm();
    body->ankle_height[side] = links[foot].at_child.z() - lowest_point(links[foot]);
  }
}

std::optional<schema::FileError> check_measures(const Creature& body,
                                                const schema::Source& source) {
  for (std::size_t side = 0; side < 2; ++side) {
    if (body.leg_length[side] < 0.05 || body.leg_length[side] > 10 || body.ankle_height[side] < 0 ||
        body.standing_height <= 0) {
      return schema::FileError{source.file,
                               source.line("joints"),
                               "joints",
                               "",
                               "",
                               std::string(side == 0 ? "the left" : "the right") +
                                   " leg does not reach down: hip to ankle must be from 0.05 to "
                                   "10 m, with the sole below the ankle"};
    }
  }
  return std::nullopt;
}

}  // namespace

v1::Creature in_model_order(const v1::Creature& character) {
  std::map<std::string, const v1::Joint*> joint_of;
  for (const v1::Joint& joint : character.joints()) joint_of[joint.child()] = &joint;
  v1::Creature out = character;
  out.clear_links();
  out.clear_joints();
  std::map<std::string, bool> placed;
  while (out.links_size() < character.links_size()) {
    const int before = out.links_size();
    for (const v1::Link& link : character.links()) {
      if (placed[link.name()]) continue;
      const auto joint = joint_of.find(link.name());
      if (joint != joint_of.end() && !placed[joint->second->parent()]) continue;
      placed[link.name()] = true;
      *out.add_links() = link;
      if (joint != joint_of.end()) *out.add_joints() = *joint->second;
    }
    if (out.links_size() == before) return character;  // a cycle: the precondition is broken
  }
  return out;
}

schema::Result<Creature> build_creature(const v1::Creature& given, const schema::Source& source) {
  if (auto error = check_creature(given, source)) return *std::move(error);
  const v1::Creature character = in_model_order(given);

  Creature body;
  body.name = character.name();
  body.title = character.title().empty() ? character.name() : character.title();
  body.color = character.color().empty() ? "#b7a58f" : character.color();
  auto model = std::make_shared<physics::ArticulationModel>();
  const auto count = static_cast<std::size_t>(character.links_size());
  model->links.resize(count);
  body.gains.resize(count);
  body.joint_names.resize(count);
  for (const v1::Link& link : character.links()) body.link_names.push_back(link.name());
  for (std::size_t i = 0; i < count; ++i) {
    const v1::Link& link = character.links(static_cast<int>(i));
    physics::LinkModel& out = model->links[i];
    out.mass = link.mass_kg();
    out.inertia = vec3(link.inertia_kgm2());
    for (const v1::Shape& shape : link.shapes()) out.shapes.push_back(build_shape(shape));
    if (i == 0) continue;
    const v1::Joint& joint = character.joints(static_cast<int>(i) - 1);
    out.parent = body.find_link(joint.parent());
    out.joint = build_kind(joint.kind());
    out.at_parent = vec3(joint.at_parent_m());
    out.at_child = vec3(joint.at_child_m());
    if (joint.axis_size() == 3) out.axis = vec3(joint.axis()).normalized();
    out.lower = vec3_or(joint.lower_rad(), -10);
    out.upper = vec3_or(joint.upper_rad(), 10);
    body.joint_names[i] = joint.name();
    body.gains[i] = build_gains(joint);
  }
  for (int part = 0; part < kPartCount; ++part) {
    body.link[static_cast<std::size_t>(part)] = body.find_link(part_name(static_cast<Part>(part)));
  }
  for (const Part part : {kLeftFoot, kRightFoot, kLeftToes, kRightToes}) {
    const int index = body.link[static_cast<std::size_t>(part)];
    model->links[static_cast<std::size_t>(index)].is_foot = true;
  }
  model->finish();
  body.model = std::move(model);
  measure(&body);
  if (auto error = check_measures(body, source)) return *std::move(error);
  return body;
}

}  // namespace promenade
