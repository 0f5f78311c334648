#pragma once

#include <array>
#include <cstdint>

#include "study/trial/rig/rollout.h"

namespace promenade::trial {

/// Measures of the quality of some walking, beyond not falling.
struct GaitQuality {
  int steps = 0;  // whole steps seen
  double seconds = 0;
  double step_time = 0;          // s, mean
  double slip = 0;               // m a step, mean over steps; see SupportSlip
  double worst_slip = 0;         // m, of one step
  int stubs = 0;                 // steps in which the swing foot touched the ground before landing
  int through = 0;               // steps in which the swing leg went through the stance leg
  double deepest_through = 0;    // m, overlap of the legs, at most
  double past_straight = 0;      // rad, by how much a knee bent the wrong way, at most
  double peak_torque = 0;        // N m, about one axis of one joint
  int peak_link = 0;             // link of that joint
  double mean_torque = 0;        // N m, mean over time of the sum over all joints' axes
  double cost_of_transport = 0;  // mechanical: sum |torque x rate| over weight and way; 0 on the
                                 // spot
  // Figures that tell a walk from a shuffle or a goose-step; means over the steps.
  double strike_pitch = 0;     // rad, of the foot when it touches: toes up positive (heel first)
  double clearance = 0;        // m, ankle above its height in standing, greatest in swing
  double swing_knee = 0;       // rad, greatest bend of the swing knee
  double stance_knee = 0;      // rad, mean bend of the stance knee in mid stance
  double arm_swing = 0;        // rad, of a shoulder from hindmost to foremost
  double arm_against_leg = 0;  // correlation of an arm with the leg on its side; -1 against it
  double jitter = 0;           // rad/s, see GaitObserver
};

/// Velocity at which a foot slides over what it stands on.
/// Law:    v = sum f v_t / sum f over the contacts of foot and toes, f the normal force, v_t the
///         tangential velocity of the foot's material point. Rolling, or turning about the point
///         that carries, is no slip: the velocities of the sole's other points cancel.
/// @param load  out: N, normal force on the foot
/// @return      m/s, world frame; zero where the foot bears nothing
Vec3 slip_velocity(const Rollout& rollout, int side, double& load);

/// Speed at which the feet slide, weighted by load, m/s; 0 where no foot bears load.
double slip_speed(const Rollout& rollout);

/// By how much the shank, foot and toes of one leg overlap those of the other, m; negative where
/// they are apart. Shanks as their capsules, the boxes of foot and toes as three capsules side by
/// side, as thick as the box.
double leg_overlap(const Rollout& rollout);

/// How far one foot slides while it carries.
/// Slip is the greatest distance of the loaded part of the sole from its place when the foot took
/// its load (a sixth of the weight), until the foot gives the load up. It is not the length of the
/// path, so trembling to and fro adds nothing.
class SupportSlip {
 public:
  /// @param weight  N, of the body
  /// @return true when a support that was observed from its beginning ended; `slip` is then set, m
  bool observe(const Vec3& velocity, double load, double weight, double dt, double& slip);

 private:
  bool carrying_ = false, whole_ = false, was_free_ = false;
  Vec3 moved_ = Vec3::Zero();
  double farthest_ = 0;
};

/// Gathers the figures while a rollout runs: call observe() after every step.
/// Jitter: angular velocity of trunk, head, arms and thighs above 6 Hz (a first-order high-pass),
/// root mean square over links and time. A smooth walk has little of it except at foot-strikes.
class GaitObserver {
 public:
  /// Starts at the rollout's present state.
  explicit GaitObserver(const Rollout& rollout);
  void observe(const Rollout& rollout);
  GaitQuality result() const;

 private:
  /// Overlap from which on one leg counts as going through the other; less is a graze.
  static constexpr double kThrough = 0.01;  // m

  void end_step();
  void observe_swing_foot(const Rollout& rollout);
  void observe_look(const Rollout& rollout);

  GaitQuality q_;
  Vec3 start_ = Vec3::Zero(), last_ = Vec3::Zero();  // of the COM
  double weight_ = 0, dt_ = 0;                       // N, s
  std::uint64_t step_number_ = 0;
  bool whole_ = false;  // whether the present step was observed from its beginning
  std::array<SupportSlip, 2> support_;
  int supports_ = 0;
  double clock_ = 0;
  // The swing foot: whether it has left the ground, whether it touched it again, and for how long
  // it was free.
  bool off_ = false, touched_ = false;
  double free_ = 0, drag_ = 0, strike_ = 0;
  bool stub_ = false, through_ = false;
  double clearance_ = 0, swing_knee_ = 0, stance_knee_ = 0;
  int mid_ = 0;
  double arm_low_ = 0, arm_high_ = 0;
  double sum_slip_ = 0, sum_step_time_ = 0, sum_torque_ = 0, work_ = 0;
  double sum_clearance_ = 0, sum_swing_knee_ = 0, sum_stance_knee_ = 0, sum_strike_ = 0;
  double sum_arm_ = 0;
  int strikes_ = 0;
  // Arm against leg: sums for the correlation of shoulder and hip pitch, both sides.
  double arm_ = 0, leg_ = 0, arm2_ = 0, leg2_ = 0, arm_leg_ = 0;
  std::array<Vec3, 8> slow_{};  // low-passed angular velocities
  double sum_jitter_ = 0;
  std::uint64_t count_ = 0;
};

}  // namespace promenade::trial
