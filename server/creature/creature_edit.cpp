#include "creature/creature_edit.h"

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "creature/creature_builder.h"
#include "creature/dress/dress_edit.h"
#include "creature/repeated_vector.h"
#include "math/random.h"
#include "math/types.h"

namespace promenade {
namespace {

using google::protobuf::RepeatedField;

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

/// The factor of the radius of a capsule or cylinder: the geometric mean of the factors across it.
/// @param along  from one end to the other
double radius_factor(const Vec3& along, const Vec3& factors) {
  const Vec3 extent = along.cwiseAbs();
  if (extent.maxCoeff() <= 0) return std::cbrt(factors.prod());
  int axis = 2;
  extent.maxCoeff(&axis);
  return std::sqrt(factors.prod() / factors[axis]);
}

/// A capsule or a cylinder.
template <typename Rod>
void scale_rod(Rod* rod, const Vec3& factors) {
  const Vec3 along = vec3(rod->to_m()) - vec3(rod->from_m());
  rod->set_radius_m(rod->radius_m() * radius_factor(along, factors));
  scale(rod->mutable_from_m(), factors);
  scale(rod->mutable_to_m(), factors);
}

void scale_shape(v1::Shape* shape, const Vec3& factors) {
  switch (shape->kind_case()) {
    case v1::Shape::kCapsule:
      return scale_rod(shape->mutable_capsule(), factors);
    case v1::Shape::kCylinder:
      return scale_rod(shape->mutable_cylinder(), factors);
    case v1::Shape::kSphere: {
      v1::Sphere* sphere = shape->mutable_sphere();
      sphere->set_radius_m(sphere->radius_m() * std::cbrt(factors.prod()));
      return scale(sphere->mutable_center_m(), factors);
    }
    case v1::Shape::kBox:
      scale(shape->mutable_box()->mutable_center_m(), factors);
      return scale(shape->mutable_box()->mutable_half_m(), factors);
    case v1::Shape::KIND_NOT_SET:
      return;
  }
}

void scale_moments(v1::Link* link, const Vec3& factors, double mass_factor) {
  const Vec3 moments = vec3(link->inertia_kgm2());
  const Vec3 second = Vec3::Constant(0.5 * moments.sum()) - moments;  // sum of m x^2, m y^2, m z^2
  const Vec3 scaled = (mass_factor * second.array() * factors.array().square()).matrix();
  for (int i = 0; i < 3; ++i) link->set_inertia_kgm2(i, scaled.sum() - scaled[i]);
}

double total_mass(const v1::Creature& creature) {
  double mass = 0;
  for (const v1::Link& link : creature.links()) mass += link.mass_kg();
  return mass;
}

/// The part of the body beyond a joint, in the zero pose.
struct Beyond {
  double moment = 0;  // kg m^2, about the joint, mean over the axes
  double mass = 0;    // kg
};

/// [joints] @pre model order: joints[i] is that of links[i + 1]
std::vector<Beyond> beyond_joints(const v1::Creature& creature) {
  const auto count = static_cast<std::size_t>(creature.links_size());
  std::map<std::string, std::size_t> index;
  for (std::size_t i = 0; i < count; ++i) index[creature.links(static_cast<int>(i)).name()] = i;
  std::vector<Vec3> origin(count, Vec3::Zero()), anchor(count, Vec3::Zero());
  std::vector<std::size_t> parent(count, 0);
  for (std::size_t i = 1; i < count; ++i) {
    const v1::Joint& joint = creature.joints(static_cast<int>(i) - 1);
    parent[i] = index.at(joint.parent());
    anchor[i] = origin[parent[i]] + vec3(joint.at_parent_m());
    origin[i] = anchor[i] - vec3(joint.at_child_m());
  }
  std::vector<Beyond> out(count);
  for (std::size_t i = 1; i < count; ++i) {
    const v1::Link& link = creature.links(static_cast<int>(i));
    const double own = vec3(link.inertia_kgm2()).sum() / 3;
    for (std::size_t j = i; j != 0; j = parent[j]) {
      out[j].moment += own + 2.0 / 3.0 * link.mass_kg() * (origin[i] - anchor[j]).squaredNorm();
      out[j].mass += link.mass_kg();
    }
  }
  out.erase(out.begin());
  return out;
}

/// The limits and the rest position of a slider grow as its parent does along its axis.
void scale_travel(v1::Joint* joint, const Vec3& factors) {
  if (joint->kind() != v1::SLIDER) return;
  const double factor = factors.cwiseProduct(vec3(joint->axis())).norm();
  for (auto* values :
       {joint->mutable_lower_m(), joint->mutable_upper_m(), joint->mutable_rest_m()}) {
    for (double& value : *values) value *= factor;
  }
}

/// Factors by which the whole body grows.
struct Growth {
  double mass = 1;
  double size = 1;  // of a length: the cube root of that of the volume
};

void scale_gains(v1::Joint* joint, const Growth& by, const Beyond& before, const Beyond& after) {
  joint->set_kp_nm(joint->kp_nm() * by.mass);
  joint->set_kd_nms(joint->kd_nms() * std::sqrt(by.mass * after.moment / before.moment));
  joint->set_torque_limit_nm(joint->torque_limit_nm() * by.mass * by.size);
  joint->set_kp_npm(joint->kp_npm() * by.mass / by.size);
  joint->set_kd_nspm(joint->kd_nspm() * std::sqrt(by.mass / by.size * after.mass / before.mass));
  joint->set_force_limit_n(joint->force_limit_n() * by.mass);
}

void scale_tie(v1::Tie* tie, const Growth& by, const std::map<std::string, Vec3>& factors_of,
               const std::string& root) {
  for (v1::Anchor* anchor : {tie->mutable_a(), tie->mutable_b()}) {
    const std::string& link = anchor->link().empty() ? root : anchor->link();
    if (anchor->point_m_size() == 3) scale(anchor->mutable_point_m(), factors_of.at(link));
  }
  tie->set_length_m(tie->length_m() * by.size);
  tie->set_stiffness_npm(tie->stiffness_npm() * by.mass / by.size);
  tie->set_damping_nspm(tie->damping_nspm() * by.mass / std::sqrt(by.size));
  tie->set_break_n(tie->break_n() * by.mass);
}

}  // namespace

v1::Creature apply_edit(const v1::Creature& base, const v1::BodyEdit& edit) {
  v1::Creature out = in_model_order(base);
  const double mass_before = total_mass(out);
  const std::vector<Beyond> before = beyond_joints(out);

  std::map<std::string, const v1::LinkEdit*> edit_of;
  for (const v1::LinkEdit& link : edit.links()) edit_of[link.link()] = &link;
  std::map<std::string, Vec3> factors_of;
  double mass_undensified = 0;  // the mass at the old densities, for the ratio of volumes
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
    scale_travel(&joint, factors_of.at(joint.parent()));
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

  const Growth growth{total_mass(out) / mass_before, std::cbrt(mass_undensified / mass_before)};
  const std::vector<Beyond> after = beyond_joints(out);
  for (int i = 0; i < out.joints_size(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    scale_gains(out.mutable_joints(i), growth, before[k], after[k]);
  }
  for (v1::Tie& tie : *out.mutable_ties()) {
    scale_tie(&tie, growth, factors_of, out.links(0).name());
  }
  for (v1::Ornament& ornament : *out.mutable_ornaments()) {
    scale_ornament(&ornament, factors_of.at(ornament.link()));
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
  // The longer leg is drawn so that the shorter one stays within the range, too.
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
