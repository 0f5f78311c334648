#pragma once

#include "creature/creature.h"
#include "promenade/v1/creature.pb.h"
#include "schema/error.h"
#include "schema/message.h"

namespace promenade {

/// The creature or thing that a whole message (links and joints, no base) describes, after
/// check_creature. Its links are in the order of `in_model_order`. One without limbs whose links
/// have the part names of a biped gets its limbs.
/// @param source  names file and lines in errors; may be empty
schema::Result<Creature> build_creature(const v1::Creature& message,
                                        const schema::Source& source = {});

/// The same message with its links reordered so that each comes after its parent, and joints[i] is
/// the joint of links[i + 1]. This is the order in Creature, ArticulationModel and Frame.joint.
/// @pre check_creature finds nothing
v1::Creature in_model_order(const v1::Creature& message);

}  // namespace promenade
