#include "study/trial/gait/flight_audit.h"

#include <algorithm>
#include <cmath>

namespace promenade::trial {

FlightAudit::FlightAudit(const physics::ArticulationModel& model, double gravity)
    : model_(model), gravity_(gravity), speed_(std::sqrt(gravity * std::max(model.size, 1e-6))) {}

FlightAudit::Moment FlightAudit::moment_of(const physics::ArticulatedBody& body) const {
  Moment out{Vec3::Zero(), Vec3::Zero(), Vec3::Zero(), 0};
  const auto links = body.links();
  for (std::size_t i = 0; i < links.size(); ++i) {
    const double mass = model_.links[i].mass;
    out.com += mass * links[i].position;
    out.momentum += mass * links[i].velocity;
  }
  out.com /= model_.total_mass;
  const Vec3 velocity = out.momentum / model_.total_mass;
  for (std::size_t i = 0; i < links.size(); ++i) {
    const physics::LinkModel& link = model_.links[i];
    const Vec3 spin = links[i].rotation.transpose() * links[i].omega;
    const Vec3 own = link.inertia.cwiseProduct(spin);
    out.turning += links[i].rotation * own +
                   link.mass * (links[i].position - out.com).cross(links[i].velocity - velocity);
    out.energy += 0.5 * link.mass * links[i].velocity.squaredNorm() + 0.5 * spin.dot(own) +
                  link.mass * gravity_ * links[i].position.z();
  }
  return out;
}

double FlightAudit::work_of(const physics::ArticulatedBody& body, double dt) const {
  const auto drives = body.drives();
  const std::vector<double>& velocity = body.state().velocity;
  double power = 0;
  for (std::size_t i = 1; i < drives.size(); ++i) {
    const int dof = physics::dof_of(model_.links[i].joint);
    for (int k = 0; k < dof; ++k) {
      power += drives[i].applied[k] * velocity[std::size_t(model_.links[i].dof + k)];
    }
  }
  return power * dt;
}

void FlightAudit::note(const physics::ArticulatedBody& body, double dt, bool pushed) {
  const auto contacts = body.contacts();
  const bool touches = std::any_of(contacts.begin(), contacts.end(),
                                   [](const auto& contact) { return !contact.force.isZero(); });
  if (touches || pushed) {
    take_off_.reset();
    return;
  }
  const Moment now = moment_of(body);
  if (!take_off_) {
    take_off_ = now;
    seconds_ = work_ = rise_ = 0;
    return;
  }
  seconds_ += dt;
  work_ += std::max(0.0, work_of(body, dt));
  rise_ = std::max(rise_, now.com.z() - take_off_->com.z());
  if (seconds_ > longest_.seconds) {
    longest_ = {seconds_, (now.com - take_off_->com).head<2>().norm(), rise_};
  }
  const double mass = model_.total_mass, size = std::max(model_.size, 1e-6);
  const Vec3 falling = take_off_->momentum - Vec3(0, 0, mass * gravity_ * seconds_);
  Vec3 off = now.momentum - falling;
  Vec3 turned = now.turning - take_off_->turning;
  if (model_.links[0].joint == physics::JointKind::kPlanar) {
    off.y() = 0;  // the plane holds it
    turned.x() = turned.z() = 0;
  }
  momentum_error_ = std::max(momentum_error_, off.norm() / (mass * speed_));
  turning_error_ = std::max(turning_error_, turned.norm() / (mass * speed_ * size));
  const double gained = now.energy - take_off_->energy - work_;
  energy_error_ = std::max(energy_error_, gained / (mass * speed_ * speed_));
}

bool FlightAudit::broken() const {
  return momentum_error_ > kMostError || turning_error_ > kMostError || energy_error_ > kMostError;
}

}  // namespace promenade::trial
