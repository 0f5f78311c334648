#pragma once

// Ranges of a tie's numbers, for all that check them: files of bodies, scenes and commands.
namespace promenade {

inline constexpr double kMaxTieStiffness = 1e8;  // N/m
inline constexpr double kMaxTieDamping = 1e7;    // N s/m
inline constexpr double kMaxTieForce = 1e6;      // N

}  // namespace promenade
