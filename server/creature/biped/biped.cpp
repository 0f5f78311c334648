#include "creature/biped/biped.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "schema/refusal.h"

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

/// A limb of a biped: what it is called in errors, and its parts from the body outwards.
struct LimbOfParts {
  const char* name;
  LimbKind kind;
  v1::Limb::Kind file_kind;
  int count;
  std::array<Part, 4> parts;
  int soles;
};

constexpr LimbOfParts kLimbs[] = {
    {"trunk", LimbKind::kTrunk, v1::Limb::TRUNK, 3, {kPelvis, kLowerBack, kTorso}, 0},
    {"head", LimbKind::kHead, v1::Limb::HEAD, 1, {kHead}, 0},
    {"left_arm", LimbKind::kArm, v1::Limb::ARM, 2, {kLeftUpperArm, kLeftLowerArm}, 0},
    {"right_arm", LimbKind::kArm, v1::Limb::ARM, 2, {kRightUpperArm, kRightLowerArm}, 0},
    {"left_leg",
     LimbKind::kLeg,
     v1::Limb::LEG,
     4,
     {kLeftThigh, kLeftShank, kLeftFoot, kLeftToes},
     2},
    {"right_leg",
     LimbKind::kLeg,
     v1::Limb::LEG,
     4,
     {kRightThigh, kRightShank, kRightFoot, kRightToes},
     2},
};

struct Wanted {
  LimbKind kind;
  const char* name;
  std::size_t count;
  const char* what;
};
constexpr Wanted kWanted[] = {
    {LimbKind::kTrunk, "TRUNK", 1, "one TRUNK of pelvis, lower back and torso"},
    {LimbKind::kHead, "HEAD", 1, "one HEAD of one link"},
    {LimbKind::kArm, "ARM", 2, "two ARMs of upper and lower arm"},
    {LimbKind::kLeg, "LEG", 2, "two LEGs of thigh, shank, foot and toes"},
};

schema::FileError no_biped(const Creature& creature, const std::string& is,
                           const std::string& allowed) {
  return {"",
          0,
          "limbs",
          is,
          allowed,
          schema::in_quotes(creature.name) + " is not a biped: " + is + "; allowed: " + allowed};
}

/// y of the joint that a limb begins with, in the zero pose, from the root's origin.
double sideways(const Creature& creature, const Limb& limb) {
  const auto& links = creature.model->links;
  auto i = static_cast<std::size_t>(limb.links.front());
  double y = links[i].parent < 0 ? 0 : links[i].at_parent.y();
  for (int up = links[i].parent; up > 0; up = links[i].parent) {
    i = static_cast<std::size_t>(up);
    y += links[i].at_parent.y() - links[i].at_child.y();
  }
  return y;
}

bool is_left_of(const Creature& creature, const Limb& a, const Limb& b) {
  const auto begins = [](const Limb& limb, const char* word) {
    return limb.name.rfind(word, 0) == 0;
  };
  if (begins(a, "left") || begins(b, "right")) return true;
  if (begins(b, "left") || begins(a, "right")) return false;
  return sideways(creature, a) >= sideways(creature, b);
}

/// The first two limbs of a kind, the left before the right, and how many there are.
struct Limbs {
  std::array<const Limb*, 2> of{};
  std::size_t count = 0;
};
Limbs limbs_of(const Creature& creature, LimbKind kind) {
  Limbs out;
  for (const Limb& limb : creature.limbs) {
    if (limb.kind != kind) continue;
    if (out.count < out.of.size()) out.of[out.count] = &limb;
    ++out.count;
  }
  if (out.count == 2 && !is_left_of(creature, *out.of[0], *out.of[1])) {
    std::swap(out.of[0], out.of[1]);
  }
  return out;
}

/// Takes the links of a limb as its parts; says what is wrong with them.
std::optional<schema::FileError> take(const Creature& creature, const Limb& limb,
                                      const LimbOfParts& wanted, Biped* out) {
  const std::string limb_name = "the limb " + schema::in_quotes(limb.name);
  if (static_cast<int>(limb.links.size()) != wanted.count) {
    return no_biped(creature, limb_name + " has " + std::to_string(limb.links.size()) + " links",
                    std::to_string(wanted.count) + " for a " + wanted.name);
  }
  if (wanted.kind == LimbKind::kLeg && limb.soles != wanted.soles) {
    return no_biped(creature, limb_name + " has " + std::to_string(limb.soles) + " sole links",
                    "2, foot and toes");
  }
  const auto link_name = [&](int index) {
    return index < 0 ? std::string("nothing")
                     : schema::in_quotes(creature.link_names[static_cast<std::size_t>(index)]);
  };
  for (int k = 0; k < wanted.count; ++k) {
    const Part part = wanted.parts[static_cast<std::size_t>(k)];
    const int index = limb.links[static_cast<std::size_t>(k)];
    const physics::LinkModel& link = creature.model->links[static_cast<std::size_t>(index)];
    out->link[static_cast<std::size_t>(part)] = index;
    if (link.joint != part_joint(part)) {
      return no_biped(
          creature, link_name(index) + " has a joint of kind " + physics::type_of(link.joint).name,
          std::string(physics::type_of(part_joint(part)).name) + " for a " + part_name(part));
    }
    const Part above = part_parent(part);
    const int parent = above == kPartCount ? -1 : out->link[static_cast<std::size_t>(above)];
    if (link.parent != parent) {
      return no_biped(creature, link_name(index) + " is attached to " + link_name(link.parent),
                      above == kPartCount ? "nothing" : std::string("the ") + part_name(above));
    }
  }
  return std::nullopt;
}

/// The lowest point of a link's shapes under its joint, in the zero pose: of a lower arm the end of
/// the hand. Link frame.
/// @param radius  out: m, half thickness there
Vec3 far_end(const physics::LinkModel& link, double* radius) {
  double lowest = link.at_child.z();
  *radius = 0;
  for (const physics::Shape& shape : link.shapes) {
    const bool box = shape.kind == physics::Shape::Kind::kBox;
    const bool sphere = shape.kind == physics::Shape::Kind::kSphere;
    const double end = box      ? shape.a.z() - shape.b.z()
                       : sphere ? shape.a.z() - shape.radius
                                : std::min(shape.a.z(), shape.b.z()) - shape.radius;
    if (end > lowest) continue;
    lowest = end;
    *radius = box ? shape.b.y() : shape.radius;
  }
  return {link.at_child.x(), link.at_child.y(), lowest};
}

void measure_arms(const Creature& creature, Biped* out) {
  const auto& links = creature.model->links;
  for (const std::size_t side : {kLeft, kRight}) {
    const auto& upper = links[std::size_t(out->link[kLeftUpperArm + side])];
    const auto& lower = links[std::size_t(out->link[kLeftLowerArm + side])];
    out->palm[side] = far_end(lower, &out->hand_radius[side]);
    out->upper_arm[side] = (lower.at_parent - upper.at_child).norm();
    out->forearm[side] = (out->palm[side] - lower.at_child).norm();
  }
}

}  // namespace

const char* part_name(Part part) { return kParts[part].name; }
Part part_parent(Part part) { return kParts[part].parent; }
physics::JointKind part_joint(Part part) { return kParts[part].joint; }

schema::Result<Biped> biped_of(const Creature& creature) {
  Biped out;
  for (const Wanted& wanted : kWanted) {
    const Limbs limbs = limbs_of(creature, wanted.kind);
    if (limbs.count != wanted.count) {
      return no_biped(creature, "it has " + std::to_string(limbs.count) + " of kind " + wanted.name,
                      wanted.what);
    }
    std::size_t side = 0;
    for (const LimbOfParts& parts : kLimbs) {
      if (parts.kind != wanted.kind) continue;
      const Limb& limb = *limbs.of[side];
      if (auto error = take(creature, limb, parts, &out)) return *std::move(error);
      if (parts.kind == LimbKind::kLeg) {
        out.leg_length[side] = limb.length;
        out.ankle_height[side] = limb.sole_height;
      }
      ++side;
    }
  }
  measure_arms(creature, &out);
  return out;
}

void add_limbs_by_part_names(v1::Creature* creature) {
  if (creature->limbs_size() > 0 || creature->links_size() == 0) return;
  if (creature->links(0).name() != part_name(kPelvis)) return;
  std::map<std::string, std::string> parent_of;
  for (const v1::Joint& joint : creature->joints()) parent_of[joint.child()] = joint.parent();
  for (int part = kPelvis + 1; part < kPartCount; ++part) {
    const auto found = parent_of.find(part_name(static_cast<Part>(part)));
    if (found == parent_of.end()) return;
    if (found->second != part_name(part_parent(static_cast<Part>(part)))) return;
  }
  for (const LimbOfParts& limb : kLimbs) {
    v1::Limb* out = creature->add_limbs();
    out->set_name(limb.name);
    out->set_kind(limb.file_kind);
    for (int k = 0; k < limb.count; ++k) {
      out->add_links(part_name(limb.parts[static_cast<std::size_t>(k)]));
    }
    if (limb.soles > 0) out->set_sole_links(static_cast<std::uint32_t>(limb.soles));
  }
}

}  // namespace promenade
