#pragma once

#include <array>
#include <vector>

#include "math/state.h"
#include "math/types.h"

namespace promenade::control::pendulum {

/// How far the pose of a body is from that of its poser. All turns are rotation vectors, so that
/// offsets can be scaled and added.
struct PoseOffset {
  Vec3 root = Vec3::Zero();       // m, world frame, if the legs were as long as they need be
  double rise = 0;                // m, of the root, once it is as low as the legs reach
  Vec3 root_turn = Vec3::Zero();  // world frame, after the poser's
  std::vector<Vec3> joints;       // [links] before the poser's
  struct Foot {
    Vec3 ankle = Vec3::Zero();  // m, world frame
    Vec3 turn = Vec3::Zero();   // world frame, after the poser's
    double toe_bend = 0;        // rad
    // The rest that inverse kinematics leaves, as of a leg straighter than it makes any.
    Vec3 thigh = Vec3::Zero();       // before the poser's
    double knee = 0, toes = 0;       // rad
    Vec2 ankle_turn = Vec2::Zero();  // rad
    void visit(StateVisitor& state) { state(ankle, turn, toe_bend, thigh, knee, toes, ankle_turn); }
  };
  std::array<Foot, 2> feet;
  void visit(StateVisitor& state, std::size_t links);
};

/// How a pendulum goes on from the motion of a body: at first the body is posed and moves exactly
/// as it was and did, and the difference from the pendulum's own poses dies away.
/// Law:    offset(t) = x0 f(t / T) + v0 T' g(t / T'), with x0 and v0 offset and its rate at the
///         beginning; f falls from 1 to 0, g starts at 0 with slope 1 and ends at 0, both without a
///         jolt at the end
/// Source: "inertialization" of Bollo 2018, Inertialization: High-Performance Animation Transitions
///         in Gears of War (GDC), with shorter times for rates, which would lead far astray, and
///         for a foot in the air, which has to come down where the pendulum's does
class Handover {
 public:
  /// @param first   the offset at the beginning
  /// @param second  the offset `dt` seconds later, if the body moved on at its present rates
  /// @param landing [2] s, until each foot in the air comes down; 0: it stands
  void begin(const PoseOffset& first, const PoseOffset& second, double dt,
             const std::array<double, 2>& landing);
  /// Whether nothing is left after this time, s since the beginning.
  static bool over(double since) { return since >= kWhole; }
  /// The offset that is left then. Allocates nothing where `out` has been of the same body before.
  void at(double since, PoseOffset& out) const;
  void visit(StateVisitor& state, std::size_t links);

  static constexpr double kWhole = 0.5;  // s until nothing is left of the offset

 private:
  PoseOffset offset_, rate_;                         // rate_ a second
  std::array<double, 2> foot_time_{kWhole, kWhole};  // s
};

}  // namespace promenade::control::pendulum
