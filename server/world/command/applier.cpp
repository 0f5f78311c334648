#include "world/command/applier.h"

#include <algorithm>

#include "math/random.h"
#include "world/command/kind.h"

namespace promenade::world {
namespace {

// @param one, many  what is counted, as in "character", "characters"
std::string ids_among(std::size_t count, CharacterId first, CharacterId last,
                      const std::string& one, const std::string& many) {
  if (count == 0) return "none: there is no " + one + " here";
  if (count == 1) return std::to_string(first) + ", the only " + one + " here";
  return "one of the " + std::to_string(count) + " " + many + " here, from " +
         std::to_string(first) + " to " + std::to_string(last);
}

template <typename List>
std::string ids_of(const List& all, const std::string& one, const std::string& many) {
  if (all.empty()) return ids_among(0, 0, 0, one, many);
  return ids_among(all.size(), all.front()->id, all.back()->id, one, many);
}

}  // namespace

std::string Applier::ids_of_all() const {
  const std::string one = "character or thing", many = "characters and things";
  if (room.occupants.entities.empty()) return ids_of(room.occupants.props, one, many);
  if (room.occupants.props.empty()) return ids_of(room.occupants.entities, one, many);
  return ids_among(room.occupants.entities.size() + room.occupants.props.size(),
                   std::min(room.occupants.entities.front()->id, room.occupants.props.front()->id),
                   std::max(room.occupants.entities.back()->id, room.occupants.props.back()->id),
                   one, many);
}

std::string Applier::ids_of_characters() const {
  return ids_of(room.occupants.entities, "character", "characters");
}

std::string Applier::ids_of_things() const {
  return ids_of(room.occupants.props, "thing", "things");
}

Entity* Applier::character(const char* command, CharacterId id) {
  Entity* e = room.occupants.find(id);
  if (e) return e;
  const bool thing = room.occupants.find_prop(id) != nullptr;
  error(thing ? CommandError::Code::kInvalid : CommandError::Code::kNotFound,
        std::string(command) + ".character", std::to_string(id) + (thing ? ", a thing" : ""),
        ids_of_characters());
  return nullptr;
}

Entity* Applier::walker(const char* command, CharacterId id) {
  Entity* e = character(command, id);
  if (!e || e->family->walks) return e;
  error(
      CommandError::Code::kUnsupported, std::string(command) + ".character",
      std::to_string(id) + ", driven by " + std::string(e->family->name) + ", which does not walk",
      "a character driven by " + control::walking_families());
  return nullptr;
}

void Applier::order(const char* command, CharacterId id, const behaviour::Order& order) {
  Entity* e = walker(command, id);
  if (!e) return;
  e->follow(behaviour::make_behaviour(
      order, {id, e->last_position, e->smooth_heading,
              Random::stream(room.settings.seed, (room.tick_number << 20) + id)}));
}

bool Applier::can_be_held(const std::string& field, const Occupant& one) {
  const Entity* e = room.occupants.find(one.id);
  if (!e || !e->kinematic() || e->simplified) return true;
  error(CommandError::Code::kUnsupported, field,
        std::to_string(one.id) + ", driven by " + std::string(e->family->name) +
            ", which nobody can hold",
        "what the physics moves: a thing, or a character with another controller");
  return false;
}

const control::Family* Applier::family(const char* field, const std::string& name,
                                       const Creature& body) {
  if (name.empty()) return &control::default_family(body);
  const control::Family* found = control::find_family(name);
  if (!found) {
    error(CommandError::Code::kNotFound, field, schema::in_quotes(name), control::known_families());
    return nullptr;
  }
  if (const std::string why = found->why_not(body); !why.empty()) {
    error(CommandError::Code::kUnsupported, field, schema::in_quotes(name),
          control::families_for(body) + ", which can drive a " + body.name + "; " + why);
    return nullptr;
  }
  return found;
}

Occupant* Applier::occupant(const char* command, CharacterId id) {
  Occupant* found = room.occupants.find_occupant(id);
  if (!found) {
    error(CommandError::Code::kNotFound, std::string(command) + ".character", std::to_string(id),
          ids_of_all());
  }
  return found;
}

void Applier::unknown_link(std::string field, const std::string& link, const Creature& body) {
  error(CommandError::Code::kNotFound, std::move(field), schema::in_quotes(link),
        schema::listed_names(body.link_names));
}

std::shared_ptr<const CreatureDefinition> Applier::thing(const SpawnThing& c) {
  if (!c.definition) {
    auto found = room.library->find_thing(c.thing);
    if (!found) {
      error(CommandError::Code::kNotFound, "spawn_thing.thing", schema::in_quotes(c.thing),
            room.library->known_things());
    }
    return found;
  }
  if (c.definition->body) return c.definition;
  auto made = define_creature(c.definition->given, ThingBases(*room.library),
                              "spawn_thing.thing_definition");
  if (auto* wrong = std::get_if<CommandError>(&made)) {
    result.error = std::move(*wrong);
    return nullptr;
  }
  return std::get<0>(std::move(made));
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

std::shared_ptr<const CreatureDefinition> Applier::body(
    const char* field, const std::string& name, const char* definition_field,
    const std::shared_ptr<const CreatureDefinition>& given) {
  if (given && given->body) return given;
  if (given) {
    // It comes from a journal or a script, so its base can only be a built-in body.
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

CommandResult Room::Impl::apply(const Command& command, Preparation* prepared) {
  CommandResult result;
  result.tick = tick_number;
  Applier applier{*this, result, prepared};
  kind_of(command).apply(command, applier);
  return result;
}

}  // namespace promenade::world
