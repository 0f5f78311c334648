// What the hands hold: it pulls at the body, and counts for its balance.
// Source: Coros2010 §5.4, which adds the crate's mass to the body's for balance, and half of its
// weight to the gravity compensation of each hand.
#include <algorithm>
#include <cmath>

#include "control/gbwc/frame.h"

namespace promenade::control {
namespace {

constexpr double kFeelIn = 0.08;  // s, in which a pull at the hands is taken into account
constexpr double kReady = 0.5;    // of an expected weight, that the body leans back for beforehand
constexpr double kMostReady =
    0.015;  // of its own weight, at most, for each hand: it must not fall back
constexpr double kReadyIn = 0.35;   // s
constexpr double kMostLean = 0.35;  // m, of a human, by which a pull shifts the balance at most
constexpr double kUprightFrom = 4;  // stoop, over 1: who stoops further does not lean back
constexpr double kMostLoad = 0.8;   // of the body's mass, that counts at most
constexpr double kFullLoad = 0.4;   // of the body's mass, from which on the next two hold in full
constexpr double kLoadedSteps = 0.65;  // of the usual step time
constexpr double kLoadedAhead = 0.22;  // of the foot's reach

}  // namespace

void Gbwc::feel_load(const Goal& goal, double dt) {
  // What was learnt of the speed while the hands pull or push ends with that: who lets go of
  // something heavy would walk on without an end.
  const bool pulls =
      !goal.hand[kLeft].effort.head<2>().isZero() || !goal.hand[kRight].effort.head<2>().isZero();
  if (load_.pulls && !pulls) learnt_.correction.x() = 0;
  load_.pulls = pulls;
  for (int side : {kLeft, kRight}) {
    const HandGoal& hand = goal.hand[side];
    Vec3 force = hand.force;
    // Who pulls leans as much as is to be pulled: by what is felt one would hang on to what holds.
    if (!hand.effort.head<2>().isZero()) force.head<2>() = -hand.effort.head<2>();
    double in = kFeelIn;
    const double ready = std::min(kReady * hand.expected,
                                  kMostReady * physics::kGravity * body_.creature->total_mass);
    if (-force.z() < ready) {
      force.z() = -ready;
      in = kReadyIn;
    }
    load_.hand_force[side] += (force - load_.hand_force[side]) * (dt / (dt + in));
  }
}

/// Makes the centre of mass, its velocity and the mass those of the body with its load.
/// Law:    c' = (M c + sum m_i p_i) / M' + h F / (M' g), M' = M + sum m_i; M and c the body's own
///         mass and centre, p_i the palms, m_i = W_i / g what they hold up, F the sum of the
///         horizontal forces on them, h their height over the ground. c' is the point that has to
///         be over the feet: the ground's force then balances weight, load and pull.
void Gbwc::take_load(Frame& f) const {
  if (load_.hand_force[kLeft].isZero() && load_.hand_force[kRight].isZero()) return;
  const double own = f.mass;
  const double ground = std::min(f.s.ankle[0].z() - body_.biped.ankle_height[0],
                                 f.s.ankle[1].z() - body_.biped.ankle_height[1]);
  Vec3 com = own * f.s.com, velocity = own * f.s.com_velocity;
  Vec2 tipping = Vec2::Zero();  // N m
  for (int side : {kLeft, kRight}) {
    const physics::LinkMotion& lower = f.links[body_.biped.link[kLeftLowerArm + side]];
    const Vec3 at = palm(f, side);
    const Vec3& force = load_.hand_force[side];
    const double held = held_up(side);
    com += held * at;
    velocity += held * (lower.velocity + lower.omega.cross(at - lower.position));
    f.mass += held;
    tipping += (at.z() - ground) * force.head<2>();
  }
  f.s.com = com / f.mass;
  f.s.com_velocity = velocity / f.mass;
  Vec2 lean = tipping / (physics::kGravity * f.mass);
  const double most = kMostLean * body_.length_scale;
  if (lean.norm() > most) lean *= most / lean.norm();
  f.s.com.head<2>() += lean;
}

/// rad, by which the chest leans back with a load before it: the hips need not stay behind the feet
/// so far, and the spine has less to hold.
double Gbwc::load_lean() const {
  return p_->load_lean_rad() * load_.share * (1 - std::min(1.0, kUprightFrom * stoop_.depth));
}

/// Factor on the damping of a joint of the trunk, whose servo would swing with a load.
/// Law:    sqrt((I + sum m_i r_i^2) / I), I the moment of what the joint carries of the body, about
///         the joint, m_i what the palms hold up and r_i their distances: the damping ratio stays
double Gbwc::load_damping(const Frame& f, int link) const {
  const auto& links = body_.creature->model->links;
  const Vec3 joint = joint_position(f.state, link);
  double load = 0, own = 0;
  for (int side : {kLeft, kRight}) {
    load += held_up(side) * (palm(f, side) - joint).squaredNorm();
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

/// The mass with what is carried, over the own.
double Gbwc::heavier(const Frame& f) const { return f.mass / body_.creature->total_mass; }

/// 0 with free hands to 1 with a heavy load.
double Gbwc::loaded() const {
  if (load_.pulls) return 0;  // what it pushes or pulls is not carried
  return std::clamp(load_.share / kFullLoad, 0.0, 1.0);
}

/// Share of the usual step time: who carries sways less in quick steps, but before and over
/// obstacles and stairs the feet have further to go.
double Gbwc::loaded_step_time() const {
  if (meets_steps()) return 1;
  return std::lerp(1.0, kLoadedSteps, loaded());
}

/// m, by which body and load together rest further ahead over the feet of who stoops. A load that
/// is set down leaves the body alone with its own mass behind its feet, the more so the closer to
/// the heels both rested.
double Gbwc::loaded_rest() const {
  return kLoadedAhead * loaded() * 0.5 *
         (body_.foot_reach[kLeft].x() + body_.foot_reach[kRight].x());
}

/// kg, that a hand holds up.
double Gbwc::held_up(int side) const {
  return std::clamp(-load_.hand_force[side].z() / physics::kGravity, 0.0,
                    0.5 * kMostLoad * body_.creature->total_mass);
}

/// Torques of arms and trunk for the forces that the hands are to exert.
void Gbwc::hold_up(const Frame& f, const Goal& goal) {
  const double most = kMostLoad * physics::kGravity * body_.creature->total_mass;
  for (int side : {kLeft, kRight}) {
    const Vec3 effort = goal.hand[side].effort.cwiseMax(-most).cwiseMin(most);
    if (effort.isZero()) continue;
    const Vec3 at = palm(f, side);
    for (int link = body_.biped.link[kLeftLowerArm + side]; link > 0;
         link = body_.creature->model->links[link].parent) {
      add_torque(f, link, (at - joint_position(f.state, link)).cross(effort));
    }
  }
}

}  // namespace promenade::control
