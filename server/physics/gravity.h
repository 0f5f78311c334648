#pragma once

namespace promenade::physics {

/// Acceleration of free fall, m/s^2, along -z. Source: the value of Coros2010.
inline constexpr double kGravity = 9.8;

}  // namespace promenade::physics
