#pragma once

#include <optional>

#include "promenade/v1/wire.pb.h"
#include "world/command/command.h"

namespace promenade::service {

/// What the other visitors are told of a command; nothing of those that steer, which would be told
/// many times a second.
std::optional<v1::Act> act_of(const world::Command& command);

/// Whom or what a command steers or drags; 0: neither.
world::CharacterId handled_by(const world::Command& command);

}  // namespace promenade::service
