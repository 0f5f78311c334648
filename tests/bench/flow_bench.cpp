// What a flow of thousands costs: one update of all errands in a station's hall, without moving
// anybody in physics. docs/crowds-routes.md has what was measured.
#include <benchmark/benchmark.h>

#include "behaviour/flow/disc_crowd.h"
#include "behaviour/flow/station.h"

namespace promenade::behaviour::flow {
namespace {

using namespace testing;  // NOLINT: flow::testing

struct Hall {
  std::vector<Obstacle> walls = station_walls();
  route::Routes routes{walls, {}};
  std::shared_ptr<Plan> plan;
  std::unique_ptr<Flow> flow;
  std::unique_ptr<DiscCrowd> crowd;

  explicit Hall(std::size_t people) {
    plan = station_plan(*routes.map(0.3), DayTable(1200));
    plan->most_people = people;
    flow = std::make_unique<Flow>(plan, routes);
    crowd = std::make_unique<DiscCrowd>(DiscCrowd{*flow, {}, {}});
    while (flow->people().size() < people - 2 * kMostInParty) crowd->step();
  }
  std::vector<Vec2> positions() const {
    std::vector<Vec2> out;
    for (const auto& disc : crowd->discs) out.push_back(disc.at);
    return out;
  }
};

/// 20 updates a second; people walk between them.
void update_flow(benchmark::State& state) {
  Hall hall(std::size_t(state.range(0)));
  for (auto _ : state) {
    state.PauseTiming();
    hall.crowd->step();
    const auto positions = hall.positions();
    state.ResumeTiming();
    hall.flow->update(positions, 0.05);
    state.PauseTiming();
    hall.crowd->settle();
    state.ResumeTiming();
  }
}

/// The update in which the alarm sinks in for many, who all look for an exit.
void alarm(benchmark::State& state) {
  Hall hall(std::size_t(state.range(0)));
  const auto positions = hall.positions();
  StateVisitor::Buffer saved;
  write_state(*hall.flow, saved);
  for (auto _ : state) {
    state.PauseTiming();
    Flow flow(hall.plan, hall.routes);
    StateVisitor reader = StateVisitor::reader(saved);
    flow.visit(reader);
    flow.start_panic(Vec2(0, 0), 100, 60);
    flow.update(positions, 0.05);
    state.ResumeTiming();
    flow.update(positions, 2);
  }
}

BENCHMARK(update_flow)->Arg(1000)->Arg(3000)->Unit(benchmark::kMillisecond);
BENCHMARK(alarm)->Arg(1000)->Arg(3000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace promenade::behaviour::flow

BENCHMARK_MAIN();
