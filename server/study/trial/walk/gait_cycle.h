#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "study/trial/rig/rollout.h"

namespace promenade::trial {

/// Points of a curve over the gait cycle: 0, 2, ... 100 % from a foot's strike to its next.
inline constexpr int kCyclePoints = 51;
using CycleCurve = std::array<double, kCyclePoints>;

/// The curves over the gait cycle, of the leg whose strike begins it.
enum class CycleSignal : int {
  kPelvisList,      // deg, that leg's side up
  kPelvisRotation,  // deg, that leg's side forward
  kHip,             // deg, thigh forward of the vertical
  kKnee,            // deg, bent
  kAnkle,           // deg, toes up against the shank
  kVerticalForce,   // body weights, on that foot
  kFootPitch,       // deg, toes up against the level
  kCount
};
inline constexpr int kCycleSignals = int(CycleSignal::kCount);
/// "pelvis_list", "pelvis_rotation", "hip", "knee", "ankle", "vertical_force", "foot_pitch".
const char* cycle_signal_name(CycleSignal signal);

/// Walking seen as gait laboratories see it: means over strides of both legs.
/// A foot is on the ground from the moment when it bears kTouch of the weight until it bears less.
struct GaitCycle {
  static constexpr double kTouch = 0.05;

  int strides = 0;            // that the figures are of
  double stride_time = 0;     // s
  double cadence = 0;         // steps a minute
  double step_length = 0;     // m, between the ankles along the way, at strike
  double step_width = 0;      // m, between the ankles across the way, at strike
  double limp = 0;            // by which steps of the two feet differ in length, over their mean
  double double_support = 0;  // % of the cycle, both together
  double stance = 0;          // % of the cycle
  std::array<CycleCurve, kCycleSignals> curve{};

  double first_peak = 0, trough = 0, second_peak = 0;  // body weights, of the mean curve
  double highest_force = 0;      // body weights, greatest mean of 10 ms on one foot
  double knee_at_strike = 0;     // deg
  double knee_least = 0;         // deg, in stance
  double push_off = 0;           // deg, least ankle angle around toe-off; toes down is negative
  double heel_first = 0;         // share of strikes with the toes up by 5 degrees or more
  double toe_last = 0;           // share of lifts with the heel up by 15 degrees or more
  double clearance = 0;          // m, least height of the sole in the middle of the swing, mean
  double cost_of_transport = 0;  // sum |power of joints| over weight and speed
  double hip_torque = 0, knee_torque = 0, ankle_torque = 0;  // N m, greatest about one axis
  double com_rise = 0, com_sway = 0;     // m, whole range in a stride: up and down, side to side
  double shoulder_range = 0;             // deg, of the upper arms, whole range
  double trunk_lean = 0, trunk_nod = 0;  // deg, mean forward lean of the torso; range in a stride

  const CycleCurve& of(CycleSignal signal) const { return curve[std::size_t(signal)]; }
};

/// Gathers a GaitCycle while a rollout walks straight on: call observe() after every step.
class GaitCycleObserver {
 public:
  /// @pre the walker's body is a biped
  explicit GaitCycleObserver(const Rollout& rollout);
  void observe(const Rollout& rollout);
  /// Means of the strides so far; `strides` is 0 where there was no whole one.
  GaitCycle result() const;

 private:
  struct Sample {
    double time = 0;
    std::array<double, kCycleSignals> value{};
    bool other_down = false, down = false;
    double sole = 0;  // m, least height of the sole
    double com_height = 0, com_across = 0, arm = 0, lean = 0;
  };
  struct Leg {
    bool down = true, whole = false;
    double since = 0;             // s, since the foot touched or lifted
    std::vector<Sample> samples;  // of the stride under way
    double recent_force = 0;      // body weights, low-passed
  };

  Sample sample(const Rollout& rollout, int side) const;
  void strike(const Rollout& rollout, int side);
  void end_stride(Leg& leg);
  void watch_effort(const Rollout& rollout);

  GaitCycle sum_;
  std::array<Leg, 2> leg_;
  std::array<double, 2> length_{};  // m, sum of the steps that end with each foot
  std::array<int, 2> landed_{};     // how many these are
  int strikes_ = 0, lifts_ = 0, heel_first_ = 0, toe_last_ = 0;
  double weight_ = 0, dt_ = 0, heading_ = 0, time_ = 0;
  double work_ = 0;
  Vec3 start_ = Vec3::Zero(), last_ = Vec3::Zero();
};

/// Walks from standing at one speed straight on and measures the end of it.
/// @param speed    m/s
/// @param seconds  of the whole rollout; the first `settle` are not measured
/// @return strides is 0 where the walker fell
GaitCycle measure_gait(const Walker& walker, double speed, double seconds, double settle,
                       std::uint64_t seed);

}  // namespace promenade::trial
