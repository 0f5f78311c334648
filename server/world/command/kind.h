#pragma once

#include <google/protobuf/message.h>

#include <cstddef>
#include <span>
#include <utility>
#include <variant>

#include "behaviour/kinds.h"
#include "promenade/v1/rules.pb.h"
#include "world/command/checker.h"
#include "world/command/command.h"

// One descriptor for each command. A command is written in one place: its struct is in command.h,
// its functions and its descriptor are in one of the files beside this one.
namespace promenade::world {

struct Applier;
class Preparation;

struct CommandKind {
  const google::protobuf::FieldDescriptor* field;  // in the message Command
  const char* name;                                // of that field
  std::size_t index;                               // of its alternative in Command
  const v1::CommandRules* rules;                   // of its message
  /// Checks the command's own message and turns it into the struct.
  Command (*parse)(const google::protobuf::Message& message, CommandChecker& check);
  void (*write)(const Command& command, google::protobuf::Message& message);
  /// Checks all that depends on the room, then changes the room.
  void (*apply)(const Command& command, Applier& room);
  /// Says what apply() needs that takes longer than a tick may; changes nothing. Null: nothing.
  void (*prepare)(const Command& command, Applier& room, Preparation& out) = nullptr;
  /// The order that it gives. Null: commands of this kind give none.
  behaviour::Order (*order)(const Command& command) = nullptr;
};

/// The field of the message Command for the command whose message this is.
/// @pre there is one, and no other has the same message
const google::protobuf::FieldDescriptor& field_for(const google::protobuf::Descriptor& message);

/// The entry of a command of type C with the message M.
/// @tparam parse  C(const M&, CommandChecker&)
/// @tparam write  void(const C&, M&)
/// @tparam apply  void(const C&, Applier&)
template <typename C, typename M, C (*parse)(const M&, CommandChecker&),
          void (*write)(const C&, M&), void (*apply)(const C&, Applier&)>
CommandKind describe() {
  CommandKind kind;
  kind.field = &field_for(*M::descriptor());
  kind.name = kind.field->name().c_str();
  kind.index = Command(std::in_place_type<C>).index();
  kind.rules = &M::descriptor()->options().GetExtension(v1::rules);
  kind.parse = [](const google::protobuf::Message& message, CommandChecker& check) -> Command {
    return parse(static_cast<const M&>(message), check);
  };
  kind.write = [](const Command& command, google::protobuf::Message& message) {
    write(*std::get_if<C>(&command), static_cast<M&>(message));
  };
  kind.apply = [](const Command& command, Applier& room) {
    apply(*std::get_if<C>(&command), room);
  };
  if constexpr (requires(const C& c) { behaviour::Order(c.order); }) {
    kind.order = [](const Command& command) {
      return behaviour::Order(std::get_if<C>(&command)->order);
    };
  }
  return kind;
}

/// Adds what it needs beforehand to an entry.
/// @tparam prepare  void(const C&, Applier&, Preparation&)
template <typename C, void (*prepare)(const C&, Applier&, Preparation&)>
CommandKind prepared(CommandKind kind) {
  kind.prepare = [](const Command& command, Applier& room, Preparation& out) {
    prepare(*std::get_if<C>(&command), room, out);
  };
  return kind;
}

using CommandKinds = std::span<const CommandKind>;
CommandKinds walking_kinds();  // walking.cpp
CommandKinds gait_kinds();     // gaits.cpp
CommandKinds pushing_kinds();  // pushing.cpp
CommandKinds making_kinds();   // making.cpp
CommandKinds thing_kinds();    // things.cpp
CommandKinds tie_kinds();      // ties.cpp
CommandKinds room_kinds();     // room_clock.cpp
CommandKinds crowd_kinds();    // crowds.cpp
CommandKinds flow_kinds();     // flow.cpp
CommandKinds task_kinds();     // tasks.cpp

/// Of that alternative of Command.
const CommandKind& kind_of(const Command& command);
/// All, in the order of Command's alternatives.
CommandKinds all_kinds();

}  // namespace promenade::world
