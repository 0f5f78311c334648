#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "behaviour/flow/day_table.h"
#include "behaviour/flow/formation.h"
#include "behaviour/route/route_map.h"
#include "math/types.h"

// The plan of what the people of a scene do: data, never changed while they do it. World frame, SI.
namespace promenade::behaviour::flow {

/// A rectangle on the ground.
struct Area {
  Vec2 center = Vec2::Zero();
  Vec2 half = Vec2::Zero();
  double yaw = 0;  // rad
  bool contains(const Vec2& p) const;
  Vec2 nearest(const Vec2& p) const;
};

/// Where people appear.
struct Entrance {
  std::string name;
  Area area;
  double heading = 0;  // rad, as they come in
  DayTable rate;       // people a minute
};

/// Where they leave.
struct Exit {
  std::string name;
  Area area;
  double weight = 1;  // of being chosen
};

/// Where one person stands or sits.
struct Spot {
  Vec2 at = Vec2::Zero();
  double facing = 0;  // rad
};

/// A bench, or something to look at.
struct Place {
  std::string name;
  std::vector<Spot> spots;               // one or more
  double least_stay = 0, most_stay = 0;  // s
  double weight = 1;
};

/// People in a line who are served one by one.
struct Queue {
  std::string name;
  std::vector<Spot> slots;  // the first is at the counter; each faces the one before it
  std::vector<Spot> aside;  // where those who were served wait for their companions
  double service = 10;      // s, mean for one person
  double spread = 0.5;      // the time of one is uniform within this share of the mean
  double weight = 1;
};

/// People in one party: alone, or a group who stay together.
struct GroupShares {
  double share = 0;  // of the people who are in groups, 0 to 1
  /// How often groups of 2, 3, 4 and 5 are. Source of the default: they get rarer with size,
  /// Moussaid et al. 2010, figure 1.
  std::array<double, kMostInParty - 1> sizes = {0.7, 0.2, 0.08, 0.02};
  /// The share of parties that are groups: g = s / (m (1 - s) + s), m the mean size of groups.
  double party_share() const;
  double mean_size() const;
};

/// All who are within the radius flee, for some time.
struct Panic {
  double at = 0;  // s after the start
  Vec2 from = Vec2::Zero();
  double radius = 0;    // m
  double duration = 0;  // s, then they calm down
};

/// People who are spread over a disc at the start.
struct Gathering {
  Vec2 center = Vec2::Zero();
  double radius = 1;  // m
  std::size_t people = 1;
  bool operator==(const Gathering&) const = default;
};

struct Plan {
  static constexpr std::size_t kMostStops = 6;

  std::vector<Entrance> entrances;
  std::vector<Exit> exits;
  std::vector<Place> places;
  std::vector<Queue> queues;
  std::vector<Panic> panics;
  std::vector<Gathering> gatherings;
  GroupShares groups;
  std::size_t least_stops = 0, most_stops = 0;  // places and queues that a party visits
  double speed = 1.34, speed_spread = 0.26;     // m/s, mean and standard deviation; Weidmann 1993
  double panic_pace = 1.6;                      // times as fast as they like to walk
  double radius = 0.3;                          // m, of a person, for routes
  std::size_t most_people = 5000;
  std::size_t present_at_start = 0;  // about as many; at most most_people
  double start_of_day = 0;           // s after midnight when the scene starts
  std::uint64_t seed = 1;
};

/// Slots of a line from the counter at `head`, `spacing` apart. Along `way`, which begins at the
/// head, if it has points; else straight back from where the first faces, bending round obstacles
/// and its own turns by as little as it can. Fewer than `count` where there is no room for more.
std::vector<Spot> lay_out_line(const route::RouteMap& map, const Spot& head, double spacing,
                               std::size_t count, const std::vector<Vec2>& way = {});
/// Up to kMostInParty - 1 spots near the head of a line that are in nobody's way.
std::vector<Spot> spots_aside(const route::RouteMap& map, const std::vector<Spot>& line);
/// Up to `count` free spots in a row beside each other, as on a bench, all facing one way.
std::vector<Spot> spots_in_row(const route::RouteMap& map, const Spot& middle, double apart,
                               std::size_t count);
/// Up to `count` free spots round a point that see it, all facing it.
std::vector<Spot> spots_around(const route::RouteMap& map, const Vec2& what, double distance,
                               std::size_t count);

}  // namespace promenade::behaviour::flow
