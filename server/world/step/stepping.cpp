#include "world/step/stepping.h"

#include <algorithm>
#include <cmath>

#include "world/step/wall_clock.h"

namespace promenade::world {
namespace {

bool drives_finite(physics::ArticulatedBody& body) {
  double sum = 0;
  for (const physics::JointDrive& d : body.drives()) {
    sum += d.target.coeffs().sum() + d.target_angle.sum() + d.target_velocity.sum() + d.kp.sum() +
           d.kd.sum() + d.feedforward.sum();
  }
  return std::isfinite(sum);
}

/// Whether another body is in the same island. @param members  island after island
bool has_neighbour(std::span<Occupant* const> members, std::size_t i) {
  const int island = members[i]->island;
  return (i > 0 && members[i - 1]->island == island) ||
         (i + 1 < members.size() && members[i + 1]->island == island);
}

}  // namespace

void step_through_tick(std::span<Occupant* const> members, std::span<const ActiveTie> active,
                       const StepContext& tick, StepScratch& scratch) {
  auto& [alive, bodies, ends, ties, workspace, control_s, physics_s] = scratch;
  alive.assign(members.begin(), members.end());
  StepContext context = tick;
  double mark = now_s();
  for (int substep = 0; substep < context.substeps && !alive.empty(); ++substep) {
    context.settings.time = tick.settings.time + substep * tick.settings.dt;
    for (std::size_t i = 0; i < alive.size(); ++i) {
      Occupant* one = alive[i];
      one->decide(context);
      one->apply_pushes();
      // Torques that are not finite must not reach the solver, which also solves the neighbours'
      // contacts. Without neighbours it is enough that the state is looked at after the step.
      one->broke = has_neighbour(alive, i) && !drives_finite(one->physics);
    }
    std::erase_if(alive, [](const Occupant* one) { return one->broke; });
    bodies.clear();
    ends.clear();
    for (std::size_t i = 0; i < alive.size(); ++i) {
      bodies.push_back(&alive[i]->physics);
      const bool last = i + 1 == alive.size() || alive[i + 1]->island != alive[i]->island;
      if (last) ends.push_back(int(i) + 1);
    }
    ties.clear();
    for (const ActiveTie& one : active) {
      const auto is_here = [&bodies = bodies](const physics::TieEnd& end) {
        return !end.body || std::find(bodies.begin(), bodies.end(), end.body) != bodies.end();
      };
      // Ties of a body that broke in this tick no longer act.
      const bool all = alive.size() == members.size();
      if (all || (is_here(one.tie->a) && is_here(one.tie->b))) ties.push_back(one.tie);
    }
    double now = now_s();
    control_s += now - mark;
    mark = now;
    physics::step_islands(bodies, ends, *context.ground, context.settings, workspace, ties);
    now = now_s();
    physics_s += now - mark;
    mark = now;
    for (Occupant* one : alive) one->broke = !one->is_sound();
    std::erase_if(alive, [](const Occupant* one) { return one->broke; });
  }
  // Each body updates what the room reads of it. It is done here, as here the work is shared out.
  context.settings.time = tick.settings.time + tick.substeps * tick.settings.dt;
  for (Occupant* one : alive) one->settle(context);
}

}  // namespace promenade::world
