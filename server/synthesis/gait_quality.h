#pragma once

#include <array>
#include <cstdint>

#include "synthesis/rollout.h"

namespace promenade::synthesis {

/// How good a stretch of walking is, beyond not falling.
struct GaitQuality {
  int steps = 0;  // whole steps seen
  double seconds = 0;
  double step_time = 0;          // s, mean
  double slip = 0;               // m a step, mean; see slip_speed
  double worst_slip = 0;         // m, of one step
  int stubs = 0;                 // steps in which the swing foot scuffed the ground on its way
  int through = 0;               // steps in which the swing leg went through the stance leg
  double deepest_through = 0;    // m, overlap of the legs, at most
  double past_straight = 0;      // rad, by how much a knee bent the wrong way, at most
  double peak_torque = 0;        // N m, about one axis of one joint
  int peak_link = 0;             // link of that joint
  double mean_torque = 0;        // N m, mean over time of the sum over all joints' axes
  double cost_of_transport = 0;  // mechanical: sum |torque x rate| over weight and way; 0 on the
                                 // spot
};

/// Speed at which the feet slide over what they stand on, weighted by load.
/// Law:    sum f |v_t| / sum f over the contacts of both feet, f the normal force, v_t the
///         tangential velocity of the foot's material point. Rolling over the toes is no slip.
/// @return m/s; 0 where no foot bears load
double slip_speed(const Rollout& rollout);

/// By how much the swing leg's shank and foot overlap those of the stance leg, m; negative where
/// they are apart. Legs as capsules: the shank's own, the foot from heel to toe tip, as wide as it
/// is.
double leg_overlap(const Rollout& rollout);

/// Gathers the figures while a rollout runs: call observe() after every step.
class GaitObserver {
 public:
  /// Starts at the rollout's present state.
  explicit GaitObserver(const Rollout& rollout);
  void observe(const Rollout& rollout);
  GaitQuality result() const;

 private:
  /// Two legs that graze are not through each other: feet are 10 cm wide, so is a step.
  static constexpr double kThrough = 0.02;  // m

  void end_step();

  GaitQuality q_;
  Vec3 start_ = Vec3::Zero(), last_ = Vec3::Zero();  // of the COM
  double weight_ = 0;                                // N
  std::uint64_t step_number_ = 0;
  bool whole_ = false;  // the step under way was seen from its beginning
  double slip_ = 0, clock_ = 0, touch_ = 0;
  bool stub_ = false, through_ = false;
  double sum_slip_ = 0, sum_step_time_ = 0, sum_torque_ = 0, work_ = 0;
  std::uint64_t count_ = 0;
};

}  // namespace promenade::synthesis
