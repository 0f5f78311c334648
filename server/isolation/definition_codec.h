#pragma once

#include <memory>
#include <optional>

#include "promenade/v1/isolation.pb.h"
#include "world/library/library.h"

// Styles, bodies and gaits between processes that have loaded the same data.
namespace promenade::isolation {

v1::SharedDefinition encode_definition(const world::StyleDefinition& style);
v1::SharedDefinition encode_definition(const world::GaitDefinition& gait);
/// @param thing  it belongs to a thing: its name, and that of its base, are looked up there
v1::SharedDefinition encode_definition(const world::CreatureDefinition& body, bool thing);

/// Null if the message is none of this program.
std::shared_ptr<const world::StyleDefinition> decode_style(const v1::SharedDefinition& message,
                                                           const Library& library);
std::shared_ptr<const world::GaitDefinition> decode_gait(const v1::SharedDefinition& message,
                                                         const Library& library);
std::shared_ptr<const world::CreatureDefinition> decode_body(const v1::SharedDefinition& message,
                                                             const Library& library);

/// A command whose definitions are resolved, with all that is known of them: their versions, and
/// the bases that bodies were edited from.
v1::RoomCommand encode_command(const world::Command& command);
/// Nothing if the message is none of this program.
std::optional<world::Command> decode_command(const v1::RoomCommand& message,
                                             const Library& library);

}  // namespace promenade::isolation
