// The body stoops for what is low, and stretches for what is high. Source: Coros2010 §5.4.
#include "control/gbwc/posture/stoop.h"

#include <algorithm>
#include <cmath>

#include "control/arm_ik.h"
#include "control/gbwc/frame.h"
#include "control/gbwc/posture/load.h"

namespace promenade::control::gbwc {
namespace {

/// How deep a stoop brings a hand to its place, see StoopTable.
double stoop_for(const Frame& f, int side, const HandGoal& hand) {
  const v1::GbwcArms& p = f.p.arms();
  const Vec3 shoulder = joint_position(f.state, f.body.biped.link[kLeftUpperArm + side]);
  const double arm = f.body.biped.upper_arm[side] + f.body.biped.forearm[side];
  const double height = hand.at.z() - f.ground;
  const double below = ramp01((f.body.stoops->shoulder(0).y() - height) / arm,
                              f.p.stoop().from_below(), f.p.stoop().full_below());
  const bool in_reach = (hand.at - shoulder).norm() < p.full_reach() * arm;
  if (f.stoop.depth == 0 && (below == 0 || in_reach)) return 0;
  const Vec3 feet = 0.5 * (f.s.ankle[kLeft] + f.s.ankle[kRight]);
  const Vec2 place = f.in_heading(hand.at - feet);
  const double aside = place.y() - f.in_heading(shoulder - feet).y();
  // Arms that are nearly straight would lean on what they lift from the ground.
  const double low =
      1 - ramp01(height / f.body.creature->standing_com_height, p.bent_below(), p.straight_above());
  const double share = std::lerp(p.full_reach(), p.bent_reach(), hand.expected > 0 ? low : 0);
  const double reach =
      std::sqrt(std::max(0.01 * arm * arm, share * share * arm * arm - aside * aside));
  const double load = 2 * hand.expected / physics::kGravity;
  const double further = loaded_rest(f);
  const double back =
      load / f.body.creature->total_mass * (place.x() - f.body.stoops->rest() - further) - further;
  const double stoop = f.body.stoops->stoop_for(Vec2(place.x(), height), reach, back);
  return std::min(1.0, below * stoop);
}

}  // namespace

void update_stoop(const Frame& f, const Goal& goal, double dt, StoopState& stoop) {
  const v1::GbwcStoop& p = f.p.stoop();
  // A load makes it slower.
  const double lighter = f.body.creature->total_mass / f.mass;
  const double slower = lighter * lighter * lighter;
  double wanted = 0;
  for (int side : {kLeft, kRight}) {
    const HandGoal& hand = goal.hand[side];
    if (hand.frame == HandGoal::Frame::kWorld) wanted = std::max(wanted, stoop_for(f, side, hand));
  }
  const double slow = 1 / f.body.time_scale;
  const double rate = std::clamp(p.gain_ps() * (wanted - stoop.depth), -p.straighten_ps() * slower,
                                 p.rate_ps() * slower);
  // Trunk and load must not be thrown into motion.
  stoop.rate += (slow * rate - stoop.rate) * dt / (p.ease_s() * f.body.time_scale + dt);
  const double before = stoop.depth;
  stoop.depth = std::clamp(before + stoop.rate * dt, 0.0, 1.0);
  if (stoop.depth == before) stoop.rate = 0;
}

void update_stretch(const Frame& f, const Goal& goal, double dt, StretchState& stretch) {
  const v1::GbwcStretch& p = f.p.stretch();
  const Vec3 shoulder[2] = {joint_position(f.state, f.body.biped.link[kLeftUpperArm]),
                            joint_position(f.state, f.body.biped.link[kRightUpperArm])};
  const double half_width =
      std::max(0.05 * f.body.length_scale, 0.5 * (shoulder[0] - shoulder[1]).norm());
  const double most = p.rate_rps() * dt / f.body.time_scale;
  double change = -std::clamp(p.ends_ps() * dt / f.body.time_scale * stretch.tilt, -most, most);
  double highest = -1e9;
  for (int side : {kLeft, kRight}) {
    const HandGoal& hand = goal.hand[side];
    if (!f.step.standing || hand.frame != HandGoal::Frame::kWorld || f.stoop.depth > 0) continue;
    const double arm =
        f.p.arms().full_reach() * (f.body.biped.upper_arm[side] + f.body.biped.forearm[side]);
    const double upright = f.ground + f.body.stoops->shoulder(0).y();
    // Of two hands the higher place counts.
    if (hand.at.z() < std::max(highest, upright + p.high_from() * arm)) continue;
    highest = hand.at.z();
    const double level = (hand.at - shoulder[side]).head<2>().norm();
    const double missing =
        hand.at.z() - shoulder[side].z() - std::sqrt(std::max(0.0, arm * arm - level * level));
    const double wanted = p.gain_ps() * dt / f.body.time_scale * missing / half_width;
    change = side_sign(side) * std::clamp(wanted, -most, most);
  }
  stretch.tilt = std::clamp(stretch.tilt + change, -p.most_rad(), p.most_rad());
}

double stooped_knee(const Frame& f, int side) {
  const double bend =
      f.body.stoops->pose(f.stoop.depth).knee * (f.step.standing ? 1 : f.p.stoop().walking_knee());
  return even_knee(*f.body.creature, f.body.biped, side, bend);
}

double stooped_rest(const WalkerBody& body, const v1::GbwcStoop& p) {
  return p.rest_ahead() * 0.5 * (body.foot_reach[0].x() + body.foot_reach[1].x());
}

}  // namespace promenade::control::gbwc
