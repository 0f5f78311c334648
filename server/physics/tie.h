#pragma once

#include <array>
#include <cstdint>

#include "math/types.h"

namespace promenade::physics {

class ArticulatedBody;

/// A frame on a link of a body, or in the world.
struct TieEnd {
  ArticulatedBody* body = nullptr;  // null: the world
  int link = 0;
  Pose frame;  // link_from_end, of the world world_from_end
  // Velocities of an end in the world that moves; each step moves the frame on by them.
  Vec3 velocity = Vec3::Zero();  // m/s
  Vec3 omega = Vec3::Zero();     // rad/s, world axes

  /// world_from_end.
  Pose in_world() const;
};

/// The kinds of ties: which parts of its ends' frames a tie holds together.
enum class TieKind : std::uint8_t {
  kBall,    // the points
  kHinge,   // the points and the x axes: it turns about x alone
  kSlider,  // the rotations, and the points but along a's x axis
  kWeld,    // the points and the rotations
  kSpring,  // the points at a distance, by a force along the line between them
};

/// Holds a frame of one link at a frame of another, of the same body or in the world, by springs
/// and dampers in the solver of contacts.
/// Law:    along each held direction m x'' = f - k x - d x', with x the distance of the ends, m the
///         mass that both ends show, f the other forces, k stiffness and d damping. The impulse of
///         a step of h is -h (k x + d0 v0 + d1 v1), v0 and v1 the speeds at its start and end. d0
///         and d1 are chosen so that x at the ends of steps is that of the closed form: with any
///         stiffness and step the tie neither gains nor loses energy.
/// Source: Catto 2011, "Soft constraints", for the form of the rows; d0 and d1 are our own.
struct Tie {
  TieEnd a, b;
  TieKind kind = TieKind::kBall;
  double length = 0;     // m, of a spring at rest
  double stiffness = 0;  // N/m; 0: stiff, ends that are apart come together in some 5 ms
  double damping = 0;    // N s/m; 0: critical
  double limit = 0;      // N, greatest force, at which it yields; 0: no limit
  // Of kBall: it resists turning by so much, up to a torque at which it yields, as a wrist does.
  double turn_damping = 0;  // N m s; 0: it turns freely
  double turn_limit = 0;    // N m; 0: no limit
  // rad/s, world axes, of kBall: it turns a against b at this rate where nothing else does.
  Vec3 turn_rate = Vec3::Zero();
  double break_force = 0;  // N, force at which it breaks; 0: never
  bool collide = false;    // whether the two links touch each other
  bool broken = false;     // out: it broke, and does nothing any more

  // Out: of the last step, mean over it.
  Vec3 force = Vec3::Zero();   // N, on a, world frame
  Vec3 torque = Vec3::Zero();  // N m, on a about its end, world frame

  /// Start of the next step's solution: the impulses of the last step, or of its last part, along
  /// a's axes, and the length of that step or part.
  std::array<double, 6> impulse{};  // N s; N m s
  double impulse_dt = 0;            // s; 0: none
};

/// Turns b's frame so that the present rotations are those that the tie holds.
void keep_present_rotation(Tie& tie);

}  // namespace promenade::physics
