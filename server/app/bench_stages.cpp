// Where the time of physics goes. The stages are physics' own and no part of its interface: their
// declarations are read here to time them one by one.
#include <array>
#include <chrono>
#include <memory>
#include <vector>

#include "app/bench_plan.h"
#include "physics/work.h"
#include "synthesis/rollout.h"

namespace promenade::app {
namespace {

double now_s() {
  using Clock = std::chrono::steady_clock;
  return std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
}

}  // namespace

PhysicsShares physics_shares(const Library& library, double seconds) {
  PhysicsShares out;
  physics::StepSettings settings;
  settings.dt = synthesis::kRoomStep;
  const auto steps = static_cast<int>(seconds / settings.dt);
  for (const std::string& body : library.bodies().names()) {
    const auto walker = synthesis::Walker::of(library, body, "normal");
    synthesis::Rollout start(walker, 1);
    start.walk({synthesis::fitting_speed(walker), 0});
    if (!start.run(3)) continue;
    physics::ArticulatedBody* one = &start.physics();
    control::Gbwc controller(walker.body, walker.style, walker.parameters);
    controller.reset(*one, start.intent);
    for (int i = 0; i < steps; ++i) {
      controller.update(*one, *walker.terrain, start.intent, settings.dt);
      std::array<double, 5> mark;
      mark[0] = now_s();
      physics::collide({&one, 1}, *walker.terrain);
      mark[1] = now_s();
      physics::prepare_dynamics(one->work(), settings);
      mark[2] = now_s();
      physics::solve_contacts({&one, 1}, *walker.terrain, settings);
      mark[3] = now_s();
      physics::integrate(one->work(), settings.dt);
      mark[4] = now_s();
      out.collision += mark[1] - mark[0];
      out.dynamics += mark[2] - mark[1] + (mark[4] - mark[3]);
      out.solve += mark[3] - mark[2];
    }
  }
  const double all = out.collision + out.solve + out.dynamics;
  if (all > 0) {
    out.collision /= all;
    out.solve /= all;
    out.dynamics /= all;
  }
  return out;
}

}  // namespace promenade::app
