#pragma once

#include "math/state.h"
#include "math/types.h"

namespace promenade::control::pendulum {

/// The elongated body: a trunk that turns about the centre of mass as the ground pushes.
/// Source: Kenwright2014 §4.3 (after Maus, Rummel and Seyfarth 2008).
struct TrunkShape {
  double inertia = 4;          // kg m^2, about its side
  double pivot_height = 0.15;  // m, of the virtual pivot point above the centre of mass
  double damping = 20;         // N m s
};
/// The trunk as people have it.
/// @param mass, height  kg of the whole body; m, of its centre of mass above the sole, standing
TrunkShape trunk_of(double mass, double height);

/// Leans: x forward (pitch), y to the left (roll). Heading frame.
struct Trunk {
  Vec2 lean = Vec2::Zero();  // rad
  Vec2 rate = Vec2::Zero();  // rad/s

  /// The virtual pivot point from the centre of mass, without the offset of eq. 4.6 and 4.7.
  /// [3] m, heading frame
  Vec3 pivot(const TrunkShape& shape) const;
  /// Turns the trunk by the moment that the ground's force has about the centre of mass.
  /// @param arm, force  [3] m and N: centre of pressure from the centre of mass, ground's force
  void step(const TrunkShape& shape, const Vec3& arm, const Vec3& force, double dt);

  void visit(StateVisitor& state) { state(lean, rate); }
};

/// The ground's force, turned so that it points at the pivot.
/// Law: eq. 4.1 to 4.4: GRF = (F_L . c) c, c the direction from centre of pressure to pivot.
/// @param arm      [3] m, centre of pressure from the centre of mass
/// @param leg      [3] N, force along the leg
Vec3 force_to_pivot(const Vec3& arm, const Vec3& pivot, const Vec3& leg);

}  // namespace promenade::control::pendulum
