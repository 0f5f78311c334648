#include "creature/creature_checks.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "creature/dress/dress_checks.h"
#include "creature/inertia_checks.h"
#include "creature/material_message.h"
#include "creature/repeated_vector.h"
#include "creature/tree_checks.h"
#include "math/types.h"
#include "physics/articulation.h"
#include "schema/check.h"
#include "schema/shown_text.h"

namespace promenade {
namespace {

using google::protobuf::RepeatedField;
using schema::Checker;
using schema::in_quotes;
using schema::indexed;

constexpr double kThinnest = 1e-5;   // m, of a shape
constexpr double kLightest = 1e-7;   // kg, of a link
constexpr double kHeaviest = 1e5;    // kg, of a link
constexpr double kWidestTurn = 6.3;  // rad, widest limit of a joint
constexpr int kMostShapes = 16;      // shapes of a link

bool vector_within(Checker* check, const std::string& key, const RepeatedField<double>& values,
                   double bound) {
  if (!check->count(key, static_cast<std::size_t>(values.size()), 3)) return false;
  for (int i = 0; i < 3; ++i) {
    if (!check->range(indexed(key, i), values[i], -bound, bound, " m")) return false;
  }
  return true;
}

bool check_radius(Checker* check, const std::string& key, double radius) {
  return check->positive(key, radius, " m") &&
         check->range(key, radius, kThinnest, kFarthest, " m");
}

void check_shape(Checker* check, const std::string& key, const v1::Shape& shape) {
  check_material(check, key + ".material.", shape.material());
  switch (shape.kind_case()) {
    case v1::Shape::kCapsule: {
      vector_within(check, key + ".capsule.from_m", shape.capsule().from_m(), kFarthest);
      vector_within(check, key + ".capsule.to_m", shape.capsule().to_m(), kFarthest);
      check_radius(check, key + ".capsule.radius_m", shape.capsule().radius_m());
      return;
    }
    case v1::Shape::kBox: {
      const std::string half = key + ".box.half_m";
      vector_within(check, key + ".box.center_m", shape.box().center_m(), kFarthest);
      if (!vector_within(check, half, shape.box().half_m(), kFarthest)) return;
      for (int i = 0; i < 3; ++i) check_radius(check, indexed(half, i), shape.box().half_m(i));
      return;
    }
    case v1::Shape::kSphere:
      vector_within(check, key + ".sphere.center_m", shape.sphere().center_m(), kFarthest);
      check_radius(check, key + ".sphere.radius_m", shape.sphere().radius_m());
      return;
    case v1::Shape::kCylinder: {
      const v1::Cylinder& cylinder = shape.cylinder();
      check_radius(check, key + ".cylinder.radius_m", cylinder.radius_m());
      if (vector_within(check, key + ".cylinder.from_m", cylinder.from_m(), kFarthest) &&
          vector_within(check, key + ".cylinder.to_m", cylinder.to_m(), kFarthest)) {
        const double length = (vec3(cylinder.to_m()) - vec3(cylinder.from_m())).norm();
        if (length < kThinnest) {
          check->fail(key + ".cylinder.to_m", schema::number(length) + " m from from_m",
                      "at least " + schema::number(kThinnest) + " m from it");
        }
      }
      return;
    }
    case v1::Shape::KIND_NOT_SET:
      check->fail(key, "neither", "a capsule, a box, a sphere or a cylinder", "is empty");
      return;
  }
}

void check_link(Checker* check, const std::string& key, const v1::Link& link) {
  check->name(key + ".name", link.name());
  if (check->positive(key + ".mass_kg", link.mass_kg(), " kg")) {
    check->range(key + ".mass_kg", link.mass_kg(), kLightest, kHeaviest, " kg");
  }
  const std::string moments = key + ".inertia_kgm2";
  if (check->count(moments, static_cast<std::size_t>(link.inertia_kgm2_size()), 3)) {
    for (int i = 0; i < 3; ++i) {
      check->positive(indexed(moments, i), link.inertia_kgm2(i), " kg m^2");
    }
  }
  if (link.shapes_size() > kMostShapes) {
    check->fail(key + ".shapes", std::to_string(link.shapes_size()) + " shapes",
                "at most " + std::to_string(kMostShapes));
  }
  for (int i = 0; i < link.shapes_size(); ++i) {
    check_shape(check, key + "." + indexed("shapes", i), link.shapes(i));
  }
  if (check->ok()) check_inertia(check, key, link);
}

/// The names of a joint's fields, in the unit of its coordinates.
struct JointFields {
  const char *lower, *upper, *rest, *kp, *kd, *limit;
  const char *unit, *kp_unit, *kd_unit, *limit_unit;
  double widest;  // of lower and upper
};
constexpr JointFields kTurning = {
    "lower_rad", "upper_rad", "rest_rad",   "kp_nm", "kd_nms",   "torque_limit_nm",
    " rad",      " N m/rad",  " N m s/rad", " N m",  kWidestTurn};
constexpr JointFields kSliding = {"lower_m",       "upper_m", "rest_m", "kp_npm", "kd_nspm",
                                  "force_limit_n", " m",      " N/m",   " N s/m", " N",
                                  kFarthest};

/// The values of those fields.
struct JointValues {
  const RepeatedField<double>&lower, &upper, &rest;
  double kp, kd, limit;

  bool any() const {
    return lower.size() + upper.size() + rest.size() > 0 || kp != 0 || kd != 0 || limit != 0;
  }
};
JointValues turning(const v1::Joint& joint) {
  return {joint.lower_rad(), joint.upper_rad(), joint.rest_rad(),
          joint.kp_nm(),     joint.kd_nms(),    joint.torque_limit_nm()};
}
JointValues sliding(const v1::Joint& joint) {
  return {joint.lower_m(), joint.upper_m(), joint.rest_m(),
          joint.kp_npm(),  joint.kd_nspm(), joint.force_limit_n()};
}

/// Limits around the rest position; both left out mean none.
void check_limits(Checker* check, const std::string& key, const JointFields& fields,
                  const JointValues& values, std::size_t dof) {
  const std::string lower = key + fields.lower, upper = key + fields.upper,
                    rest = key + fields.rest;
  if (!values.rest.empty()) {
    if (!check->count(rest, static_cast<std::size_t>(values.rest.size()), dof)) return;
    for (int i = 0; i < values.rest.size(); ++i) {
      check->range(indexed(rest, i), values.rest[i], -fields.widest, fields.widest, fields.unit);
    }
  }
  if (values.lower.empty() && values.upper.empty()) return;
  if (!check->count(lower, static_cast<std::size_t>(values.lower.size()), dof)) return;
  if (!check->count(upper, static_cast<std::size_t>(values.upper.size()), dof)) return;
  for (int i = 0; i < static_cast<int>(dof); ++i) {
    const double middle = values.rest.empty() ? 0 : values.rest[i];
    check->range(indexed(lower, i), values.lower[i], -fields.widest, middle, fields.unit);
    check->range(indexed(upper, i), values.upper[i], middle, fields.widest, fields.unit);
    if (values.lower[i] >= values.upper[i]) {
      check->fail(indexed(lower, i), schema::number(values.lower[i]),
                  std::string("below ") + fields.upper + ", " + schema::number(values.upper[i]));
    }
  }
}

void check_joint(Checker* check, const std::string& key, const v1::Joint& joint) {
  check->name(key + ".name", joint.name());
  vector_within(check, key + ".at_parent_m", joint.at_parent_m(), kFarthest);
  vector_within(check, key + ".at_child_m", joint.at_child_m(), kFarthest);
  const physics::JointType* type = nullptr;
  std::string kinds;
  for (const physics::JointType& known : physics::kJointTypes) {
    if (known.root) continue;
    if (v1::JointKind_Name(joint.kind()) == known.name) type = &known;
    kinds += (kinds.empty() ? "" : ", ") + std::string(known.name);
  }
  if (!type) {
    check->fail(key + ".kind", given_kind(joint.kind()), "one of " + kinds);
    return;
  }
  check_axis(check, key + ".axis", joint.axis(), type->has_axis);
  const JointFields& fields = type->linear ? kSliding : kTurning;
  const JointFields& others = type->linear ? kTurning : kSliding;
  const JointValues values = type->linear ? sliding(joint) : turning(joint);
  if ((type->linear ? turning(joint) : sliding(joint)).any()) {
    check->fail(key, std::string("a ") + type->name,
                std::string("a joint without ") + others.lower + ", " + others.upper + ", " +
                    others.rest + ", " + others.kp + ", " + others.kd + " and " + others.limit,
                std::string("a ") + type->name + " has fields in" + others.unit +
                    "; its own are in" + fields.unit);
    return;
  }
  check_limits(check, key + ".", fields, values, static_cast<std::size_t>(type->dof));
  check->range(key + "." + fields.kp, values.kp, 0, 1e6, fields.kp_unit);
  check->range(key + "." + fields.kd, values.kd, 0, 1e6, fields.kd_unit);
  const std::string limit = key + "." + fields.limit;
  // A joint without a servo needs no limit of torque.
  const bool passive = values.kp == 0 && values.kd == 0;
  if (passive || check->positive(limit, values.limit, fields.limit_unit)) {
    check->range(limit, values.limit, 0, 1e7, fields.limit_unit);
  }
  const auto scale = [&](const char* name, const auto& values_of, double least) {
    const std::string field = key + "." + name;
    if (values_of.empty() || !check->count(field, std::size_t(values_of.size()), 3)) return;
    for (int i = 0; i < 3; ++i) check->range(indexed(field, i), values_of[i], least, 100);
  };
  scale("gain_scale", joint.gain_scale(), 0);
  scale("torque_limit_scale", joint.torque_limit_scale(), 0.001);
}

std::optional<schema::FileError> first_error(const Checker& check) {
  if (check.ok()) return std::nullopt;
  return check.error();
}

}  // namespace

std::optional<schema::FileError> check_labels(const v1::Creature& creature,
                                              const schema::Source& source) {
  Checker check(source);
  check.name("name", creature.name());
  if (const auto fault = schema::text_fault(creature.title(), 80)) {
    check.fail("title", fault->value, fault->allowed);
  }
  if (const auto fault = schema::text_fault(creature.description(), 400)) {
    check.fail("description", fault->value, fault->allowed);
  }
  if (!creature.color().empty()) check.color("color", creature.color());
  if (!v1::Creature::Look_IsValid(creature.look())) {
    check.fail("look", std::to_string(creature.look()),
               "one of PLAIN, PERSON, MACHINE, BEAST, INSECT");
  }
  return first_error(check);
}

std::optional<schema::FileError> check_creature(const v1::Creature& creature,
                                                const schema::Source& source) {
  if (auto error = check_labels(creature, source)) return error;
  Checker check(source);
  if (creature.links_size() == 0) {
    check.fail("links", "none", "the links of a body, or a `base` instead");
  }
  if (creature.links_size() > physics::kMaxLinks) {
    check.fail("links", std::to_string(creature.links_size()) + " links",
               "at most " + std::to_string(physics::kMaxLinks));
  }
  if (!v1::RootKind_IsValid(creature.root())) {
    check.fail("root", std::to_string(creature.root()), "one of FREE, PLANAR, FIXED");
  }
  for (int i = 0; i < creature.links_size() && check.ok(); ++i) {
    check_link(&check, indexed("links", i), creature.links(i));
  }
  for (int i = 0; i < creature.joints_size() && check.ok(); ++i) {
    check_joint(&check, indexed("joints", i), creature.joints(i));
  }
  if (check.ok()) check_tree(&check, creature);
  if (check.ok()) check_limbs(&check, creature);
  if (check.ok()) check_ties(&check, creature);
  if (check.ok()) check_dress(&check, creature);
  return first_error(check);
}

std::optional<schema::FileError> check_edit(const v1::Creature& base, const v1::BodyEdit& edit,
                                            const schema::Source& source) {
  Checker check(source);
  const auto factor = [&](const std::string& key, double value, double low, double high) {
    if (value != 0) check.range(key, value, low, high);
  };
  factor("edit.scale", edit.scale(), 0.3, 3);
  std::map<std::string, int> seen;
  for (int i = 0; i < edit.links_size() && check.ok(); ++i) {
    const v1::LinkEdit& link = edit.links(i);
    const std::string key = "edit." + indexed("links", i);
    if (std::none_of(base.links().begin(), base.links().end(),
                     [&](const v1::Link& l) { return l.name() == link.link(); })) {
      check.fail(key + ".link", in_quotes(link.link()), "a link of " + in_quotes(base.name()));
    }
    if (!seen.emplace(link.link(), i).second) {
      check.fail(key + ".link", in_quotes(link.link()), "given once",
                 in_quotes(link.link()) + " is edited twice");
    }
    factor(key + ".length", link.length(), 0.3, 3);
    factor(key + ".width", link.width(), 0.3, 3);
    factor(key + ".density", link.density(), 0.1, 10);
  }
  for (int i = 0; i < edit.joints_size() && check.ok(); ++i) {
    const v1::JointEdit& joint = edit.joints(i);
    const std::string key = "edit." + indexed("joints", i);
    if (std::none_of(base.joints().begin(), base.joints().end(),
                     [&](const v1::Joint& j) { return j.name() == joint.joint(); })) {
      check.fail(key + ".joint", in_quotes(joint.joint()), "a joint of " + in_quotes(base.name()));
    }
    vector_within(&check, key + ".offset_m", joint.offset_m(), 2);
  }
  return first_error(check);
}

}  // namespace promenade
