#pragma once

#include <optional>
#include <vector>

#include "promenade/v1/creature.pb.h"
#include "schema/error.h"
#include "schema/message.h"

namespace promenade {

/// Whether a whole creature or thing (links and joints, no base) is one that physics can take: one
/// root, no cycle, positive masses and moments that a rigid body can have, limits around the rest
/// pose, unit axes, sizes that make sense, limbs that are chains of its links, ties between them.
/// @return the first error, or nothing
std::optional<schema::FileError> check_creature(const v1::Creature& creature,
                                                const schema::Source& source);

/// Whether the name, title, description and color are fit; for whole and edited bodies alike.
std::optional<schema::FileError> check_labels(const v1::Creature& creature,
                                              const schema::Source& source);

/// Whether an edit of `base` is within its ranges and names links and joints that exist.
std::optional<schema::FileError> check_edit(const v1::Creature& base, const v1::BodyEdit& edit,
                                            const schema::Source& source);

}  // namespace promenade
