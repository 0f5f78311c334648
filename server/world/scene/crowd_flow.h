#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "behaviour/flow/plan.h"
#include "behaviour/route/routes.h"
#include "promenade/v1/crowd.pb.h"
#include "schema/check.h"

namespace promenade::world {

/// The plan of a crowd, and what its routes lead round.
struct CrowdFlow {
  std::shared_ptr<const behaviour::flow::Plan> plan;
  std::vector<behaviour::Obstacle> obstacles;  // of the scene, and its walls
  /// The routes round these, as far as they were asked for while the plan was checked. A room asks
  /// a copy of them.
  std::shared_ptr<const behaviour::route::Routes> routes;
};

/// Finds the ways to everywhere that the people of a crowd may want to go, so that nobody waits for
/// them while it runs: some milliseconds of a processor each among hundreds of walls.
void find_all_ways(CrowdFlow& crowd);

/// Reads the plan of a crowd. The plan must be possible: entrances, exits, places and lines are
/// clear of obstacles, and routes lead from entrances to exits, places and queues.
/// @param key   where the message stands, before the names of its fields: "flow."; may be empty
/// @param seed  of the scene
/// @return      without a plan where `check` got an error
CrowdFlow crowd_from(const v1::CrowdFlow& message, std::span<const behaviour::Obstacle> obstacles,
                     std::uint64_t seed, const std::string& key, schema::Checker& check);

inline constexpr int kMaxEntrances = 32;  // entrances, and as many exits
inline constexpr int kMaxPlaces = 64, kMaxQueues = 32, kMaxPanics = 16, kMaxWalls = 200;
inline constexpr int kMaxRates = 100;       // rates of an entrance
inline constexpr int kMaxWallPoints = 100;  // points of a wall or of a line
inline constexpr int kMaxInLine = 100, kMaxAtPlace = 50;
inline constexpr int kMaxFlowPeople = 10000;
inline constexpr int kMaxGatherings = 64, kMaxGathered = 1000;
inline constexpr double kMaxPerMinute = 1200;

}  // namespace promenade::world
