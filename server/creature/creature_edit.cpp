#include "creature/creature_edit.h"

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "creature/creature_builder.h"
#include "math/random.h"
#include "math/types.h"

namespace promenade {
namespace {

using google::protobuf::RepeatedField;

Vec3 vec3(const RepeatedField<double>& values) { return {values[0], values[1], values[2]}; }

void scale(RepeatedField<double>* values, const Vec3& factors) {
  for (int i = 0; i < 3; ++i) values->Set(i, values->Get(i) * factors[i]);
}

double or_one(double factor) { return factor == 0 ? 1 : factor; }

/// 0, 1 or 2: the link's length is along x, y or z.
int long_axis(const v1::Joint* joint) {
  if (!joint) return 2;
  int axis = 2;
  const Vec3 to_joint = vec3(joint->at_child_m()).cwiseAbs();
  to_joint.maxCoeff(&axis);
  return to_joint[axis] > 0 ? axis : 2;
}

/// The factor of a capsule's radius: the geometric mean of the factors across it.
double radius_factor(const v1::Capsule& capsule, const Vec3& factors) {
  const Vec3 along = (vec3(capsule.to_m()) - vec3(capsule.from_m())).cwiseAbs();
  if (along.maxCoeff() <= 0) return std::cbrt(factors.prod());
  int axis = 2;
  along.maxCoeff(&axis);
  return std::sqrt(factors.prod() / factors[axis]);
}

void scale_shape(v1::Shape* shape, const Vec3& factors) {
  if (shape->has_capsule()) {
    v1::Capsule* capsule = shape->mutable_capsule();
    capsule->set_radius_m(capsule->radius_m() * radius_factor(*capsule, factors));
    scale(capsule->mutable_from_m(), factors);
    scale(capsule->mutable_to_m(), factors);
  } else {
    scale(shape->mutable_box()->mutable_center_m(), factors);
    scale(shape->mutable_box()->mutable_half_m(), factors);
  }
}

void scale_moments(v1::Link* link, const Vec3& factors, double mass_factor) {
  const Vec3 moments = vec3(link->inertia_kgm2());
  const Vec3 second = Vec3::Constant(0.5 * moments.sum()) - moments;  // sum of m x^2, m y^2, m z^2
  const Vec3 scaled = (mass_factor * second.array() * factors.array().square()).matrix();
  for (int i = 0; i < 3; ++i) link->set_inertia_kgm2(i, scaled.sum() - scaled[i]);
}

double total_mass(const v1::Creature& character) {
  double mass = 0;
  for (const v1::Link& link : character.links()) mass += link.mass_kg();
  return mass;
}

/// For each joint, the moment about it (mean over the axes) of every link beyond it in the zero
/// pose. @pre model order: joints[i] is that of links[i + 1]
std::vector<double> moments_beyond(const v1::Creature& character) {
  const auto count = static_cast<std::size_t>(character.links_size());
  std::map<std::string, std::size_t> index;
  for (std::size_t i = 0; i < count; ++i) index[character.links(static_cast<int>(i)).name()] = i;
  std::vector<Vec3> origin(count, Vec3::Zero()), anchor(count, Vec3::Zero());
  std::vector<std::size_t> parent(count, 0);
  for (std::size_t i = 1; i < count; ++i) {
    const v1::Joint& joint = character.joints(static_cast<int>(i) - 1);
    parent[i] = index.at(joint.parent());
    anchor[i] = origin[parent[i]] + vec3(joint.at_parent_m());
    origin[i] = anchor[i] - vec3(joint.at_child_m());
  }
  std::vector<double> moments(count, 0);
  for (std::size_t i = 1; i < count; ++i) {
    const v1::Link& link = character.links(static_cast<int>(i));
    const double own = vec3(link.inertia_kgm2()).sum() / 3;
    for (std::size_t j = i; j != 0; j = parent[j]) {
      moments[j] += own + 2.0 / 3.0 * link.mass_kg() * (origin[i] - anchor[j]).squaredNorm();
    }
  }
  moments.erase(moments.begin());
  return moments;
}

}  // namespace

v1::Creature apply_edit(const v1::Creature& base, const v1::BodyEdit& edit) {
  v1::Creature out = in_model_order(base);
  const double mass_before = total_mass(out);
  const std::vector<double> moments_before = moments_beyond(out);

  std::map<std::string, const v1::LinkEdit*> edit_of;
  for (const v1::LinkEdit& link : edit.links()) edit_of[link.link()] = &link;
  std::map<std::string, Vec3> factors_of;
  double mass_undensified = 0;  // as if no density had changed, for the ratio of volumes
  for (int i = 0; i < out.links_size(); ++i) {
    v1::Link* link = out.mutable_links(i);
    const auto found = edit_of.find(link->name());
    const v1::LinkEdit& own =
        found == edit_of.end() ? v1::LinkEdit::default_instance() : *found->second;
    Vec3 factors = Vec3::Constant(or_one(edit.scale()) * or_one(own.width()));
    factors[long_axis(i == 0 ? nullptr : &out.joints(i - 1))] =
        or_one(edit.scale()) * or_one(own.length());
    const double mass_factor = factors.prod() * or_one(own.density());
    mass_undensified += link->mass_kg() * factors.prod();
    link->set_mass_kg(link->mass_kg() * mass_factor);
    scale_moments(link, factors, mass_factor);
    for (v1::Shape& shape : *link->mutable_shapes()) scale_shape(&shape, factors);
    factors_of[link->name()] = factors;
  }
  for (v1::Joint& joint : *out.mutable_joints()) {
    scale(joint.mutable_at_parent_m(), factors_of.at(joint.parent()));
    scale(joint.mutable_at_child_m(), factors_of.at(joint.child()));
  }
  for (const v1::JointEdit& offset : edit.joints()) {
    for (v1::Joint& joint : *out.mutable_joints()) {
      if (joint.name() != offset.joint()) continue;
      for (int i = 0; i < 3; ++i) {
        joint.set_at_parent_m(i, joint.at_parent_m(i) + offset.offset_m(i));
        joint.set_at_child_m(i, joint.at_child_m(i) + offset.offset_m(i));
      }
    }
  }

  const double mass_ratio = total_mass(out) / mass_before;
  const double size_ratio = std::cbrt(mass_undensified / mass_before);
  const std::vector<double> moments = moments_beyond(out);
  for (int i = 0; i < out.joints_size(); ++i) {
    v1::Joint* joint = out.mutable_joints(i);
    const auto k = static_cast<std::size_t>(i);
    joint->set_kp_nm(joint->kp_nm() * mass_ratio);
    joint->set_kd_nms(joint->kd_nms() * std::sqrt(mass_ratio * moments[k] / moments_before[k]));
    joint->set_torque_limit_nm(joint->torque_limit_nm() * mass_ratio * size_ratio);
  }
  return out;
}

v1::BodyEdit random_edit(std::uint64_t seed) {
  constexpr double kShortest = 0.6, kLongest = 1.5, kUnequal = 0.15;
  Random random(seed);
  v1::BodyEdit edit;
  const auto add = [&](const std::string& link, double length) {
    v1::LinkEdit* out = edit.add_links();
    out->set_link(link);
    out->set_length(length);
  };
  for (const char* link : {"pelvis", "lower_back", "torso", "head"}) {
    add(link, random.uniform(kShortest, kLongest));
  }
  for (const char* link : {"upper_arm", "lower_arm", "foot"}) {
    const double length = random.uniform(kShortest, kLongest);
    add(std::string("left_") + link, length);
    add(std::string("right_") + link, length);
  }
  // Drawn so that the shorter leg too stays within the range.
  const double ratio = 1 + kUnequal * random.uniform();
  const bool left_longer = random.chance(0.5);
  for (const char* link : {"thigh", "shank"}) {
    const double longer = random.uniform(kShortest * (1 + kUnequal), kLongest);
    const double shorter = longer / ratio;
    add(std::string("left_") + link, left_longer ? longer : shorter);
    add(std::string("right_") + link, left_longer ? shorter : longer);
  }
  return edit;
}

}  // namespace promenade
