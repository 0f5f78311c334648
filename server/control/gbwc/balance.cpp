// Feedforward torques: gravity compensation, velocity tuning, the pelvis servo.
// Source: Coros2010 §3.3, §3.4.
#include <algorithm>
#include <cmath>

#include "control/gbwc/frame.h"

namespace promenade::control {
namespace {

constexpr double kStandingRollServo = 0.2;
constexpr double kLoaded = 1.05;     // of the body's own mass, from where on it carries something
constexpr double kRestAhead = 0.35;  // where the COM rests ahead of the ankles, of the foot's reach
constexpr double kBothFeet = 0.9;    // of the way to a foot: where the load is to be at most
constexpr double kSharedFrom = 2;    // stoop, by which the legs share as wanted, over 1
constexpr double kSquatShare = 0.3;  // of the way from equal shares to those that the balance wants
constexpr double kLoadedFrom = 10;   // load over the own mass, that counts in full, over 1
constexpr double kStoopedAhead = 0.15;  // likewise of who stoops
constexpr double kIdleAfter = 2;        // s of standing before the weight is shifted
constexpr double kStairsSupport = 0.7;  // share of crouch_support on a knee that goes up or down
// In place of climb_gain and climb_force, going down.
constexpr double kDownGain = 2, kDownForce = 2;
constexpr double kDuckSway = 4;   // duck, from where on the pressure is not moved sideways, over 1
constexpr double kBorne = 0.1;    // of the weight on a foot, from where on its hip shifts the load
constexpr double kLooseHip = 30;  // N m, of a stance hip without load, for a human

}  // namespace

/// Adds a torque on a link (world frame, N m; its parent gets the opposite) to its joint's
/// coordinates.
void Gbwc::add_torque(const Frame& f, int link, const Vec3& torque) {
  const physics::LinkModel& model = body_.creature->model->links[link];
  const Mat3& r = f.links[link].rotation;
  Vec3& out = f.drives[link].feedforward;
  switch (model.joint) {
    case physics::JointKind::kHinge:
      out.x() += (r * model.axis).dot(torque);
      break;
    case physics::JointKind::kUniversal:
      out.x() += r.col(0).dot(torque);
      out.y() += f.links[model.parent].rotation.col(1).dot(torque);
      break;
    case physics::JointKind::kBall:
      out += r.transpose() * torque;
      break;
    case physics::JointKind::kSlider:
    case physics::JointKind::kFree:
    case physics::JointKind::kPlanar:
    case physics::JointKind::kFixed:
      break;  // a slider takes no torque, and roots have no servo
  }
}

void Gbwc::compensate_gravity(const Frame& f) {
  if (p_->gravity_compensation() <= 0) return;
  const auto& links = body_.creature->model->links;
  for (int i = 1; i < static_cast<int>(links.size()); ++i) {
    bool stance = false;
    for (int side : {kLeft, kRight}) {
      if (balance_.share[side] <= 0) continue;
      for (Part part : {kLeftThigh, kLeftShank, kLeftFoot, kLeftToes}) {
        stance = stance || i == body_.biped.link[part + side];
      }
    }
    if (stance) continue;
    const Vec3 arm = f.branch[i].com - joint_position(f.state, i);
    add_torque(
        f, i,
        p_->gravity_compensation() * arm.cross(Vec3(0, 0, physics::kGravity * f.branch[i].mass)));
  }
}

Vec3 Gbwc::virtual_force(const Frame& f) const {
  if (p_->velocity_tuning() <= 0 || !(f.s.on_ground[0] || f.s.on_ground[1])) return Vec3::Zero();
  const double mass = f.mass;
  Vec2 force;
  if (step_.standing) {
    Vec3 middle = 0.5 * (f.s.ankle[0] + f.s.ankle[1]);
    if (stand_.shifting) {
      middle = 0.2 * middle + 0.8 * f.s.ankle[step_.stance];
    } else {
      middle += idle_shift() * 0.5 * (f.s.ankle[kLeft] - f.s.ankle[kRight]);
    }
    Vec2 offset = f.in_heading(middle - f.s.com);
    // Who stoops tips over faster, and keeps the same way to the toes as to the heels.
    const double stooped = std::min(1.0, 4 * stoop_.depth);
    const double lower =
        std::lerp(1.0, std::max(1.0, body_.creature->standing_com_height / f.height), stooped);
    const double rest =
        std::lerp(kRestAhead * 0.5 * (body_.foot_reach[0].x() + body_.foot_reach[1].x()),
                  stooped_rest() + loaded_rest(), stooped);
    offset.x() += rest;
    force = mass * lower * (p_->stand_stiffness() * offset - p_->stand_damping() * f.velocity);
    // Standing at rest the COM is ahead of the ankles, and the ground pushes up under the COM.
    force.x() -= mass * physics::kGravity / f.height * rest;
    const double most =
        p_->stand_force_n() * body_.mass_scale * lower * mass / body_.creature->total_mass;
    force = force.cwiseMax(-most).cwiseMin(most);
    // Who pushes or pulls may shift onto one foot to set out.
    if (mass > kLoaded * body_.creature->total_mass || (stoop_.depth > 0 && !stand_.shifting)) {
      // With work in the hands both feet stay on the ground. Legs side by side tip over like a
      // parallelogram: gravity adds to the force what takes the load from under the COM back to
      // the middle of the feet.
      const double half = 0.5 * std::abs(f.in_heading(f.s.ankle[kLeft] - f.s.ankle[kRight]).y());
      const double most_aside = kBothFeet * half * mass * physics::kGravity / f.height;
      force.y() = std::clamp(force.y(), -most_aside, most_aside);
    }
  } else {
    const Vec2 regular = sway(f);
    const double offset = f.in_heading(f.s.com - f.s.ankle[step_.stance]).y();
    const double stiffness =
        std::lerp(p_->coronal_stiffness(), p_->long_coronal_stiffness(), f.firm);
    // A pendulum over the foot is slowest in mid-step. Asking it for a constant speed would only
    // take energy out of it.
    const double pace = 1 + p_->natural_pace() * (f.pendulum.pace() - 1);
    const double place =
        course_.velocity.x() * 0.5 * f.step_time * f.pendulum.now.sinh() / f.pendulum.end.sinh() +
        stood_ahead() * body_.foot_reach[step_.stance].x();
    const double ahead = f.in_heading(f.s.com - f.s.ankle[step_.stance]).x();
    // On course the body is also held at the pendulum's place: otherwise long steps alternate with
    // short ones.
    const double held = descend_ > 0 ? kDownGain : step_.climbed > 0 ? p_->climb_gain() : 1;
    force.x() = held * mass *
                (p_->sagittal_gain() * (pace * course_.velocity.x() - f.velocity.x()) +
                 p_->sagittal_stiffness() * (1 - f.trouble) * (place - ahead));
    force.y() =
        mass * (stiffness * (regular.x() - offset) +
                p_->coronal_damping() * (course_.velocity.y() + regular.y() - f.velocity.y()));
    // A foot on a tread cannot be put elsewhere: the body is held to its course instead.
    const double stairs_force = descend_ > 0        ? kDownForce
                                : step_.climbed > 0 ? p_->climb_force()
                                                    : 1;
    // What is carried is to be moved as well.
    const double all = heavier(f);
    const double most_x = all * (step_.pushing ? 1 : stairs_force) * ground_.grip *
                          p_->sagittal_force_n() * body_.mass_scale;
    const double most_y = all * ground_.grip * p_->coronal_force_n() * body_.mass_scale;
    force.x() = std::clamp(force.x(), -most_x, most_x);
    force.y() = std::clamp(force.y(), -most_y, most_y);
  }
  return f.heading * Vec3(force.x(), force.y(), 0);
}

/// 0 of who only stands to 1 of who stoops or carries.
double Gbwc::at_work(const Frame& f) const {
  return std::min(1.0, kSharedFrom * stoop_.depth + kLoadedFrom * (heavier(f) - 1));
}

/// m, from the ankles ahead to where the COM of who stoops rests.
double Gbwc::stooped_rest() const {
  return kStoopedAhead * 0.5 * (body_.foot_reach[0].x() + body_.foot_reach[1].x());
}

/// Shift of the weight from foot to foot while standing for long (§5.1), -1 to 1: +1 is all of it
/// on the left foot.
double Gbwc::idle_shift() const {
  const double t = (idle_.clock - kIdleAfter) / body_.time_scale;
  if (t <= 0) return 0;
  const double grown = std::min(1.0, t / 4);
  return p_->idle_shift() * grown * (0.65 * std::sin(0.55 * t) + 0.35 * std::sin(1.27 * t));
}

/// The share of the weight that the left leg bears, in standing: as it is felt; of who stoops
/// between equal shares and what the balance wants, for hips that are bent this far do not shift
/// the weight by rolling.
/// Law:    s = (z - r) / (l - r), z = c - h F / (m g) across the heading: c, h place and height of
///         the COM, F the virtual force on it, l and r the places of the ankles
double Gbwc::left_share(const Frame& f) const {
  const double both = f.load[kLeft] + f.load[kRight];
  const double felt = std::clamp(both > 0.01 ? f.load[kLeft] / both : 0.5, 0.1, 0.9);
  const double left = f.in_heading(f.s.ankle[kLeft]).y();
  const double apart = left - f.in_heading(f.s.ankle[kRight]).y();
  if (stoop_.depth == 0 || apart < 0.02 * body_.length_scale) return felt;
  const double place = f.in_heading(f.s.com).y() -
                       f.height * f.in_heading(virtual_force(f)).y() / (physics::kGravity * f.mass);
  const double wanted = std::clamp(1 + (place - left) / apart, 0.1, 0.9);
  // The share follows a small way of the COM fast, and in a deep squat that turns the pelvis.
  return std::lerp(felt, std::lerp(0.5, wanted, kSquatShare),
                   std::min(1.0, kSharedFrom * stoop_.depth));
}

/// Law:    tau_j = J_j^T F over the joints j from the stance ankle to the trunk, with F the virtual
///         force on the COM and J_j its Jacobian by joint j
/// The ankle's torque is limited to what keeps the centre of pressure inside the sole, so that the
/// foot stays flat. The paper switches it off instead when a toe is lifted.
void Gbwc::tune_velocity(const Frame& f, const Vec3& force) {
  for (int side : {kLeft, kRight}) {
    const double share = balance_.share[side];
    if (share <= 0) continue;
    const int foot = body_.biped.link[kLeftFoot + side],
              shank = body_.biped.link[kLeftShank + side];
    const double load = std::max(0.0, f.s.foot_force[side].z());
    const double margin = step_.standing
                              ? p_->stand_cop_margin()
                              : std::lerp(p_->ankle_cop_margin(), p_->stand_cop_margin(), f.firm);
    Vec3 reach = margin * load * body_.foot_reach[side];
    reach.x() = std::min(reach.x(), load * ball_ahead(side));  // soft toes carry little
    const double roll_limit =
        std::min(reach.z(), std::lerp(p_->ankle_roll_nm(), p_->long_ankle_roll_nm(), f.firm) *
                                body_.mass_scale * body_.length_scale);
    const Vec3 at_ankle = -share * (f.s.com - f.s.ankle[side]).cross(force);
    const Mat3& r = f.links[foot].rotation;
    const double rolling = step_.standing ? 0 : roll_over_torque(f, side, load);
    double pitch = std::clamp(r.col(1).dot(at_ankle), -reach.y(), reach.x());
    if (rolling != 0) {
      pitch = std::clamp(pitch + rolling, -0.9 * load * body_.foot_reach[side].y(),
                         load * ball_ahead(side));
    }
    // To push sideways both legs can do as much, however the load is shared.
    const double even = step_.standing ? std::min(1.0, kSharedFrom * stoop_.depth) : 0;
    const Vec3 aside = std::lerp(1.0, 0.5 / share, even) * at_ankle;
    double roll = std::clamp(r.col(0).dot(aside), -roll_limit, roll_limit);
    if (const double given = side == step_.stance ? given_share() : 0; given > 0) {
      const Vec2 pressure = load * given_pressure(f);
      pitch = std::lerp(pitch, pressure.x(), given);
      // Who ducks sways otherwise.
      if (over_ >= 0)
        roll = std::lerp(-pressure.y(), roll, std::min(1.0, kDuckSway * duck_.amount));
    }
    add_torque(f, foot, r.col(1) * pitch + r.col(0) * roll);
    // Soles are too narrow to push sideways with. With both feet on the ground, torque at the hips
    // shifts the load from one foot to the other instead. Not in Coros2010, which uses the ankles.
    // So it does on stairs, while both feet bear.
    balance_.brace[side].setZero();
    const bool both = balance_.share[0] > 0 && balance_.share[1] > 0;
    if (step_.standing || (both && on_stairs(f) && straddles(f))) {
      const double apart = (f.s.ankle[kLeft] - f.s.ankle[kRight]).head<2>().norm();
      // In work a leg that is in the air would only be thrown under the other.
      const double borne =
          std::lerp(1.0, std::min(1.0, f.load[side] / kBorne), plain_ ? 1.0 : at_work(f));
      const double most = 0.3 * borne * physics::kGravity * f.mass * apart;
      const Vec3 axis = f.heading * Vec3::UnitX();
      balance_.brace[side] = axis * std::clamp(roll - axis.dot(aside), -most, most);
    }

    Vec3 at_knee = -share * (f.s.com - f.s.knee[side]).cross(force);
    // Torque for the weight that the stance knee carries: the ground pushes from the centre of
    // pressure towards the COM.
    const Vec3 from = f.s.foot_pressure_centre[side];
    const double support =
        std::lerp(p_->stance_knee_support(), p_->crouch_support(),
                  step_.climbed > 0 || descend_ > 0
                      ? kStairsSupport
                      : std::clamp((crouch() + stooped_knee(side)) / 0.4, 0.0, 1.0));
    const Vec3 push = share * support * physics::kGravity * f.mass * (f.s.com - from) /
                      std::max(0.3, f.s.com.z() - from.z());
    if (f.s.on_ground[side]) at_knee += (f.s.knee[side] - from).cross(push);
    add_torque(f, shank, at_knee);
  }
  const double m = f.mass;
  for (const auto& [part, share] : {std::pair<Part, double>{kLowerBack, p_->lower_back_share()},
                                    std::pair<Part, double>{kTorso, p_->torso_share()}}) {
    const int link = body_.biped.link[part];
    const Branch& above = f.branch[link];
    add_torque(f, link,
               share * (above.mass / m) * (above.com - joint_position(f.state, link)).cross(force));
  }
}

/// Law:    tau_stance_hip = -tau_pelvis - tau_swing_hip - tau_lower_back, tau_pelvis the torque of
///         a servo that holds the pelvis in the world, the others torques on the child of the
///         joint. The servo is expressed as one of the thigh against the pelvis, so that the solver
///         can integrate it implicitly.
/// Source: Coros2010 §3.1 (Yin, Loken, van de Panne 2007)
void Gbwc::hold_pelvis(const Frame& f, const Vec3& force) {
  Vec3 other = Vec3::Zero();  // torque on the pelvis' other children
  for (int i = 1; i < static_cast<int>(body_.creature->model->links.size()); ++i) {
    if (body_.creature->model->links[i].parent != 0) continue;
    if (i == body_.biped.link[kLeftThigh] && balance_.share[0] > 0) continue;
    if (i == body_.biped.link[kRightThigh] && balance_.share[1] > 0) continue;
    other += f.links[i].rotation * f.drives[i].applied;
  }
  const double weight = physics::kGravity * f.mass;
  const double flying = std::max(0.0, 1 - balance_.share[0] - balance_.share[1]);
  for (int side : {kLeft, kRight}) {
    const double share = balance_.share[side];
    const int thigh = body_.biped.link[kLeftThigh + side];
    const physics::LinkMotion& m = f.links[thigh];
    physics::JointDrive& drive = f.drives[thigh];
    const bool carries = share > 0 && (step_.standing || side == step_.stance || share >= 0.5);
    // Each leg that carries holds the pelvis by its share of the load; in the air both do a little.
    const double held =
        body_.mass_scale *
        ((carries ? share : 0) + (step_.standing ? 0 : 0.5 * p_->flight_hold() * flying));
    Vec3 kp = Vec3::Constant(held * p_->root_kp_nm());
    // Two legs on the ground hold the pelvis level by themselves, and a stiff servo in roll would
    // work against balance_.brace.
    // Whose hands have work would be tipped over by it.
    if (step_.standing) {
      // The axis of roll, seen from the thigh: in a squat it is nearly along it.
      const double work = at_work(f);
      const Vec3 axis = m.rotation.transpose() * (f.heading * Vec3::UnitX());
      const Vec3 roll = (1 - work) * Vec3::UnitX() + work * axis.cwiseAbs2();
      kp = kp.cwiseProduct(Vec3::Ones() - (1 - kStandingRollServo * (1 - work)) * roll);
    }
    // The hip of a leg that carries serves the pelvis alone; otherwise also its own target.
    const double own = carries ? (step_.standing ? 0 : 1 - share) : 1;
    drive.kp *= own;
    drive.kd *= own;
    // The target is the rotation of the present thigh against the pelvis as it should be.
    add_servo(&drive, kp, Vec3::Constant(held * p_->root_kd_nms()),
              f.pelvis.conjugate() * Quat(m.rotation), m.rotation.transpose() * m.omega);
    if (share <= 0) continue;
    if (!carries) {
      // A leg with a share of the load takes the same share of the torques of the other children.
      drive.feedforward += m.rotation.transpose() * (balance_.brace[side] - share * other);
      continue;
    }
    // A torque that friction under the foot cannot answer would only throw the leg or turn the
    // foot.
    const double grip = ground_.grip * f.load[side] * weight * body_.biped.leg_length[side];
    const double least = kLooseHip * body_.mass_scale;
    drive.limit = body_.creature->gains[thigh].limit;
    if (!step_.standing) {
      const double most = std::max(least, p_->hip_grip() * grip);
      drive.limit =
          drive.limit.cwiseMin(Vec3(most, most, std::max(least, p_->hip_grip_yaw() * grip)));
    } else {
      // Who carries would turn on the sole; in a squat the thigh's own axis is not the vertical.
      const double carries = plain_ ? 1 : std::min(1.0, kLoadedFrom * (heavier(f) - 1));
      const double upright =
          ground_.grip < 1 ? 1 : carries * (1 - std::min(1.0, kSharedFrom * stoop_.depth));
      drive.limit.z() =
          std::lerp(drive.limit.z(), std::min(drive.limit.z(), p_->hip_grip_yaw() * grip), upright);
    }
    const Vec3 on_pelvis = (f.s.com - f.s.hip[side]).cross(force);
    drive.feedforward =
        m.rotation.transpose() * (balance_.brace[side] - share * (other + on_pelvis));
  }
}

}  // namespace promenade::control
