// Times of the stages of physics. They are not part of its interface; this file includes private
// headers of physics/ to time them one by one.
#include <array>
#include <memory>
#include <utility>
#include <vector>

#include "creature/biped/biped_names.h"
#include "physics/dynamics/work.h"
#include "study/bench/plan.h"
#include "study/bench/rig.h"
#include "study/trial/rig/rollout.h"

namespace promenade::study {

PhysicsShares physics_shares(const Library& library, double seconds) {
  PhysicsShares out;
  physics::StepSettings settings;
  settings.dt = trial::kRoomStep;
  physics::Workspace workspace;
  const auto steps = static_cast<int>(seconds / settings.dt);
  for (const std::string& name : biped_names(library.bodies())) {
    const auto walker = trial::Walker::of(library, name, "normal");
    // Side by side, as a room steps them.
    std::vector<std::unique_ptr<trial::Rollout>> starts;
    std::vector<physics::ArticulatedBody*> bodies;
    std::vector<std::unique_ptr<control::Controller>> controllers;
    for (int i = 0; i < physics::kSideBySide; ++i) {
      auto start = std::make_unique<trial::Rollout>(walker, std::uint64_t(1 + i));
      start->walk({trial::fitting_speed(walker), 0});
      if (!start->run(3)) continue;
      bodies.push_back(&start->physics());
      controllers.push_back(walker.make_controller());
      controllers.back()->reset(*bodies.back(), start->goal);
      starts.push_back(std::move(start));
    }
    for (int i = 0; i < steps; ++i) {
      for (std::size_t k = 0; k < bodies.size(); ++k) {
        controllers[k]->update(*bodies[k], *walker.ground, starts[k]->goal, settings.dt);
      }
      std::array<double, 5> mark;
      mark[0] = wall_s();
      for (auto& body : bodies) {
        physics::collide({&body, 1}, {}, *walker.ground, settings.time, workspace);
      }
      mark[1] = wall_s();
      physics::prepare_dynamics(bodies, settings, workspace);
      mark[2] = wall_s();
      for (auto& body : bodies) {
        physics::solve_constraints({&body, 1}, {}, settings, workspace);
      }
      mark[3] = wall_s();
      physics::integrate(bodies, settings.dt, workspace);
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

}  // namespace promenade::study
