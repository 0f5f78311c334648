#include "creature/creature.h"

#include <algorithm>

namespace promenade {
namespace {

struct PartInfo {
  const char* name;
  Part parent;
  physics::JointKind joint;
};

using physics::JointKind;

constexpr PartInfo kParts[kPartCount] = {
    {"pelvis", kPartCount, JointKind::kFree},
    {"lower_back", kPelvis, JointKind::kBall},
    {"torso", kLowerBack, JointKind::kBall},
    {"head", kTorso, JointKind::kBall},
    {"left_upper_arm", kTorso, JointKind::kBall},
    {"right_upper_arm", kTorso, JointKind::kBall},
    {"left_lower_arm", kLeftUpperArm, JointKind::kHinge},
    {"right_lower_arm", kRightUpperArm, JointKind::kHinge},
    {"left_thigh", kPelvis, JointKind::kBall},
    {"right_thigh", kPelvis, JointKind::kBall},
    {"left_shank", kLeftThigh, JointKind::kHinge},
    {"right_shank", kRightThigh, JointKind::kHinge},
    {"left_foot", kLeftShank, JointKind::kUniversal},
    {"right_foot", kRightShank, JointKind::kUniversal},
    {"left_toes", kLeftFoot, JointKind::kHinge},
    {"right_toes", kRightFoot, JointKind::kHinge},
};

int index_of(const std::vector<std::string>& names, const std::string& name) {
  const auto found = std::find(names.begin(), names.end(), name);
  return found == names.end() ? -1 : static_cast<int>(found - names.begin());
}

}  // namespace

const char* part_name(Part part) { return kParts[part].name; }
Part part_parent(Part part) { return kParts[part].parent; }
physics::JointKind part_joint(Part part) { return kParts[part].joint; }

int Creature::find_link(const std::string& link_name) const {
  return index_of(link_names, link_name);
}

int Creature::find_joint(const std::string& joint_name) const {
  return joint_name.empty() ? -1 : index_of(joint_names, joint_name);
}

}  // namespace promenade
