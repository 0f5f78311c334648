#pragma once

#include "character/body.h"
#include "promenade/v1/character.pb.h"
#include "schema/error.h"
#include "schema/message.h"

namespace promenade {

/// The body that a whole Character (links and joints, no base) describes, after check_body.
/// Its links are in the order of `in_model_order`.
/// @param source  names file and lines in errors; may be empty
schema::Result<Body> build_body(const v1::Character& character, const schema::Source& source = {});

/// The same character with every link after its parent, otherwise in the order of the file, and
/// joints[i] the joint of links[i + 1]: the order of Body, of ArticulationModel and of Frame.joint.
/// @pre check_body finds nothing
v1::Character in_model_order(const v1::Character& character);

}  // namespace promenade
