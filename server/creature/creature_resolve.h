#pragma once

#include "promenade/v1/creature.pb.h"
#include "schema/error.h"
#include "schema/message.h"

namespace promenade {

/// The whole body that `given` describes, with links and joints in the order of `in_model_order`:
/// itself, or its `base` with its `edit` done to it. Everything is checked.
/// @param base    whole; the body that `given.base` names, or null if there is none of that name
/// @param known   which bases there are, for the error: "the name of a body in the same directory"
/// @param source  names file and lines in errors; may be empty
schema::Result<v1::Creature> resolve_creature(const v1::Creature& given, const v1::Creature* base,
                                              const std::string& known,
                                              const schema::Source& source = {});

}  // namespace promenade
