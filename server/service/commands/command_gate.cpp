#include "service/commands/command_gate.h"

#include <utility>

#include "service/commands/acts.h"
#include "service/commands/command_metrics.h"
#include "world/command/command_codec.h"

namespace promenade::service {
namespace {

using world::Command;
using world::CommandError;
using world::CommandResult;

// The object of a command, for the trail; nothing for commands that leave no trace in it.
std::optional<std::string> object_of(const Command& command) {
  if (const auto* load = std::get_if<world::LoadScene>(&command)) return load->scene;
  if (const auto* spawn = std::get_if<world::Spawn>(&command)) {
    if (spawn->body_definition) return "body " + spawn->body_definition->given.name();
    if (spawn->style_definition) return "style " + spawn->style_definition->message.name();
  }
  if (const auto* spawn = std::get_if<world::SpawnThing>(&command)) {
    if (spawn->definition) return "thing " + spawn->definition->given.name();
  }
  return std::nullopt;
}

}  // namespace

void CommandGate::give(const Asker& asker, const std::shared_ptr<RoomHost>& room, Decoded decoded,
                       const Reply& reply) const {
  const auto refuse = [&](const std::string& kind, CommandError error) {
    count_command(metrics_, kind, &error);
    CommandResult result;
    result.error = std::move(error);
    reply(result);
  };
  if (auto* error = std::get_if<CommandError>(&decoded)) return refuse("invalid", *error);
  auto& command = std::get<Command>(decoded);
  const std::string name = world::command_name(command);
  const auto trace = object_of(command);
  const auto note = [audit = &audit_, asker, room, name, trace,
                     role = people_.role_in(asker.grant, *room)](const CommandError* error) {
    if (trace) audit->note(deed_of(asker, name.c_str(), role, room->id(), *trace, error));
  };
  if (auto error = people_.check(asker, *room, command)) {
    note(&*error);
    return refuse(name, std::move(*error));
  }
  if (auto error = world::resolve(command, definitions_)) {
    people_.done(asker, *room, command, nullptr);
    note(&*error);
    return refuse(name, std::move(*error));
  }
  // Kept until the answer is there: only these take part in allowances.
  const bool makes = world::rules_of(command).makes() != v1::CommandRules::NOTHING;
  const auto made = makes ? std::make_shared<const Command>(command) : nullptr;
  const auto act = act_of(command);
  const auto handled = handled_by(command);
  const bool queued = room->submit(
      std::move(command),
      [this, asker, room, name, made, note, act, handled, reply](const CommandResult& result) {
        count_command(metrics_, name, result.error ? &*result.error : nullptr);
        note(result.error ? &*result.error : nullptr);
        reply(result);
        // On another thread: the room's must not wait for those that look at the visitors.
        if (made)
          post_([this, asker, room, made, result] { people_.done(asker, *room, *made, &result); });
        if (result.error) return;
        if (handled != 0)
          post_([room, visitor = asker.visitor, handled] {
            room->company().handle(visitor, handled, net::Clock::now());
          });
        if (act)
          post_([room, visitor = asker.visitor, act, result] {
            v1::Act done = *act;
            done.set_tick(result.tick);
            if (result.character != 0) done.set_character(result.character);
            room->tell_act(visitor, std::move(done));
          });
      },
      asker.payer());
  if (queued) return;
  if (made) people_.done(asker, *room, *made, nullptr);
  const CommandError error = room->queue_full(name);
  note(&error);
  refuse(name, error);
}

}  // namespace promenade::service
