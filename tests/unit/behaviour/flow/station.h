#pragma once

#include <memory>

#include "behaviour/flow/flow.h"
#include "math/rotation.h"

namespace promenade::behaviour::flow::testing {

/// A station's hall of 60 by 40 m: outer walls with a door in the middle of each, two walls across
/// it with gaps, pillars, two counters, benches, and a clock to look at. Doors are entrance and
/// exit.
inline std::vector<Obstacle> station_walls() {
  std::vector<Obstacle> out;
  for (const int side : {1, -1}) {
    for (const int half : {1, -1}) {
      out.push_back({Vec2(16.5 * half, 20. * side), Vec2(13.5, 0.15), 0});  // doors of 6 m
      out.push_back({Vec2(30. * side, 11.5 * half), Vec2(0.15, 8.5), 0});
      out.push_back({Vec2(10. * side, 13. * half), Vec2(0.15, 4), 0});  // walls across
    }
    for (int i = -2; i <= 2; ++i) {
      out.push_back({Vec2(10. * i, 6. * side), Vec2(0.4, 0.4), kPi / 4});  // pillars
    }
    out.push_back({Vec2(20. * side, 15), Vec2(2, 0.5), 0});  // counters
  }
  return out;
}

inline std::shared_ptr<Plan> station_plan(const route::RouteMap& map, DayTable rate) {
  auto plan = std::make_shared<Plan>();
  const std::array<Vec2, 4> doors = {Vec2(30, 0), Vec2(0, 20), Vec2(-30, 0), Vec2(0, -20)};
  for (std::size_t i = 0; i < 4; ++i) {
    const double in = wrap_angle(double(i) * kPi / 2 + kPi);
    const Vec2 outward = rotated(Vec2(1, 0), in + kPi);
    const std::string name = "door " + std::to_string(i + 1);
    plan->entrances.push_back({name, {doors[i] + outward * 3, Vec2(0.8, 2), in}, in, rate});
    plan->exits.push_back({name, {doors[i] + outward * 2, Vec2(0.5, 2.5), in}, 1});
  }
  for (const int side : {1, -1}) {
    const Spot counter{Vec2(20. * side, 13.8), kPi / 2};
    Queue queue{"tickets", lay_out_line(map, counter, 0.8, 30), {}, 4, 0.5, 1};
    queue.aside = spots_aside(map, queue.slots);
    plan->queues.push_back(queue);
    plan->places.push_back(
        {"bench", spots_in_row(map, {Vec2(20. * side, -15), kPi / 2}, 0.6, 12), 5, 30, 1});
  }
  plan->places.push_back({"clock", spots_around(map, Vec2(0, 0), 2.5, 12), 3, 10, 1});
  plan->groups.share = 0.5;
  plan->most_stops = 2;
  plan->seed = 7;
  return plan;
}

}  // namespace promenade::behaviour::flow::testing
