#pragma once

#include <functional>
#include <optional>
#include <string>
#include <variant>

#include "behaviour/kinds.h"
#include "promenade/v1/command.pb.h"
#include "promenade/v1/rules.pb.h"
#include "world/command/command.h"
#include "world/command/limits.h"

// Converts between the message Command and the plain Command, with every check that needs no room.
// Scene scripts, journals, the socket and the HTTP API all use it, so they accept the same
// commands.
namespace promenade::world {

/// Checks a message: one kind is set, no unknown fields, numbers finite and within the ranges of
/// command.proto, arrays of the right length. Zeros that mean a default are replaced by it.
/// @return the command, or the first thing wrong with it; `field` is a path as in "push.force_n[1]"
std::variant<Command, CommandError> command_from_proto(const v1::Command& message);

/// The same for a message that leaves out its character, because that is known from elsewhere.
/// @param character  whom it is about
/// @param whose  what to say where the message names somebody, as in "it is the subject"
std::variant<Command, CommandError> command_about(CharacterId character, const std::string& whose,
                                                  v1::Command message);

/// The inverse: `command_from_proto(command_to_proto(c))` is `c` for every valid command.
v1::Command command_to_proto(const Command& command);

/// Name of the command's field in the message: "set_velocity", "push", ...
const char* command_name(const Command& command);

/// The character that a command names; 0 where it names none (or all).
CharacterId command_character(const Command& command);

/// The same command for another character; commands without one are returned as they are.
Command with_character(Command command, CharacterId character);

/// The rules for all commands of its kind.
const v1::CommandRules& rules_of(const Command& command);
/// "one of push, spawn": the kinds whose rules are so, for errors.
std::string names_of_kinds(const std::function<bool(const v1::CommandRules&)>& chosen);

/// The order that a command gives to its character; none for kinds that give none.
std::optional<behaviour::Order> order_of(const Command& command);
/// "one of follow_path, set_wander": the kinds that give one, for errors.
std::string names_of_kinds_with_order();

/// Whether only an admin may send it: clock, scene and the reset of everybody.
bool needs_admin(const Command& command);

}  // namespace promenade::world
