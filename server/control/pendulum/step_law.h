#pragma once

// Where a foot goes so that a pendulum slows down, keeps its speed or gains some. One direction at
// a time; forward and sideways are separate (Kenwright2014 §3.5). SI.
namespace promenade::control::pendulum {

inline constexpr double kGravity = 9.81;  // m/s^2, of the pendulum

/// Rate at which a pendulum of this height falls away from its foot, 1/s: sqrt(g / height).
/// @pre height > 0
double fall_rate(double height);

/// How far ahead of the mass a foot has to be put so that the mass comes to rest upright above it.
/// Source: Kenwright2014 eq. 3.3; eq. 3.5 for a foothold that is higher or lower.
/// Law: d = v / (2 g) sqrt(v^2 + 4 g h).
/// @param speed   v, m/s, signed; the distance has its sign
/// @param height  h, m, of the mass above the new foothold; at least kLeastHeight is used
double capture_distance(double speed, double height);
inline constexpr double kLeastHeight = 0.1;

/// The reverse: the speed that a foot at this distance takes away.
double captured_speed(double distance, double height);

/// How much further the foot goes against a force that is known, as of a crate that is pulled.
/// Source: Kenwright2014 eq. 3.6 and 3.7.
/// Law: d' = scale * F / (m g cos(lean)).
/// @param force  F, N, in the direction of d; negative where it pulls back
/// @param lean   rad, of the leg against the vertical
/// @param scale  m; the height of the mass holds a pendulum in equilibrium at small leans
double distance_against(double force, double mass, double lean, double scale);

/// The height that the mass has above its new foot, upright, where the foot has to be put at a
/// given distance: a longer leg takes speed away, a shorter one adds some.
/// Source: Kenwright2014 §6.3.1 (capture-point height), found by bisection.
/// Law: v^2 / 2 + g h = u^2 / 2 + g H, the speed v after the impact of the new leg on the mass.
struct CaptureHeight {
  double height = 0;   // H, m
  bool found = false;  // false: no height within the bounds gives the speed u; the nearest is given
};
/// @param speed, height        of the mass before the step, m/s and m above the new foothold
/// @param distance             of the foothold ahead of the mass, m
/// @param wanted               u, m/s, speed upright above it; 0 for a stop
/// @param shortest, longest    bounds of H, m
CaptureHeight capture_height(double speed, double height, double distance, double wanted,
                             double shortest, double longest);

}  // namespace promenade::control::pendulum
