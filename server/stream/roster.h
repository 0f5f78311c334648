#pragma once

#include <string>

#include "promenade/v1/wire.pb.h"
#include "world/showing/snapshot.h"

namespace promenade::world {
struct CreatureDefinition;
}

namespace promenade::stream {

/// A ServerMessage with a whole Roster.
std::string encode_roster(const world::Roster& roster);

/// A ServerMessage with the RosterChange from one version to a later one of the same epoch.
std::string encode_roster_change(const world::Roster& before, const world::Roster& after);

/// A ServerMessage with a Body. @param body  null: nobody has a body of that id
std::string encode_body(std::uint64_t id, const world::CreatureDefinition* body);

}  // namespace promenade::stream
