#include "api/roles.h"

#include <variant>

#include "schema/refusal.h"
#include "world/command/command_codec.h"
#include "world/command/kind.h"

namespace promenade::api {
namespace {

using world::Command;
using world::CommandError;

constexpr Role kRoles[] = {Role::kViewer, Role::kPlayer, Role::kOperator, Role::kAdmin};

CommandError forbidden(std::string field, std::string value, std::string allowed) {
  return world::refuse(CommandError::Code::kForbidden, std::move(field), std::move(value),
                       std::move(allowed));
}

std::optional<CommandError> check_push(const world::Push& push, const PlayerRights& player) {
  if (const double force = push.force.norm(); force > player.max_force_n) {
    return forbidden("push.force_n", schema::number(force) + " N",
                     "at most " + schema::number(player.max_force_n) + " N from a player");
  }
  if (push.duration > player.max_duration_s) {
    return forbidden("push.duration_s", schema::number(push.duration) + " s",
                     "at most " + schema::number(player.max_duration_s) + " s from a player");
  }
  return std::nullopt;
}

std::optional<CommandError> check_player(const Command& command, const PlayerRights& player) {
  if (const auto* push = std::get_if<world::Push>(&command)) return check_push(*push, player);
  if (std::holds_alternative<world::Spawn>(command)) {
    if (player.own == 0) return std::nullopt;
    return forbidden("spawn", "a second character",
                     "one character for each player; yours is " + std::to_string(player.own));
  }
  const world::CharacterId named = world::command_character(command);
  if (player.own != 0 && named == player.own) return std::nullopt;
  return forbidden(std::string(world::command_name(command)) + ".character", std::to_string(named),
                   player.own == 0 ? "your own character; you have none yet, spawn one first"
                                   : "your own character, " + std::to_string(player.own));
}

}  // namespace

const char* role_name(Role role) {
  switch (role) {
    case Role::kViewer:
      return "viewer";
    case Role::kPlayer:
      return "player";
    case Role::kOperator:
      return "operator";
    case Role::kAdmin:
      return "admin";
  }
  return "?";
}

std::optional<Role> parse_role(std::string_view name) {
  for (const Role role : kRoles) {
    if (name == role_name(role)) return role;
  }
  return std::nullopt;
}

std::string role_names() {
  std::string names;
  for (const Role role : kRoles)
    names += (names.empty() ? "" : ", ") + std::string(role_name(role));
  return names;
}

const char* role_duties(Role role) {
  switch (role) {
    case Role::kViewer:
      return "watch";
    case Role::kPlayer:
      return "push gently, and steer and change one character of their own";
    case Role::kOperator:
      return "command characters and things, and save styles and bodies";
    case Role::kAdmin:
      return "do everything";
  }
  return "?";
}

v1::Role role_message(Role role) {
  switch (role) {
    case Role::kViewer:
      return v1::VIEWER;
    case Role::kPlayer:
      return v1::PLAYER;
    case Role::kOperator:
      return v1::OPERATOR;
    case Role::kAdmin:
      return v1::ADMIN;
  }
  return v1::VIEWER;
}

Role required_role(const Command& command) {
  return world::needs_admin(command) ? Role::kAdmin : Role::kOperator;
}

std::optional<CommandError> check_role(Role role, const Command& command,
                                       const PlayerRights& player) {
  const Role needed = required_role(command);
  if (role >= needed) return std::nullopt;
  const bool players = world::rules_of(command).players();
  if (role == Role::kPlayer && players) return check_player(command, player);
  CommandError error;
  error.code = CommandError::Code::kForbidden;
  error.field = world::command_name(command);
  error.value = role_name(role);
  error.allowed = needed == Role::kAdmin ? "admin" : "operator or admin";
  if (players) error.allowed = "player, " + error.allowed;
  error.message = error.field + " needs the role " + error.allowed + "; yours is " + error.value +
                  ". Join with a token that gives it";
  return error;
}

std::vector<std::string> commands_of(Role role) {
  std::vector<std::string> names;
  for (const world::CommandKind& kind : world::all_kinds()) {
    const bool may = role == Role::kAdmin ||
                     (role == Role::kOperator && kind.rules->needs() != v1::CommandRules::ADMIN) ||
                     (role == Role::kPlayer && kind.rules->players());
    if (may) names.emplace_back(kind.name);
  }
  return names;
}

}  // namespace promenade::api
