// The parts of a tick of one walking human, one at a time: `promenade bench` measures them
// together.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <stdexcept>

#include "control/leg_ik.h"
#include "creature/biped/biped_state.h"
#include "physics/dynamics/work.h"
#include "stream/frame.h"
#include "study/trial/rig/rollout.h"
#include "support/paths.h"
#include "world/room/room.h"

namespace promenade {
namespace {

using trial::Rollout;
using trial::Walker;

const std::shared_ptr<const Library>& shipped() {
  static const std::shared_ptr<const Library> library = [] {
    auto loaded = Library::load(test::data_dir());
    if (!loaded) throw std::runtime_error(loaded.error().text());
    return std::move(loaded).value();
  }();
  return library;
}

/// Control and physics together: what a character costs a step, by steps a second. Walks on, so
/// that no phase of the step is favoured.
void walk(benchmark::State& state) {
  Walker walker = Walker::of(*shipped(), "human", "normal");
  walker.step = 1.0 / double(state.range(0));
  Rollout rollout(walker, 1);
  rollout.walk({0.8, 0});
  rollout.run(3);
  for (auto _ : state) {
    if (!rollout.step()) {
      state.SkipWithError("fell");
      break;
    }
  }
  state.counters["characters_a_core"] =
      benchmark::Counter(walker.step * double(state.iterations()), benchmark::Counter::kIsRate);
}
BENCHMARK(walk)->ArgName("hz")->Arg(240)->Arg(480)->Arg(960)->Arg(2000);

/// A stage of physics over and over on one moment of a walk. Those before it have run.
enum Stage : std::int64_t { kCollide, kPrepare, kSolve };
void stage(benchmark::State& state) {
  Rollout rollout(Walker::of(*shipped(), "human", "normal"), 1);
  rollout.walk({0.8, 0});
  rollout.run(3);
  physics::ArticulatedBody* body = &rollout.physics();
  const physics::StepSettings settings;
  physics::Workspace workspace;
  physics::collide({&body, 1}, {}, rollout.ground(), 0, workspace);
  physics::prepare_dynamics({&body, 1}, settings, workspace);
  // Warm starts from the same impulses every time, as the step had them.
  const auto memory = body->work().memory;
  for (auto _ : state) {
    switch (state.range(0)) {
      case kCollide:
        physics::collide({&body, 1}, {}, rollout.ground(), 0, workspace);
        break;
      case kPrepare:
        physics::prepare_dynamics({&body, 1}, settings, workspace);
        break;
      default:
        body->work().memory = memory;
        physics::solve_constraints({&body, 1}, {}, settings, workspace);
        break;
    }
  }
  state.SetLabel(state.range(0) == kCollide   ? "collision on level ground"
                 : state.range(0) == kPrepare ? "mass matrix, servos, factors"
                                              : "contact solver");
}
BENCHMARK(stage)->ArgName("stage")->Arg(kCollide)->Arg(kPrepare)->Arg(kSolve);

/// A tick of 1/60 s of a scene, on one thread.
void tick(benchmark::State& state, const char* scene) {
  world::RoomSettings settings;
  settings.scene = scene;
  world::Room room(shipped(), settings);
  for (int i = 0; i < 180; ++i) room.tick();
  for (auto _ : state) room.tick();
  state.counters["characters_a_core"] = benchmark::Counter(
      room.tick_seconds() * double(room.character_count()) * double(state.iterations()),
      benchmark::Counter::kIsRate);
}
BENCHMARK_CAPTURE(tick, one, "one")->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(tick, dancers, "dancers")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(tick, hundred, "hundred")->Unit(benchmark::kMillisecond);

/// The controller alone, over and over from one moment of a step.
void control(benchmark::State& state) {
  const Walker walker = Walker::of(*shipped(), "human", "normal");
  Rollout rollout(walker, 1);
  rollout.walk({0.8, 0});
  rollout.run(3);
  const auto controller = walker.make_controller();
  control::Goal goal = rollout.goal;
  controller->reset(rollout.physics(), goal);
  for (auto _ : state) {
    controller->update(rollout.physics(), *walker.ground, goal, Rollout::kStep);
  }
}
BENCHMARK(control);

/// A rollout that begins where another one is, in the middle of a walk.
void rollout_start(benchmark::State& state) {
  const Walker walker = Walker::of(*shipped(), "human", "normal");
  Rollout walking(walker, 1), planned(walker, 1);
  walking.walk({0.8, 0});
  walking.run(3);
  for (auto _ : state) planned.start_from(walking);
}
BENCHMARK(rollout_start)->Unit(benchmark::kMicrosecond);

void observe_state(benchmark::State& state) {
  Rollout rollout(Walker::of(*shipped(), "human", "normal"), 1);
  rollout.walk({0.8, 0});
  rollout.run(3);
  for (auto _ : state) benchmark::DoNotOptimize(observe(rollout.biped(), rollout.physics()));
}
BENCHMARK(observe_state);

void leg_ik(benchmark::State& state) {
  const Vec3 hip(0, 0.08, 0.95);
  Vec3 ankle(0.2, 0.1, 0.15);
  for (auto _ : state) {
    benchmark::DoNotOptimize(ankle);
    benchmark::DoNotOptimize(control::solve_leg(hip, ankle, 0.40, 0.46, Vec3::UnitY(), 0.1));
  }
}
BENCHMARK(leg_ik);

void snapshot(benchmark::State& state) {
  world::Room room(shipped(), {});
  for (int i = 0; i < 120; ++i) room.tick();
  for (auto _ : state) benchmark::DoNotOptimize(room.snapshot());
  state.counters["characters"] = double(room.character_count());
}
BENCHMARK(snapshot);

void encode(benchmark::State& state) {
  world::Room room(shipped(), {});
  for (int i = 0; i < 120; ++i) room.tick();
  const auto shown = room.snapshot();
  stream::FrameEncoder encoder;
  std::size_t bytes = 0;
  for (auto _ : state) bytes = encoder.encode(*shown, 1).size();
  state.counters["bytes_a_character"] = double(bytes) / double(room.character_count());
}
BENCHMARK(encode);

void state_hash(benchmark::State& state) {
  world::Room room(shipped(), {});
  for (int i = 0; i < 120; ++i) room.tick();
  for (auto _ : state) benchmark::DoNotOptimize(room.state_hash());
}
BENCHMARK(state_hash);

}  // namespace
}  // namespace promenade

BENCHMARK_MAIN();
