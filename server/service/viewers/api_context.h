#pragma once

#include "net/metrics.h"
#include "service/commands/command_gate.h"
#include "service/people/people.h"
#include "service/people/visitor_limits.h"
#include "service/rooms/rooms.h"
#include "service/store/saved.h"
#include "service/viewers/door.h"

namespace promenade::service {

/// The objects that the parts of the HTTP API and the viewers share. All of them outlive these.
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
