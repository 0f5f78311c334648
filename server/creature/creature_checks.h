#pragma once

#include <optional>
#include <vector>

#include "promenade/v1/creature.pb.h"
#include "schema/error.h"
#include "schema/message.h"

namespace promenade {

/// Checks that physics can simulate a whole creature or thing (links and joints, no base): one
/// root, no cycle, positive masses, moments that a rigid body can have, limits around the rest
/// pose, unit axes, sizes within bounds, limbs that are chains of its links, ties between them.
/// @return the first error, or nothing
std::optional<schema::FileError> check_creature(const v1::Creature& creature,
                                                const schema::Source& source);

/// Checks the name, title, description and colour, of whole and of edited bodies.
std::optional<schema::FileError> check_labels(const v1::Creature& creature,
                                              const schema::Source& source);

/// Checks that an edit of `base` is within its ranges and names links and joints that exist.
std::optional<schema::FileError> check_edit(const v1::Creature& base, const v1::BodyEdit& edit,
                                            const schema::Source& source);

}  // namespace promenade
