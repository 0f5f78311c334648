#pragma once

#include <memory>
#include <string>

#include "world/room/room_impl.h"

namespace promenade::world {

/// The tools of commands when they take effect: the room, the result and the look-ups that fill in
/// its error. Each command checks everything first and changes the room only then.
struct Applier {
  Room::Impl& room;
  CommandResult& result;
  Preparation* prepared = nullptr;  // parts made for this command; null: nothing

  void error(CommandError::Code code, std::string field, std::string value, std::string allowed) {
    result.error = refuse(code, std::move(field), std::move(value), std::move(allowed));
  }

  /// The character of that number, or an error at "<command>.character" and nullptr.
  Entity* character(const char* command, CharacterId id);
  /// A character whose controller goes where it is told, or an error at that field and nullptr.
  Entity* walker(const char* command, CharacterId id);
  /// Makes a character that walks follow an order from where it is, or says the error at that
  /// field.
  void order(const char* command, CharacterId id, const behaviour::Order& order);
  /// The character or thing of that number, or an error at "<command>.character" and nullptr.
  Occupant* occupant(const char* command, CharacterId id);
  /// Whether the physics moves it, so that it can be held, or the error at `field`.
  bool can_be_held(const std::string& field, const Occupant& one);
  /// The error for a link that the body does not have.
  void unknown_link(std::string field, const std::string& link, const Creature& body);
  /// "one of the 12 characters and things here, from 3 to 18", for errors.
  std::string ids_of_all() const;
  std::string ids_of_characters() const;
  std::string ids_of_things() const;
  /// The thing that a command names or defines. Null: the command is refused.
  std::shared_ptr<const CreatureDefinition> thing(const SpawnThing& command);
  /// The style or body that a command names or defines. Null: the command is refused.
  std::shared_ptr<const StyleDefinition> style(const char* field, const std::string& name,
                                               const std::shared_ptr<const StyleDefinition>& given);
  /// The family of that name, or the body's default where the name is empty. Null: refused.
  const control::Family* family(const char* field, const std::string& name, const Creature& body);
  std::shared_ptr<const CreatureDefinition> body(
      const char* field, const std::string& name, const char* definition_field,
      const std::shared_ptr<const CreatureDefinition>& given);
  /// Definitions that a command brings along; those it has not are null.
  struct Brought {
    const CreatureDefinition* body = nullptr;
    const StyleDefinition* style = nullptr;
    const GaitDefinition* gait = nullptr;
  };
  /// Whether the definitions of commands in this room leave space for these, or the error for the
  /// first of them that is not built in.
  /// @param replaced  the character whose definitions they replace; null: they come in addition
  bool has_space(const std::string& command, const Brought& brought, const Occupant* replaced);
};

}  // namespace promenade::world
