#include "world/scene/start_order.h"

#include <optional>

#include "world/command/command_codec.h"

namespace promenade::world {
namespace {

/// A command for somebody, as a scene gives it.
struct Given {
  v1::Command command;
  std::string key;       // where it stands in the scene
  std::string left_out;  // the beginning of paths in the command for which the key stands
};

std::optional<Given> given_in(const std::string& key, const v1::Placement& m) {
  Given given;
  if (m.has_order()) {
    given = {m.order(), key + ".order", ""};
  } else if (m.has_path()) {
    given = {{}, key + ".path", "follow_path.path"};
    *given.command.mutable_follow_path()->mutable_path() = m.path();
  } else if (m.has_wander()) {
    given = {{}, key + ".wander", "set_wander"};
    *given.command.mutable_set_wander()->mutable_center_m() = m.wander().center_m();
    given.command.mutable_set_wander()->set_radius_m(m.wander().radius_m());
  } else {
    return std::nullopt;
  }
  return given;
}

/// The key in the scene of a field of the command.
std::string key_of(const Given& given, const std::string& field) {
  if (given.left_out.empty()) return given.key + "." + field;
  return given.key + field.substr(given.left_out.size());
}

/// How many of the fields that tell somebody what to do are given.
int count_of_orders(const v1::Placement& m) {
  return int(m.speed_mps() != 0) + int(m.has_path()) + int(m.has_wander()) + int(m.has_order());
}

}  // namespace

bool is_told_something(const v1::Placement& message) { return count_of_orders(message) > 0; }

behaviour::Order read_start_order(const std::string& key, const v1::Placement& m,
                                  schema::Checker& check) {
  check.range(key + ".speed_mps", m.speed_mps(), -kMaxSpeed, kMaxSpeed, " m/s");
  const std::optional<Given> given = given_in(key, m);
  if (!given) return behaviour::Direct::Order{m.speed_mps()};
  if (count_of_orders(m) > 1) {
    check.fail(given->key, "a second task", "one of speed_mps, path, wander and order");
    return {};
  }
  if (given->command.kind_case() == v1::Command::KIND_NOT_SET) {
    check.fail(given->key, "empty", names_of_kinds_with_order());
    return {};
  }
  const auto parsed = command_about(1, "it is who stands here", given->command);
  if (const auto* error = std::get_if<CommandError>(&parsed)) {
    check.fail(key_of(*given, error->field), error->value, error->allowed);
    return {};
  }
  const Command& command = std::get<Command>(parsed);
  if (auto order = order_of(command)) return *std::move(order);
  check.fail(given->key + "." + command_name(command), "in an order", names_of_kinds_with_order());
  return {};
}

}  // namespace promenade::world
