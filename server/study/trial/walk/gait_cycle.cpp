#include "study/trial/walk/gait_cycle.h"

#include <algorithm>
#include <cmath>

#include "creature/biped/biped_state.h"
#include "math/rotation.h"

namespace promenade::trial {
namespace {

constexpr double kLeastTime =
    0.08;  // s that a foot stays down or up, at least: bounces are no steps
constexpr double kForceTime = 0.01;               // s, over which the highest force is taken
constexpr double kHeelFirst = 5, kToeLast = -15;  // deg

double deg(double rad) { return rad / kRadFromDeg; }

/// Angle of a direction in the plane of the heading, forward of straight down, rad.
double forward_of_down(const Vec3& direction, double heading) {
  return std::atan2(direction.x() * std::cos(heading) + direction.y() * std::sin(heading),
                    -direction.z());
}

/// Least height of the boxes of foot and toes above the ground, m.
double sole_height(const Rollout& rollout, int side) {
  double least = 1e9;
  for (const Part part : {kLeftFoot, kLeftToes}) {
    const auto link = std::size_t(rollout.biped().link[part + side]);
    const physics::LinkMotion& m = rollout.physics().links()[link];
    for (const physics::Shape& shape : rollout.body().model->links[link].shapes) {
      if (shape.kind != physics::Shape::Kind::kBox) continue;
      for (int corner = 0; corner < 4; ++corner) {
        const Vec3 at =
            m.position +
            m.rotation * (shape.a + Vec3(corner & 1 ? shape.b.x() : -shape.b.x(),
                                         corner & 2 ? shape.b.y() : -shape.b.y(), -shape.b.z()));
        least = std::min(least, at.z() - rollout.ground().height(at.x(), at.y()));
      }
    }
  }
  return least;
}

double largest(const CycleCurve& curve, int from, int to) {
  return *std::max_element(curve.begin() + from, curve.begin() + to + 1);
}

double smallest(const CycleCurve& curve, int from, int to) {
  return *std::min_element(curve.begin() + from, curve.begin() + to + 1);
}

}  // namespace

const char* cycle_signal_name(CycleSignal signal) {
  constexpr const char* kNames[] = {"pelvis_list", "pelvis_rotation", "hip",       "knee",
                                    "ankle",       "vertical_force",  "foot_pitch"};
  return kNames[int(signal)];
}

GaitCycleObserver::GaitCycleObserver(const Rollout& rollout)
    : weight_(physics::kGravity * rollout.body().total_mass),
      dt_(rollout.dt()),
      heading_(rollout.goal.heading),
      start_(rollout.report().com),
      last_(start_) {}

GaitCycleObserver::Sample GaitCycleObserver::sample(const Rollout& rollout, int side) const {
  const Biped& biped = rollout.biped();
  const auto links = rollout.physics().links();
  const auto& state = rollout.physics().state();
  const auto link = [&](Part part) -> const physics::LinkMotion& {
    return links[std::size_t(biped.link[part + side])];
  };
  const double sign = side == kLeft ? 1 : -1;
  Sample s;
  s.time = time_;
  const auto set = [&](CycleSignal signal, double value) { s.value[std::size_t(signal)] = value; };
  const Mat3& pelvis = links[std::size_t(biped.link[kPelvis])].rotation;
  set(CycleSignal::kPelvisList, sign * deg(std::asin(std::clamp(pelvis(2, 1), -1.0, 1.0))));
  set(CycleSignal::kPelvisRotation,
      -sign * deg(wrap_angle(std::atan2(pelvis(1, 0), pelvis(0, 0)) - heading_)));
  set(CycleSignal::kHip, deg(forward_of_down(-link(kLeftThigh).rotation.col(2), heading_)));
  set(CycleSignal::kKnee, deg(state.angle[std::size_t(biped.link[kLeftShank + side])].x()));
  set(CycleSignal::kAnkle, -deg(state.angle[std::size_t(biped.link[kLeftFoot + side])].y()));
  set(CycleSignal::kFootPitch,
      deg(std::asin(std::clamp(link(kLeftFoot).rotation(2, 0), -1.0, 1.0))));
  const std::array<FootLoad, 2> loads = foot_loads(biped, rollout.physics());
  set(CycleSignal::kVerticalForce, loads[std::size_t(side)].weight / weight_);
  s.down = loads[std::size_t(side)].weight > GaitCycle::kTouch * weight_;
  s.other_down = loads[std::size_t(1 - side)].weight > GaitCycle::kTouch * weight_;
  s.sole = sole_height(rollout, side);
  const Vec3& com = rollout.report().com;
  s.com_height = com.z();
  s.com_across = -std::sin(heading_) * com.x() + std::cos(heading_) * com.y();
  s.arm = deg(forward_of_down(-link(kLeftUpperArm).rotation.col(2), heading_));
  s.lean = -deg(forward_of_down(-links[std::size_t(biped.link[kTorso])].rotation.col(2), heading_));
  return s;
}

void GaitCycleObserver::end_stride(Leg& leg) {
  const std::vector<Sample>& all = leg.samples;
  const double time = all.back().time - all.front().time + dt_;
  ++sum_.strides;
  sum_.stride_time += time;
  int both = 0, stance = 0;
  double low_com = 1e9, high_com = -1e9, left_com = -1e9, right_com = 1e9;
  double back_arm = 1e9, front_arm = -1e9, low_lean = 1e9, high_lean = -1e9, lean = 0;
  double knee_least = 1e9, swing_sole = 1e9;
  for (const Sample& s : all) {
    const double part = (s.time - all.front().time) / time;
    both += s.down && s.other_down;
    stance += s.down;
    low_com = std::min(low_com, s.com_height);
    high_com = std::max(high_com, s.com_height);
    left_com = std::max(left_com, s.com_across);
    right_com = std::min(right_com, s.com_across);
    back_arm = std::min(back_arm, s.arm);
    front_arm = std::max(front_arm, s.arm);
    low_lean = std::min(low_lean, s.lean);
    high_lean = std::max(high_lean, s.lean);
    lean += s.lean;
    if (s.down && part < 0.5) {
      knee_least = std::min(knee_least, s.value[std::size_t(CycleSignal::kKnee)]);
    }
    if (part > 0.72 && part < 0.9) swing_sole = std::min(swing_sole, s.sole);
  }
  const double count = double(all.size());
  sum_.double_support += 100 * both / count;
  sum_.stance += 100 * stance / count;
  sum_.com_rise += high_com - low_com;
  sum_.com_sway += left_com - right_com;
  sum_.shoulder_range += front_arm - back_arm;
  sum_.trunk_nod += high_lean - low_lean;
  sum_.trunk_lean += lean / count;
  sum_.knee_least += knee_least;
  sum_.knee_at_strike += all.front().value[std::size_t(CycleSignal::kKnee)];
  sum_.clearance += swing_sole;
  for (int k = 0; k < kCycleSignals; ++k) {
    for (int i = 0; i < kCyclePoints; ++i) {
      // Mean over 2 % of the cycle about the point, which leaves out the trembling of contacts.
      const double from = (i - 0.5) / (kCyclePoints - 1) * (count - 1);
      const double to = (i + 0.5) / (kCyclePoints - 1) * (count - 1);
      const int first = std::max(0, int(std::lround(from)));
      const int last = std::min(int(count) - 1, std::max(first, int(std::lround(to))));
      double sum = 0;
      for (int j = first; j <= last; ++j) sum += all[std::size_t(j)].value[std::size_t(k)];
      sum_.curve[std::size_t(k)][std::size_t(i)] += sum / (last - first + 1);
    }
  }
}

void GaitCycleObserver::strike(const Rollout& rollout, int side) {
  Leg& leg = leg_[std::size_t(side)];
  if (leg.whole && !leg.samples.empty()) end_stride(leg);
  leg.samples.clear();
  leg.whole = true;
  const auto pitch = sample(rollout, side).value[std::size_t(CycleSignal::kFootPitch)];
  ++strikes_;
  heel_first_ += pitch >= kHeelFirst;
  const Biped& biped = rollout.biped();
  const Vec3 apart = joint_position(rollout.physics(), biped.link[kLeftFoot + side]) -
                     joint_position(rollout.physics(), biped.link[kRightFoot - side]);
  const Vec2 along = rotated(apart.head<2>(), -heading_);
  sum_.step_length += along.x();
  length_[std::size_t(side)] += along.x();
  ++landed_[std::size_t(side)];
  sum_.step_width += side == kLeft ? along.y() : -along.y();
}

void GaitCycleObserver::watch_effort(const Rollout& rollout) {
  const Biped& biped = rollout.biped();
  const auto drives = rollout.drives();
  const auto& state = rollout.physics().state();
  for (std::size_t i = 1; i < drives.size(); ++i) {
    const physics::LinkModel& link = rollout.body().model->links[i];
    double* peak = nullptr;
    for (const int side : {kLeft, kRight}) {
      if (int(i) == biped.link[kLeftThigh + side]) peak = &sum_.hip_torque;
      if (int(i) == biped.link[kLeftShank + side]) peak = &sum_.knee_torque;
      if (int(i) == biped.link[kLeftFoot + side]) peak = &sum_.ankle_torque;
    }
    for (int k = 0; k < physics::dof_of(link.joint); ++k) {
      const double torque = drives[i].applied[k];
      work_ += dt_ * std::abs(torque * state.velocity[std::size_t(link.dof + k)]);
      if (peak) *peak = std::max(*peak, std::abs(torque));
    }
  }
}

void GaitCycleObserver::observe(const Rollout& rollout) {
  time_ += dt_;
  for (const int side : {kLeft, kRight}) {
    Leg& leg = leg_[std::size_t(side)];
    const Sample s = sample(rollout, side);
    leg.since += dt_;
    if (s.down != leg.down && leg.since > kLeastTime) {
      leg.down = s.down;
      leg.since = 0;
      if (s.down) {
        strike(rollout, side);
      } else if (leg.whole) {
        ++lifts_;
        toe_last_ += s.value[std::size_t(CycleSignal::kFootPitch)] <= kToeLast;
      }
    }
    const double force = s.value[std::size_t(CycleSignal::kVerticalForce)];
    leg.recent_force += dt_ / (dt_ + kForceTime) * (force - leg.recent_force);
    if (leg.whole) {
      leg.samples.push_back(s);
      sum_.highest_force = std::max(sum_.highest_force, leg.recent_force);
    }
  }
  watch_effort(rollout);
  last_ = rollout.report().com;
}

GaitCycle GaitCycleObserver::result() const {
  GaitCycle g = sum_;
  if (g.strides == 0) return g;
  const double n = g.strides;
  for (double* mean :
       {&g.stride_time, &g.double_support, &g.stance, &g.com_rise, &g.com_sway, &g.shoulder_range,
        &g.trunk_nod, &g.trunk_lean, &g.knee_least, &g.knee_at_strike, &g.clearance}) {
    *mean /= n;
  }
  for (CycleCurve& curve : g.curve) {
    for (double& value : curve) value /= n;
  }
  g.step_length /= std::max(1, strikes_);
  g.step_width /= std::max(1, strikes_);
  const double left = length_[kLeft] / std::max(1, landed_[kLeft]);
  const double right = length_[kRight] / std::max(1, landed_[kRight]);
  constexpr double kNoStep = 1e-3;  // m
  g.limp = std::abs(left - right) / std::max(kNoStep, 0.5 * std::abs(left + right));
  g.cadence = 120 / g.stride_time;
  g.heel_first = double(heel_first_) / std::max(1, strikes_);
  g.toe_last = double(toe_last_) / std::max(1, lifts_);
  // In percent of the cycle: people's first peak is at 12, the trough at 30, the second at 48.
  const CycleCurve& force = g.of(CycleSignal::kVerticalForce);
  g.first_peak = largest(force, 0, 15);
  g.second_peak = largest(force, 15, 32);
  g.trough = smallest(force, 8, 22);
  g.push_off = smallest(g.of(CycleSignal::kAnkle), 25, 36);
  const double way = (last_ - start_).head<2>().norm();
  g.cost_of_transport = way > 0 ? work_ / (weight_ * way) : 0;
  return g;
}

GaitCycle measure_gait(const Walker& walker, double speed, double seconds, double settle,
                       std::uint64_t seed) {
  Rollout rollout(walker, seed);
  rollout.walk({speed, 0});
  if (!rollout.run(settle)) return {};
  GaitCycleObserver observer(rollout);
  rollout.observer = [&](const Rollout& r) { observer.observe(r); };
  return rollout.run(seconds - settle) ? observer.result() : GaitCycle{};
}

}  // namespace promenade::trial
