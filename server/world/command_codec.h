#pragma once

#include <string>
#include <variant>

#include "promenade/v1/command.pb.h"
#include "world/command.h"

// Between the Command message and the plain Command, with every check that needs no room. Scene
// scripts, journals, the socket and the HTTP API all go through here, so they accept the same
// things.
namespace promenade::world {

/// Checks a message: one kind is set, no unknown fields, numbers finite and within the ranges of
/// command.proto, arrays of the right length. Zeros that mean a default are replaced by it.
/// @return the command, or the first thing wrong with it; `field` is a path as in "push.force_n[1]"
std::variant<Command, CommandError> command_from_proto(const v1::Command& message);

/// The inverse: `command_from_proto(command_to_proto(c))` is `c` for every valid command.
v1::Command command_to_proto(const Command& command);

/// Name of the command's field in the message: "set_velocity", "push", ...
const char* command_name(const Command& command);

/// The character a command speaks of; 0 where it speaks of none (or of all).
CharacterId command_character(const Command& command);

/// The same command for another character; commands without one are returned as they are.
Command with_character(Command command, CharacterId character);

/// Whether a command changes who is there or the room's clock, and not what characters do: the
/// commands for which the wire asks more than the operator's role.
bool is_room_command(const Command& command);

/// Ranges of command.proto, for those who check the same things elsewhere (scenes).
inline constexpr double kMaxSpeed = 3;          // m/s
inline constexpr double kMaxCoordinate = 1000;  // m
inline constexpr double kMaxHeading = 100;      // rad
inline constexpr int kMaxPathPoints = 256;
inline constexpr double kMaxPushForce = 5000;   // N
inline constexpr double kMaxPushDuration = 10;  // s
inline constexpr double kDefaultPushDuration = 0.1;
inline constexpr double kMaxPushPoint = 2;  // m, in the link's frame
inline constexpr std::uint32_t kMaxSingleSteps = 600;
inline constexpr double kMinTimeScale = 0.1, kMaxTimeScale = 100;
inline constexpr double kMinWanderRadius = 1, kMaxWanderRadius = 200, kDefaultWanderRadius = 8;
inline constexpr std::size_t kMaxNameLength = 64;

}  // namespace promenade::world
