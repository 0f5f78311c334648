#include "study/trial/walk/gait_quality.h"

#include <algorithm>
#include <cmath>

#include "creature/biped/biped_state.h"
#include "math/rotation.h"

namespace promenade::trial {
namespace {

constexpr double kTake = 1.0 / 6, kGive = 1.0 / 12;  // of the weight: a foot begins, ends to carry
constexpr double kFree = 0.03;  // s without load, after which a foot counts as off the ground
constexpr double kDrag = 0.02;  // m that a landing foot may slide
constexpr double kJitterHz = 6;
constexpr int kOverlapEvery = 4;  // steps between looks at the legs: 3 cm of a foot at 3 m/s

struct Segment {
  Vec3 a, b;
  double radius;
};

constexpr int kMostSegments = 13;
struct LowerLeg {
  std::array<Segment, kMostSegments> segments;
  int count = 0;
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
  const Biped& biped = rollout.biped();
  const int link = biped.link[kLeftShank + side];
  const physics::LinkMotion& m = rollout.physics().links()[std::size_t(link)];
  for (const physics::Shape& shape : rollout.body().model->links[std::size_t(link)].shapes) {
    if (shape.kind != physics::Shape::Kind::kCapsule) continue;
    return {m.position + m.rotation * shape.a, m.position + m.rotation * shape.b, shape.radius};
  }
  return {joint_position(rollout.physics(), link),
          joint_position(rollout.physics(), biped.link[kLeftFoot + side]), 0.05};
}

// Adds a box as three capsules side by side along its length, as thick as the box.
void add_box(const Rollout& rollout, int link_index, LowerLeg& out) {
  const auto link = std::size_t(link_index);
  const physics::LinkMotion& m = rollout.physics().links()[link];
  for (const physics::Shape& shape : rollout.body().model->links[link].shapes) {
    if (shape.kind != physics::Shape::Kind::kBox || out.count + 3 > kMostSegments) continue;
    const double radius = shape.b.z();
    const double ahead = std::max(0.0, shape.b.x() - radius);
    const double aside = std::max(0.0, shape.b.y() - radius);
    for (const double y : {-aside, 0.0, aside}) {
      out.segments[std::size_t(out.count++)] = {
          m.position + m.rotation * (shape.a + Vec3(-ahead, y, 0)),
          m.position + m.rotation * (shape.a + Vec3(ahead, y, 0)), radius};
    }
  }
}

LowerLeg lower_leg(const Rollout& rollout, int side) {
  LowerLeg out;
  out.segments[0] = shank_of(rollout, side);
  out.count = 1;
  add_box(rollout, rollout.biped().link[kLeftFoot + side], out);
  add_box(rollout, rollout.biped().link[kLeftToes + side], out);
  return out;
}

// Pitch of a link's z axis against the world's, rad, in the plane of `heading`; forward positive.
double pitch_of(const Rollout& rollout, int link, double heading) {
  const Vec3 up = rollout.physics().links()[std::size_t(link)].rotation.col(2);
  return std::atan2(up.x() * std::cos(heading) + up.y() * std::sin(heading), up.z());
}

constexpr Part kSeen[] = {kPelvis,        kTorso,        kHead,      kLeftUpperArm,
                          kRightUpperArm, kLeftLowerArm, kLeftThigh, kRightThigh};

}  // namespace

Vec3 slip_velocity(const Rollout& rollout, int side, double& load) {
  const Biped& biped = rollout.biped();
  Vec3 sum = Vec3::Zero();
  load = 0;
  for (const physics::ContactPoint& c : rollout.physics().contacts()) {
    if (c.link != biped.link[kLeftFoot + side] && c.link != biped.link[kLeftToes + side]) continue;
    const double normal = c.force.dot(c.normal);
    if (normal <= 0) continue;
    const physics::LinkMotion& m = rollout.physics().links()[std::size_t(c.link)];
    const Vec3 v = m.velocity + m.omega.cross(c.position - m.position);
    load += normal;
    sum += normal * (v - v.dot(c.normal) * c.normal);
  }
  return load > 0 ? Vec3(sum / load) : Vec3::Zero();
}

double slip_speed(const Rollout& rollout) {
  double all = 0, sum = 0;
  for (const int side : {kLeft, kRight}) {
    double load = 0;
    const Vec3 velocity = slip_velocity(rollout, side, load);
    all += load;
    sum += load * velocity.norm();
  }
  // A contact of a few newtons does not count as load.
  return all > 0.02 * physics::kGravity * rollout.body().total_mass ? sum / all : 0;
}

double leg_overlap(const Rollout& rollout) {
  const LowerLeg left = lower_leg(rollout, kLeft), right = lower_leg(rollout, kRight);
  double deepest = -1e9;
  for (int i = 0; i < left.count; ++i) {
    const Segment& a = left.segments[std::size_t(i)];
    for (int j = 0; j < right.count; ++j) {
      const Segment& b = right.segments[std::size_t(j)];
      deepest = std::max(deepest, a.radius + b.radius - distance(a, b));
    }
  }
  return deepest;
}

bool SupportSlip::observe(const Vec3& velocity, double load, double weight, double dt,
                          double& slip) {
  if (!carrying_) {
    was_free_ = was_free_ || load < kTake * weight;
    if (load < kTake * weight) return false;
    carrying_ = true;
    whole_ = was_free_;
    moved_.setZero();
    farthest_ = 0;
  }
  if (load < kGive * weight) {
    carrying_ = false;
    was_free_ = true;
    slip = farthest_;
    return whole_;
  }
  moved_ += dt * velocity;
  farthest_ = std::max(farthest_, moved_.norm());
  return false;
}

GaitObserver::GaitObserver(const Rollout& rollout)
    : start_(rollout.report().com),
      last_(start_),
      weight_(physics::kGravity * rollout.body().total_mass),
      dt_(rollout.dt()),
      step_number_(rollout.report().steps) {}

void GaitObserver::end_step() {
  if (whole_) {
    ++q_.steps;
    sum_step_time_ += clock_;
    q_.stubs += stub_;
    q_.through += through_;
    sum_clearance_ += clearance_;
    sum_swing_knee_ += swing_knee_;
    if (mid_ > 0) sum_stance_knee_ += stance_knee_ / mid_;
    sum_arm_ += arm_high_ - arm_low_;
    if (touched_) {
      sum_strike_ += strike_;
      ++strikes_;
    }
  }
  whole_ = true;
  clock_ = free_ = drag_ = clearance_ = swing_knee_ = stance_knee_ = 0;
  mid_ = 0;
  arm_low_ = 1e9;
  arm_high_ = -1e9;
  stub_ = through_ = off_ = touched_ = false;
}

// A foot that lands touches once and stays. One that lifts again or slides on has stubbed the
// ground in its swing.
void GaitObserver::observe_swing_foot(const Rollout& rollout) {
  const control::ControlReport& r = rollout.report();
  const int swing = r.left_stance ? kRight : kLeft;
  const int foot = rollout.biped().link[kLeftFoot + swing];
  double load = 0;
  const Vec3 sliding = slip_velocity(rollout, swing, load);
  if (load < 0.002 * weight_) {
    free_ += dt_;
    off_ = off_ || free_ > kFree;
    stub_ = stub_ || (touched_ && free_ > kFree);
  } else {
    free_ = 0;
    if (off_ && load > 0.02 * weight_) {
      if (!touched_) strike_ = -pitch_of(rollout, foot, r.heading);
      touched_ = true;
      drag_ += dt_ * sliding.norm();
      stub_ = stub_ || drag_ > kDrag;
    }
  }
  const Vec3 ankle = joint_position(rollout.physics(), foot);
  const double height = ankle.z() - rollout.ground().height(ankle.x(), ankle.y()) -
                        rollout.biped().ankle_height[std::size_t(swing)];
  clearance_ = std::max(clearance_, height);
}

void GaitObserver::observe_look(const Rollout& rollout) {
  const control::ControlReport& r = rollout.report();
  const Biped& biped = rollout.biped();
  const int stance = r.left_stance ? kLeft : kRight;
  const auto knee = [&](int side) {
    return rollout.physics().state().angle[std::size_t(biped.link[kLeftShank + side])].x();
  };
  swing_knee_ = std::max(swing_knee_, knee(1 - stance));
  if (r.phase > 0.4 && r.phase < 0.6) {
    stance_knee_ += knee(stance);
    ++mid_;
  }
  for (const int side : {kLeft, kRight}) {
    const double arm = pitch_of(rollout, biped.link[kLeftUpperArm + side], r.heading);
    const double leg = pitch_of(rollout, biped.link[kLeftThigh + side], r.heading);
    arm_ += arm;
    leg_ += leg;
    arm2_ += arm * arm;
    leg2_ += leg * leg;
    arm_leg_ += arm * leg;
    if (side == kLeft) {
      arm_low_ = std::min(arm_low_, arm);
      arm_high_ = std::max(arm_high_, arm);
    }
  }
  const double share = dt_ / (dt_ + 1 / (2 * kPi * kJitterHz));
  for (std::size_t i = 0; i < slow_.size(); ++i) {
    const Vec3& omega = rollout.physics().links()[std::size_t(biped.link[kSeen[i]])].omega;
    if (count_ == 0) slow_[i] = omega;
    slow_[i] += share * (omega - slow_[i]);
    sum_jitter_ += (omega - slow_[i]).squaredNorm() / double(slow_.size());
  }
}

void GaitObserver::observe(const Rollout& rollout) {
  const control::ControlReport& r = rollout.report();
  if (r.steps != step_number_) {
    step_number_ = r.steps;
    end_step();
  }
  clock_ += dt_;
  for (const int side : {kLeft, kRight}) {
    double load = 0, slip = 0;
    const Vec3 velocity = slip_velocity(rollout, side, load);
    if (support_[std::size_t(side)].observe(velocity, load, weight_, dt_, slip)) {
      ++supports_;
      sum_slip_ += slip;
      q_.worst_slip = std::max(q_.worst_slip, slip);
    }
  }
  if (!r.standing) observe_swing_foot(rollout);
  observe_look(rollout);
  if (count_ % kOverlapEvery == 0) {
    const double overlap = leg_overlap(rollout);
    q_.deepest_through = std::max(q_.deepest_through, overlap);
    through_ = through_ || overlap > kThrough;
  }

  const Biped& biped = rollout.biped();
  const physics::ArticulationState& state = rollout.physics().state();
  for (const Part knee : {kLeftShank, kRightShank}) {
    q_.past_straight = std::max(q_.past_straight, -state.angle[std::size_t(biped.link[knee])].x());
  }
  const auto drives = rollout.drives();
  for (std::size_t i = 1; i < drives.size(); ++i) {
    const physics::LinkModel& link = rollout.body().model->links[i];
    for (int k = 0; k < physics::dof_of(link.joint); ++k) {
      const double torque = std::abs(drives[i].applied[k]);
      sum_torque_ += torque;
      work_ += dt_ * torque * std::abs(state.velocity[std::size_t(link.dof + k)]);
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
  q.seconds = double(count_) * dt_;
  if (q.steps > 0) {
    q.step_time = sum_step_time_ / q.steps;
    q.clearance = sum_clearance_ / q.steps;
    q.swing_knee = sum_swing_knee_ / q.steps;
    q.stance_knee = sum_stance_knee_ / q.steps;
    q.arm_swing = sum_arm_ / q.steps;
  }
  if (supports_ > 0) q.slip = sum_slip_ / supports_;
  if (strikes_ > 0) q.strike_pitch = sum_strike_ / strikes_;
  if (count_ > 0) {
    q.mean_torque = sum_torque_ / double(count_);
    q.jitter = std::sqrt(sum_jitter_ / double(count_));
    const double n = 2 * double(count_);
    const double spread = (arm2_ - arm_ * arm_ / n) * (leg2_ - leg_ * leg_ / n);
    if (spread > 0) q.arm_against_leg = (arm_leg_ - arm_ * leg_ / n) / std::sqrt(spread);
  }
  const double way = (last_ - start_).head<2>().norm();
  q.cost_of_transport = way > 0.1 * q.seconds ? work_ / (weight_ * way) : 0;
  return q;
}

}  // namespace promenade::trial
