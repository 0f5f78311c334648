#pragma once

#include <array>
#include <cstdint>

#include "behaviour/flow/plan.h"
#include "behaviour/route/route_tree.h"
#include "math/state.h"

namespace promenade::behaviour::flow {

using PersonId = std::uint32_t;  // from 1, never used again; 0: nobody
using PartyId = std::uint32_t;

enum class Target : std::uint8_t { kExit, kPlace, kQueue, kAside };
inline constexpr std::size_t kTargets = 4;

/// Somewhere that a person goes to: an exit, or a spot of a place, of a queue, or beside a queue.
struct Destination {
  Target target = Target::kExit;
  std::uint32_t index = 0;  // in the plan's list
  std::uint32_t spot = 0;
  bool operator==(const Destination&) const = default;
};

/// The errand of a person: what they are to do now.
struct Errand {
  Vec2 goal = Vec2::Zero();  // where they want to get to
  Vec2 aim = Vec2::Zero();   // on the way: the point to go to, straight
  double speed = 0;          // m/s, wanted
  double facing = 0;         // rad, where they stand
  bool stand = true;
  /// From the middle of their group, x the way it walks, y to the left; zero for one alone.
  Vec2 companion_offset = Vec2::Zero();

  void visit(StateVisitor& state) { state(goal, aim, speed, facing, stand, companion_offset); }
};

struct Person {
  PersonId id = 0;
  PartyId party = 0;
  double speed = 1;        // m/s, that they like
  Vec2 at = Vec2::Zero();  // where they were at the last update
  Destination to;
  route::Progress progress;
  bool there = false;   // has arrived at `to`
  bool served = false;  // at the present queue
  bool lost = false;    // no route leads to `to`; told once

  void visit(StateVisitor& state);
  void send(const Destination& destination);
};

enum class Task : std::uint8_t { kGoing, kQueueing, kStaying, kLeaving, kFleeing };
inline constexpr std::size_t kTasks = 5;

/// People who came together. They have a sequence of stops, then an exit:
/// kGoing -> kQueueing or kStaying -> kGoing -> ... -> kLeaving, and kFleeing from any of them and
/// back to kGoing.
struct Party {
  struct Stop {
    Target target = Target::kPlace;  // or kQueue
    std::uint32_t index = 0;
    double stay = 0;  // s, at a place
  };
  PartyId id = 0;
  std::uint32_t members = 0;  // people who are here
  std::uint32_t exit = 0;
  std::array<Stop, Plan::kMostStops> stops;
  std::uint32_t stop_count = 0, next = 0;
  Task task = Task::kGoing;
  double until = 0;     // s: the end of a stay, or of a panic
  double flee_at = -1;  // s, when the alarm has sunk in; negative: not alarmed
  double heading = 0;   // rad, in which the group walks
  bool has_heading = false;
  double waited = 0;  // s, for companions who do not come

  bool done() const { return next == stop_count; }
  const Stop& stop() const { return stops[next]; }
  void visit(StateVisitor& state, const Plan& plan);
};

/// People who are to appear together. They are not here until somebody calls Flow::enter.
struct Arrival {
  PartyId party = 0;
  std::uint32_t entrance = 0;
  std::uint32_t members = 1;
  std::array<PersonId, kMostInParty> person{};
  std::array<Vec2, kMostInParty> at{};
  std::array<double, kMostInParty> speed{};  // m/s
  double heading = 0;                        // rad
};

enum class Happening : std::uint8_t {
  kEntered,
  kArrived,  // at a place
  kJoined,   // a queue
  kServed,
  kFull,  // a place or queue had no room: the party goes on
  kLost,  // no route leads on from here
  kFled,  // began to
  kCalmed,
  kLeft,
};
struct Event {
  Happening what;
  PersonId person;
  std::uint32_t index;  // of the entrance, place, queue or exit
};

}  // namespace promenade::behaviour::flow
