// Joint angles of poses, and the servos.
#include <algorithm>
#include <cmath>

#include "control/leg_ik.h"
#include "control/rise/frame.h"

namespace promenade::control {
namespace {

constexpr double kMostTurn = 0.5;     // rad, by which the trunk is asked to turn at a time, at most
constexpr double kMostShift = 0.15;   // m, by which a foot is asked to move, at most
constexpr double kPalm = 0.04;        // m, of the ends of the arms above the ground they press on
constexpr double kBallHeight = 0.02;  // m, of the joint of the toes above the sole
constexpr double kHeadTurn = 0.5;     // rad, of the neck

/// Where the lower arm ends, in its link.
Vec3 hand_in_link(const physics::LinkModel& lower_arm) {
  Vec3 end = lower_arm.at_child;
  double most = 0;
  for (const physics::Shape& shape : lower_arm.shapes) {
    const bool rod = shape.kind == physics::Shape::Kind::kCapsule ||
                     shape.kind == physics::Shape::Kind::kCylinder;
    for (const Vec3& at : {shape.a, rod ? shape.b : shape.a}) {
      const double reach = (at - lower_arm.at_child).norm();
      if (reach > most) {
        most = reach;
        end = at;
      }
    }
  }
  return end;
}

}  // namespace

void Rise::take_creature(std::shared_ptr<const Creature> creature) {
  creature_ = std::move(creature);
  biped_ = biped_of(*creature_).value();
  size_ = creature_->leg_scale();
  const auto& links = creature_->model->links;
  for (const int side : {kLeft, kRight}) {
    const auto k = std::size_t(side);
    const auto link = [&](int part) -> const physics::LinkModel& {
      return links[std::size_t(biped_.link[std::size_t(part + side)])];
    };
    const physics::LinkModel& lower_arm = link(kLeftLowerArm);
    upper_arm_[k] = (lower_arm.at_parent - link(kLeftUpperArm).at_child).norm();
    lower_arm_[k] = (hand_in_link(lower_arm) - lower_arm.at_child).norm();
    thigh_[k] = (link(kLeftShank).at_parent - link(kLeftThigh).at_child).norm();
    shank_[k] = (link(kLeftFoot).at_parent - link(kLeftShank).at_child).norm();
  }
}

Vec3 Rise::angles_of(const physics::ArticulatedBody& body, int part) const {
  const auto link = std::size_t(biped_.link[std::size_t(part)]);
  const physics::ArticulationState& state = body.state();
  if (physics::type_of(creature_->model->links[link].joint).rotation) {
    return rotation_vector(state.joint[link]);
  }
  return {state.angle[link].x(), state.angle[link].y(), 0};
}

void Rise::set_arms(double roll, double pitch, double yaw, double elbow) {
  wanted_[kLeftUpperArm] = Vec3(roll, pitch, yaw);
  wanted_[kRightUpperArm] = Vec3(-roll, pitch, -yaw);
  wanted_[kLeftLowerArm] = wanted_[kRightLowerArm] = Vec3(elbow, 0, 0);
}

void Rise::set_legs(double hip, double spread, double knee, double ankle, double toes) {
  wanted_[kLeftThigh] = Vec3(spread, hip, 0);
  wanted_[kRightThigh] = Vec3(-spread, hip, 0);
  wanted_[kLeftShank] = wanted_[kRightShank] = Vec3(knee, 0, 0);
  wanted_[kLeftFoot] = wanted_[kRightFoot] = Vec3(0, ankle, 0);
  wanted_[kLeftToes] = wanted_[kRightToes] = Vec3(toes, 0, 0);
}

void Rise::set_spine(double pitch, double yaw) {
  wanted_[kLowerBack] = wanted_[kTorso] = Vec3(0, pitch, yaw);
}

/// Turns the crown up, off the ground.
void Rise::set_head(const Frame& f) {
  const Vec3 up = f.torso.transpose() * Vec3::UnitZ();
  const Vec3 axis = Vec3::UnitZ().cross(up);
  const double angle = std::atan2(axis.norm(), up.z());
  wanted_[kHead].setZero();
  if (axis.norm() > 1e-6) wanted_[kHead] = axis.normalized() * std::min(kHeadTurn, angle);
}

/// Bends the knees so that the shanks lie on the ground.
void Rise::knees_to_ground(const Frame& f) {
  constexpr double kAnkleUp = 0.25;  // rad, of a shank whose foot stands on its toes
  for (const int side : {kLeft, kRight}) {
    const Vec3 up =
        f.links[std::size_t(biped_.link[std::size_t(kLeftThigh + side)])].rotation.col(2);
    const double pitch = std::atan2(up.dot(f.forward()), up.z());
    wanted_[std::size_t(kLeftShank + side)].x() = std::clamp(kPi / 2 - kAnkleUp - pitch, 0.1, 2.4);
  }
}

/// The trunk level from side to side and pitched forward by `pitch`, or as near to that as it may
/// be asked to turn.
Quat Rise::level_trunk(const Frame& f, double pitch) const {
  const Quat now(f.torso);
  Vec3 turn = rotation_vector(now.conjugate() * Quat(f.level) * rotation_y(pitch));
  const double angle = turn.norm();
  if (angle > kMostTurn) turn *= kMostTurn / angle;
  return now * quat_from_rotation_vector(turn);
}

/// The arm that puts its end at `target` from a shoulder and a trunk as they should be, so that its
/// servos push the trunk there. Elbows point to the feet.
void Rise::reach(const Frame&, int side, const Vec3& shoulder, const Vec3& target,
                 const Quat& trunk) {
  const auto k = std::size_t(side);
  const Mat3 r = trunk.toRotationMatrix();
  // Elbows bend the other way than knees: an arm is a leg turned by half a turn about itself.
  const LegAngles arm = solve_leg(shoulder, target, upper_arm_[k], lower_arm_[k], -r.col(1), 0);
  Mat3 upper = arm.thigh;
  upper.col(0) = -upper.col(0);
  upper.col(1) = -upper.col(1);
  wanted_[kLeftUpperArm + k] = rotation_vector(Quat(Mat3(r.transpose() * upper)));
  wanted_[kLeftLowerArm + k] = Vec3(-arm.knee, 0, 0);
}

void Rise::hands_to_ground(const Frame& f, const Hands& hands) {
  const auto torso = std::size_t(biped_.link[kTorso]);
  for (const int side : {kLeft, kRight}) {
    const auto k = std::size_t(side);
    const auto arm = std::size_t(biped_.link[kLeftUpperArm + k]);
    const double out = side == kLeft ? hands.apart : -hands.apart;
    Vec3 at = f.shoulder[k] + hands.ahead * f.forward() + out * f.left();
    at.z() = f.height(at) + kPalm * size_;
    const Vec3 shoulder = f.links[torso].position +
                          hands.trunk * creature_->model->links[arm].at_parent +
                          hands.lift * Vec3::UnitZ() - hands.push * f.forward();
    reach(f, side, shoulder, at, hands.trunk);
  }
}

/// The legs that hold the pelvis over the balls of the feet where these are. Feet that are out of
/// place are drawn towards it.
void Rise::stand_on_feet(const Frame& f, const Seat& seat) {
  const auto& links = creature_->model->links;
  const Vec3 ahead = seat.level.col(0), left = seat.level.col(1);
  const Vec3 middle = 0.5 * (f.ball[kLeft] + f.ball[kRight]);
  const double most = kMostShift * size_;
  for (const int side : {kLeft, kRight}) {
    const auto k = std::size_t(side);
    const physics::LinkModel& thigh = links[std::size_t(biped_.link[kLeftThigh + k])];
    const physics::LinkModel& foot = links[std::size_t(biped_.link[kLeftFoot + k])];
    const physics::LinkModel& toes = links[std::size_t(biped_.link[kLeftToes + k])];
    const Vec3 off = f.ball[k] - seat.pelvis - seat.level * thigh.at_parent;
    const double out = (side == kLeft ? 1 : -1) * p_->feet_apart_m() * size_;
    Vec3 ball = f.ball[k] + (out - std::clamp(left.dot(off), -most, most)) * left -
                std::clamp(ahead.dot(f.ball[k] - middle), -most, most) * ahead;
    ball.z() = f.height(ball) + kBallHeight * size_;
    const Mat3 sole = (Quat::FromTwoVectors(Vec3::UnitZ(), f.normal(ball)) * Quat(seat.level) *
                       rotation_y(seat.heels))
                          .toRotationMatrix();
    const Vec3 ankle = ball + sole * (foot.at_child - toes.at_parent);
    const Vec3 hip = seat.pelvis + seat.turn * thigh.at_parent;
    const LegAngles leg = solve_leg(hip, ankle, thigh_[k], shank_[k], left, 0);
    wanted_[kLeftThigh + k] = rotation_vector(seat.turn.conjugate() * Quat(leg.thigh));
    wanted_[kLeftShank + k] = Vec3(leg.knee, 0, 0);
    const Mat3 shank = leg.thigh * rotation_y(leg.knee).toRotationMatrix();
    const Mat3 in_shank = shank.transpose() * sole;
    wanted_[kLeftFoot + k] = Vec3(std::atan2(-in_shank(1, 2), in_shank(1, 1)),
                                  std::atan2(-in_shank(2, 0), in_shank(0, 0)), 0);
    wanted_[kLeftToes + k] = Vec3(-seat.heels, 0, 0);
  }
}

/// Law: kp = share limit / band, kd = damping kp; the target moves towards what is wanted, within
///      the joint's limits, at a limited rate. Torques stay within the limits of the joints.
void Rise::drive(const Frame& f) {
  const double step = p_->rate_rps() * f.dt;
  for (std::size_t part = 1; part < kPartCount; ++part) {
    const auto link = std::size_t(biped_.link[part]);
    const physics::LinkModel& model = creature_->model->links[link];
    const bool arm = part >= kLeftUpperArm && part <= kRightLowerArm;
    const bool leg = part >= kLeftThigh;
    physics::JointDrive& drive = f.body.drives()[link];
    const Vec3 before = target_[part];
    for (int axis = 0; axis < physics::dof_of(model.joint); ++axis) {
      const double wanted = std::clamp(wanted_[part][axis], model.lower[axis], model.upper[axis]);
      target_[part][axis] += std::clamp(wanted - target_[part][axis], -step, step);
    }
    drive.limit = creature_->gains[link].limit;
    drive.kp = (arm ? arms_ : leg ? legs_ : 1) / p_->band_rad() * drive.limit;
    drive.kd = p_->damping_s() * drive.kp;
    drive.feedforward.setZero();
    drive.target_velocity = (target_[part] - before) / f.dt;
    if (physics::type_of(model.joint).rotation) {
      drive.target = quat_from_rotation_vector(target_[part]);
    } else {
      drive.target_angle = target_[part].head<2>();
    }
  }
}

}  // namespace promenade::control
