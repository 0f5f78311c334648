#pragma once

#include "net/metrics.h"
#include "service/people/people.h"
#include "service/rooms/rooms.h"
#include "service/store/saved.h"

namespace promenade::service {

/// Adds the rooms' figures to /metrics. @param rooms  must outlive `metrics`
void export_rooms(net::Metrics& metrics, const Rooms& rooms);

/// Adds the visitors of each room by role. @param people, rooms  must outlive `metrics`
void export_visitors(net::Metrics& metrics, const People& people, const Rooms& rooms);

/// Adds the store's figures. @param saved  must outlive `metrics`
void export_store(net::Metrics& metrics, const SavedDefinitions& saved);

/// Adds the process's own: memory, CPU, open files.
void export_process(net::Metrics& metrics);

}  // namespace promenade::service
