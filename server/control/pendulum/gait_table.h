#pragma once

#include <array>
#include <vector>

#include "control/pendulum/orbit.h"
#include "math/state.h"
#include "math/types.h"

namespace promenade::control::pendulum {

/// How a body is held at one moment of a walk, over level ground.
struct GaitSample {
  Vec3 pelvis = Vec3::Zero();            // m, its origin from the centre of mass, heading frame
  double mass_height = 0;                // m, of the centre of mass above the ground
  std::array<float, 2> foot_pitch{};     // rad, positive with the toes down; left, right
  std::array<float, 2> toe_bend{};       // rad, of the joints of the toes
  std::vector<Eigen::Quaternionf> turn;  // [links] of joints; the root's against the heading
};

/// Weights of four samples in a row, for a place between the second (`share` 0) and the third (1).
/// Law:    Catmull and Rom's cubic, which passes through the samples without a kink
std::array<double, 4> through_samples(double share);
/// Law:    the cubic B-spline, which passes near the samples, never beyond them, without a jolt: so
///         no joint gets past a limit that they keep
std::array<double, 4> near_samples(double share);

/// How a foot is carried from where it stood to where it will stand, over the swing.
inline constexpr int kSwingSamples = 17;
struct SwingCurve {
  std::array<double, kSwingSamples> along{};  // share of the way, 0 to 1
  std::array<double, kSwingSamples> lift{};   // m, of the point that the sole turns about
  std::array<double, kSwingSamples> aside{};  // m, to the left of the straight way

  /// The value of one of the three at a share of the swing's time, [0, 1].
  static double at(const std::array<double, kSwingSamples>& curve, double share);
};

/// A stride at one speed: from a touch-down of the left foot to the next.
struct GaitCycle {
  double speed = 0;  // m/s, mean
  StepTiming timing;
  double width = 0;                 // m, between the feet, mean
  std::vector<GaitSample> samples;  // [kGaitSamples]; a single one of a standing body
  std::array<SwingCurve, 2> swing;  // left, right
};
inline constexpr int kGaitSamples = 32;

/// How a body walks in a style, measured on the walk in full physics: light characters are posed by
/// it, so that both look alike. Never changed once made; shared by threads.
class GaitTable {
 public:
  /// @param cycles  by ascending speed, one of them at speed 0; not empty
  /// @param usual   m/s, speed that suits body and style
  GaitTable(std::vector<GaitCycle> cycles, double usual)
      : cycles_(std::move(cycles)), usual_speed_(usual) {}
  const std::vector<GaitCycle>& cycles() const { return cycles_; }
  double usual_speed() const { return usual_speed_; }
  /// The pose of a standing body.
  const GaitSample& standing() const;

  /// Two neighbours and how much of the second: the way to anything at a speed.
  struct Between {
    const GaitCycle* a;
    const GaitCycle* b;
    double share;
  };
  Between at(double speed) const;
  StepTiming timing(double speed) const;
  double width(double speed) const;
  void visit(StateVisitor& state);
  /// Whether it is a table of a body with so many links, for one that was read: all cycles are
  /// whole and by ascending speed, and one stands.
  bool is_of(std::size_t links) const;

 private:
  std::vector<GaitCycle> cycles_;
  double usual_speed_ = 0;
};

}  // namespace promenade::control::pendulum
