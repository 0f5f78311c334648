#include "creature/creature_checks.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>

#include "creature/creature.h"
#include "math/types.h"
#include "physics/articulation.h"
#include "schema/check.h"

namespace promenade {
namespace {

using google::protobuf::RepeatedField;
using schema::Checker;
using schema::in_quotes;

constexpr double kFarthest = 10;     // m, of anything from its link's origin
constexpr double kWidestTurn = 6.3;  // rad
constexpr int kMostShapes = 16;      // of a link

std::string at(const char* list, int index) {
  return std::string(list) + "[" + std::to_string(index) + "]";
}

bool vector_within(Checker* check, const std::string& key, const RepeatedField<double>& values,
                   double bound) {
  if (!check->count(key, static_cast<std::size_t>(values.size()), 3)) return false;
  for (int i = 0; i < 3; ++i) {
    if (!check->range(at(key.c_str(), i), values[i], -bound, bound, " m")) return false;
  }
  return true;
}

void check_shape(Checker* check, const std::string& key, const v1::Shape& shape) {
  if (shape.has_capsule()) {
    const v1::Capsule& capsule = shape.capsule();
    vector_within(check, key + ".capsule.from_m", capsule.from_m(), kFarthest);
    vector_within(check, key + ".capsule.to_m", capsule.to_m(), kFarthest);
    const std::string radius = key + ".capsule.radius_m";
    if (check->positive(radius, capsule.radius_m(), " m")) {
      check->range(radius, capsule.radius_m(), 0.001, kFarthest, " m");
    }
  } else if (shape.has_box()) {
    const std::string half = key + ".box.half_m";
    vector_within(check, key + ".box.center_m", shape.box().center_m(), kFarthest);
    if (!vector_within(check, half, shape.box().half_m(), kFarthest)) return;
    for (int i = 0; i < 3; ++i) {
      check->positive(at(half.c_str(), i), shape.box().half_m(i), " m");
    }
  } else {
    check->fail(key, "neither", "a capsule or a box", "is empty");
  }
}

void check_link(Checker* check, const std::string& key, const v1::Link& link) {
  check->name(key + ".name", link.name());
  if (check->positive(key + ".mass_kg", link.mass_kg(), " kg")) {
    check->range(key + ".mass_kg", link.mass_kg(), 1e-4, 1e5, " kg");
  }
  const std::string moments = key + ".inertia_kgm2";
  if (check->count(moments, static_cast<std::size_t>(link.inertia_kgm2_size()), 3)) {
    double sum = 0;
    for (int i = 0; i < 3; ++i) {
      check->positive(at(moments.c_str(), i), link.inertia_kgm2(i), " kg m^2");
      sum += link.inertia_kgm2(i);
    }
    for (int i = 0; i < 3; ++i) {
      const double moment = link.inertia_kgm2(i), others = sum - moment;
      if (moment > others * (1 + 1e-9)) {
        check->fail(at(moments.c_str(), i), schema::number(moment),
                    "at most the sum of the other two, " + schema::number(others));
      }
    }
  }
  if (link.shapes_size() > kMostShapes) {
    check->fail(key + ".shapes", std::to_string(link.shapes_size()) + " shapes",
                "at most " + std::to_string(kMostShapes));
  }
  for (int i = 0; i < link.shapes_size(); ++i) {
    check_shape(check, key + "." + at("shapes", i), link.shapes(i));
  }
}

void check_joint(Checker* check, const std::string& key, const v1::Joint& joint) {
  check->name(key + ".name", joint.name());
  vector_within(check, key + ".at_parent_m", joint.at_parent_m(), kFarthest);
  vector_within(check, key + ".at_child_m", joint.at_child_m(), kFarthest);
  int dof = 0;
  switch (joint.kind()) {
    case v1::HINGE:
      dof = 1;
      break;
    case v1::UNIVERSAL:
      dof = 2;
      break;
    case v1::BALL:
      dof = 3;
      break;
    default:
      check->fail(key + ".kind", v1::JointKind_Name(joint.kind()), "HINGE, UNIVERSAL or BALL");
      return;
  }
  if (dof == 1) {
    if (vector_within(check, key + ".axis", joint.axis(), 1.001)) {
      const double length = Vec3(joint.axis(0), joint.axis(1), joint.axis(2)).norm();
      if (std::abs(length - 1) > 1e-3) {
        check->fail(key + ".axis", "length " + schema::number(length), "of length 1");
      }
    }
  } else if (joint.axis_size() > 0) {
    check->fail(key + ".axis", "an axis", "left out, only a hinge has one");
  }
  const auto entries = static_cast<std::size_t>(dof);
  if (check->count(key + ".lower_rad", static_cast<std::size_t>(joint.lower_rad_size()), entries) &&
      check->count(key + ".upper_rad", static_cast<std::size_t>(joint.upper_rad_size()), entries)) {
    for (int i = 0; i < dof; ++i) {
      const std::string lower = key + "." + at("lower_rad", i);
      const std::string upper = key + "." + at("upper_rad", i);
      check->range(lower, joint.lower_rad(i), -kWidestTurn, 0, " rad");
      check->range(upper, joint.upper_rad(i), 0, kWidestTurn, " rad");
      if (joint.lower_rad(i) >= joint.upper_rad(i)) {
        check->fail(lower, schema::number(joint.lower_rad(i)),
                    "below upper_rad, " + schema::number(joint.upper_rad(i)));
      }
    }
  }
  check->range(key + ".kp_nm", joint.kp_nm(), 0, 1e6, " N m/rad");
  check->range(key + ".kd_nms", joint.kd_nms(), 0, 1e6, " N m s/rad");
  if (check->positive(key + ".torque_limit_nm", joint.torque_limit_nm(), " N m")) {
    check->range(key + ".torque_limit_nm", joint.torque_limit_nm(), 0, 1e7, " N m");
  }
  if (joint.gain_scale_size() > 0 &&
      check->count(key + ".gain_scale", static_cast<std::size_t>(joint.gain_scale_size()), 3)) {
    for (int i = 0; i < 3; ++i) {
      check->range(key + "." + at("gain_scale", i), joint.gain_scale(i), 0, 100);
    }
  }
}

std::string kind_name(physics::JointKind kind) {
  switch (kind) {
    case physics::JointKind::kHinge:
      return "HINGE";
    case physics::JointKind::kUniversal:
      return "UNIVERSAL";
    case physics::JointKind::kBall:
      return "BALL";
    case physics::JointKind::kFree:
      break;
  }
  return "free";
}

/// How links and joints make one tree that a biped's controller can use.
class TreeCheck {
 public:
  TreeCheck(Checker* check, const v1::Creature& character)
      : check_(*check), character_(character) {}

  void run() {
    if (name_links() && name_joints() && every_link_joined() && no_cycle()) every_part_there();
  }

 private:
  bool name_links() {
    for (int i = 0; i < character_.links_size(); ++i) {
      const std::string& name = character_.links(i).name();
      if (const auto [first, fresh] = links_.emplace(name, i); !fresh) {
        return check_.fail(
            at("links", i) + ".name", in_quotes(name), "another name",
            in_quotes(name) + " is the name of " + at("links", first->second) + " already");
      }
    }
    return true;
  }

  bool name_joints() {
    std::map<std::string, int> names;
    for (int i = 0; i < character_.joints_size(); ++i) {
      const v1::Joint& joint = character_.joints(i);
      const std::string key = at("joints", i);
      if (const auto [first, fresh] = names.emplace(joint.name(), i); !fresh) {
        return check_.fail(key + ".name", in_quotes(joint.name()), "another name",
                           in_quotes(joint.name()) + " is the name of " +
                               at("joints", first->second) + " already");
      }
      for (const auto& [end, link] :
           {std::pair{".parent", joint.parent()}, std::pair{".child", joint.child()}}) {
        if (!links_.contains(link)) return check_.fail(key + end, in_quotes(link), "a link's name");
      }
      if (links_.at(joint.child()) == 0) {
        return check_.fail(key + ".child", in_quotes(joint.child()), "a link other than the root");
      }
      if (const auto [first, fresh] = joint_of_.emplace(joint.child(), i); !fresh) {
        return check_.fail(key + ".child", in_quotes(joint.child()), "the child of one joint",
                           in_quotes(joint.child()) + " is the child of " +
                               at("joints", first->second) + " already");
      }
    }
    return true;
  }

  bool every_link_joined() {
    for (int i = 1; i < character_.links_size(); ++i) {
      const std::string& name = character_.links(i).name();
      if (!joint_of_.contains(name)) {
        return check_.fail(at("links", i), in_quotes(name), "the child of one joint",
                           in_quotes(name) + " hangs on nothing");
      }
    }
    return true;
  }

  /// @pre every link but the root has one joint, so that who never meets the root goes in circles
  bool no_cycle() {
    for (int i = 1; i < character_.links_size(); ++i) {
      std::string link = character_.links(i).name(), path = link;
      std::set<std::string> seen = {link};
      while (links_.at(link) != 0) {
        const int joint = joint_of_.at(link);
        link = character_.joints(joint).parent();
        path += " -> " + link;
        if (!seen.insert(link).second) {
          return check_.fail(at("joints", joint) + ".parent", in_quotes(link),
                             "a link that does not hang on this one",
                             "the joints make a cycle, " + path);
        }
      }
    }
    return true;
  }

  void every_part_there() {
    for (int part = 0; part < kPartCount; ++part) {
      const Part p = static_cast<Part>(part);
      const std::string name = part_name(p);
      const auto link = links_.find(name);
      if (link == links_.end()) {
        check_.fail("links", "", "there", "the link " + in_quotes(name) + " is missing");
        return;
      }
      const std::string key = at("links", link->second);
      if (part == kPelvis) {
        if (link->second != 0) {
          check_.fail("links[0].name", in_quotes(character_.links(0).name()),
                      "\"pelvis\", the root of every body");
        }
        continue;
      }
      const int index = joint_of_.at(name);
      const v1::Joint& joint = character_.joints(index);
      if (joint.parent() != part_name(part_parent(p))) {
        check_.fail(at("joints", index) + ".parent", in_quotes(joint.parent()),
                    in_quotes(part_name(part_parent(p))) + " for the child " + in_quotes(name));
      }
      const std::string kind = kind_name(part_joint(p));
      if (v1::JointKind_Name(joint.kind()) != kind) {
        check_.fail(at("joints", index) + ".kind", v1::JointKind_Name(joint.kind()),
                    kind + " for the child " + in_quotes(name));
      }
      const bool foot = p == kLeftFoot || p == kRightFoot;
      if (foot && character_.links(link->second).shapes_size() == 0) {
        check_.fail(key + ".shapes", "none", "at least one shape to stand on");
      }
    }
  }

  Checker& check_;
  const v1::Creature& character_;
  std::map<std::string, int> links_;     // index by name
  std::map<std::string, int> joint_of_;  // joint's index by child
};

std::optional<schema::FileError> first_error(const Checker& check) {
  if (check.ok()) return std::nullopt;
  return check.error();
}

}  // namespace

std::optional<schema::FileError> check_labels(const v1::Creature& character,
                                              const schema::Source& source) {
  Checker check(source);
  check.name("name", character.name());
  if (character.title().size() > 80) {
    check.fail("title", std::to_string(character.title().size()) + " bytes", "at most 80 bytes");
  }
  if (character.description().size() > 400) {
    check.fail("description", std::to_string(character.description().size()) + " bytes",
               "at most 400 bytes");
  }
  if (!character.color().empty()) check.color("color", character.color());
  return first_error(check);
}

std::optional<schema::FileError> check_creature(const v1::Creature& character,
                                                const schema::Source& source) {
  if (auto error = check_labels(character, source)) return error;
  Checker check(source);
  if (character.links_size() == 0) {
    check.fail("links", "none", "the links of a body, or `base` given instead");
  }
  if (character.links_size() > physics::kMaxLinks) {
    check.fail("links", std::to_string(character.links_size()) + " links",
               "at most " + std::to_string(physics::kMaxLinks));
  }
  for (int i = 0; i < character.links_size() && check.ok(); ++i) {
    check_link(&check, at("links", i), character.links(i));
  }
  for (int i = 0; i < character.joints_size() && check.ok(); ++i) {
    check_joint(&check, at("joints", i), character.joints(i));
  }
  if (check.ok()) TreeCheck(&check, character).run();
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
    const std::string key = "edit." + at("links", i);
    if (std::none_of(base.links().begin(), base.links().end(),
                     [&](const v1::Link& l) { return l.name() == link.link(); })) {
      check.fail(key + ".link", in_quotes(link.link()), "a link of " + in_quotes(base.name()));
    }
    if (!seen.emplace(link.link(), i).second) {
      check.fail(key + ".link", in_quotes(link.link()), "there once",
                 in_quotes(link.link()) + " is edited twice");
    }
    factor(key + ".length", link.length(), 0.3, 3);
    factor(key + ".width", link.width(), 0.3, 3);
    factor(key + ".density", link.density(), 0.1, 10);
  }
  for (int i = 0; i < edit.joints_size() && check.ok(); ++i) {
    const v1::JointEdit& joint = edit.joints(i);
    const std::string key = "edit." + at("joints", i);
    if (std::none_of(base.joints().begin(), base.joints().end(),
                     [&](const v1::Joint& j) { return j.name() == joint.joint(); })) {
      check.fail(key + ".joint", in_quotes(joint.joint()), "a joint of " + in_quotes(base.name()));
    }
    vector_within(&check, key + ".offset_m", joint.offset_m(), 2);
  }
  return first_error(check);
}

}  // namespace promenade
