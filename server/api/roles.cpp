#include "api/roles.h"

#include "world/command/command_codec.h"

namespace promenade::api {

const char* role_name(Role role) {
  switch (role) {
    case Role::kViewer:
      return "viewer";
    case Role::kOperator:
      return "operator";
    case Role::kAdmin:
      return "admin";
  }
  return "?";
}

std::optional<Role> parse_role(std::string_view name) {
  for (const Role role : {Role::kViewer, Role::kOperator, Role::kAdmin}) {
    if (name == role_name(role)) return role;
  }
  return std::nullopt;
}

Role required_role(const world::Command& command) {
  return world::needs_admin(command) ? Role::kAdmin : Role::kOperator;
}

std::optional<world::CommandError> check_role(Role role, const world::Command& command) {
  const Role needed = required_role(command);
  if (role >= needed) return std::nullopt;
  world::CommandError error;
  error.code = world::CommandError::Code::kForbidden;
  error.field = world::command_name(command);
  error.value = role_name(role);
  error.allowed = needed == Role::kAdmin ? "admin" : "operator or admin";
  error.message = error.field + " needs the role " + error.allowed + "; yours is " + error.value +
                  ". Join with a token that gives it";
  return error;
}

std::optional<Role> Tokens::role_of(std::string_view token) const {
  if (token.empty()) return guest_;
  // Compares every byte of every token, so that the time taken does not tell how close a guess was.
  std::optional<Role> found;
  for (const auto& [known, role] : roles_) {
    unsigned difference = known.size() == token.size() ? 0 : 1;
    for (std::size_t i = 0; i < token.size(); ++i) {
      difference |= static_cast<unsigned char>(token[i]) ^
                    static_cast<unsigned char>(known[i % known.size()]);
    }
    if (difference == 0) found = role;
  }
  return found;
}

}  // namespace promenade::api
