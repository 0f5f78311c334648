// Routes among obstacles: building a map, growing a tree for a goal, and the questions of walkers.
// docs/crowds-routes.md has what was measured.
#include <benchmark/benchmark.h>

#include <cmath>

#include "behaviour/route/route_search.h"
#include "behaviour/route/route_tree.h"
#include "math/random.h"
#include "math/rotation.h"

namespace promenade::behaviour::route {
namespace {

constexpr double kRadius = 0.3;  // m

/// A town: rectangles of 0.5 to 4 m at random, a fifth of the ground under them.
std::vector<Obstacle> town(std::int64_t count) {
  const double half = 0.5 * std::sqrt(double(count) * 5.06 / 0.2);
  Random random(1);
  std::vector<Obstacle> out(static_cast<std::size_t>(count));
  for (Obstacle& o : out) {
    o.center = Vec2(random.uniform(-half, half), random.uniform(-half, half));
    o.half = Vec2(random.uniform(0.25, 2), random.uniform(0.25, 2));
    o.yaw = random.uniform(-kPi, kPi);
  }
  return out;
}

/// Free places all over the town.
std::vector<Vec2> places(const RouteMap& map, std::int64_t obstacles) {
  const double half = 0.5 * std::sqrt(double(obstacles) * 5.06 / 0.2);
  Random random(2);
  std::vector<Vec2> out;
  while (out.size() < 256) {
    const Vec2 p(random.uniform(-half, half), random.uniform(-half, half));
    if (map.free(p)) out.push_back(p);
  }
  return out;
}

void build_map(benchmark::State& state) {
  const auto obstacles = town(state.range(0));
  std::size_t corners = 0, edges = 0;
  for (auto _ : state) {
    const RouteMap map(obstacles, kRadius);
    corners = map.corners().size();
    edges = map.edge_count();
  }
  state.counters["corners"] = double(corners);
  state.counters["edges"] = double(edges);
}

void grow_tree(benchmark::State& state) {
  const auto map = std::make_shared<const RouteMap>(town(state.range(0)), kRadius);
  const auto goals = places(*map, state.range(0));
  std::size_t i = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(RouteTree(map, goals[i++ % goals.size()]).left_at(0));
  }
}

void first_look(benchmark::State& state) {
  const auto map = std::make_shared<const RouteMap>(town(state.range(0)), kRadius);
  const auto from = places(*map, state.range(0));
  const RouteTree tree(map, from[0]);
  std::size_t i = 0;
  for (auto _ : state) benchmark::DoNotOptimize(tree.leg_from(from[i++ % from.size()]));
}

void search_alone(benchmark::State& state) {
  const RouteMap map(town(state.range(0)), kRadius);
  const auto from = places(map, state.range(0));
  std::size_t i = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(find_route(map, from[i % from.size()], from[(i + 100) % from.size()]));
    ++i;
  }
}

/// 5,000 walkers to 20 goals, 20 times a second at 1.3 m/s; one iteration is one tick of all.
void crowd_tick(benchmark::State& state) {
  constexpr std::size_t kWalkers = 5000, kGoals = 20;
  const auto map = std::make_shared<const RouteMap>(town(state.range(0)), kRadius);
  const auto from = places(*map, state.range(0));
  std::vector<RouteTree> trees;
  for (std::size_t i = 0; i < kGoals; ++i) trees.emplace_back(map, from[i]);
  struct Walker {
    Vec2 at;
    std::size_t goal;
    Progress progress;
  };
  std::vector<Walker> walkers;
  for (std::size_t i = 0; i < kWalkers; ++i)
    walkers.push_back({from[i % from.size()], i % kGoals, {}});
  for (auto _ : state) {
    for (Walker& w : walkers) {
      const Leg leg = trees[w.goal].advance(w.at, w.progress);
      const Vec2 way = leg.aim - w.at;
      const double length = way.norm();
      if (leg.to_goal && length < 0.1) {
        w.goal = (w.goal + 7) % kGoals;
        w.progress = {};
      } else if (length > 0) {
        w.at += way * (std::min(length, 1.3 * 0.05) / length);
      }
    }
  }
}

BENCHMARK(build_map)->Arg(0)->Arg(20)->Arg(100)->Arg(500)->Unit(benchmark::kMillisecond);
BENCHMARK(grow_tree)->Arg(20)->Arg(100)->Arg(500)->Unit(benchmark::kMicrosecond);
BENCHMARK(first_look)->Arg(20)->Arg(100)->Arg(500)->Unit(benchmark::kMicrosecond);
BENCHMARK(search_alone)->Arg(20)->Arg(100)->Arg(500)->Unit(benchmark::kMicrosecond);
BENCHMARK(crowd_tick)->Arg(20)->Arg(100)->Arg(500)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace promenade::behaviour::route

BENCHMARK_MAIN();
