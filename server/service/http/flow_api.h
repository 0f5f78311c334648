#pragma once

#include "net/http/http_types.h"
#include "service/rooms/room_host.h"

namespace promenade::service {

/// The people who come and go in a room, as JSON: GET /api/v1/rooms/{id}/flow, and without the plan
/// .../flow/figures.
net::HttpResponse flow_report(const RoomHost& room, bool with_plan);

}  // namespace promenade::service
