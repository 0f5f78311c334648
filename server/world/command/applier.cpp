#include "world/command/applier.h"

#include "creature/biped/biped.h"
#include "world/command/kind.h"

namespace promenade::world {
namespace {

std::string ids_of(const std::vector<std::unique_ptr<Entity>>& all) {
  if (all.empty()) return "none: nobody is here";
  const std::string first = std::to_string(all.front()->id);
  if (all.size() == 1) return first + ", the only one here";
  return "one of the " + std::to_string(all.size()) + " here, from " + first + " to " +
         std::to_string(all.back()->id);
}

}  // namespace

Entity* Applier::character(const char* command, CharacterId id) {
  Entity* e = room.find(id);
  if (e) return e;
  error(CommandError::Code::kNotFound, std::string(command) + ".character", std::to_string(id),
        ids_of(room.entities));
  return nullptr;
}

std::shared_ptr<const StyleDefinition> Applier::style(
    const char* field, const std::string& name,
    const std::shared_ptr<const StyleDefinition>& given) {
  auto found = given ? given : room.library->find_style(name);
  if (!found) {
    error(CommandError::Code::kNotFound, field, schema::in_quotes(name),
          room.library->known_styles());
  }
  return found;
}

std::shared_ptr<const CreatureDefinition> Applier::any_body(
    const char* field, const std::string& name, const char* definition_field,
    const std::shared_ptr<const CreatureDefinition>& given) {
  if (given && given->body) return given;
  if (given) {
    // From a journal or a script: nothing but what is built in can be its base.
    auto made = define_creature(given->given, *room.library, definition_field);
    if (auto* wrong = std::get_if<CommandError>(&made)) {
      result.error = std::move(*wrong);
      return nullptr;
    }
    return std::get<0>(std::move(made));
  }
  auto found = room.library->find_creature(name);
  if (!found) {
    error(CommandError::Code::kNotFound, field, schema::in_quotes(name),
          room.library->known_creatures());
  }
  return found;
}

std::shared_ptr<const CreatureDefinition> Applier::body(
    const char* field, const std::string& name, const char* definition_field,
    const std::shared_ptr<const CreatureDefinition>& given) {
  auto found = any_body(field, name, definition_field, given);
  if (!found) return nullptr;
  const auto biped = biped_of(*found->body);
  if (biped) return found;
  error(CommandError::Code::kInvalid, given ? definition_field : field,
        schema::in_quotes(found->body->name), "a biped; " + biped.error().message);
  return nullptr;
}

CommandResult Room::Impl::apply(const Command& command) {
  CommandResult result;
  result.tick = tick_number;
  Applier applier{*this, result};
  kind_of(command).apply(command, applier);
  return result;
}

}  // namespace promenade::world
