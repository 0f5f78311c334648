#pragma once

#include <google/protobuf/message.h>

#include <cstdint>
#include <string>
#include <vector>

#include "promenade/v1/rules.pb.h"
#include "world/command/command.h"

// The ids in commands, found by what the schema says of their fields (promenade/v1/rules.proto).
namespace promenade::world {

/// An id in a message, of a character, thing or tie.
struct HeldId {
  std::string field;  // its path from the message, as in "tasks[2].hand_over.to"
  v1::Holds kind = v1::HOLDS_UNSAID;
  std::uint32_t id = 0;
};

/// All ids in a message that are not 0, in the order of its fields.
std::vector<HeldId> ids_in(const google::protobuf::Message& message);

/// A command of a scene with the ids of a room. Scenes count characters, things and ties from 1.
/// @param first, first_tie  the ids that the first ones of the scene have in the room
Command renumbered(Command command, CharacterId first, TieId first_tie);

}  // namespace promenade::world
