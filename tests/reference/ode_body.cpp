#include "ode_body.h"

#include <ode/ode.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <mutex>

#include "math/rotation.h"

namespace promenade::reference {
namespace {

using physics::JointDrive;
using physics::JointKind;
using physics::LinkModel;
using physics::LinkMotion;
using physics::Shape;

void start_ode() {
  static std::once_flag once;
  std::call_once(once, [] { dInitODE2(0); });
}

Vec3 vec(const dReal* v) { return {v[0], v[1], v[2]}; }

Mat3 mat(const dReal* r) {
  Mat3 m;
  m << r[0], r[1], r[2], r[4], r[5], r[6], r[8], r[9], r[10];
  return m;
}

void to_ode(const Mat3& m, dMatrix3 r) {
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 4; ++column)
      r[4 * row + column] = column < 3 ? m(row, column) : 0;
  }
}

}  // namespace

struct OdeBody::World {
  dWorldID world = dWorldCreate();
  dJointGroupID contacts = dJointGroupCreate(0);
  dGeomID plane = dCreatePlane(nullptr, 0, 0, 1, 0);
  std::vector<dBodyID> bodies;   // [links]
  std::vector<dJointID> joints;  // [links], entry 0 null
  std::vector<dGeomID> geoms;
  std::vector<dJointFeedback> feedback;

  ~World() {
    dJointGroupDestroy(contacts);
    for (dGeomID geom : geoms) dGeomDestroy(geom);
    dGeomDestroy(plane);
    dWorldDestroy(world);
  }
};

OdeBody::OdeBody(std::shared_ptr<const physics::ArticulationModel> model, double gravity)
    : model_(std::move(model)) {
  start_ode();
  world_ = std::make_unique<World>();
  World& w = *world_;
  drives_.resize(model_->links.size());
  dWorldSetGravity(w.world, 0, 0, -gravity);
  dWorldSetQuickStepNumIterations(w.world, 20);
  for (const LinkModel& link : model_->links) {
    dBodyID body = dBodyCreate(w.world);
    dMass mass;
    dMassSetParameters(&mass, link.mass, 0, 0, 0, link.inertia.x(), link.inertia.y(),
                       link.inertia.z(), 0, 0, 0);
    dBodySetMass(body, &mass);
    w.bodies.push_back(body);
    for (const Shape& shape : link.shapes) {
      dGeomID geom;
      Vec3 center = shape.a;
      Mat3 turn = Mat3::Identity();
      if (shape.kind == Shape::Kind::kBox) {
        geom = dCreateBox(nullptr, 2 * shape.b.x(), 2 * shape.b.y(), 2 * shape.b.z());
      } else {
        center = 0.5 * (shape.a + shape.b);
        geom = dCreateCapsule(nullptr, shape.radius, (shape.b - shape.a).norm());
        turn = Quat::FromTwoVectors(Vec3::UnitZ(), shape.b - shape.a).toRotationMatrix();
      }
      dGeomSetBody(geom, body);
      dGeomSetOffsetPosition(geom, center.x(), center.y(), center.z());
      dMatrix3 rotation;
      to_ode(turn, rotation);
      dGeomSetOffsetRotation(geom, rotation);
      w.geoms.push_back(geom);
    }
  }
  w.feedback.resize(8 * w.geoms.size());

  // In the zero pose every frame has the world's axes, so anchors are sums of offsets.
  std::vector<Vec3> at(model_->links.size(), Vec3::Zero());
  w.joints.push_back(nullptr);
  for (std::size_t i = 1; i < model_->links.size(); ++i) {
    const LinkModel& link = model_->links[i];
    const auto parent = static_cast<std::size_t>(link.parent);
    const Vec3 anchor = at[parent] + link.at_parent;
    at[i] = anchor - link.at_child;
    dBodySetPosition(w.bodies[i], at[i].x(), at[i].y(), at[i].z());
    dJointID joint = nullptr;
    switch (link.joint) {
      case JointKind::kHinge:
        joint = dJointCreateHinge(w.world, nullptr);
        dJointAttach(joint, w.bodies[parent], w.bodies[i]);
        dJointSetHingeAnchor(joint, anchor.x(), anchor.y(), anchor.z());
        dJointSetHingeAxis(joint, link.axis.x(), link.axis.y(), link.axis.z());
        break;
      case JointKind::kUniversal:
        joint = dJointCreateUniversal(w.world, nullptr);
        dJointAttach(joint, w.bodies[parent], w.bodies[i]);
        dJointSetUniversalAnchor(joint, anchor.x(), anchor.y(), anchor.z());
        dJointSetUniversalAxis1(joint, 0, 0, 1);  // never let both axes be parallel on the way
        dJointSetUniversalAxis2(joint, 1, 0, 0);
        dJointSetUniversalAxis1(joint, 0, 1, 0);
        break;
      default:
        joint = dJointCreateBall(w.world, nullptr);
        dJointAttach(joint, w.bodies[parent], w.bodies[i]);
        dJointSetBallAnchor(joint, anchor.x(), anchor.y(), anchor.z());
        break;
    }
    w.joints.push_back(joint);
  }
}

OdeBody::~OdeBody() = default;

void OdeBody::set_links(std::span<const LinkMotion> links) {
  for (std::size_t i = 0; i < links.size(); ++i) {
    const LinkMotion& m = links[i];
    dBodyID body = world_->bodies[i];
    dMatrix3 rotation;
    to_ode(m.rotation, rotation);
    dBodySetPosition(body, m.position.x(), m.position.y(), m.position.z());
    dBodySetRotation(body, rotation);
    dBodySetLinearVel(body, m.velocity.x(), m.velocity.y(), m.velocity.z());
    dBodySetAngularVel(body, m.omega.x(), m.omega.y(), m.omega.z());
  }
}

void OdeBody::set_contact(double stiffness, double damping, double friction) {
  stiffness_ = stiffness;
  damping_ = damping;
  friction_ = friction;
}

std::vector<LinkMotion> OdeBody::links() const {
  std::vector<LinkMotion> out;
  for (dBodyID body : world_->bodies) {
    out.push_back({vec(dBodyGetPosition(body)), mat(dBodyGetRotation(body)),
                   vec(dBodyGetLinearVel(body)), vec(dBodyGetAngularVel(body))});
  }
  return out;
}

Vec3 OdeBody::contact_force() const {
  Vec3 sum = Vec3::Zero();
  for (const dJointFeedback& feedback : world_->feedback) sum += vec(feedback.f1);
  return sum;
}

double OdeBody::joint_gap() const {
  const std::vector<LinkMotion> motion = links();
  double worst = 0;
  for (std::size_t i = 1; i < motion.size(); ++i) {
    const LinkModel& link = model_->links[i];
    const LinkMotion& parent = motion[static_cast<std::size_t>(link.parent)];
    worst = std::max(worst, (parent.position + parent.rotation * link.at_parent -
                             motion[i].position - motion[i].rotation * link.at_child)
                                .norm());
  }
  return worst;
}

void OdeBody::apply_servos() {
  for (std::size_t i = 1; i < model_->links.size(); ++i) {
    const LinkModel& link = model_->links[i];
    const JointDrive& drive = drives_[i];
    dBodyID child = world_->bodies[i];
    dBodyID parent = world_->bodies[static_cast<std::size_t>(link.parent)];
    const Mat3 from_child = mat(dBodyGetRotation(child));
    const Mat3 from_parent = mat(dBodyGetRotation(parent));
    const Quat relative(Mat3(from_parent.transpose() * from_child));
    const Vec3 spin = vec(dBodyGetAngularVel(child)) - vec(dBodyGetAngularVel(parent));

    // World axis, position, and rate of every coordinate.
    std::array<Vec3, 3> axis{from_child.col(0), from_child.col(1), from_child.col(2)};
    Vec3 error = Vec3::Zero(), rate = Vec3::Zero();
    const int count = physics::dof_of(link.joint);
    if (link.joint == JointKind::kHinge) {
      axis[0] = from_child * link.axis;
      error[0] = drive.target_angle.x() - rotation_vector(relative).dot(link.axis);
      rate[0] = spin.dot(axis[0]);
    } else if (link.joint == JointKind::kUniversal) {
      axis[1] = from_parent.col(1);
      const Mat3 r = relative.toRotationMatrix();  // R_y(pitch) R_x(roll)
      error.head<2>() =
          drive.target_angle - Vec2(std::atan2(-r(1, 2), r(1, 1)), std::atan2(-r(2, 0), r(0, 0)));
      rate[0] = spin.dot(axis[0]);
      rate[1] = spin.dot(axis[1]);
    } else {
      error = rotation_vector(relative.conjugate() * drive.target);
      rate = from_child.transpose() * spin;
    }
    Vec3 torque = Vec3::Zero();
    for (int k = 0; k < count; ++k) {
      const double wanted = drive.feedforward[k] + drive.kp[k] * error[k] +
                            drive.kd[k] * (drive.target_velocity[k] - rate[k]);
      torque +=
          axis[static_cast<std::size_t>(k)] * std::clamp(wanted, -drive.limit[k], drive.limit[k]);
    }
    dBodyAddTorque(child, torque.x(), torque.y(), torque.z());
    dBodyAddTorque(parent, -torque.x(), -torque.y(), -torque.z());
  }
}

void OdeBody::collide(double dt) {
  World& w = *world_;
  dJointGroupEmpty(w.contacts);
  std::fill(w.feedback.begin(), w.feedback.end(), dJointFeedback{});
  std::size_t used = 0;
  std::array<dContactGeom, 8> found;
  for (dGeomID geom : w.geoms) {
    const int count = dCollide(geom, w.plane, 8, found.data(), sizeof(dContactGeom));
    for (int c = 0; c < count; ++c) {
      dContact contact{};
      contact.surface.mode = dContactApprox1 | dContactSoftERP | dContactSoftCFM;
      contact.surface.mu = friction_;
      const double give = dt * stiffness_ + damping_;
      contact.surface.soft_erp = dt * stiffness_ / give;
      contact.surface.soft_cfm = 1 / give;
      contact.geom = found[static_cast<std::size_t>(c)];
      dJointID joint = dJointCreateContact(w.world, w.contacts, &contact);
      dJointAttach(joint, dGeomGetBody(geom), nullptr);
      dJointSetFeedback(joint, &w.feedback[used++]);
    }
  }
}

void OdeBody::step(double dt, Solver solver) {
  collide(dt);
  apply_servos();
  if (solver == Solver::kDirect) {
    dWorldStep(world_->world, dt);
  } else {
    dWorldQuickStep(world_->world, dt);
  }
}

}  // namespace promenade::reference
