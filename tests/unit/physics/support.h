#pragma once

#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "math/rotation.h"
#include "physics/articulated_body.h"

// Small bodies for the tests of physics/, and sums over their links.
namespace promenade::physics::test {

inline Shape box_shape(const Vec3& half) {
  Shape shape;
  shape.kind = Shape::Kind::kBox;
  shape.b = half;
  return shape;
}

inline Shape capsule_shape(const Vec3& a, const Vec3& b, double radius) {
  Shape shape;
  shape.a = a;
  shape.b = b;
  shape.radius = radius;
  return shape;
}

inline Shape sphere_shape(double radius) {
  Shape shape;
  shape.kind = Shape::Kind::kSphere;
  shape.radius = radius;
  return shape;
}

/// Along z.
inline Shape cylinder_shape(double half_length, double radius) {
  Shape shape;
  shape.kind = Shape::Kind::kCylinder;
  shape.a = Vec3(0, 0, -half_length);
  shape.b = Vec3(0, 0, half_length);
  shape.radius = radius;
  return shape;
}

/// Principal moments of a solid box.
inline Vec3 box_inertia(double mass, const Vec3& half) {
  const Vec3 s = half.cwiseProduct(half);
  return mass / 3 * Vec3(s.y() + s.z(), s.x() + s.z(), s.x() + s.y());
}

inline std::shared_ptr<const ArticulationModel> finished(ArticulationModel model) {
  model.finish();
  return std::make_shared<const ArticulationModel>(std::move(model));
}

/// A solid box on its own.
inline std::shared_ptr<const ArticulationModel> box_model(double mass, const Vec3& half) {
  ArticulationModel model;
  LinkModel& link = model.links.emplace_back();
  link.mass = mass;
  link.inertia = box_inertia(mass, half);
  link.shapes = {box_shape(half)};
  return finished(std::move(model));
}

/// A solid ball on its own.
inline std::shared_ptr<const ArticulationModel> ball_model(double mass, double radius) {
  ArticulationModel model;
  LinkModel& link = model.links.emplace_back();
  link.mass = mass;
  link.inertia = Vec3::Constant(0.4 * mass * radius * radius);
  link.shapes = {sphere_shape(radius)};
  return finished(std::move(model));
}

/// A solid cylinder along its z axis on its own.
inline std::shared_ptr<const ArticulationModel> cylinder_model(double mass, double half_length,
                                                               double radius) {
  ArticulationModel model;
  LinkModel& link = model.links.emplace_back();
  link.mass = mass;
  const double across = mass * (radius * radius / 4 + half_length * half_length / 3);
  link.inertia = Vec3(across, across, 0.5 * mass * radius * radius);
  link.shapes = {cylinder_shape(half_length, radius)};
  return finished(std::move(model));
}

/// A capsule along its y axis on its own.
inline std::shared_ptr<const ArticulationModel> capsule_model(double mass, double half_length,
                                                              double radius) {
  ArticulationModel model;
  LinkModel& link = model.links.emplace_back();
  link.mass = mass;
  link.inertia = mass * Vec3(0.02, 0.01, 0.02);
  link.shapes = {capsule_shape(Vec3(0, -half_length, 0), Vec3(0, half_length, 0), radius)};
  return finished(std::move(model));
}

/// Adds a link that hangs 0.3 m below its parent's origin and turns 0.15 m above its own.
inline LinkModel& add_link(ArticulationModel& model, int parent, JointKind joint) {
  LinkModel& link = model.links.emplace_back();
  link.parent = parent;
  link.joint = joint;
  link.mass = 2;
  link.inertia = Vec3(0.03, 0.02, 0.01);
  link.at_parent = Vec3(0.02, 0, -0.15);
  link.at_child = Vec3(0, 0.01, 0.15);
  return link;
}

/// Every kind of joint, in two branches, without shapes: 6 + 3 + 2 + 1 and 3 + 1 coordinates.
inline std::shared_ptr<const ArticulationModel> tree_model() {
  ArticulationModel model;
  LinkModel& root = model.links.emplace_back();
  root.mass = 5;
  root.inertia = Vec3(0.12, 0.08, 0.1);
  add_link(model, 0, JointKind::kBall);
  add_link(model, 1, JointKind::kUniversal);
  add_link(model, 2, JointKind::kHinge).axis = Vec3(0.6, 0.8, 0);
  add_link(model, 0, JointKind::kBall).at_parent = Vec3(0, 0.2, 0.1);
  add_link(model, 4, JointKind::kHinge);
  return finished(std::move(model));
}

/// Every kind of joint below a root of any kind, in three branches, without shapes.
inline std::shared_ptr<const ArticulationModel> mixed_model(JointKind root_kind) {
  ArticulationModel model;
  LinkModel& root = model.links.emplace_back();
  root.joint = root_kind;
  root.mass = 5;
  root.inertia = Vec3(0.12, 0.08, 0.1);
  add_link(model, 0, JointKind::kBall);
  add_link(model, 1, JointKind::kUniversal);
  add_link(model, 2, JointKind::kSlider).axis = Vec3(0, 0.6, 0.8);
  add_link(model, 0, JointKind::kSlider).axis = Vec3(1, 0, 0);
  add_link(model, 4, JointKind::kHinge).axis = Vec3(0.6, 0.8, 0);
  add_link(model, 0, JointKind::kHinge).at_parent = Vec3(0, 0.2, 0.1);
  return finished(std::move(model));
}

inline constexpr JointKind kRootKinds[] = {JointKind::kFree, JointKind::kPlanar, JointKind::kFixed};

/// A state of `model` away from everything special, the same every time.
inline ArticulationState stirred_state(const ArticulationModel& model, double speed) {
  Pose root;
  root.position = Vec3(1, -2, 30);
  root.rotation = quat_from_rotation_vector(Vec3(0.3, -0.5, 0.9));
  ArticulationState state = ArticulatedBody::zero_state(model, root);
  for (std::size_t i = 1; i < model.links.size(); ++i) {
    const double k = static_cast<double>(i);
    state.joint[i] = quat_from_rotation_vector(Vec3(0.2 * k, -0.3, 0.1 * k));
    state.angle[i] = Vec2(0.3 - 0.2 * k, 0.15 * k);
    const JointKind kind = model.links[i].joint;
    if (dof_of(kind) == 1) state.angle[i].y() = 0;
    if (type_of(kind).linear) state.angle[i].x() *= 0.1;
  }
  for (std::size_t k = 0; k < state.velocity.size(); ++k) {
    state.velocity[k] = speed * std::sin(1.7 * static_cast<double>(k) + 0.4);
  }
  return state;
}

/// The workspace that the tests step in, for each of their threads.
inline Workspace& workspace() {
  thread_local Workspace workspace;
  return workspace;
}

inline void step(ArticulatedBody& body, const Ground& ground, const StepSettings& settings) {
  ArticulatedBody* one = &body;
  step_island({&one, 1}, ground, settings, workspace());
}

inline Vec3 momentum(const ArticulatedBody& body) {
  Vec3 sum = Vec3::Zero();
  for (std::size_t i = 0; i < body.links().size(); ++i) {
    sum += body.model().links[i].mass * body.links()[i].velocity;
  }
  return sum;
}

/// About the world's origin.
inline Vec3 angular_momentum(const ArticulatedBody& body) {
  Vec3 sum = Vec3::Zero();
  for (std::size_t i = 0; i < body.links().size(); ++i) {
    const LinkModel& link = body.model().links[i];
    const LinkMotion& m = body.links()[i];
    sum += m.rotation * link.inertia.cwiseProduct(m.rotation.transpose() * m.omega) +
           link.mass * m.position.cross(m.velocity);
  }
  return sum;
}

inline double kinetic_energy(const ArticulatedBody& body) {
  double sum = 0;
  for (std::size_t i = 0; i < body.links().size(); ++i) {
    const LinkModel& link = body.model().links[i];
    const LinkMotion& m = body.links()[i];
    const Vec3 omega = m.rotation.transpose() * m.omega;
    sum +=
        0.5 * (link.mass * m.velocity.squaredNorm() + omega.dot(link.inertia.cwiseProduct(omega)));
  }
  return sum;
}

/// Against gravity, about the height 0.
inline double potential_energy(const ArticulatedBody& body) {
  double sum = 0;
  for (std::size_t i = 0; i < body.links().size(); ++i) {
    sum += body.model().links[i].mass * kGravity * body.links()[i].position.z();
  }
  return sum;
}

inline Vec3 contact_force(const ArticulatedBody& body) {
  Vec3 sum = Vec3::Zero();
  for (const ContactPoint& point : body.contacts()) sum += point.force;
  return sum;
}

/// Every number of both states is the same to the last bit.
inline bool same_state(const ArticulatedBody& a, const ArticulatedBody& b) {
  const ArticulationState& s = a.state();
  const ArticulationState& t = b.state();
  if (s.root.position != t.root.position || s.velocity != t.velocity) return false;
  if (s.root.rotation.coeffs() != t.root.rotation.coeffs()) return false;
  for (std::size_t i = 0; i < s.joint.size(); ++i) {
    if (s.joint[i].coeffs() != t.joint[i].coeffs() || s.angle[i] != t.angle[i]) return false;
  }
  return true;
}

/// Links with a box and capsules, dropped onto the ground: contacts of every kind.
inline std::shared_ptr<const ArticulationModel> faller() {
  ArticulationModel model;
  LinkModel& root = model.links.emplace_back();
  root.mass = 5;
  root.inertia = Vec3(0.12, 0.08, 0.1);
  root.shapes = {box_shape(Vec3(0.12, 0.1, 0.08))};
  for (const int parent : {0, 1, 0}) {
    add_link(model, parent, parent == 1 ? JointKind::kHinge : JointKind::kBall).shapes = {
        capsule_shape(Vec3(0, 0, 0.1), Vec3(0, 0, -0.12), 0.05)};
  }
  model.links[3].at_parent = Vec3(0, 0.2, 0);
  return finished(std::move(model));
}

/// One of them in the air, stirred, with weak servos.
inline ArticulatedBody dropped(const std::shared_ptr<const ArticulationModel>& model, double x,
                               double y) {
  ArticulatedBody body(model);
  ArticulationState state = stirred_state(*model, 1);
  state.root.position = Vec3(x, y, 0.8);
  body.set_state(state);
  for (JointDrive& drive : body.drives()) {
    drive.kp = Vec3::Constant(20);
    drive.kd = Vec3::Constant(2);
  }
  return body;
}

/// Three stairs.
inline Ground steps() {
  std::vector<GroundBlock> boxes(3);
  for (int i = 0; i < 3; ++i) {
    GroundBlock& box = boxes[static_cast<std::size_t>(i)];
    box.pose.position = Vec3(0.4 * i - 0.3, 0, 0.05 * (i + 1));
    box.half = Vec3(0.2, 1, 0.05 * (i + 1));
  }
  return Ground(std::move(boxes));
}

}  // namespace promenade::physics::test
