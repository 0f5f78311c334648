#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "world/command/command.h"

namespace promenade::api {

/// What a viewer may do; each includes those before it.
enum class Role { kViewer = 1, kOperator = 2, kAdmin = 3 };  // numbers of v1::Role

const char* role_name(Role role);  // "viewer", "operator", "admin"
std::optional<Role> parse_role(std::string_view name);

/// The least role that may send a command: an operator commands characters and things; an admin
/// also loads scenes, sets the clock, removes, and resets everybody.
Role required_role(const world::Command& command);

/// The error for a command that the role may not send; nothing if it may.
std::optional<world::CommandError> check_role(Role role, const world::Command& command);

/// Tokens and the roles they give.
class Tokens {
 public:
  explicit Tokens(Role guest) : guest_(guest) {}
  void add(std::string token, Role role) { roles_.insert_or_assign(std::move(token), role); }
  Role guest() const { return guest_; }

  /// @param token  empty: a guest
  /// @return nothing for an unknown token
  std::optional<Role> role_of(std::string_view token) const;

 private:
  Role guest_;
  std::map<std::string, Role> roles_;
};

}  // namespace promenade::api
