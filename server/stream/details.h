#pragma once

#include <span>
#include <string>

#include "promenade/v1/wire.pb.h"
#include "world/showing/snapshot.h"

namespace promenade::stream {

/// "quarantined", "fallen", "standing", "stopping" (asked to stand, still moving) or "walking".
const char* state_name(const world::CharacterSnapshot& character);

/// All that is known of one character. @param index  into snapshot.characters
v1::CharacterDetails character_details(const world::Snapshot& snapshot, std::size_t index);

/// A ServerMessage with the Details of those that are still there; empty if none is.
std::string encode_details(const world::Snapshot& snapshot,
                           std::span<const world::CharacterId> characters);

}  // namespace promenade::stream
