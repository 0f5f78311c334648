#include "service/commands/acts.h"

#include "world/command/command_codec.h"

namespace promenade::service {
namespace {

template <typename... Kinds>
bool is_one_of(const world::Command& command) {
  return (std::holds_alternative<Kinds>(command) || ...);
}

}  // namespace

std::optional<v1::Act> act_of(const world::Command& command) {
  if (handled_by(command) != 0 || is_one_of<world::Drag, world::SingleStep>(command)) {
    return std::nullopt;
  }
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
  using namespace world;
  const auto* drag = std::get_if<Drag>(&command);
  if (drag && !drag->target) return 0;  // it lets go
  const bool handles =
      drag || is_one_of<SetVelocity, SetHeading, Stop, FollowPath, SetWander>(command);
  return handles ? command_character(command) : 0;
}

}  // namespace promenade::service
