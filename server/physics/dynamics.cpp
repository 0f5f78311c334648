// Joint-space dynamics of one body: composite-rigid-body mass matrix, recursive Newton-Euler bias,
// servos integrated implicitly, sparse L^T D L factors. Source: Featherstone 2008, chapters 5, 6,
// 8, in world axes about the root's origin; implicit servos as in Tan, Liu, Turk 2011.
#include <algorithm>
#include <cmath>

#include "math/rotation.h"
#include "physics/work.h"

namespace promenade::physics {
namespace {

Spatial operator+(const Spatial& a, const Spatial& b) {
  return {a.angular + b.angular, a.linear + b.linear};
}

Spatial scaled(const Spatial& a, double f) { return {a.angular * f, a.linear * f}; }

double dot(const Spatial& a, const Spatial& b) {
  return a.angular.dot(b.angular) + a.linear.dot(b.linear);
}

/// Rate of change of a motion vector carried along with motion v.
Spatial cross_motion(const Spatial& v, const Spatial& m) {
  return {v.angular.cross(m.angular), v.angular.cross(m.linear) + v.linear.cross(m.angular)};
}

Spatial cross_force(const Spatial& v, const Spatial& f) {
  return {v.angular.cross(f.angular) + v.linear.cross(f.linear), v.angular.cross(f.linear)};
}

Spatial times(const SpatialInertia& inertia, const Spatial& v) {
  return {inertia.second * v.angular + inertia.first.cross(v.linear),
          inertia.mass * v.linear - inertia.first.cross(v.angular)};
}

/// A turn about `axis` (world) through a point at `offset` from the origin.
Spatial turn_about(const Vec3& axis, const Vec3& offset) { return {axis, offset.cross(axis)}; }

void make_axes(ArticulatedBody::Work& w) {
  const ArticulationModel& model = *w.model;
  w.origin = w.state.root.position;
  for (int k = 0; k < 3; ++k) {
    w.axes[k] = {Vec3::Zero(), Vec3::Unit(k)};
    w.axes[3 + k] = {Vec3::Unit(k), Vec3::Zero()};
  }
  for (std::size_t i = 1; i < model.links.size(); ++i) {
    const LinkModel& link = model.links[i];
    const LinkMotion& m = w.links[i];
    const Vec3 joint = m.position + m.rotation * link.at_child - w.origin;
    switch (link.joint) {
      case JointKind::kHinge:
        w.axes[link.dof] = turn_about(m.rotation * link.axis, joint);
        break;
      case JointKind::kUniversal:
        w.axes[link.dof] = turn_about(m.rotation.col(0), joint);
        w.axes[link.dof + 1] = turn_about(w.links[link.parent].rotation.col(1), joint);
        break;
      default:
        for (int k = 0; k < 3; ++k) w.axes[link.dof + k] = turn_about(m.rotation.col(k), joint);
        break;
    }
  }
}

/// Velocities, and forces needed for no joint acceleration: rhs = -bias.
void make_bias(ArticulatedBody::Work& w, double gravity) {
  const ArticulationModel& model = *w.model;
  const double* v = w.state.velocity.data();
  for (std::size_t i = 0; i < model.links.size(); ++i) {
    const LinkModel& link = model.links[i];
    const LinkMotion& m = w.links[i];
    SpatialInertia& inertia = w.inertia[i];
    const Vec3 r = m.position - w.origin;
    inertia.mass = link.mass;
    inertia.first = link.mass * r;
    inertia.second = m.rotation * link.inertia.asDiagonal() * m.rotation.transpose();
    inertia.second.diagonal().array() += link.mass * r.squaredNorm();
    inertia.second -= link.mass * r * r.transpose();

    Spatial& velocity = w.spatial_velocity[i];
    Spatial& acceleration = w.spatial_acceleration[i];
    if (i == 0) {
      velocity = {Vec3(v[3], v[4], v[5]), Vec3(v[0], v[1], v[2])};
      acceleration = {Vec3::Zero(), Vec3(0, 0, gravity) - velocity.angular.cross(velocity.linear)};
    } else {
      const Spatial& above = w.spatial_velocity[link.parent];
      Spatial joint;
      Spatial curl;  // what the joint's own turning adds to the rate of its axes
      if (link.joint == JointKind::kUniversal) {
        const Spatial pitch = scaled(w.axes[link.dof + 1], v[link.dof + 1]);
        const Spatial roll = scaled(w.axes[link.dof], v[link.dof]);
        joint = pitch + roll;
        curl = cross_motion(pitch, roll);
      } else {
        for (int k = 0; k < dof_of(link.joint); ++k) {
          joint = joint + scaled(w.axes[link.dof + k], v[link.dof + k]);
        }
      }
      velocity = above + joint;
      acceleration = w.spatial_acceleration[link.parent] + cross_motion(above, joint) + curl;
    }
    w.spatial_force[i] =
        times(inertia, acceleration) + cross_force(velocity, times(inertia, velocity));
  }
  for (const ExternalForce& f : w.forces) {
    w.spatial_force[f.link].angular -= (f.point - w.origin).cross(f.force);
    w.spatial_force[f.link].linear -= f.force;
  }
  for (std::size_t i = model.links.size(); i-- > 0;) {
    const LinkModel& link = model.links[i];
    for (int k = link.dof; k < link.dof + dof_of(link.joint); ++k) {
      w.rhs[k] = -dot(w.axes[k], w.spatial_force[i]);
    }
    if (i > 0) w.spatial_force[link.parent] = w.spatial_force[link.parent] + w.spatial_force[i];
  }
}

void make_mass_matrix(ArticulatedBody::Work& w) {
  const ArticulationModel& model = *w.model;
  for (std::size_t i = model.links.size(); i-- > 1;) {
    SpatialInertia& parent = w.inertia[model.links[i].parent];
    parent.mass += w.inertia[i].mass;
    parent.first += w.inertia[i].first;
    parent.second += w.inertia[i].second;
  }
  for (std::size_t i = 0; i < model.links.size(); ++i) {
    const LinkModel& link = model.links[i];
    for (int k = link.dof; k < link.dof + dof_of(link.joint); ++k) {
      const Spatial force = times(w.inertia[i], w.axes[k]);
      double* row = w.factor.data() + w.row[k];
      for (int j = k; j >= 0; j = model.dof_parent[j]) *row++ = dot(w.axes[j], force);
    }
  }
}

/// Adds a spring-damper on one coordinate, implicitly: `error` is the spring's, `rate` the wanted
/// velocity less the present one.
void add_spring(ArticulatedBody::Work& w, int dof, double kp, double kd, double error, double rate,
                double feedforward, double limit, double dt) {
  const double torque = feedforward + kp * (error - dt * w.state.velocity[dof]) + kd * rate;
  if (std::abs(torque) > limit) {
    w.rhs[dof] += std::copysign(limit, torque);
    return;
  }
  w.rhs[dof] += torque;
  w.factor[w.row[dof]] += dt * (kd + dt * kp);
}

void add_servos(ArticulatedBody::Work& w, double dt) {
  const ArticulationModel& model = *w.model;
  // A joint's stop: a stiff spring that grows with the body, so that a giant's knees stop too.
  const double stop_kp = 12 * model.total_mass;
  const double stop_kd = 0.6 * model.total_mass;
  for (std::size_t i = 1; i < model.links.size(); ++i) {
    const LinkModel& link = model.links[i];
    const JointDrive& drive = w.drives[i];
    const int count = dof_of(link.joint);
    Vec3 position = Vec3::Zero(), error = Vec3::Zero();
    if (link.joint == JointKind::kBall) {
      position = rotation_vector(w.state.joint[i]);
      error = rotation_vector(w.state.joint[i].conjugate() * drive.target);
    } else {
      position.head<2>() = w.state.angle[i];
      error.head<2>() = drive.target_angle - w.state.angle[i];
    }
    for (int k = 0; k < count; ++k) {
      const int dof = link.dof + k;
      const double rate = w.state.velocity[dof];
      w.servo_error[dof] = error[k];
      add_spring(w, dof, drive.kp[k], drive.kd[k], error[k], drive.target_velocity[k] - rate,
                 drive.feedforward[k], drive.limit[k], dt);
      const double beyond = position[k] < link.lower[k]   ? link.lower[k] - position[k]
                            : position[k] > link.upper[k] ? link.upper[k] - position[k]
                                                          : 0;
      if (beyond != 0) add_spring(w, dof, stop_kp, stop_kd, beyond, -rate, 0, 1e12, dt);
    }
  }
}

/// H = L^T D L in place. Featherstone 2008, table 6.3, on rows without the zeros: the row of an
/// ancestor is as long as what is left of the row from there on.
void factorise(ArticulatedBody::Work& w) {
  double* h = w.factor.data();
  int end = static_cast<int>(w.factor.size());
  for (int k = w.model->dof_count - 1; k >= 0; --k) {
    double* row_k = h + w.row[k];
    const std::int16_t* up = w.ancestors.data() + w.row[k];
    const int count = end - w.row[k];
    const double inverse = 1 / row_k[0];
    for (int p = 1; p < count; ++p) {
      const double a = row_k[p] * inverse;
      double* row_i = h + w.row[up[p]];
      const double* rest = row_k + p;
      for (int q = 0; q < count - p; ++q) row_i[q] -= a * rest[q];
      row_k[p] = a;
    }
    w.root_d[k] = std::sqrt(row_k[0]);
    end = w.row[k];
  }
}

/// z = D^1/2 L v + D^-1/2 L^-T (dt rhs)
void free_velocity(ArticulatedBody::Work& w, double dt) {
  const double* h = w.factor.data();
  const double* v = w.state.velocity.data();
  double* x = w.rhs.data();
  int end = static_cast<int>(w.factor.size());
  for (int i = w.model->dof_count - 1; i >= 0; --i) {
    const int start = w.row[i];
    double lv = v[i];
    for (int e = start + 1; e < end; ++e) {
      const int j = w.ancestors[e];
      x[j] -= h[e] * x[i];
      lv += h[e] * v[j];
    }
    w.z[i] = w.root_d[i] * lv + dt * x[i] / w.root_d[i];
    end = start;
  }
}

}  // namespace

void prepare_dynamics(ArticulatedBody::Work& w, const StepSettings& settings) {
  make_axes(w);
  make_bias(w, settings.gravity);
  w.forces.clear();
  make_mass_matrix(w);
  add_servos(w, settings.dt);
  factorise(w);
  free_velocity(w, settings.dt);
}

void integrate(ArticulatedBody::Work& w, double dt) {
  const ArticulationModel& model = *w.model;
  const int n = model.dof_count;
  ArticulationState& s = w.state;
  double* v = s.velocity.data();
  for (int i = 0; i < n; ++i) {
    double x = w.z[i] / w.root_d[i];
    const int end = i + 1 < n ? w.row[i + 1] : static_cast<int>(w.factor.size());
    for (int e = w.row[i] + 1; e < end; ++e) x -= w.factor[e] * v[w.ancestors[e]];
    v[i] = x;
  }
  for (std::size_t i = 1; i < model.links.size(); ++i) {
    JointDrive& drive = w.drives[i];
    for (int k = 0; k < dof_of(model.links[i].joint); ++k) {
      const int dof = model.links[i].dof + k;
      const double torque = drive.feedforward[k] +
                            drive.kp[k] * (w.servo_error[dof] - dt * v[dof]) +
                            drive.kd[k] * (drive.target_velocity[k] - v[dof]);
      drive.applied[k] = std::clamp(torque, -drive.limit[k], drive.limit[k]);
    }
  }
  s.root.position += dt * Vec3(v[0], v[1], v[2]);
  s.root.rotation =
      (quat_from_rotation_vector(dt * Vec3(v[3], v[4], v[5])) * s.root.rotation).normalized();
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
        s.joint[i] = (s.joint[i] * quat_from_rotation_vector(
                                       dt * Vec3(v[link.dof], v[link.dof + 1], v[link.dof + 2])))
                         .normalized();
        break;
    }
  }
  update_kinematics(w);
}

}  // namespace promenade::physics
