#include "service/commands/acts.h"

#include "world/command/command_codec.h"

namespace promenade::service {

std::optional<v1::Act> act_of(const world::Command& command) {
  const v1::CommandRules& rules = world::rules_of(command);
  if (rules.steers() || rules.quiet()) return std::nullopt;
  v1::Act act;
  act.set_command(world::command_name(command));
  act.set_character(world::command_character(command));
  if (std::holds_alternative<world::Push>(command)) {
    *act.mutable_push() = world::command_to_proto(command).push();
  }
  if (const auto* load = std::get_if<world::LoadScene>(&command)) act.set_scene(load->scene);
  return act;
}

world::CharacterId handled_by(const world::Command& command) {
  const auto* drag = std::get_if<world::Drag>(&command);
  const bool lets_go = drag && !drag->target;
  return world::rules_of(command).steers() && !lets_go ? world::command_character(command) : 0;
}

}  // namespace promenade::service
