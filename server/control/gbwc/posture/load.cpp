// What the hands hold: it pulls at the body, and counts for its balance.
// Source: Coros2010 §5.4, which adds the crate's mass to the body's for balance, and half of its
// weight to the gravity compensation of each hand.
#include "control/gbwc/posture/load.h"

#include <algorithm>
#include <cmath>

#include "control/gbwc/drive/arms.h"
#include "control/gbwc/drive/servos.h"
#include "control/gbwc/frame.h"
#include "control/gbwc/steps/planning.h"

namespace promenade::control::gbwc {
namespace {

/// 0 with free hands to 1 with a heavy load.
double loaded(const Frame& f) {
  if (f.hands.pulls) return 0;  // what it pushes or pulls is not carried
  return std::clamp(f.hands.share / f.p.load().full(), 0.0, 1.0);
}

/// kg, that a hand holds up.
double held_up(const Frame& f, int side) {
  return std::clamp(-f.hands.hand_force[side].z() / physics::kGravity, 0.0,
                    0.5 * f.p.load().most() * f.body.creature->total_mass);
}

}  // namespace

double stooped_share(const Frame& f) {
  return std::min(1.0, f.p.stoop().share_gain() * f.stoop.depth);
}

double carried_share(const Frame& f) {
  return std::min(1.0, f.p.load().works_gain() * (heavier(f) - 1));
}

double at_work(const Frame& f) {
  return std::min(
      1.0, f.p.stoop().share_gain() * f.stoop.depth + f.p.load().works_gain() * (heavier(f) - 1));
}

void feel_load(const Frame& f, const Goal& goal, double dt, LoadState& hands, LearntState& learnt) {
  const v1::GbwcLoad& p = f.p.load();
  // What was learnt of the speed while the hands pull or push ends with that: who lets go of
  // something heavy would walk on without an end.
  const bool pulls =
      !goal.hand[kLeft].effort.head<2>().isZero() || !goal.hand[kRight].effort.head<2>().isZero();
  if (hands.pulls && !pulls) learnt.correction.x() = 0;
  hands.pulls = pulls;
  for (int side : {kLeft, kRight}) {
    const HandGoal& hand = goal.hand[side];
    Vec3 force = hand.force;
    // Who pulls leans as much as is to be pulled: by what is felt one would hang on to what holds.
    if (!hand.effort.head<2>().isZero()) force.head<2>() = -hand.effort.head<2>();
    double in = p.feel_in_s();
    const double ready = std::min(p.ready() * hand.expected,
                                  p.most_ready() * physics::kGravity * f.body.creature->total_mass);
    if (-force.z() < ready) {
      force.z() = -ready;
      in = p.ready_in_s();
    }
    hands.hand_force[side] += (force - hands.hand_force[side]) * (dt / (dt + in));
  }
}

void take_load(Frame& f) {
  if (f.hands.hand_force[kLeft].isZero() && f.hands.hand_force[kRight].isZero()) return;
  const double own = f.mass;
  const double ground = std::min(f.s.ankle[0].z() - f.body.biped.ankle_height[0],
                                 f.s.ankle[1].z() - f.body.biped.ankle_height[1]);
  Vec3 com = own * f.s.com, velocity = own * f.s.com_velocity;
  Vec2 tipping = Vec2::Zero();  // N m
  for (int side : {kLeft, kRight}) {
    const physics::LinkMotion& lower = f.links[f.body.biped.link[kLeftLowerArm + side]];
    const Vec3 at = palm(f, side);
    const Vec3& force = f.hands.hand_force[side];
    const double held = held_up(f, side);
    com += held * at;
    velocity += held * (lower.velocity + lower.omega.cross(at - lower.position));
    f.mass += held;
    tipping += (at.z() - ground) * force.head<2>();
  }
  f.s.com = com / f.mass;
  f.s.com_velocity = velocity / f.mass;
  Vec2 lean = tipping / (physics::kGravity * f.mass);
  const double most = f.p.load().most_shift_m() * f.body.length_scale;
  if (lean.norm() > most) lean *= most / lean.norm();
  f.s.com.head<2>() += lean;
}

double load_lean(const Frame& f) {
  return f.p.load().lean_rad() * f.hands.share *
         (1 - std::min(1.0, f.p.load().upright_gain() * f.stoop.depth));
}

double load_damping(const Frame& f, int link) {
  const auto& force = f.hands.hand_force;
  if (force[kLeft].z() >= 0 && force[kRight].z() >= 0) return 1;  // they hold nothing up
  const auto& links = f.body.creature->model->links;
  const Vec3 joint = joint_position(f.state, link);
  double load = 0, own = 0;
  for (int side : {kLeft, kRight}) {
    load += held_up(f, side) * (palm(f, side) - joint).squaredNorm();
  }
  if (load <= 0) return 1;
  for (int i = link; i < static_cast<int>(links.size()); ++i) {
    int at = i;
    while (at > link) at = links[std::size_t(at)].parent;
    if (at != link) continue;
    own += links[std::size_t(i)].mass * (f.links[std::size_t(i)].position - joint).squaredNorm();
    own += links[std::size_t(i)].inertia.y();
  }
  return std::sqrt((own + load) / own);
}

double heavier(const Frame& f) { return f.mass / f.body.creature->total_mass; }

double loaded_step_time(const Frame& f) {
  if (meets_steps(f)) return 1;
  return std::lerp(1.0, f.p.load().step_time(), loaded(f));
}

double loaded_rest(const Frame& f) {
  return f.p.load().rest_ahead() * loaded(f) * 0.5 *
         (f.body.foot_reach[kLeft].x() + f.body.foot_reach[kRight].x());
}

void hold_up(const Frame& f, const Goal& goal) {
  const double most = f.p.load().most() * physics::kGravity * f.body.creature->total_mass;
  for (int side : {kLeft, kRight}) {
    const Vec3 effort = goal.hand[side].effort.cwiseMax(-most).cwiseMin(most);
    if (effort.isZero()) continue;
    const Vec3 at = palm(f, side);
    for (int link = f.body.biped.link[kLeftLowerArm + side]; link > 0;
         link = f.body.creature->model->links[link].parent) {
      add_torque(f, link, (at - joint_position(f.state, link)).cross(effort));
    }
  }
}

void lean_on_load(const Frame& f, double dt, LoadState& hands) {
  hands.share +=
      (heavier(f) - 1 - hands.share) * dt / (f.p.load().lean_in_s() * f.body.time_scale + dt);
}

}  // namespace promenade::control::gbwc
