#include "creature/creature_builder.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <utility>

#include "creature/biped/biped.h"
#include "creature/creature_checks.h"
#include "creature/material_message.h"
#include "creature/pose.h"
#include "creature/repeated_vector.h"
#include "schema/refusal.h"

namespace promenade {
namespace {

using google::protobuf::RepeatedField;

/// Up to three entries, the rest as in `otherwise`.
Vec3 vec3_or(const RepeatedField<double>& values, double otherwise) {
  Vec3 out = Vec3::Constant(otherwise);
  for (int i = 0; i < std::min(values.size(), 3); ++i) out[i] = values[i];
  return out;
}

physics::Shape build_shape(const v1::Shape& shape) {
  physics::Shape out;
  switch (shape.kind_case()) {
    case v1::Shape::kCapsule:
      out.a = vec3(shape.capsule().from_m());
      out.b = vec3(shape.capsule().to_m());
      out.radius = shape.capsule().radius_m();
      break;
    case v1::Shape::kBox:
      out.kind = physics::Shape::Kind::kBox;
      out.a = vec3(shape.box().center_m());
      out.b = vec3(shape.box().half_m());
      break;
    case v1::Shape::kSphere:
      out.kind = physics::Shape::Kind::kSphere;
      out.a = out.b = vec3(shape.sphere().center_m());
      out.radius = shape.sphere().radius_m();
      break;
    case v1::Shape::kCylinder:
      out.kind = physics::Shape::Kind::kCylinder;
      out.a = vec3(shape.cylinder().from_m());
      out.b = vec3(shape.cylinder().to_m());
      out.radius = shape.cylinder().radius_m();
      break;
    case v1::Shape::KIND_NOT_SET:
      break;
  }
  if (shape.has_material()) out.material = build_material(shape.material());
  return out;
}

/// The kind that files call `name`. @pre there is one
physics::JointKind kind_named(const std::string& name) {
  const auto& types = physics::kJointTypes;
  const auto found = std::find_if(types.begin(), types.end(), [&](const physics::JointType& type) {
    return type.name == name;
  });
  return static_cast<physics::JointKind>(found - types.begin());
}

void build_joint(const v1::Joint& joint, physics::LinkModel* out) {
  constexpr double kUnlimited = std::numeric_limits<double>::infinity();
  out->joint = kind_named(v1::JointKind_Name(joint.kind()));
  const bool linear = physics::type_of(out->joint).linear;
  out->at_parent = vec3(joint.at_parent_m());
  out->at_child = vec3(joint.at_child_m());
  if (joint.axis_size() == 3) out->axis = vec3(joint.axis()).normalized();
  out->lower = vec3_or(linear ? joint.lower_m() : joint.lower_rad(), -kUnlimited);
  out->upper = vec3_or(linear ? joint.upper_m() : joint.upper_rad(), kUnlimited);
}

JointGains build_gains(const v1::Joint& joint) {
  const bool linear = physics::type_of(kind_named(v1::JointKind_Name(joint.kind()))).linear;
  JointGains gains;
  gains.kp = linear ? joint.kp_npm() : joint.kp_nm();
  gains.kd = linear ? joint.kd_nspm() : joint.kd_nms();
  if (gains.kd == 0) gains.kd = 2 * std::sqrt(gains.kp);
  gains.limit = linear ? Vec3::Constant(joint.force_limit_n())
                       : Vec3(joint.torque_limit_nm() * vec3_or(joint.torque_limit_scale(), 1));
  gains.scale = vec3_or(joint.gain_scale(), 1);
  gains.passive = joint.passive();
  return gains;
}

LimbKind build_limb_kind(v1::Limb::Kind kind) {
  switch (kind) {
    case v1::Limb::ARM:
      return LimbKind::kArm;
    case v1::Limb::TRUNK:
      return LimbKind::kTrunk;
    case v1::Limb::HEAD:
      return LimbKind::kHead;
    case v1::Limb::TAIL:
      return LimbKind::kTail;
    default:
      return LimbKind::kLeg;
  }
}

/// Takes over the limbs of the file, marks soles as feet and finds the trunk.
void build_limbs(const v1::Creature& message, physics::ArticulationModel* model, Creature* out) {
  for (const v1::Limb& given : message.limbs()) {
    Limb limb;
    limb.name = given.name();
    limb.kind = build_limb_kind(given.kind());
    for (const std::string& name : given.links()) limb.links.push_back(out->find_link(name));
    limb.soles = static_cast<int>(given.sole_links());
    if (limb.kind == LimbKind::kLeg) limb.soles = std::max(limb.soles, 1);
    for (std::size_t i = limb.links.size() - static_cast<std::size_t>(limb.soles);
         i < limb.links.size(); ++i) {
      model->links[static_cast<std::size_t>(limb.links[i])].is_foot = true;
    }
    if (limb.kind == LimbKind::kTrunk) out->trunk = limb.links.back();
    out->limbs.push_back(std::move(limb));
  }
}

/// Height of the lowest point of a link's shapes above its origin, m; 0 without shapes.
/// @param rotation  of the link, in axes whose z is up
double lowest_point(const physics::LinkModel& link, const Mat3& rotation) {
  double lowest = 0;
  for (const physics::Shape& shape : link.shapes) {
    const Vec3 a = rotation * shape.a, b = rotation * shape.b;
    const double low = shape.kind == physics::Shape::Kind::kBox
                           ? a.z() - rotation.row(2).cwiseAbs().dot(shape.b)
                           : std::min(a.z(), b.z()) - shape.radius;
    lowest = std::min(lowest, low);
  }
  return lowest;
}

/// Height of the highest point of a link's shapes above its origin, m; 0 without shapes.
double highest_point(const physics::LinkModel& link, const Mat3& rotation) {
  return -lowest_point(link, Vec3(1, -1, -1).asDiagonal() * rotation);  // upside down
}

/// Where the links are when the root's frame is the world's.
struct Placed {
  std::vector<Vec3> origin, joint;  // [links]
  std::vector<Mat3> rotation;       // [links]
};

/// @param pose  [links] coordinates of the joints, as in Creature::rest
Placed place_links(const physics::ArticulationModel& model, const std::vector<Vec3>& pose) {
  const auto& links = model.links;
  Placed out;
  out.origin.assign(links.size(), Vec3::Zero());
  out.joint.assign(links.size(), Vec3::Zero());
  out.rotation.assign(links.size(), Mat3::Identity());
  for (std::size_t i = 1; i < links.size(); ++i) {
    const auto parent = static_cast<std::size_t>(links[i].parent);
    if (!pose[i].isZero(0)) out.rotation[i] = joint_rotation(links[i], pose[i]).toRotationMatrix();
    out.rotation[i] = out.rotation[parent] * out.rotation[i];
    out.joint[i] = out.origin[parent] + out.rotation[parent] * links[i].at_parent;
    if (links[i].joint == physics::JointKind::kSlider) {
      out.joint[i] += out.rotation[i] * links[i].axis * pose[i].x();
    }
    out.origin[i] = out.joint[i] - out.rotation[i] * links[i].at_child;
  }
  return out;
}

/// Lengths that follow from the zero pose and heights that follow from the rest pose.
void measure(Creature* out) {
  const auto& links = out->model->links;
  const Placed zero = place_links(*out->model, std::vector<Vec3>(links.size(), Vec3::Zero()));
  const Placed rest = place_links(*out->model, out->rest);
  double ground = 0, top = 0;
  Vec3 com = Vec3::Zero();
  out->total_mass = 0;
  for (std::size_t i = 0; i < links.size(); ++i) {
    ground = std::min(ground, rest.origin[i].z() + lowest_point(links[i], rest.rotation[i]));
    top = std::max(top, rest.origin[i].z() + highest_point(links[i], rest.rotation[i]));
    com += links[i].mass * rest.origin[i];
    out->total_mass += links[i].mass;
  }
  com /= out->total_mass;
  out->standing_height = -ground;
  out->height = top - ground;
  out->standing_com_height = com.z() - ground;
  double sum = 0;
  int legs = 0;
  for (Limb& limb : out->limbs) {
    if (limb.kind != LimbKind::kLeg) continue;
    const auto count = limb.links.size();
    const auto first = static_cast<std::size_t>(limb.links.front());
    const auto sole =
        static_cast<std::size_t>(limb.links[count - static_cast<std::size_t>(limb.soles)]);
    limb.length = (zero.joint[first] - zero.joint[sole]).norm();
    limb.sole_height = (rest.rotation[sole] * links[sole].at_child).z() -
                       lowest_point(links[sole], rest.rotation[sole]);
    // A leg of soles alone has the length from its joint down to the ground.
    if (first == sole) limb.length = limb.sole_height;
    sum += limb.length;
    ++legs;
  }
  out->leg_length = legs > 0 ? sum / legs : out->standing_com_height;
}

std::optional<schema::FileError> check_measures(const Creature& creature,
                                                const schema::Source& source) {
  for (std::size_t i = 0; i < creature.limbs.size(); ++i) {
    const Limb& limb = creature.limbs[i];
    if (limb.kind != LimbKind::kLeg) continue;
    if (limb.length > 0 && limb.sole_height >= 0 && creature.standing_height > 0) continue;
    const std::string key = "limbs[" + std::to_string(i) + "]";
    return schema::FileError{source.file,
                             source.line(key),
                             key,
                             schema::in_quotes(limb.name),
                             "",
                             "the leg " + schema::in_quotes(limb.name) +
                                 " does not reach down: its sole must be below its last joint, and "
                                 "its last joint away from its first"};
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
  v1::Creature message = in_model_order(given);
  add_limbs_by_part_names(&message);

  Creature out;
  out.name = message.name();
  out.title = message.title().empty() ? message.name() : message.title();
  out.color = message.color().empty() ? "#b7a58f" : message.color();
  auto model = std::make_shared<physics::ArticulationModel>();
  const auto count = static_cast<std::size_t>(message.links_size());
  model->links.resize(count);
  model->links[0].joint = kind_named(v1::RootKind_Name(message.root()));
  out.gains.resize(count);
  out.rest.assign(count, Vec3::Zero());
  out.joint_names.resize(count);
  for (const v1::Link& link : message.links()) out.link_names.push_back(link.name());
  for (std::size_t i = 0; i < count; ++i) {
    const v1::Link& link = message.links(static_cast<int>(i));
    physics::LinkModel& to = model->links[i];
    to.mass = link.mass_kg();
    to.inertia = vec3(link.inertia_kgm2());
    for (const v1::Shape& shape : link.shapes()) to.shapes.push_back(build_shape(shape));
    if (i == 0) continue;
    const v1::Joint& joint = message.joints(static_cast<int>(i) - 1);
    build_joint(joint, &to);
    to.parent = out.find_link(joint.parent());
    out.rest[i] = physics::type_of(to.joint).linear ? vec3_or(joint.rest_m(), 0)
                                                    : vec3_or(joint.rest_rad(), 0);
    out.joint_names[i] = joint.name();
    out.gains[i] = build_gains(joint);
  }
  build_limbs(message, model.get(), &out);
  // Controllers move limbs and know the springs of the contacts they push off from. A body without
  // limbs is a thing, and may be stacked.
  model->hard = out.limbs.empty();
  model->finish();
  out.model = std::move(model);
  measure(&out);
  if (auto error = check_measures(out, source)) return *std::move(error);
  return out;
}

}  // namespace promenade
