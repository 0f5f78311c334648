#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "promenade/v1/wire.pb.h"
#include "world/command/command.h"

namespace promenade::api {

/// Rights of a visitor; each role includes those before it, but a player has only one character.
enum class Role { kViewer = 1, kPlayer, kOperator, kAdmin };

const char* role_name(Role role);  // "viewer", "player", "operator", "admin"
std::optional<Role> parse_role(std::string_view name);
/// "viewer, player, operator, admin"
std::string role_names();
/// The rights of a role, in a line for people: "watches".
const char* role_duties(Role role);
v1::Role role_message(Role role);

/// The rights of a player (the role) besides watching, and the character that they are for.
struct PlayerRights {
  double max_force_n = 400;     // of a push; an operator's may have 5000 N
  double max_duration_s = 0.3;  // of a push; an operator's may last 10 s
  world::CharacterId own = 0;   // the player's character; 0: none yet
};

/// The least role that may send a command about any character or thing: an operator commands
/// characters and things; an admin also loads scenes, sets the clock and levels of detail, and
/// resets everybody.
Role required_role(const world::Command& command);

/// The error for a command that the role may not send; nothing if it may.
/// @param player  the rights of a player; not used for other roles
std::optional<world::CommandError> check_role(Role role, const world::Command& command,
                                              const PlayerRights& player = {});

/// Names of the commands that the role may send; a player's, some for the own character only.
std::vector<std::string> commands_of(Role role);

}  // namespace promenade::api
