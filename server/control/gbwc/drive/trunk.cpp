// Targets and servos of pelvis, trunk and head. Source: Coros2010 §3.1, §3.2, §3.5.
#include "control/gbwc/drive/trunk.h"

#include <algorithm>
#include <cmath>

#include "control/gbwc/drive/servos.h"
#include "control/gbwc/frame.h"
#include "control/gbwc/posture/duck.h"
#include "control/gbwc/posture/idle.h"
#include "control/gbwc/posture/load.h"
#include "control/gbwc/style_now.h"

namespace promenade::control::gbwc {
namespace {

struct TrunkPart {
  Part part;
  StyleJoint joint;
  const v1::GbwcTrunkPart& (v1::GbwcTrunk::*shares)() const;
  double StoopPose::*stoop;
};
constexpr std::array<TrunkPart, 3> kTrunk = {
    {{kLowerBack, StyleJoint::kLowerBack, &v1::GbwcTrunk::lower_back, &StoopPose::lower_back},
     {kTorso, StyleJoint::kUpperBack, &v1::GbwcTrunk::chest, &StoopPose::chest},
     {kHead, StyleJoint::kNeck, &v1::GbwcTrunk::head, &StoopPose::head}}};

}  // namespace

void pose_trunk(const Frame& f, TrunkState& trunk) {
  // The head leads a turn, then the chest (§3.5).
  const double lead = std::clamp(wrap_angle(f.course.final_heading - f.course.heading),
                                 -f.p.trunk().most_lead_rad(), f.p.trunk().most_lead_rad());
  const StoopPose stooped = f.body.stoops->pose(f.stoop.depth);
  for (std::size_t i = 0; i < kTrunk.size(); ++i) {
    const TrunkPart& part = kTrunk[i];
    const v1::GbwcTrunkPart& shares = (f.p.trunk().*part.shares)();
    const double look = f.step.standing ? shares.look() * idle_look(f) : 0;
    // The chest rises and falls with the breath; the head stays as it is.
    const double breath =
        part.part == kTorso ? f.p.idle().breath_deg() * kRadFromDeg * std::sin(f.idle.breath) : 0;
    trunk.target[i] =
        rotation_z(shares.lead() * lead + look + style_offset(f, part.joint, 2)) *
        rotation_y(shares.lean() * f.style->lean - shares.load_lean() * load_lean(f) +
                   stooped.*part.stoop + style_offset(f, part.joint, 1) - breath +
                   duck_pitch(f, part.part)) *
        rotation_x(shares.stretch() * f.stretch.tilt + style_offset(f, part.joint, 0));
  }
}

void drive_trunk(const Frame& f) {
  for (std::size_t i = 0; i < kTrunk.size(); ++i) {
    const Quat target = f.heading * f.trunk.target[i];
    const int link = f.body.biped.link[kTrunk[i].part];
    drive_to_world(f, link, target, Vec3::Zero(), 1);
    f.drives[link].kd *= load_damping(f, link);
    if (kTrunk[i].part != kLowerBack || f.step.standing) continue;
    // The heavy legs push the light pelvis about. The trunk has to hold it, above all in the air.
    physics::JointDrive& spine = f.drives[link];
    add_servo(&spine, Vec3::Constant(f.p.pelvis().spine_kp_nm() * f.body.mass_scale),
              Vec3::Constant(f.p.pelvis().spine_kd_nms() * f.body.mass_scale),
              f.pelvis.conjugate() * target, Vec3::Zero());
  }
}

Quat pelvis_target(const Frame& f) {
  Quat pelvis =
      f.heading * rotation_y(f.p.trunk().pelvis_lean() * f.style->lean +
                             f.body.stoops->pose(f.stoop.depth).pelvis + duck_pitch(f, kPelvis));
  if (f.step.standing) return pelvis;
  return pelvis * rotation_z(style_offset(f, StyleJoint::kPelvis, 2)) *
         rotation_x(style_offset(f, StyleJoint::kPelvis, 0)) *
         rotation_y(style_offset(f, StyleJoint::kPelvis, 1));
}

}  // namespace promenade::control::gbwc
