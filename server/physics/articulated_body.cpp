#include "physics/articulated_body.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "physics/collision/near_blocks.h"
#include "physics/dynamics/work.h"
#include "physics/touching.h"

namespace promenade::physics {
namespace {

constexpr double kFarthestLink = 1e5;  // m from the origin, in a state that is read

void extend_by(Eigen::AlignedBox3d& bounds, const Shape& shape, const LinkMotion& m) {
  const auto add = [&bounds](const Vec3& center, const Vec3& half) {
    bounds.extend(center - half).extend(center + half);
  };
  switch (shape.kind) {
    case Shape::Kind::kCapsule:
    case Shape::Kind::kCylinder: {  // a little more than a cylinder takes
      const Vec3 r = Vec3::Constant(shape.radius);
      add(m.position + m.rotation * shape.a, r);
      add(m.position + m.rotation * shape.b, r);
      return;
    }
    case Shape::Kind::kSphere:
      add(m.position + m.rotation * shape.a, Vec3::Constant(shape.radius));
      return;
    case Shape::Kind::kBox:
      add(m.position + m.rotation * shape.a, m.rotation.cwiseAbs() * shape.b);
      return;
  }
}

}  // namespace

ArticulatedBody::Work::Work() = default;
ArticulatedBody::Work::~Work() = default;

ArticulatedBody::ArticulatedBody(std::shared_ptr<const ArticulationModel> model)
    : work_(std::make_unique<Work>()) {
  Work& w = *work_;
  w.model = std::move(model);
  w.geoms = std::make_unique<GeomSet>(*w.model);
  w.near_blocks = std::make_unique<NearBlocks>();
  const std::size_t links = w.model->links.size();
  w.links.resize(links);
  w.drives.resize(links);
  w.forces.reserve(8);
  w.near_blocks->blocks.reserve(16);
  w.near_blocks->done.reserve(16 * w.geoms->items.size());
  w.points.reserve(kMaxPoints);
  w.keys.reserve(kMaxPoints);
  w.partner.reserve(kMaxPoints);
  w.partner_link.reserve(kMaxPoints);
  w.memory.reserve(kMaxPoints);
  w.whole.reserve(kMaxPoints);
  w.whole_keys.reserve(kMaxPoints);
  w.whole_partner.reserve(kMaxPoints);
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
const Eigen::AlignedBox3d& ArticulatedBody::bounds() const { return bounds_of(*work_); }

void ArticulatedBody::set_fine(bool fine) { work_->fine = fine; }
bool ArticulatedBody::fine() const { return work_->fine; }
void ArticulatedBody::add_force(const ExternalForce& force) { work_->forces.push_back(force); }

void ArticulatedBody::set_state(const ArticulationState& state) {
  work_->state = state;
  work_->state_is_new = true;
  work_->points.clear();
  work_->keys.clear();
  work_->partner.clear();
  work_->partner_link.clear();
  work_->memory.clear();
  work_->touched = 0;
  work_->forces.clear();
  // The torques that servos last applied do not belong to the new state.
  for (JointDrive& drive : work_->drives) drive = JointDrive{};
  work_->fine = work_->in_parts = work_->asleep = work_->geoms_placed = false;
  work_->disturbance = {};
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

bool ArticulatedBody::positions_finite() const {
  const ArticulationState& s = work_->state;
  // A sum with a number that is not finite is not finite either, so one test does for all.
  const auto sum = [](const double* first, std::size_t count) {
    return Eigen::Map<const Eigen::ArrayXd>(first, static_cast<Eigen::Index>(count)).sum();
  };
  return std::isfinite(s.root.position.sum() + s.root.rotation.coeffs().sum() +
                       sum(s.joint[0].coeffs().data(), 4 * s.joint.size()) +
                       sum(s.angle[0].data(), 2 * s.angle.size()));
}

bool ArticulatedBody::finite() const {
  const std::vector<double>& velocity = work_->state.velocity;
  const bool slow = std::all_of(velocity.begin(), velocity.end(),
                                [](double v) { return std::abs(v) < 1e4; });  // not so for NaN
  return slow && positions_finite();
}

double ArticulatedBody::kinetic_energy() const {
  double sum = 0;
  for (std::size_t i = 0; i < work_->links.size(); ++i) {
    const LinkMotion& m = work_->links[i];
    const LinkModel& link = work_->model->links[i];
    const Vec3 omega = m.rotation.transpose() * m.omega;
    sum +=
        0.5 * (link.mass * m.velocity.squaredNorm() + omega.dot(link.inertia.cwiseProduct(omega)));
  }
  return sum / work_->model->total_mass;
}

double ArticulatedBody::fastest_point() const {
  double fastest = 0;
  for (std::size_t i = 0; i < work_->links.size(); ++i) {
    const LinkMotion& m = work_->links[i];
    fastest = std::max(fastest, m.velocity.norm() + m.omega.norm() * work_->model->links[i].reach);
  }
  return fastest;
}

void ArticulatedBody::set_asleep(bool asleep) {
  Work& w = *work_;
  if (w.asleep == asleep) return;
  w.asleep = asleep;
  w.disturbance = {};
  if (!asleep) return;
  w.geoms_placed = false;
  w.forces.clear();
  w.partner.clear();
  w.partner_link.clear();
  std::fill(w.state.velocity.begin(), w.state.velocity.end(), 0.0);
  for (LinkMotion& m : w.links) {
    m.velocity.setZero();
    m.omega.setZero();
  }
}

bool ArticulatedBody::asleep() const { return work_->asleep; }
Disturbance ArticulatedBody::take_disturbance() {
  return std::exchange(work_->disturbance, Disturbance{});
}

void ArticulatedBody::visit(StateVisitor& state) {
  Work& w = *work_;
  const std::size_t links = w.links.size();
  ArticulationState& s = w.state;
  state(s.root.position, s.root.rotation);
  for (std::size_t i = 1; i < links; ++i) {
    // A joint's position is in one of these two; the other one follows from it.
    if (type_of(w.model->links[i].joint).rotation) {
      state(s.joint[i]);
    } else {
      state(s.angle[i]);
    }
  }
  state.fixed_list(s.velocity);
  for (std::size_t i = 1; i < links; ++i) {
    JointDrive& d = w.drives[i];
    state(d.target, d.target_angle, d.target_velocity, d.kp, d.kd, d.feedforward, d.limit,
          d.applied, d.asked);
  }
  state.length(w.forces, kMaxForces);
  for (ExternalForce& force : w.forces) {
    state.choice(force.link, links);
    state(force.point, force.force);
  }
  state.length(w.points, kMaxPoints);
  for (ContactPoint& point : w.points) {
    state.choice(point.link, links);
    state(point.position, point.normal, point.depth, point.force, point.on_ground);
  }
  if (state.reading()) w.keys.resize(w.points.size());
  for (std::uint64_t& key : w.keys) state(key);
  state.length(w.memory, kMaxPoints);
  for (RememberedImpulse& remembered : w.memory)
    state(remembered.key, remembered.impulse, remembered.at);
  state(w.memory_dt, w.asleep, w.state_is_new, w.disturbance.speed, w.disturbance.force, w.fine,
        w.in_parts);
  if (!state.reading()) return;
  // The rest is made anew in a step before it is used.
  w.partner.clear();
  w.partner_link.clear();
  w.touched = 0;
  w.geoms_placed = false;
  const auto turns = [](const Quat& q) { return std::abs(q.squaredNorm() - 1) < 1e-3; };
  if (!turns(s.root.rotation) || !std::all_of(s.joint.begin(), s.joint.end(), turns)) {
    return state.fail("has an invalid rotation");
  }
  update_kinematics(w);
  const auto far = [](const LinkMotion& link) { return !(link.position.norm() < kFarthestLink); };
  if (std::any_of(w.links.begin(), w.links.end(), far)) state.fail("has a link too far away");
}

std::span<const int> partners(ArticulatedBody& body) { return body.work().partner; }

const Eigen::AlignedBox3d& bounds_of(const ArticulatedBody::Work& w) {
  if (w.bounds_known) return w.bounds;
  w.bounds_known = true;
  w.bounds.setEmpty();
  for (std::size_t i = 0; i < w.links.size(); ++i) {
    for (const Shape& shape : w.model->links[i].shapes) {
      extend_by(w.bounds, shape, w.links[i]);
    }
  }
  return w.bounds;
}

}  // namespace promenade::physics
