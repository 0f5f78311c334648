#pragma once

#include "net/metrics.h"
#include "service/rooms.h"

namespace promenade::service {

/// Adds the rooms' figures to /metrics. @param rooms  must outlive `metrics`
void export_rooms(net::Metrics& metrics, const Rooms& rooms);

/// Adds the process's own: memory, CPU, threads, open files, start time, connections.
void export_process(net::Metrics& metrics);

}  // namespace promenade::service
