// Servos and torques of single joints. Source: Coros2010 §3.1.
#include "control/gbwc/drive/servos.h"

#include <algorithm>
#include <cmath>

#include "control/gbwc/frame.h"

namespace promenade::control::gbwc {
namespace {

Vec3 in_link(const physics::LinkMotion& link, const Vec3& world) {
  return link.rotation.transpose() * world;
}

}  // namespace

void add_torque(const Frame& f, int link, const Vec3& torque) {
  const physics::LinkModel& model = f.body.creature->model->links[link];
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

void let_go(physics::JointDrive& drive) {
  drive.kp.setZero();
  drive.kd.setZero();
  drive.target = Quat::Identity();
  drive.target_velocity.setZero();
}

void set_gains(const Frame& f, physics::JointDrive& drive, int link, double strength) {
  const JointGains& gains = f.body.creature->gains[link];
  drive.kp = strength * gains.kp * gains.scale;
  drive.kd = strength * gains.kd * gains.scale;
  drive.limit = gains.limit;
}

void add_servo(physics::JointDrive* drive, const Vec3& kp, const Vec3& kd, const Quat& target,
               const Vec3& target_velocity) {
  const double weight = kp.y() / std::max(1e-9, drive->kp.y() + kp.y());
  if (weight >= 1) {
    drive->target = target.normalized();
  } else if (weight > 0) {
    drive->target = drive->target.slerp(weight, target).normalized();
  } else {
    drive->target.normalize();
  }
  const Vec3 pull =
      drive->kd.cwiseProduct(drive->target_velocity) + kd.cwiseProduct(target_velocity);
  drive->kp += kp;
  drive->kd += kd;
  drive->target_velocity = pull.cwiseQuotient(drive->kd.cwiseMax(1e-9));
}

void drive_to_world(const Frame& f, int link, const Quat& target, const Vec3& omega,
                    double strength) {
  const physics::LinkMotion& parent = f.links[f.body.creature->model->links[link].parent];
  physics::JointDrive& drive = f.drives[link];
  set_gains(f, drive, link, strength);
  drive.target = (Quat(parent.rotation).conjugate() * target).normalized();
  drive.target_velocity = in_link(f.links[link], omega - parent.omega);
}

}  // namespace promenade::control::gbwc
