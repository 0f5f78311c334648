#pragma once

#include <array>
#include <memory>
#include <vector>

#include "control/pendulum/orbit.h"
#include "control/registry.h"
#include "creature/biped/biped.h"

namespace promenade::control::pendulum {

/// How a body is held at one moment of a walk, over level ground.
struct GaitSample {
  Vec3 pelvis = Vec3::Zero();          // m, its origin from the centre of mass, heading frame
  double mass_height = 0;              // m, of the centre of mass above the ground
  std::array<float, 2> foot_pitch{};   // rad, positive with the toes down; left, right
  std::array<float, 2> toe_bend{};     // rad, of the joints of the toes
  std::array<float, 2> knee_out{};     // rad, see solve_leg's twist
  std::vector<Eigen::Quaternionf> turn;  // [links] of joints; the root's against the heading
};

/// A stride at one speed: from a touch-down of the left foot to the next.
struct GaitCycle {
  double speed = 0;  // m/s, mean
  StepTiming timing;
  double width = 0;      // m, between the feet, mean
  double clearance = 0;  // m, greatest height of an ankle above where it stands
  std::vector<GaitSample> samples;  // [kGaitSamples]; a single one of who stands
};
inline constexpr int kGaitSamples = 32;

/// How a body walks in a style, measured on the walk of full physics: light characters are posed
/// by it, so that both look alike. Never changed once made; shared by threads.
class GaitTable {
 public:
  /// @param cycles  by ascending speed, one of them at speed 0; not empty
  explicit GaitTable(std::vector<GaitCycle> cycles) : cycles_(std::move(cycles)) {}
  const std::vector<GaitCycle>& cycles() const { return cycles_; }

  /// Two neighbours and how much of the second: the way to anything at a speed.
  struct Between {
    const GaitCycle* a;
    const GaitCycle* b;
    double share;
  };
  Between at(double speed) const;
  StepTiming timing(double speed) const;
  double width(double speed) const;
  double clearance(double speed) const;

 private:
  std::vector<GaitCycle> cycles_;
};

/// Walks the creature in full physics at several speeds, on level ground, and measures. Takes some
/// tenths of a second. Same creature, style and parameters give the same table.
/// @param setup  of the family gbwc; @pre biped_of(*setup.creature) is ok
/// @return at least the standing pose; speeds at which it falls are left out
std::shared_ptr<const GaitTable> measure_gait(const ControllerSetup& setup);

}  // namespace promenade::control::pendulum
