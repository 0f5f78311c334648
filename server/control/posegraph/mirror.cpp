#include "control/posegraph/mirror.h"

#include <string>
#include <string_view>

#include "schema/refusal.h"

namespace promenade::control::posegraph {
namespace {

using physics::JointKind;
using physics::LinkModel;

constexpr std::string_view kLeftName = "left", kRightName = "right";

schema::FileError wrong(std::string value, std::string allowed) {
  return {"", 0, "limbs", std::move(value), std::move(allowed), ""};
}

/// The name with left for right; empty where it does not begin with right.
std::string left_of(const std::string& name) {
  if (!name.starts_with(kRightName)) return "";
  return std::string(kLeftName) + name.substr(kRightName.size());
}

/// A turn about an axis is seen in the mirror as a turn about this one.
Vec3 mirrored_turn(const Vec3& axis) { return {-axis.x(), axis.y(), -axis.z()}; }
Vec3 mirrored_place(const Vec3& place) { return {place.x(), -place.y(), place.z()}; }

/// Factors that turn coordinates of one joint into those of the joint that it becomes.
Vec3 signs_of(const LinkModel& one, const LinkModel& other) {
  switch (one.joint) {
    case JointKind::kHinge: {
      const bool same = mirrored_turn(one.axis).dot(other.axis) > 0;
      return Vec3(same ? 1 : -1, 1, 1);
    }
    case JointKind::kSlider: {
      const bool same = mirrored_place(one.axis).dot(other.axis) > 0;
      return Vec3(same ? 1 : -1, 1, 1);
    }
    case JointKind::kUniversal:
      return Vec3(-1, 1, 1);  // roll, pitch
    case JointKind::kBall:
      return Vec3(-1, 1, -1);  // roll, pitch, yaw
    case JointKind::kFree:
    case JointKind::kPlanar:
    case JointKind::kFixed:
      break;
  }
  return Vec3::Ones();
}

}  // namespace

schema::Result<Mirror> mirror_of(const Creature& creature) {
  const auto& links = creature.model->links;
  Mirror out;
  for (std::size_t i = 0; i < links.size(); ++i) out.other.push_back(int(i));
  bool any = false;
  for (const Limb& right : creature.limbs) {
    const std::string name = left_of(right.name);
    if (name.empty()) continue;
    for (const Limb& left : creature.limbs) {
      if (left.name != name) continue;
      if (left.links.size() != right.links.size()) {
        return wrong(
            schema::in_quotes(left.name) + " of " + std::to_string(left.links.size()) + " links",
            std::to_string(right.links.size()) + " links, as " + right.name + " has");
      }
      for (std::size_t k = 0; k < left.links.size(); ++k) {
        const int l = left.links[k], r = right.links[k];
        if (links[std::size_t(l)].joint != links[std::size_t(r)].joint) {
          return wrong(schema::in_quotes(creature.joint_names[std::size_t(l)]),
                       "a joint of the same kind as " +
                           schema::in_quotes(creature.joint_names[std::size_t(r)]));
        }
        out.other[std::size_t(l)] = r;
        out.other[std::size_t(r)] = l;
      }
      any = true;
    }
  }
  if (!any) {
    return wrong("no two limbs that are a pair",
                 "limbs whose names begin with left and right, as left_leg and right_leg");
  }
  for (std::size_t i = 0; i < links.size(); ++i) {
    out.sign.push_back(signs_of(links[i], links[std::size_t(out.other[i])]));
  }
  return out;
}

}  // namespace promenade::control::posegraph
