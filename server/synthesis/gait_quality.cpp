#include "synthesis/gait_quality.h"

#include <algorithm>
#include <cmath>

#include "character/biped_state.h"

namespace promenade::synthesis {
namespace {

constexpr double kGravity = 9.8;
constexpr double kLanding = 0.1;  // s, from the toes' touch to the foot-strike
constexpr int kOverlapEvery = 4;  // steps between looks at the legs: 3 cm of a foot at 3 m/s

struct Segment {
  Vec3 a, b;
  double radius;
};

// Least distance between two segments. Source: Ericson 2005, Real-Time Collision Detection, §5.1.9.
double distance(const Segment& p, const Segment& q) {
  const Vec3 d1 = p.b - p.a, d2 = q.b - q.a, r = p.a - q.a;
  const double a = d1.squaredNorm(), e = d2.squaredNorm(), f = d2.dot(r), c = d1.dot(r);
  const double b = d1.dot(d2), denominator = a * e - b * b;
  double s = denominator > 1e-12 ? std::clamp((b * f - c * e) / denominator, 0.0, 1.0) : 0;
  double t = e > 1e-12 ? (b * s + f) / e : 0;
  if (t < 0 || t > 1) {
    t = std::clamp(t, 0.0, 1.0);
    s = a > 1e-12 ? std::clamp((b * t - c) / a, 0.0, 1.0) : 0;
  }
  return (p.a + s * d1 - q.a - t * d2).norm();
}

Segment shank_of(const Rollout& rollout, int side) {
  const Body& body = rollout.body();
  const int link = body.link[kLeftShank + side];
  const physics::LinkMotion& m = rollout.physics().links()[std::size_t(link)];
  for (const physics::Shape& shape : body.model->links[std::size_t(link)].shapes) {
    if (shape.kind != physics::Shape::Kind::kCapsule) continue;
    return {m.position + m.rotation * shape.a, m.position + m.rotation * shape.b, shape.radius};
  }
  return {joint_position(rollout.physics(), link),
          joint_position(rollout.physics(), body.link[kLeftFoot + side]), 0.05};
}

// The box of the foot as a capsule along its length, as wide as the box. Toes are narrower and in
// line.
Segment foot_of(const Rollout& rollout, int side) {
  const Body& body = rollout.body();
  const auto link = std::size_t(body.link[kLeftFoot + side]);
  const physics::LinkMotion& m = rollout.physics().links()[link];
  for (const physics::Shape& shape : body.model->links[link].shapes) {
    if (shape.kind != physics::Shape::Kind::kBox) continue;
    const double radius = shape.b.y();
    const Vec3 half(std::max(0.0, shape.b.x() - radius), 0, 0);
    return {m.position + m.rotation * (shape.a - half), m.position + m.rotation * (shape.a + half),
            radius};
  }
  return {m.position, m.position, 0.05};
}

}  // namespace

double slip_speed(const Rollout& rollout) {
  const Body& body = rollout.body();
  double load = 0, sum = 0;
  for (const physics::ContactPoint& c : rollout.physics().contacts()) {
    bool foot = false;
    for (const Part part : {kLeftFoot, kRightFoot, kLeftToes, kRightToes}) {
      foot = foot || c.link == body.link[part];
    }
    const double normal = c.force.dot(c.normal);
    if (!foot || normal <= 0) continue;
    const physics::LinkMotion& m = rollout.physics().links()[std::size_t(c.link)];
    const Vec3 v = m.velocity + m.omega.cross(c.position - m.position);
    load += normal;
    sum += normal * (v - v.dot(c.normal) * c.normal).norm();
  }
  // A graze of a few newtons is no stand.
  return load > 0.02 * kGravity * body.total_mass ? sum / load : 0;
}

double leg_overlap(const Rollout& rollout) {
  const std::array<Segment, 2> left{shank_of(rollout, kLeft), foot_of(rollout, kLeft)};
  const std::array<Segment, 2> right{shank_of(rollout, kRight), foot_of(rollout, kRight)};
  double deepest = -1e9;
  for (const Segment& a : left) {
    for (const Segment& b : right)
      deepest = std::max(deepest, a.radius + b.radius - distance(a, b));
  }
  return deepest;
}

GaitObserver::GaitObserver(const Rollout& rollout)
    : start_(rollout.report().com),
      last_(start_),
      weight_(kGravity * rollout.body().total_mass),
      step_number_(rollout.report().steps) {}

void GaitObserver::end_step() {
  if (whole_) {
    ++q_.steps;
    sum_step_time_ += clock_;
    sum_slip_ += slip_;
    q_.worst_slip = std::max(q_.worst_slip, slip_);
    q_.stubs += stub_;
    q_.through += through_;
  }
  whole_ = true;
  slip_ = clock_ = touch_ = 0;
  stub_ = through_ = false;
}

void GaitObserver::observe(const Rollout& rollout) {
  const control::ControlReport& r = rollout.report();
  constexpr double dt = Rollout::kStep;
  if (r.steps != step_number_) {
    step_number_ = r.steps;
    end_step();
  }
  clock_ += dt;
  slip_ += dt * slip_speed(rollout);
  const int swing = r.left_stance ? kRight : kLeft;
  // A foot that lands touches once, and the step ends within a moment.
  const bool touching =
      !r.standing && r.phase > 0.25 && r.foot_force[std::size_t(swing)].z() > 0.02 * weight_;
  stub_ = stub_ || (touch_ > 0 && !touching) || touch_ > kLanding;
  touch_ = touching ? touch_ + dt : 0;
  if (count_ % kOverlapEvery == 0) {
    const double overlap = leg_overlap(rollout);
    q_.deepest_through = std::max(q_.deepest_through, overlap);
    through_ = through_ || overlap > kThrough;
  }

  const Body& body = rollout.body();
  const physics::ArticulationState& state = rollout.physics().state();
  for (const Part knee : {kLeftShank, kRightShank}) {
    q_.past_straight = std::max(q_.past_straight, -state.angle[std::size_t(body.link[knee])].x());
  }
  const auto drives = rollout.drives();
  for (std::size_t i = 1; i < drives.size(); ++i) {
    const physics::LinkModel& link = body.model->links[i];
    for (int k = 0; k < physics::dof_of(link.joint); ++k) {
      const double torque = std::abs(drives[i].applied[k]);
      sum_torque_ += torque;
      work_ += dt * torque * std::abs(state.velocity[std::size_t(link.dof + k)]);
      if (torque > q_.peak_torque) {
        q_.peak_torque = torque;
        q_.peak_link = int(i);
      }
    }
  }
  last_ = r.com;
  ++count_;
}

GaitQuality GaitObserver::result() const {
  GaitQuality q = q_;
  q.seconds = double(count_) * Rollout::kStep;
  if (q.steps > 0) {
    q.step_time = sum_step_time_ / q.steps;
    q.slip = sum_slip_ / q.steps;
  }
  if (count_ > 0) q.mean_torque = sum_torque_ / double(count_);
  const double way = (last_ - start_).head<2>().norm();
  q.cost_of_transport = way > 0.1 * q.seconds ? work_ / (weight_ * way) : 0;
  return q;
}

}  // namespace promenade::synthesis
