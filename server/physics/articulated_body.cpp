#include "physics/articulated_body.h"

#include <algorithm>
#include <cmath>

#include "math/rotation.h"
#include "physics/geometry.h"
#include "physics/work.h"

namespace promenade::physics {

ArticulatedBody::Work::Work() = default;
ArticulatedBody::Work::~Work() = default;

ArticulatedBody::ArticulatedBody(std::shared_ptr<const ArticulationModel> model)
    : work_(std::make_unique<Work>()) {
  Work& w = *work_;
  w.model = std::move(model);
  w.geoms = std::make_unique<GeomSet>(*w.model);
  const std::size_t links = w.model->links.size();
  const std::size_t dof = w.model->dof_count;
  w.links.resize(links);
  w.drives.resize(links);
  w.forces.reserve(8);
  w.points.reserve(kMaxPoints);
  w.keys.reserve(kMaxPoints);
  w.partner.reserve(kMaxPoints);
  w.partner_link.reserve(kMaxPoints);
  w.memory.reserve(kMaxPoints);
  w.coordinates.resize(dof);
  w.recursion.resize(links);
  for (std::size_t i = 0; i < links; ++i) {
    const LinkModel& link = w.model->links[i];
    w.recursion[i].first = link.dof;
    w.recursion[i].end = link.dof + dof_of(link.joint);
  }
  w.servos.assign(dof, {});
  w.velocity.resize(dof);
  set_state(zero_state(*w.model, Pose{}));
}

ArticulatedBody::~ArticulatedBody() = default;
ArticulatedBody::ArticulatedBody(ArticulatedBody&&) noexcept = default;
ArticulatedBody& ArticulatedBody::operator=(ArticulatedBody&&) noexcept = default;

const ArticulationModel& ArticulatedBody::model() const { return *work_->model; }
const ArticulationState& ArticulatedBody::state() const { return work_->state; }
std::span<const LinkMotion> ArticulatedBody::links() const { return work_->links; }
std::span<const ContactPoint> ArticulatedBody::contacts() const { return work_->points; }
std::span<JointDrive> ArticulatedBody::drives() { return work_->drives; }
std::span<const JointDrive> ArticulatedBody::drives() const { return work_->drives; }
const Eigen::AlignedBox3d& ArticulatedBody::bounds() const { return work_->bounds; }

void ArticulatedBody::add_force(const ExternalForce& force) { work_->forces.push_back(force); }

void ArticulatedBody::set_state(const ArticulationState& state) {
  work_->state = state;
  work_->points.clear();
  work_->keys.clear();
  work_->partner.clear();
  work_->partner_link.clear();
  work_->memory.clear();
  // What the servos last did is no part of the new state.
  for (JointDrive& drive : work_->drives) drive = JointDrive{};
  update_kinematics(*work_);
}

ArticulationState ArticulatedBody::zero_state(const ArticulationModel& model, const Pose& root) {
  ArticulationState state;
  state.root = root;
  state.joint.assign(model.links.size(), Quat::Identity());
  state.angle.assign(model.links.size(), Vec2::Zero());
  state.velocity.assign(model.dof_count, 0.0);
  return state;
}

bool ArticulatedBody::finite() const {
  const ArticulationState& s = work_->state;
  if (!s.root.position.allFinite() || !s.root.rotation.coeffs().allFinite()) return false;
  for (double v : s.velocity) {
    if (!(std::abs(v) < 1e4)) return false;
  }
  for (std::size_t i = 1; i < s.joint.size(); ++i) {
    if (!s.joint[i].coeffs().allFinite() || !s.angle[i].allFinite()) return false;
  }
  return true;
}

void update_kinematics(ArticulatedBody::Work& w) {
  const ArticulationModel& model = *w.model;
  ArticulationState& s = w.state;
  const double* v = s.velocity.data();
  w.bounds.setEmpty();
  for (std::size_t i = 0; i < model.links.size(); ++i) {
    const LinkModel& link = model.links[i];
    LinkMotion& m = w.links[i];
    if (i == 0) {
      m.position = s.root.position;
      m.rotation = s.root.rotation.toRotationMatrix();
      m.velocity = Vec3(v[0], v[1], v[2]);
      m.omega = Vec3(v[3], v[4], v[5]);
    } else {
      const LinkMotion& p = w.links[link.parent];
      Vec3 relative;  // angular velocity relative to the parent, world axes
      switch (link.joint) {
        case JointKind::kHinge:
          s.joint[i] = Quat(Eigen::AngleAxisd(s.angle[i].x(), link.axis));
          m.rotation = p.rotation * s.joint[i].toRotationMatrix();
          relative = m.rotation * link.axis * v[link.dof];
          break;
        case JointKind::kUniversal:
          s.joint[i] = rotation_y(s.angle[i].y()) * rotation_x(s.angle[i].x());
          m.rotation = p.rotation * s.joint[i].toRotationMatrix();
          relative = m.rotation.col(0) * v[link.dof] + p.rotation.col(1) * v[link.dof + 1];
          break;
        default:
          m.rotation = p.rotation * s.joint[i].toRotationMatrix();
          relative = m.rotation * Vec3(v[link.dof], v[link.dof + 1], v[link.dof + 2]);
          break;
      }
      const Vec3 to_joint = p.rotation * link.at_parent;
      const Vec3 from_joint = -(m.rotation * link.at_child);
      m.position = p.position + to_joint + from_joint;
      m.omega = p.omega + relative;
      m.velocity = p.velocity + p.omega.cross(to_joint) + m.omega.cross(from_joint);
    }
    for (const Shape& shape : link.shapes) {
      if (shape.kind == Shape::Kind::kCapsule) {
        const Vec3 r = Vec3::Constant(shape.radius);
        const Vec3 a = m.position + m.rotation * shape.a;
        const Vec3 b = m.position + m.rotation * shape.b;
        w.bounds.extend(a - r).extend(a + r).extend(b - r).extend(b + r);
      } else {
        const Vec3 c = m.position + m.rotation * shape.a;
        const Vec3 r = m.rotation.cwiseAbs() * shape.b;
        w.bounds.extend(c - r).extend(c + r);
      }
    }
  }
}

void step_island(std::span<ArticulatedBody* const> bodies, const Terrain& terrain,
                 const StepSettings& settings) {
  collide(bodies, terrain);
  for (ArticulatedBody* body : bodies) prepare_dynamics(body->work(), settings);
  solve_contacts(bodies, terrain, settings);
  for (ArticulatedBody* body : bodies) integrate(body->work(), settings.dt);
}

}  // namespace promenade::physics
