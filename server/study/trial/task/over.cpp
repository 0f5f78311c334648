#include "study/trial/task/over.h"

#include <algorithm>

namespace promenade::trial {

std::shared_ptr<const physics::Ground> bars_across(const std::vector<Bar>& bars) {
  constexpr double kHalfWidth = 3;  // m
  std::vector<physics::GroundBlock> blocks;
  for (const Bar& bar : bars) {
    physics::GroundBlock block;
    block.half = Vec3(0.5 * bar.depth, kHalfWidth, 0.5 * (bar.top - bar.bottom));
    block.pose.position = Vec3(bar.near + 0.5 * bar.depth, 0, 0.5 * (bar.top + bar.bottom));
    blocks.push_back(block);
  }
  return std::make_shared<const physics::Ground>(std::move(blocks));
}

std::shared_ptr<const physics::Ground> flights_up_and_down(double rise, double tread, int steps,
                                                           int flights, double edge) {
  constexpr double kLanding = 1.2;  // m, level, behind each flight
  std::vector<Bar> bars;
  const auto step = [&](double from, double depth, double height) {
    if (height > 0) bars.push_back({from, depth, 0, height});
  };
  double at = edge, height = 0;
  for (const double way : {1.0, -1.0}) {
    for (int flight = 0; flight < flights; ++flight) {
      for (int i = 0; i < steps; ++i) {
        height += way * rise;
        const double depth = i + 1 < steps ? tread : kLanding;
        step(at, depth, height);
        at += depth;
      }
    }
  }
  return bars_across(bars);
}

WayRun go_over(const Walker& walker, double speed, double past, double seconds,
               std::uint64_t seed) {
  Rollout rollout(walker, seed);
  rollout.walk({speed, 0});
  WayRun run;
  const auto& links = walker.body->model->links;
  rollout.observer = [&](const Rollout& r) {
    double most = 0;
    for (const physics::ContactPoint& c : r.physics().contacts()) {
      if (!links[std::size_t(c.link)].is_foot) most = std::max(most, c.force.norm());
    }
    if (most > 0) run.touched += r.dt();
    run.hit = std::max(run.hit, most);
  };
  while (rollout.time() < seconds && rollout.step()) {
    run.reached = std::max(run.reached, rollout.report().com.x());
    if (run.reached > past && run.seconds == 0) run.seconds = rollout.time();
    if (run.seconds > 0 && rollout.time() > run.seconds + 2) break;
  }
  run.up = !rollout.fallen();
  run.past = run.up && run.seconds > 0;
  return run;
}

}  // namespace promenade::trial
