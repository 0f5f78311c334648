// One human a step: our dynamics beside ODE's two solvers, from the same start with the same
// servos. docs/decisions/0001-dynamics-in-joint-coordinates.md has what was measured.
#include <benchmark/benchmark.h>

#include <array>

#include "human.h"
#include "ode_body.h"

namespace promenade::reference {
namespace {

using physics::ArticulatedBody;

enum Pose : std::int64_t { kStanding, kTumbling };

physics::ArticulationState start_of(const Creature& body, std::int64_t pose) {
  return pose == kStanding ? standing(body, 0) : tumbling(body);
}

/// Every 0.2 s back to the start, so that what is timed stays what it says.
int steps_before_reset(double dt) { return static_cast<int>(0.2 / dt); }

void report(benchmark::State& state, double dt, int bodies = 1) {
  const double steps = static_cast<double>(state.iterations()) * bodies;
  state.counters["characters_a_core"] = benchmark::Counter(dt * steps, benchmark::Counter::kIsRate);
}

void ours(benchmark::State& state, double dt) {
  const auto body = shipped_body("human");
  ArticulatedBody character(body->model);
  const physics::Ground ground;
  physics::StepSettings settings;
  settings.dt = dt;
  physics::Workspace workspace;
  const auto start = start_of(*body, state.range(0));
  set_gains(*body, 3, character.drives());
  character.set_state(start);
  int left = steps_before_reset(dt);
  ArticulatedBody* one = &character;
  for (auto _ : state) {
    physics::step_island({&one, 1}, ground, settings, workspace);
    if (--left == 0) {
      left = steps_before_reset(dt);
      character.set_state(start);
    }
  }
  report(state, dt);
}

/// Four characters side by side, close enough to be tested against each other.
void our_group(benchmark::State& state) {
  const double dt = 1.0 / 480;
  const auto body = shipped_body("human");
  const physics::Ground ground;
  physics::Workspace workspace;
  std::vector<ArticulatedBody> characters;
  std::array<ArticulatedBody*, 4> island;
  std::array<physics::ArticulationState, 4> starts;
  for (std::size_t i = 0; i < 4; ++i) {
    starts[i] = standing(*body, 0);
    starts[i].root.position.y() = 0.45 * static_cast<double>(i);
    characters.emplace_back(body->model);
    characters.back().set_state(starts[i]);
    set_gains(*body, 3, characters.back().drives());
  }
  for (std::size_t i = 0; i < 4; ++i) island[i] = &characters[i];
  int left = steps_before_reset(dt);
  for (auto _ : state) {
    physics::step_island(island, ground, physics::StepSettings{}, workspace);
    if (--left == 0) {
      left = steps_before_reset(dt);
      for (std::size_t i = 0; i < 4; ++i) characters[i].set_state(starts[i]);
    }
  }
  report(state, dt, 4);
}

void ode(benchmark::State& state, double dt, OdeBody::Solver solver) {
  const auto body = shipped_body("human");
  OdeBody character(body->model);
  ArticulatedBody placed(body->model);
  placed.set_state(start_of(*body, state.range(0)));
  // Explicit servos: gains as in the file, three times them is more than ODE's feet stand.
  set_gains(*body, 1, character.drives());
  character.set_links(placed.links());
  int left = steps_before_reset(dt);
  for (auto _ : state) {
    character.step(dt, solver);
    if (--left == 0) {
      left = steps_before_reset(dt);
      character.set_links(placed.links());
    }
  }
  state.counters["joint_gap_mm"] = 1e3 * character.joint_gap();
  report(state, dt);
}

void poses(benchmark::internal::Benchmark* b) {
  b->ArgName("tumbling")->Arg(kStanding)->Arg(kTumbling);
}

BENCHMARK_CAPTURE(ours, dt_1_480, 1.0 / 480)->Apply(poses);
BENCHMARK_CAPTURE(ours, dt_1_960, 1.0 / 960)->Apply(poses);
BENCHMARK(our_group);
BENCHMARK_CAPTURE(ode, world_step_1_ms, 1e-3, OdeBody::Solver::kDirect)->Apply(poses);
BENCHMARK_CAPTURE(ode, world_step_half_ms, 5e-4, OdeBody::Solver::kDirect)->Apply(poses);
BENCHMARK_CAPTURE(ode, quick_step_1_ms, 1e-3, OdeBody::Solver::kIterative)->Apply(poses);
BENCHMARK_CAPTURE(ode, quick_step_half_ms, 5e-4, OdeBody::Solver::kIterative)->Apply(poses);

}  // namespace
}  // namespace promenade::reference

BENCHMARK_MAIN();
