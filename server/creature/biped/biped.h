#pragma once

#include <array>

#include "creature/creature.h"
#include "promenade/v1/creature.pb.h"
#include "schema/error.h"

namespace promenade {

inline constexpr int kLeft = 0;
inline constexpr int kRight = 1;

/// The links every biped has; index into Biped::link. Left before right.
enum Part : int {
  kPelvis,
  kLowerBack,
  kTorso,
  kHead,
  kLeftUpperArm,
  kRightUpperArm,
  kLeftLowerArm,
  kRightLowerArm,
  kLeftThigh,
  kRightThigh,
  kLeftShank,
  kRightShank,
  kLeftFoot,
  kRightFoot,
  kLeftToes,
  kRightToes,
  kPartCount
};

/// "pelvis", "lower_back", "torso", "head", "left_upper_arm", ...: the link names of bodies whose
/// files name no limbs.
const char* part_name(Part part);
/// The parent of a part in the tree; kPartCount for the pelvis.
Part part_parent(Part part);
/// The kind of joint between a part and its parent: trunk, shoulders and hips are balls, elbows,
/// knees and toes hinges, ankles universal joints.
physics::JointKind part_joint(Part part);

/// A creature seen as a biped: which of its links is which part. Arrays of two are left, right.
struct Biped {
  std::array<int, kPartCount> link{};    // link index of each part
  std::array<double, 2> leg_length{};    // m, hip to ankle, straight
  std::array<double, 2> ankle_height{};  // m, ankle above the sole
  std::array<double, 2> upper_arm{};     // m, shoulder to elbow
  std::array<double, 2> forearm{};       // m, elbow to palm
  std::array<double, 2> hand_radius{};   // m, half thickness there
  /// Where the hands grip, frame of the lower arms: there are no links for hands, they are the ends
  /// of the lower arms (Coros2010 §5.4).
  std::array<Vec3, 2> palm{Vec3::Zero(), Vec3::Zero()};
};

/// The view of a creature as a biped: a trunk of pelvis (the free root), lower back and torso, a
/// head of one link, two arms of two links and two legs of thigh, shank, foot and toes, joined as
/// part_joint says. Of two limbs of a kind the left is the one whose name begins with "left", or
/// else the one whose first joint is further to the left.
/// @return an error whose key is "limbs" and whose message says what is missing
schema::Result<Biped> biped_of(const Creature& creature);

/// Gives a creature that names no limbs those of a biped, if it has links of all part names, each
/// on its parent. Files written before there were limbs are read this way.
void add_limbs_by_part_names(v1::Creature* creature);

}  // namespace promenade
