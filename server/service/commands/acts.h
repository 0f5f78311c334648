#pragma once

#include <optional>

#include "promenade/v1/wire.pb.h"
#include "world/command/command.h"

namespace promenade::service {

/// The act that other visitors are told of; none for commands that steer, which would be told
/// many times a second.
std::optional<v1::Act> act_of(const world::Command& command);

/// The id of the character or thing that a command steers or drags; 0: none.
world::CharacterId handled_by(const world::Command& command);

}  // namespace promenade::service
