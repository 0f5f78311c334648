// Joint-space dynamics of one body by the articulated-body method, with servos integrated
// implicitly. Source: Featherstone 2008, chapters 5 to 7, in world axes about the root's origin,
// so that nothing is transformed from link to link; implicit servos as in Tan, Liu, Turk 2011.
#include <algorithm>
#include <array>
#include <cmath>

#include "math/rotation.h"
#include "physics/work.h"

namespace promenade::physics {
namespace {

/// A turn about `axis` (world) through a point at `offset` from the origin.
Spatial turn_about(const Vec3& axis, const Vec3& offset) { return {axis, offset.cross(axis)}; }

void start_root(ArticulatedBody::Work& w, double gravity) {
  const double* v = w.state.velocity.data();
  for (int k = 0; k < 3; ++k) {
    w.coordinates[k].axis = {Vec3::Zero(), Vec3::Unit(k)};
    w.coordinates[3 + k].axis = {Vec3::Unit(k), Vec3::Zero()};
  }
  const Vec3 linear(v[0], v[1], v[2]), turn(v[3], v[4], v[5]);
  LinkWork& root = w.recursion[0];
  root.velocity = {turn, linear};
  root.acceleration = {Vec3::Zero(), Vec3(0, 0, gravity) - turn.cross(linear)};
}

/// Axes of the joint above a link, and how the link moves.
void move_link(ArticulatedBody::Work& w, std::size_t i) {
  const LinkModel& link = w.model->links[i];
  const LinkMotion& m = w.links[i];
  const Vec3 joint = m.position + m.rotation * link.at_child - w.origin;
  Coordinate* c = w.coordinates.data() + link.dof;
  const double* v = w.state.velocity.data() + link.dof;
  const LinkWork& above = w.recursion[link.parent];
  LinkWork& self = w.recursion[i];
  Spatial turning;
  self.acceleration = above.acceleration;
  switch (link.joint) {
    case JointKind::kHinge:
      c[0].axis = turn_about(m.rotation * link.axis, joint);
      turning = c[0].axis * v[0];
      break;
    case JointKind::kUniversal: {
      c[0].axis = turn_about(m.rotation.col(0), joint);
      c[1].axis = turn_about(w.links[link.parent].rotation.col(1), joint);
      const Spatial roll = c[0].axis * v[0], pitch = c[1].axis * v[1];
      turning = pitch + roll;
      // What the joint's own turning adds to the rate of its axes.
      self.acceleration += cross_motion(pitch, roll);
      break;
    }
    default:
      for (int k = 0; k < 3; ++k) {
        c[k].axis = turn_about(m.rotation.col(k), joint);
        turning.add(c[k].axis, v[k]);
      }
      break;
  }
  self.velocity = above.velocity + turning;
  self.acceleration += cross_motion(above.velocity, turning);
}

/// From the root outwards: velocities, inertias, and forces needed for no joint acceleration.
void move_links(ArticulatedBody::Work& w, double gravity) {
  const ArticulationModel& model = *w.model;
  w.origin = w.state.root.position;
  start_root(w, gravity);
  for (std::size_t i = 0; i < model.links.size(); ++i) {
    if (i > 0) move_link(w, i);
    const LinkModel& link = model.links[i];
    const LinkMotion& m = w.links[i];
    LinkWork& self = w.recursion[i];
    const LinkInertia inertia(link.mass, link.inertia, m.position - w.origin, m.rotation);
    inertia.write(self.inertia);
    self.force =
        self.inertia * self.acceleration + cross_force(self.velocity, self.inertia * self.velocity);
  }
  for (const ExternalForce& f : w.forces) {
    w.recursion[f.link].force.add({(f.point - w.origin).cross(f.force), f.force}, -1);
  }
  w.forces.clear();
}

/// Whether a ball joint may be beyond a limit. Each coordinate of its rotation vector is at most pi
/// times that of the quaternion: most joints need no arc tangent to know.
bool near_limits(const LinkModel& link, const Quat& joint) {
  const Vec3 most = kPi * joint.vec().cwiseAbs();
  return (most.array() > link.upper.array() || -most.array() < link.lower.array()).any();
}

void add_servos(ArticulatedBody::Work& w, double dt) {
  const ArticulationModel& model = *w.model;
  // A joint's stop: a stiff spring that grows with the body, so that a giant's knees stop too.
  const double stop_kp = 12 * model.total_mass;
  const double stop_kd = 0.6 * model.total_mass;
  for (std::size_t i = 1; i < model.links.size(); ++i) {
    const LinkModel& link = model.links[i];
    const JointDrive& drive = w.drives[i];
    const int count = w.recursion[i].end - link.dof;
    Vec3 position = Vec3::Zero(), error = Vec3::Zero();
    if (link.joint == JointKind::kBall) {
      if (near_limits(link, w.state.joint[i])) position = rotation_vector(w.state.joint[i]);
      error = rotation_vector(w.state.joint[i].conjugate() * drive.target);
    } else {
      position.head<2>() = w.state.angle[i];
      error.head<2>() = drive.target_angle - w.state.angle[i];
    }
    for (int k = 0; k < count; ++k) {
      const double rate = w.state.velocity[link.dof + k];
      Servo& servo = w.servos[link.dof + k];
      // The target moves on within the step.
      servo.torque = drive.feedforward[k] + drive.kp[k] * error[k] +
                     (drive.kp[k] * dt + drive.kd[k]) * (drive.target_velocity[k] - rate);
      servo.damping = dt * drive.kd[k];
      servo.spring = dt * dt * drive.kp[k];
      servo.limit = drive.limit[k];
      servo.asked_last = drive.asked[k];
      servo.stop = servo.stop_torque = 0;
      const double beyond = position[k] < link.lower[k]   ? link.lower[k] - position[k]
                            : position[k] > link.upper[k] ? link.upper[k] - position[k]
                                                          : 0;
      if (beyond == 0) continue;
      servo.stop = dt * (stop_kd + dt * stop_kp);
      servo.stop_torque = stop_kp * (beyond - dt * rate) - stop_kd * rate;
    }
  }
}

/// Which links lie on something, themselves or by what hangs on them.
void find_carrying(ArticulatedBody::Work& w) {
  for (LinkWork& link : w.recursion) link.carries = false;
  for (const ContactPoint& point : w.points) {
    if (point.depth <= 0) continue;
    for (int i = point.link; i >= 0 && !w.recursion[i].carries; i = w.model->links[i].parent) {
      w.recursion[i].carries = true;
    }
  }
}

/// How much of a damper acts on the speed at the end of the step, 1/2 to 1, so that a speed that it
/// alone changes decays as exp(-2 x): of second order where the step resolves that, and no ringing
/// where it does not.
/// @param damping half of what the damper adds to the mass matrix, x times `inertia`
/// Law:    1/2 + 1/2 (coth(x) - 1/x), by the beginning of its continued fraction
/// Source: Liniger, Willoughby 1970, exponential fitting
double implicit_share(double damping, double inertia) {
  const double b = damping * damping, i = inertia * inertia;
  const double langevin = damping * (35 * i + b) / (inertia * (105 * i + 10 * b));
  return 0.5 + 0.5 * std::min(1.0, langevin);
}

/// Whether a servo that at the start of the step asks for more than its limit is held to it, to a
/// constant torque. What it asks then is no measure: a light foot turns within the step and has its
/// servo ask for little at the end; held all the same it would be thrown, and be held the other way
/// in the next step. So it is the torque at the end that counts: by what hangs on the joint where
/// that is free to move, else, where contacts will decide it, that of the last step.
bool is_beyond_limit(const Servo& servo, bool carries, double inertia, double bias,
                     double implicit) {
  if (!(std::abs(servo.torque) > servo.limit)) return false;
  if (carries) {
    return servo.asked_last * servo.torque > 0 && std::abs(servo.asked_last) > servo.limit;
  }
  const double answer =
      (servo.torque + servo.stop_torque - bias) / (inertia + implicit + servo.stop);
  return std::abs(servo.torque - implicit * answer) > servo.limit;
}

/// From the tips inwards: articulated inertias, and each coordinate's answer to all forces below.
void gather(ArticulatedBody::Work& w) {
  const ArticulationModel& model = *w.model;
  for (std::size_t i = model.links.size(); i-- > 0;) {
    const LinkModel& link = model.links[i];
    LinkWork& self = w.recursion[i];
    for (int k = w.recursion[i].end; k-- > w.recursion[i].first;) {
      Coordinate& c = w.coordinates[k];
      Servo& servo = w.servos[k];
      c.force = self.inertia * c.axis;
      const double inertia = dot(c.axis, c.force), bias = dot(c.axis, self.force);
      servo.share = implicit_share(0.5 * (servo.damping + servo.spring), inertia);
      c.servo = servo.share * servo.damping + servo.spring;
      c.torque = servo.torque;
      servo.held = 0;
      if (is_beyond_limit(servo, self.carries, inertia, bias, c.servo)) {
        servo.held = servo.torque > 0 ? 1 : -1;
        c.torque = servo.held * servo.limit;
        c.servo = 0;
      }
      c.servo += servo.stop;
      c.torque += servo.stop_torque;
      c.d = inertia + c.servo;
      c.inverse = 1 / c.d;
      c.answer = (c.torque - bias) * c.inverse;
      self.inertia.add_product(c.force, c.force * -c.inverse);
      self.force.add(c.force, c.answer);
    }
    if (i == 0) continue;
    LinkWork& above = w.recursion[link.parent];
    above.inertia += self.inertia;
    above.force += self.force;
  }
}

/// From the root outwards: what the coordinates do once those above them move too. Adds `times`
/// that to `velocity`; leaves each link's share in `acceleration`.
void scatter(ArticulatedBody::Work& w, double times) {
  const ArticulationModel& model = *w.model;
  for (std::size_t i = 0; i < model.links.size(); ++i) {
    const LinkModel& link = model.links[i];
    Spatial motion;
    if (i > 0) motion = w.recursion[link.parent].acceleration;
    for (int k = w.recursion[i].first; k < w.recursion[i].end; ++k) {
      const Coordinate& c = w.coordinates[k];
      const double rate = c.answer - dot(c.force, motion) * c.inverse;
      motion.add(c.axis, rate);
      w.velocity[k] += times * rate;
    }
    w.recursion[i].acceleration = motion;
  }
}

}  // namespace

void prepare_dynamics(ArticulatedBody::Work& w, const StepSettings& settings) {
  move_links(w, settings.gravity);
  find_carrying(w);
  add_servos(w, settings.dt);
  gather(w);
  w.velocity = w.state.velocity;
  scatter(w, settings.dt);
  for (LinkWork& link : w.recursion) link.velocity.add(link.acceleration, settings.dt);
}

void apply_impulses(ArticulatedBody::Work& w, std::span<const int> touched,
                    std::span<const Spatial> impulses) {
  const ArticulationModel& model = *w.model;
  std::array<bool, kMaxLinks> loaded{};
  for (std::size_t t = 0; t < touched.size(); ++t) {
    loaded[touched[t]] = true;
    w.recursion[touched[t]].force = impulses[t];
    for (int i = model.links[touched[t]].parent; i >= 0 && !loaded[i]; i = model.links[i].parent) {
      loaded[i] = true;
      w.recursion[i].force = Spatial();
    }
  }
  for (std::size_t i = model.links.size(); i-- > 0;) {
    Spatial& impulse = w.recursion[i].force;
    for (int k = w.recursion[i].end; k-- > w.recursion[i].first;) {
      Coordinate& c = w.coordinates[k];
      c.answer = loaded[i] ? dot(c.axis, impulse) * c.inverse : 0;
      if (loaded[i]) impulse.add(c.force, -c.answer);
    }
    if (i > 0 && loaded[i]) w.recursion[model.links[i].parent].force += impulse;
  }
  scatter(w, 1);
}

namespace {

/// As quat_from_rotation_vector, by the series: what turns in a step turns little.
Quat turned(const Vec3& v) {
  const double x = 0.25 * v.squaredNorm();  // half the angle, squared
  if (!(x < 0.0025)) return quat_from_rotation_vector(v);
  const double sinc = 1 - x / 6 * (1 - x / 20 * (1 - x / 42 * (1 - x / 72)));
  const double cosine = 1 - x / 2 * (1 - x / 12 * (1 - x / 30 * (1 - x / 56 * (1 - x / 90))));
  const Vec3 s = 0.5 * sinc * v;
  return Quat(cosine, s.x(), s.y(), s.z());
}

}  // namespace

void integrate(ArticulatedBody::Work& w, double dt) {
  const ArticulationModel& model = *w.model;
  ArticulationState& s = w.state;
  const double* v = w.velocity.data();
  for (std::size_t i = 1; i < model.links.size(); ++i) {
    JointDrive& drive = w.drives[i];
    for (int k = 0; k < w.recursion[i].end - w.recursion[i].first; ++k) {
      const int dof = w.recursion[i].first + k;
      const Servo& servo = w.servos[dof];
      const double torque = servo.torque + (servo.spring + servo.share * servo.damping) *
                                               (s.velocity[dof] - v[dof]) / dt;
      drive.asked[k] = servo.held * torque < 0 ? 0 : torque;
      drive.applied[k] = std::clamp(torque, -drive.limit[k], drive.limit[k]);
    }
  }
  std::copy(w.velocity.begin(), w.velocity.end(), s.velocity.begin());
  s.root.position += dt * Vec3(v[0], v[1], v[2]);
  s.root.rotation = (turned(dt * Vec3(v[3], v[4], v[5])) * s.root.rotation).normalized();
  for (std::size_t i = 1; i < model.links.size(); ++i) {
    const LinkModel& link = model.links[i];
    switch (link.joint) {
      case JointKind::kHinge:
        s.angle[i].x() += dt * v[link.dof];
        break;
      case JointKind::kUniversal:
        s.angle[i] += dt * Vec2(v[link.dof], v[link.dof + 1]);
        break;
      default:
        s.joint[i] = (s.joint[i] * turned(dt * Vec3(v[link.dof], v[link.dof + 1], v[link.dof + 2])))
                         .normalized();
        break;
    }
  }
  update_kinematics(w);
}

}  // namespace promenade::physics
