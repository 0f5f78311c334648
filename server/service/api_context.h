#pragma once

#include "net/metrics.h"
#include "service/command_gate.h"
#include "service/door.h"
#include "service/people.h"
#include "service/rooms.h"
#include "service/saved.h"
#include "service/visitor_limits.h"

namespace promenade::service {

/// What the parts of the HTTP API and the viewers share. All of it outlives them.
struct ApiContext {
  Rooms& rooms;
  SavedDefinitions& saved;
  Door& door;
  People& people;
  VisitorLimits& limits;
  const CommandGate& gate;
  Audit& audit;
  net::Metrics& metrics;
};

}  // namespace promenade::service
