// Feedforward torques: gravity compensation, velocity tuning, the pelvis servo.
// Source: Coros2010 §3.3, §3.4.
#include "control/gbwc/drive/balance.h"

#include <algorithm>
#include <cmath>

#include "control/gbwc/drive/servos.h"
#include "control/gbwc/frame.h"
#include "control/gbwc/ground/underfoot.h"
#include "control/gbwc/posture/duck.h"
#include "control/gbwc/posture/idle.h"
#include "control/gbwc/posture/load.h"
#include "control/gbwc/posture/stoop.h"
#include "control/gbwc/steps/given_steps.h"
#include "control/gbwc/steps/stairs.h"
#include "control/gbwc/swing/push_off.h"
#include "control/gbwc/timing.h"

namespace promenade::control::gbwc {

namespace {

/// The virtual force on the COM of who stands, heading frame, N: towards where the COM rests over
/// the feet.
Vec2 standing_force(const Frame& f) {
  const v1::GbwcStanding& standing = f.p.standing();
  const double mass = f.mass;
  Vec3 middle = 0.5 * (f.s.ankle[0] + f.s.ankle[1]);
  if (f.stand.shifting) {
    middle = standing.set_out_middle() * middle +
             (1 - standing.set_out_middle()) * f.s.ankle[f.step.stance];
  } else {
    middle += idle_shift(f) * 0.5 * (f.s.ankle[kLeft] - f.s.ankle[kRight]);
  }
  Vec2 offset = f.in_heading(middle - f.s.com);
  // A body that stoops tips over faster, and keeps the same way to the toes as to the heels.
  const double stooped = std::min(1.0, f.p.stoop().rest_gain() * f.stoop.depth);
  const double lower =
      std::lerp(1.0, std::max(1.0, f.body.creature->standing_com_height / f.height), stooped);
  const double rest =
      std::lerp(standing.rest_ahead() * 0.5 * (f.body.foot_reach[0].x() + f.body.foot_reach[1].x()),
                stooped_rest(f.body, f.p.stoop()) + loaded_rest(f), stooped);
  offset.x() += rest;
  Vec2 force = mass * lower * (standing.stiffness() * offset - standing.damping() * f.velocity);
  // Standing at rest the COM is ahead of the ankles, and the ground pushes up under the COM.
  force.x() -= mass * physics::kGravity / f.height * rest;
  const double most =
      standing.force_n() * f.body.mass_scale * lower * mass / f.body.creature->total_mass;
  force = force.cwiseMax(-most).cwiseMin(most);
  // Who pushes or pulls may shift onto one foot to set out.
  if (mass > f.p.load().counts_from() * f.body.creature->total_mass ||
      (f.stoop.depth > 0 && !f.stand.shifting)) {
    // With work in the hands both feet stay on the ground. Legs side by side tip over like a
    // parallelogram: gravity adds to the force what takes the load from under the COM back to
    // the middle of the feet.
    const double half = 0.5 * std::abs(f.in_heading(f.s.ankle[kLeft] - f.s.ankle[kRight]).y());
    const double most_aside = standing.both_feet() * half * mass * physics::kGravity / f.height;
    force.y() = std::clamp(force.y(), -most_aside, most_aside);
  }
  return force;
}

/// Likewise of who walks: towards the speed that is asked for, and to the place that a pendulum
/// over the stance foot has at this phase.
Vec2 walking_force(const Frame& f) {
  const v1::GbwcSpeed& speed = f.p.speed();
  const double mass = f.mass;
  const Vec2 regular = sway(f);
  const double offset = f.in_heading(f.s.com - f.s.ankle[f.step.stance]).y();
  const double stiffness =
      std::lerp(speed.coronal_stiffness(), speed.long_coronal_stiffness(), f.firm);
  // A pendulum over the foot is slowest in mid-step. Asking it for a constant speed would only
  // take energy out of it.
  const double pace = 1 + speed.natural_pace() * (f.pendulum.pace() - 1);
  const double place =
      f.course.velocity.x() * 0.5 * f.step_time * f.pendulum.now.sinh() / f.pendulum.end.sinh() +
      stood_ahead(f) * f.body.foot_reach[f.step.stance].x();
  const double ahead = f.in_heading(f.s.com - f.s.ankle[f.step.stance]).x();
  // On course the body is also held at the pendulum's place: otherwise long steps alternate with
  // short ones.
  const double held = f.plan.is(StepKind::kDown) ? f.p.down_body().gain()
                      : f.step.climbed > 0       ? f.p.up_body().gain()
                                                 : 1;
  Vec2 force;
  force.x() = held * mass *
              (speed.sagittal_gain() * (pace * f.course.velocity.x() - f.velocity.x()) +
               speed.sagittal_stiffness() * (1 - f.trouble) * (place - ahead));
  force.y() =
      mass * (stiffness * (regular.x() - offset) +
              speed.coronal_damping() * (f.course.velocity.y() + regular.y() - f.velocity.y()));
  // A foot on a tread cannot be put elsewhere: the body is held to its course instead.
  const double stairs_force = f.plan.is(StepKind::kDown) ? f.p.down_body().force()
                              : f.step.climbed > 0       ? f.p.up_body().force()
                                                         : 1;
  // What is carried is to be moved as well.
  const double all = heavier(f);
  const double most_x = all * (f.step.pushing ? 1 : stairs_force) * f.underfoot.grip *
                        speed.sagittal_force_n() * f.body.mass_scale;
  const double most_y = all * f.underfoot.grip * speed.coronal_force_n() * f.body.mass_scale;
  force.x() = std::clamp(force.x(), -most_x, most_x);
  force.y() = std::clamp(force.y(), -most_y, most_y);
  return force;
}

/// What the virtual force asks of a stance ankle, N m.
struct AnkleTorque {
  double pitch = 0, roll = 0;  // about the foot's axes, within what the sole can answer
  Vec3 aside = Vec3::Zero();   // world: what the roll would be without limits
};

AnkleTorque ankle_torque(const Frame& f, int side, const Vec3& force) {
  const v1::GbwcStanding& standing = f.p.standing();
  const v1::GbwcSpeed& speed = f.p.speed();
  const double share = f.balance.share[side];
  const int foot = f.body.biped.link[kLeftFoot + side];
  const double load = std::max(0.0, f.s.foot_force[side].z());
  const double margin = f.step.standing
                            ? standing.cop_margin()
                            : std::lerp(speed.ankle_cop_margin(), standing.cop_margin(), f.firm);
  Vec3 reach = margin * load * f.body.foot_reach[side];
  reach.x() = std::min(reach.x(), load * ball_ahead(f, side));  // soft toes carry little
  const double roll_limit =
      std::min(reach.z(), std::lerp(speed.ankle_roll_nm(), speed.long_ankle_roll_nm(), f.firm) *
                              f.body.mass_scale * f.body.length_scale);
  const Vec3 at_ankle = -share * (f.s.com - f.s.ankle[side]).cross(force);
  const Mat3& r = f.links[foot].rotation;
  const double rolling = f.step.standing ? 0 : roll_over_torque(f, side, load);
  double pitch = std::clamp(r.col(1).dot(at_ankle), -reach.y(), reach.x());
  if (rolling != 0) {
    pitch = std::clamp(pitch + rolling,
                       -f.p.push_off().heel_reach() * load * f.body.foot_reach[side].y(),
                       load * ball_ahead(f, side));
  }
  // To push sideways both legs can do as much, however the load is shared.
  const double even = f.step.standing ? stooped_share(f) : 0;
  const Vec3 aside = std::lerp(1.0, 0.5 / share, even) * at_ankle;
  double roll = std::clamp(r.col(0).dot(aside), -roll_limit, roll_limit);
  if (const double given = side == f.step.stance ? given_share(f) : 0; given > 0) {
    const Vec2 pressure = load * given_pressure(f);
    pitch = std::lerp(pitch, pressure.x(), given);
    // Who ducks sways otherwise.
    if (f.plan.is(StepKind::kOver))
      roll =
          std::lerp(-pressure.y(), roll, std::min(1.0, f.p.bend().upright_roll() * f.duck.amount));
  }
  return {pitch, roll, aside};
}

/// The torque on a thigh that shifts the load from one foot to the other, N m, world.
Vec3 brace_torque(const Frame& f, int side, double roll, const Vec3& aside) {
  const v1::GbwcStanding& standing = f.p.standing();
  // Soles are too narrow to push sideways with. With both feet on the ground, torque at the hips
  // shifts the load from one foot to the other instead. Not in Coros2010, which uses the ankles.
  // So it does on stairs, while both feet bear.
  const bool both = f.balance.share[0] > 0 && f.balance.share[1] > 0;
  if (!f.step.standing && !(both && on_stairs(f) && straddles(f))) return Vec3::Zero();
  const double apart = (f.s.ankle[kLeft] - f.s.ankle[kRight]).head<2>().norm();
  // In work a leg that is in the air would only be thrown under the other.
  const double borne =
      std::lerp(1.0, std::min(1.0, f.load[side] / standing.borne()), f.plain ? 1.0 : at_work(f));
  const double most = standing.brace() * borne * physics::kGravity * f.mass * apart;
  const Vec3 axis = f.heading * Vec3::UnitX();
  return axis * std::clamp(roll - axis.dot(aside), -most, most);
}

/// The torque on a stance shank, N m, world.
Vec3 knee_torque(const Frame& f, int side, const Vec3& force) {
  const v1::GbwcServos& servos = f.p.servos();
  const double share = f.balance.share[side];
  Vec3 at_knee = -share * (f.s.com - f.s.knee[side]).cross(force);
  // Torque for the weight that the stance knee carries: the ground pushes from the centre of
  // pressure towards the COM.
  const Vec3 from = f.s.foot_pressure_centre[side];
  const double support =
      std::lerp(servos.knee_support(), servos.crouch_support(),
                f.step.climbed > 0 || f.plan.is(StepKind::kDown)
                    ? f.p.stairs().knee_support()
                    : std::clamp((knee_bend(f) + stooped_knee(f, side)) / servos.crouch_full_rad(),
                                 0.0, 1.0));
  const Vec3 push = share * support * physics::kGravity * f.mass * (f.s.com - from) /
                    std::max(0.3, f.s.com.z() - from.z());
  if (f.s.on_ground[side]) at_knee += (f.s.knee[side] - from).cross(push);
  return at_knee;
}

/// The torque on the pelvis of its children that do not carry, N m, world.
Vec3 torque_of_others(const Frame& f) {
  Vec3 other = Vec3::Zero();
  for (int i = 1; i < static_cast<int>(f.body.creature->model->links.size()); ++i) {
    if (f.body.creature->model->links[i].parent != 0) continue;
    if (i == f.body.biped.link[kLeftThigh] && f.balance.share[0] > 0) continue;
    if (i == f.body.biped.link[kRightThigh] && f.balance.share[1] > 0) continue;
    other += f.links[i].rotation * f.drives[i].applied;
  }
  return other;
}

/// The greatest torques of a hip that carries, N m, frame of the thigh.
Vec3 hip_limit(const Frame& f, int side) {
  const v1::GbwcPelvis& p = f.p.pelvis();
  // A torque that friction under the foot cannot answer would only throw the leg or turn the
  // foot.
  const double weight = physics::kGravity * f.mass;
  const double grip = f.underfoot.grip * f.load[side] * weight * f.body.biped.leg_length[side];
  const double least = p.loose_hip_nm() * f.body.mass_scale;
  Vec3 limit = f.body.creature->gains[f.body.biped.link[kLeftThigh + side]].limit;
  if (!f.step.standing) {
    const double most = std::max(least, p.hip_grip() * grip);
    limit = limit.cwiseMin(Vec3(most, most, std::max(least, p.hip_grip_yaw() * grip)));
  } else {
    // Who carries would turn on the sole; in a squat the thigh's own axis is not the vertical.
    const double carries = f.plain ? 1 : carried_share(f);
    const double upright = f.underfoot.grip < 1 ? 1 : carries * (1 - stooped_share(f));
    limit.z() = std::lerp(limit.z(), std::min(limit.z(), p.hip_grip_yaw() * grip), upright);
  }
  return limit;
}

/// The share of the weight that the left leg bears, in standing: as it is felt; of who stoops
/// between equal shares and what the balance wants, for hips that are bent this far do not shift
/// the weight by rolling.
/// Law:    s = (z - r) / (l - r), z = c - h F / (m g) across the heading: c, h place and height of
///         the COM, F the virtual force on it, l and r the places of the ankles
double left_share(const Frame& f) {
  const v1::GbwcStanding& p = f.p.standing();
  const double both = f.load[kLeft] + f.load[kRight];
  const double felt =
      std::clamp(both > 0.01 ? f.load[kLeft] / both : 0.5, p.least_share(), 1 - p.least_share());
  const double left = f.in_heading(f.s.ankle[kLeft]).y();
  const double apart = left - f.in_heading(f.s.ankle[kRight]).y();
  if (f.stoop.depth == 0 || apart < 0.02 * f.body.length_scale) return felt;
  const double place = f.in_heading(f.s.com).y() -
                       f.height * f.in_heading(virtual_force(f)).y() / (physics::kGravity * f.mass);
  const double wanted =
      std::clamp(1 + (place - left) / apart, p.least_share(), 1 - p.least_share());
  // The share follows a small way of the COM fast, and in a deep squat that turns the pelvis.
  return std::lerp(felt, std::lerp(0.5, wanted, f.p.stoop().balance_share()), stooped_share(f));
}

}  // namespace

void compensate_gravity(const Frame& f) {
  const double compensated = f.p.servos().gravity_compensation();
  if (compensated <= 0) return;
  const auto& links = f.body.creature->model->links;
  for (int i = 1; i < static_cast<int>(links.size()); ++i) {
    const int leg = f.body.leg_of[std::size_t(i)];
    if (leg != WalkerBody::kNoLeg && f.balance.share[leg] > 0) continue;
    const Vec3 arm = f.branch[i].com - joint_position(f.state, i);
    add_torque(f, i, compensated * arm.cross(Vec3(0, 0, physics::kGravity * f.branch[i].mass)));
  }
}

Vec3 virtual_force(const Frame& f) {
  if (f.p.speed().tuning() <= 0 || !(f.s.on_ground[0] || f.s.on_ground[1])) return Vec3::Zero();
  const Vec2 force = f.step.standing ? standing_force(f) : walking_force(f);
  return f.heading * Vec3(force.x(), force.y(), 0);
}

void tune_velocity(const Frame& f, const Vec3& force, BalanceState& balance) {
  for (int side : {kLeft, kRight}) {
    if (balance.share[side] <= 0) continue;
    const int foot = f.body.biped.link[kLeftFoot + side];
    const Mat3& r = f.links[foot].rotation;
    const AnkleTorque ankle = ankle_torque(f, side, force);
    add_torque(f, foot, r.col(1) * ankle.pitch + r.col(0) * ankle.roll);
    balance.brace[side] = brace_torque(f, side, ankle.roll, ankle.aside);
    add_torque(f, f.body.biped.link[kLeftShank + side], knee_torque(f, side, force));
  }
  const double m = f.mass;
  for (const auto& [part, share] :
       {std::pair<Part, double>{kLowerBack, f.p.speed().lower_back_share()},
        std::pair<Part, double>{kTorso, f.p.speed().torso_share()}}) {
    const int link = f.body.biped.link[part];
    const Branch& above = f.branch[link];
    add_torque(f, link,
               share * (above.mass / m) * (above.com - joint_position(f.state, link)).cross(force));
  }
}

void hold_pelvis(const Frame& f, const Vec3& force) {
  const v1::GbwcPelvis& p = f.p.pelvis();
  const Vec3 other = torque_of_others(f);
  const double flying = std::max(0.0, 1 - f.balance.share[0] - f.balance.share[1]);
  for (int side : {kLeft, kRight}) {
    const double share = f.balance.share[side];
    const int thigh = f.body.biped.link[kLeftThigh + side];
    const physics::LinkMotion& m = f.links[thigh];
    physics::JointDrive& drive = f.drives[thigh];
    const bool carries = share > 0 && (f.step.standing || side == f.step.stance || share >= 0.5);
    // Each leg that carries holds the pelvis by its share of the load; in the air both do a little.
    const double held =
        f.body.mass_scale *
        ((carries ? share : 0) + (f.step.standing ? 0 : 0.5 * p.flight_hold() * flying));
    Vec3 kp = Vec3::Constant(held * p.kp_nm());
    // Two legs on the ground hold the pelvis level by themselves, and a stiff servo in roll would
    // work against f.balance.brace.
    // Whose hands have work would be tipped over by it.
    if (f.step.standing) {
      // The axis of roll, seen from the thigh: in a squat it is nearly along it.
      const double work = at_work(f);
      const Vec3 axis = m.rotation.transpose() * (f.heading * Vec3::UnitX());
      const Vec3 roll = (1 - work) * Vec3::UnitX() + work * axis.cwiseAbs2();
      kp = kp.cwiseProduct(Vec3::Ones() - (1 - p.standing_roll() * (1 - work)) * roll);
    }
    // The hip of a leg that carries serves the pelvis alone; otherwise also its own target.
    const double own = carries ? (f.step.standing ? 0 : 1 - share) : 1;
    drive.kp *= own;
    drive.kd *= own;
    // The target is the rotation of the present thigh against the pelvis as it should be.
    add_servo(&drive, kp, Vec3::Constant(held * p.kd_nms()),
              f.pelvis.conjugate() * Quat(m.rotation), m.rotation.transpose() * m.omega);
    if (share <= 0) continue;
    if (!carries) {
      // A leg with a share of the load takes the same share of the torques of the other children.
      drive.feedforward += m.rotation.transpose() * (f.balance.brace[side] - share * other);
      continue;
    }
    drive.limit = hip_limit(f, side);
    const Vec3 on_pelvis = (f.s.com - f.s.hip[side]).cross(force);
    drive.feedforward =
        m.rotation.transpose() * (f.balance.brace[side] - share * (other + on_pelvis));
  }
}

std::array<double, 2> stance_shares(const Frame& f) {
  const v1::GbwcPelvis& p = f.p.pelvis();
  if (f.step.standing) {
    const double left = left_share(f);
    return {left, 1 - left};
  }
  const auto stance = std::size_t(f.step.stance), swing = 1 - stance;
  std::array<double, 2> share{};
  share[stance] = std::min(1.0, f.load[stance] / p.full_load());
  if (f.step.phase < p.both_until())
    share[swing] = std::min(1 - share[stance], f.load[swing] / p.full_load());
  return share;
}

}  // namespace promenade::control::gbwc
