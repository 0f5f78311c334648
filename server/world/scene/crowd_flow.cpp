#include "world/scene/crowd_flow.h"

#include <algorithm>

#include "behaviour/flow/flow.h"
#include "math/rotation.h"
#include "schema/refusal.h"
#include "world/command/limits.h"

namespace promenade::world {
namespace {

namespace flow = behaviour::flow;
namespace route = behaviour::route;

constexpr double kMaxWeight = 1000;

std::string point_text(const Vec2& p) {
  return "(" + schema::number(p.x()) + ", " + schema::number(p.y()) + ") m";
}

struct CrowdReader {
  const std::string& key;
  schema::Checker& check;
  std::vector<behaviour::Obstacle> obstacles{};
  std::shared_ptr<route::Routes> routes{};
  std::shared_ptr<const route::RouteMap> map{};
  std::shared_ptr<flow::Plan> plan = std::make_shared<flow::Plan>();

  bool few(const std::string& field, int count, int least, int most) {
    if (count >= least && count <= most) return true;
    const std::string lower = least > 0 ? std::to_string(least) + " to " : "up to ";
    return check.fail(field, std::to_string(count) + " entries", lower + std::to_string(most));
  }

  /// x, y of points one after the other.
  template <typename Repeated>
  std::vector<Vec2> points(const std::string& field, const Repeated& values, int least, int most) {
    std::vector<Vec2> out;
    const int count = values.size() / 2;
    if (values.size() % 2 != 0 || count < least || count > most) {
      const std::string many = std::to_string(least) + " to " + std::to_string(most) + " points";
      check.fail(field, std::to_string(values.size()) + " numbers",
                 most == 1 ? std::string("2 numbers, x and y") : "x and y of " + many);
      return out;
    }
    for (int i = 0; i < values.size(); ++i) {
      if (!check.range(schema::indexed(field, std::size_t(i)), values[i], -kMaxCoordinate,
                       kMaxCoordinate, " m")) {
        return out;
      }
    }
    for (int i = 0; i < count; ++i) out.emplace_back(values[2 * i], values[2 * i + 1]);
    return out;
  }

  template <typename Repeated>
  Vec2 point(const std::string& field, const Repeated& values) {
    const std::vector<Vec2> read = points(field, values, 1, 1);
    return read.empty() ? Vec2(Vec2::Zero()) : read[0];
  }

  double angle(const std::string& field, double degrees) {
    check.range(field, degrees, -360, 360, " degrees");
    return wrap_angle(degrees * kRadFromDeg);
  }
  double weight(const std::string& field, double value) {
    check.range(field, value, 0, kMaxWeight);
    return value == 0 ? 1 : value;
  }
  /// 0 stands for `usual`.
  double or_usual(const std::string& field, double value, double usual, double low, double high,
                  std::string_view unit) {
    if (value != 0) check.range(field, value, low, high, unit);
    return value == 0 ? usual : value;
  }
  void name(const std::string& field, const std::string& value) {
    if (!value.empty()) check.name(field, value);
  }

  flow::Area area(const std::string& field, const v1::CrowdFlow::Area& m) {
    flow::Area out;
    out.center = point(field + ".center_m", m.center_m());
    out.yaw = angle(field + ".yaw_deg", m.yaw_deg());
    if (!check.count(field + ".size_m", std::size_t(m.size_m_size()), 2)) return out;
    for (int i = 0; i < 2; ++i) {
      check.range(schema::indexed(field + ".size_m", std::size_t(i)), m.size_m(i), 0.2, 100, " m");
      out.half[i] = 0.5 * m.size_m(i);
    }
    return out;
  }

  /// Where people are to stand must be clear.
  bool clear(const std::string& field, const Vec2& p) {
    if (!check.ok() || map->free(p)) return check.ok();
    return check.fail(field, point_text(p),
                      "a place at least " + schema::number(map->radius()) + " m from obstacles",
                      "is in an obstacle");
  }

  void walls(const v1::CrowdFlow& m) {
    few(key + "walls", m.walls_size(), 0, kMaxWalls);
    for (int i = 0; i < m.walls_size() && check.ok(); ++i) {
      const std::string field = schema::indexed(key + "walls", std::size_t(i));
      route::append_pieces(
          {points(field + ".points_m", m.walls(i).points_m(), 2, kMaxWallPoints),
           or_usual(field + ".thickness_m", m.walls(i).thickness_m(), 0.1, 0.01, 5, " m")},
          obstacles);
    }
    routes = std::make_shared<route::Routes>(obstacles, std::span<const route::Wall>());
    map = routes->map(plan->radius);
  }

  flow::DayTable rates(const std::string& field, const v1::CrowdFlow::Entrance& m) {
    std::vector<flow::DayTable::Row> rows;
    few(field, m.rates_size(), 1, kMaxRates);
    for (int i = 0; i < m.rates_size() && check.ok(); ++i) {
      const std::string row = schema::indexed(field, std::size_t(i));
      const v1::CrowdFlow::Rate& r = m.rates(i);
      check.range(row + ".at_s", r.at_s(), 0, flow::kDay, " s");
      if (check.ok() && !rows.empty() && r.at_s() <= rows.back().at) {
        check.fail(row + ".at_s", schema::number(r.at_s()),
                   "later than " + schema::number(rows.back().at) + " s, the time before it");
      }
      check.range(row + ".per_minute", r.per_minute(), 0, kMaxPerMinute, " people a minute");
      rows.push_back({r.at_s(), r.per_minute()});
    }
    return flow::DayTable(std::move(rows));
  }

  void doors(const v1::CrowdFlow& m) {
    few(key + "entrances", m.entrances_size(), 1, kMaxEntrances);
    for (int i = 0; i < m.entrances_size() && check.ok(); ++i) {
      const std::string field = schema::indexed(key + "entrances", std::size_t(i));
      const v1::CrowdFlow::Entrance& e = m.entrances(i);
      name(field + ".name", e.name());
      plan->entrances.push_back({e.name(), area(field + ".area", e.area()),
                                 angle(field + ".heading_deg", e.heading_deg()),
                                 rates(field + ".rates", e)});
      clear(field + ".area.center_m", plan->entrances.back().area.center);
    }
    few(key + "exits", m.exits_size(), 1, kMaxEntrances);
    for (int i = 0; i < m.exits_size() && check.ok(); ++i) {
      const std::string field = schema::indexed(key + "exits", std::size_t(i));
      const v1::CrowdFlow::Exit& e = m.exits(i);
      name(field + ".name", e.name());
      plan->exits.push_back(
          {e.name(), area(field + ".area", e.area()), weight(field + ".weight", e.weight())});
      clear(field + ".area.center_m", plan->exits.back().area.center);
    }
  }

  void place(const std::string& field, const v1::CrowdFlow::Place& m) {
    flow::Place out;
    name(field + ".name", m.name());
    out.name = m.name();
    const Vec2 center = point(field + ".center_m", m.center_m());
    const double facing = angle(field + ".facing_deg", m.facing_deg());
    const double distance = or_usual(field + ".distance_m", m.distance_m(), 1.5, 0.5, 20, " m");
    check.range(field + ".people", m.people(), 1, kMaxAtPlace);
    check.range(field + ".least_stay_s", m.least_stay_s(), 0, 3600, " s");
    check.range(field + ".most_stay_s", m.most_stay_s(), m.least_stay_s(), 3600, " s");
    out.least_stay = m.least_stay_s();
    out.most_stay = m.most_stay_s();
    out.weight = weight(field + ".weight", m.weight());
    if (!v1::CrowdFlow::Place::Kind_IsValid(m.kind())) {
      check.fail(field + ".kind", std::to_string(int(m.kind())), "BENCH or SIGHT");
    }
    if (!check.ok()) return;
    constexpr double kSeat = 0.6;  // m between seats of a bench
    out.spots = m.kind() == v1::CrowdFlow::Place::SIGHT
                    ? flow::spots_around(*map, center, distance, m.people())
                    : flow::spots_in_row(*map, {center, facing}, kSeat, m.people());
    if (out.spots.empty()) {
      check.fail(field + ".center_m", point_text(center), "a place with room for one or more",
                 "has no room: all about it is in obstacles");
    }
    plan->places.push_back(std::move(out));
  }

  void queue(const std::string& field, const v1::CrowdFlow::Queue& m) {
    flow::Queue out;
    name(field + ".name", m.name());
    out.name = m.name();
    const flow::Spot counter{point(field + ".counter_m", m.counter_m()),
                             angle(field + ".facing_deg", m.facing_deg())};
    const double spacing = or_usual(field + ".spacing_m", m.spacing_m(), 0.8, 0.6, 1, " m");
    check.range(field + ".people", m.people(), 1, kMaxInLine);
    check.range(field + ".service_s", m.service_s(), 0.5, 600, " s");
    check.range(field + ".spread", m.spread(), 0, 1);
    out.service = m.service_s();
    out.spread = m.spread();
    out.weight = weight(field + ".weight", m.weight());
    std::vector<Vec2> way = points(field + ".line_m", m.line_m(), 0, kMaxWallPoints);
    if (!clear(field + ".counter_m", counter.at)) return;
    if (!way.empty()) way.insert(way.begin(), counter.at);
    out.slots = flow::lay_out_line(*map, counter, spacing, m.people(), way);
    if (out.slots.size() < m.people()) {
      const std::string room = std::to_string(out.slots.size());
      const std::string end = point_text(out.slots.back().at);
      check.fail(field + ".people", std::to_string(m.people()), "1 to " + room,
                 "is more than the line has room for, which ends at " + end);
      return;
    }
    out.aside = flow::spots_aside(*map, out.slots);
    plan->queues.push_back(std::move(out));
  }

  void stops(const v1::CrowdFlow& m) {
    few(key + "places", m.places_size(), 0, kMaxPlaces);
    for (int i = 0; i < m.places_size() && check.ok(); ++i) {
      place(schema::indexed(key + "places", std::size_t(i)), m.places(i));
    }
    few(key + "queues", m.queues_size(), 0, kMaxQueues);
    for (int i = 0; i < m.queues_size() && check.ok(); ++i) {
      queue(schema::indexed(key + "queues", std::size_t(i)), m.queues(i));
    }
    constexpr int kMost = flow::Plan::kMostStops;
    check.range(key + "least_stops", m.least_stops(), 0, kMost);
    check.range(key + "most_stops", m.most_stops(), m.least_stops(), kMost);
    plan->least_stops = m.least_stops();
    plan->most_stops = m.most_stops();
  }

  void people(const v1::CrowdFlow& m) {
    plan->speed = or_usual(key + "speed_mps", m.speed_mps(), plan->speed, 0.3, 2, " m/s");
    if (m.has_speed_spread_mps()) {
      check.range(key + "speed_spread_mps", m.speed_spread_mps(), 0, 0.5, " m/s");
      plan->speed_spread = m.speed_spread_mps();
    }
    if (m.most_people() != 0) {
      check.range(key + "most_people", m.most_people(), 1, kMaxFlowPeople);
      plan->most_people = m.most_people();
    }
    check.range(key + "present_at_start", m.present_at_start(), 0, double(plan->most_people));
    plan->present_at_start = m.present_at_start();
    check.range(key + "start_of_day_s", m.start_of_day_s(), 0, flow::kDay, " s");
    plan->start_of_day = m.start_of_day_s();
    check.range(key + "groups.share", m.groups().share(), 0, 1);
    plan->groups.share = m.groups().share();
    if (m.groups().sizes().empty()) return;
    const std::string field = key + "groups.sizes";
    auto& sizes = plan->groups.sizes;
    if (!check.count(field, std::size_t(m.groups().sizes_size()), sizes.size())) return;
    double sum = 0;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      sizes[i] = m.groups().sizes(int(i));
      check.range(schema::indexed(field, i), sizes[i], 0, kMaxWeight);
      sum += sizes[i];
    }
    if (sum == 0) check.fail(field, "all 0", "one or more above 0");
  }

  void panics(const v1::CrowdFlow& m) {
    few(key + "panics", m.panics_size(), 0, kMaxPanics);
    for (int i = 0; i < m.panics_size() && check.ok(); ++i) {
      const std::string field = schema::indexed(key + "panics", std::size_t(i));
      const v1::CrowdFlow::Panic& p = m.panics(i);
      check.range(field + ".at_s", p.at_s(), 0, flow::kDay, " s");
      check.range(field + ".radius_m", p.radius_m(), 0.5, 500, " m");
      check.range(field + ".duration_s", p.duration_s(), 1, 3600, " s");
      plan->panics.push_back(
          {p.at_s(), point(field + ".center_m", p.center_m()), p.radius_m(), p.duration_s()});
    }
  }

  void gatherings(const v1::CrowdFlow& m) {
    few(key + "gatherings", m.gatherings_size(), 0, kMaxGatherings);
    for (int i = 0; i < m.gatherings_size() && check.ok(); ++i) {
      const std::string field = schema::indexed(key + "gatherings", std::size_t(i));
      const v1::CrowdFlow::Gathering& g = m.gatherings(i);
      check.range(field + ".radius_m", g.radius_m(), 0.5, 50, " m");
      check.range(field + ".people", g.people(), 1, kMaxGathered);
      plan->gatherings.push_back(
          {point(field + ".center_m", g.center_m()), g.radius_m(), g.people()});
    }
  }

  /// The first entrance from which no exit is reached, and the first thing that nobody reaches.
  void reached() {
    const auto unreached = flow::Flow(plan, *routes).unreached();
    const std::size_t entrances = plan->entrances.size();
    const auto count = [&](auto&& what) {
      return std::size_t(std::count_if(unreached.begin(), unreached.end(), what));
    };
    const std::string allowed = "a place to which a route leads from an entrance";
    for (const flow::Flow::Unreached& u : unreached) {
      const auto from_here = [&](const auto& other) {
        return other.entrance == u.entrance && other.to.target == flow::Target::kExit;
      };
      if (entrances > 1 && count(from_here) == plan->exits.size()) {
        check.fail(schema::indexed(key + "entrances", u.entrance) + ".area.center_m",
                   point_text(plan->entrances[u.entrance].area.center),
                   "a place from which a route leads to an exit",
                   "is walled in: nobody gets from it to an exit");
        return;
      }
      if (count([&](const auto& other) { return other.to == u.to; }) < entrances) continue;
      const std::string message = "is walled off: nobody reaches it from an entrance";
      const std::uint32_t i = u.to.index;
      if (u.to.target == flow::Target::kExit) {
        check.fail(schema::indexed(key + "exits", i) + ".area.center_m",
                   point_text(plan->exits[i].area.center), allowed, message);
      } else if (u.to.target == flow::Target::kPlace) {
        check.fail(schema::indexed(key + "places", i) + ".center_m",
                   point_text(plan->places[i].spots[0].at), allowed, message);
      } else {
        check.fail(schema::indexed(key + "queues", i) + ".counter_m",
                   point_text(plan->queues[i].slots[0].at), allowed, message);
      }
      return;
    }
  }
};

}  // namespace

CrowdFlow crowd_from(const v1::CrowdFlow& message, std::span<const behaviour::Obstacle> obstacles,
                     std::uint64_t seed, const std::string& key, schema::Checker& check) {
  CrowdReader read{key, check};
  read.plan->seed = seed;
  read.obstacles.assign(obstacles.begin(), obstacles.end());
  read.walls(message);
  if (check.ok()) read.doors(message);
  if (check.ok()) read.stops(message);
  if (check.ok()) read.people(message);
  if (check.ok()) read.panics(message);
  if (check.ok()) read.gatherings(message);
  if (check.ok()) read.reached();
  if (!check.ok()) return {};
  return {read.plan, std::move(read.obstacles), std::move(read.routes)};
}

void find_all_ways(CrowdFlow& crowd) {
  if (!crowd.plan) return;
  auto routes = std::make_shared<route::Routes>(*crowd.routes);
  flow::Flow(crowd.plan, *routes).find_all_ways();
  crowd.routes = std::move(routes);
}

}  // namespace promenade::world
