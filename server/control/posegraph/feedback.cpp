#include "control/posegraph/feedback.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "control/posegraph/gait.h"
#include "math/rotation.h"
#include "schema/refusal.h"

namespace promenade::control::posegraph {
namespace {

// The fields of the message, in the order of Sense.
std::array<double, kSenses> gains_of(const v1::JointFeedback& m) {
  return {m.roll(),         m.roll_rate_s(), m.pitch(),     m.pitch_rate_s(),
          m.sideways_spm(), m.forward_spm(), m.yaw_rate_s()};
}
constexpr std::array<const char*, kSenses> kNames = {
    "roll", "roll_rate_s", "pitch", "pitch_rate_s", "sideways_spm", "forward_spm", "yaw_rate_s"};

// The leg that a link belongs to, index of Creature::limbs; -1: none.
int leg_of(const Creature& creature, int link) {
  for (std::size_t i = 0; i < creature.limbs.size(); ++i) {
    const Limb& limb = creature.limbs[i];
    if (limb.kind != LimbKind::kLeg) continue;
    if (std::find(limb.links.begin(), limb.links.end(), link) != limb.links.end()) return int(i);
  }
  return -1;
}

}  // namespace

Sensed sense(const Creature& creature, const physics::ArticulatedBody& body, double speed) {
  const auto& trunk = body.links()[std::size_t(creature.trunk)];
  const Quat back = rotation_z(heading_of(body.state().root.rotation)).inverse();
  const Vec3 up = back * Vec3(trunk.rotation.col(2));
  const Vec3 velocity = back * trunk.velocity;
  const Vec3 turning = back * trunk.omega;
  return {-up.y(),      turning.x(),          up.x(),     turning.y(),
          velocity.y(), velocity.x() - speed, turning.z()};
}

Feedback build_feedback(const v1::GaitFeedback& m, const Creature& creature,
                        schema::Checker& check) {
  Feedback out;
  if (m.joints_size() > int(Feedback::kMostGains)) {
    check.fail("feedback.joints", std::to_string(m.joints_size()),
               "up to " + std::to_string(Feedback::kMostGains));
    return out;
  }
  for (int i = 0; i < m.joints_size() && check.ok(); ++i) {
    const v1::JointFeedback& one = m.joints(i);
    const std::string key = schema::indexed("feedback.joints", std::size_t(i));
    Feedback::Gain gain;
    gain.link = creature.find_joint(one.joint());
    gain.limb = gain.link > 0 ? leg_of(creature, gain.link) : -1;
    if (gain.limb < 0 || !is_driven(creature, gain.link)) {
      check.fail(key + ".joint", schema::in_quotes(one.joint()), "a driven joint of a leg");
      return out;
    }
    const int dof = physics::dof_of(creature.model->links[std::size_t(gain.link)].joint);
    check.range(key + ".coordinate", one.coordinate(), 0, dof - 1);
    gain.coordinate = std::clamp(int(one.coordinate()), 0, 2);
    gain.bearing = one.bearing();
    gain.of = gains_of(one);
    for (std::size_t k = 0; k < kSenses; ++k) {
      check.range(key + "." + kNames[k], gain.of[k], -Feedback::kMostGain, Feedback::kMostGain);
    }
    out.gains.push_back(gain);
  }
  return out;
}

void write_feedback(const Feedback& feedback, const Creature& creature, v1::GaitFeedback& out) {
  for (const Feedback::Gain& gain : feedback.gains) {
    v1::JointFeedback& m = *out.add_joints();
    m.set_joint(creature.joint_names[std::size_t(gain.link)]);
    m.set_coordinate(std::uint32_t(gain.coordinate));
    m.set_bearing(gain.bearing);
    m.set_roll(gain.of[0]);
    m.set_roll_rate_s(gain.of[1]);
    m.set_pitch(gain.of[2]);
    m.set_pitch_rate_s(gain.of[3]);
    m.set_sideways_spm(gain.of[4]);
    m.set_forward_spm(gain.of[5]);
    m.set_yaw_rate_s(gain.of[6]);
  }
}

std::vector<Feedback::Gain> free_gains(const Creature& creature) {
  std::vector<Feedback::Gain> out;
  for (int link = 1; link < int(creature.model->links.size()); ++link) {
    const int limb = leg_of(creature, link);
    const physics::JointKind kind = creature.model->links[std::size_t(link)].joint;
    if (limb < 0 || !is_driven(creature, link) || physics::type_of(kind).linear) continue;
    for (int k = 0; k < physics::dof_of(kind); ++k) {
      for (const bool bearing : {false, true}) out.push_back({link, k, limb, bearing, {}});
    }
  }
  return out;
}

}  // namespace promenade::control::posegraph
