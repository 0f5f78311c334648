// Where the time of physics goes. The stages are physics' own and no part of its interface: their
// declarations are read here to time them one by one.
#include <array>
#include <memory>
#include <vector>

#include "app/bench_plan.h"
#include "app/bench_rig.h"
#include "physics/work.h"
#include "synthesis/rollout.h"

namespace promenade::app {

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
      mark[0] = wall_s();
      physics::collide({&one, 1}, *walker.terrain);
      mark[1] = wall_s();
      physics::prepare_dynamics({&one, 1}, settings);
      mark[2] = wall_s();
      physics::solve_contacts({&one, 1}, *walker.terrain, settings);
      mark[3] = wall_s();
      physics::integrate({&one, 1}, settings.dt);
      mark[4] = wall_s();
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
