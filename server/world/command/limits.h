#pragma once

#include <cstddef>
#include <cstdint>

#include "creature/tie_limits.h"

// Numbers of command.proto that other code needs, too, as files of scenes are held to the same. A
// test holds them against the options of its fields.
namespace promenade::world {

inline constexpr double kMaxSpeed = 3;          // m/s
inline constexpr double kMaxCoordinate = 1000;  // m
inline constexpr double kMaxPushForce = 5000;   // N
inline constexpr double kMaxPushDuration = 10;  // s
inline constexpr double kDefaultPushDuration = 0.1;
inline constexpr double kMaxPushPoint = 2;  // m, in the link's frame
inline constexpr std::uint32_t kMaxSingleSteps = 600;
inline constexpr double kMinWanderRadius = 1, kMaxWanderRadius = 200;  // m
inline constexpr std::size_t kMaxNameLength = 64;
inline constexpr int kMaxThings = 2000;                  // in a room
inline constexpr std::size_t kMaxTies = 1000;            // in a room, grips among them
inline constexpr std::size_t kMaxBodyBytes = 48 * 1024;  // of a whole body, encoded
inline constexpr std::size_t kMaxGaitBytes = 48 * 1024;  // of a gait, encoded
// Of all styles, bodies and gaits of a served room's own.
inline constexpr std::size_t kMaxDefinitionBytes = 4 * 1024 * 1024;
inline constexpr double kMaxThrow = 30;            // m/s
inline constexpr double kMaxTieLength = 100;       // m
inline constexpr double kDefaultGripForce = 2000;  // N
inline constexpr int kMaxViews = 16;
inline constexpr std::uint32_t kMaxInPhysics = 10000;
inline constexpr double kDefaultAlarmRadius = 15, kDefaultAlarmDuration = 30;  // m, s
inline constexpr double kDragTime = 0.5;  // s after the last command

inline constexpr double kLeastPeople = 0.01;  // share of a scene's people, see LoadScene

}  // namespace promenade::world
