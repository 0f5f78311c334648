#pragma once

#include "net/http/http_types.h"
#include "world/showing/snapshot.h"

namespace promenade::service {

/// The tasks that a character has been given, as JSON: GET /api/v1/rooms/{id}/characters/{n}/tasks.
net::HttpResponse task_list(const world::Snapshot& snapshot, world::CharacterId character);

}  // namespace promenade::service
