// Steps of physics compared: how many pushes are survived, and how much time they take.
#include <algorithm>
#include <cmath>

#include "creature/biped/biped_names.h"
#include "study/bench/plan.h"
#include "study/bench/rig.h"
#include "study/report/coros2010/push_table.h"
#include "study/trial/rig/parallel.h"

namespace promenade::study {
namespace {

using trial::Walker;

constexpr double kShippedHz = 1 / trial::kRoomStep;

struct Variant {
  double hz;
  std::vector<std::shared_ptr<Survivors>> pushed;  // [forces]
  double a_core = 0;                               // characters, control and physics alone
};

// Characters a core with one step, of control and physics alone, without a room.
double rollouts_a_core(const Library& library, double step, double seconds) {
  double simulated = 0, cpu = 0;
  for (const std::string& body : biped_names(library.bodies())) {
    Walker walker = Walker::of(library, body, "normal");
    walker.step = step;
    trial::Rollout rollout(walker, 1);
    rollout.walk({trial::fitting_speed(walker), 0});
    if (!rollout.run(3)) continue;
    const double start = thread_cpu_s(), from = rollout.time();
    rollout.run(seconds);
    cpu += thread_cpu_s() - start;
    simulated += rollout.time() - from;
  }
  return cpu > 0 ? simulated / cpu : 0;
}

std::string id_of(double hz) { return formatted("steps-%.0f-hz", hz); }

// Adds the row that compares the push table of the shipped step with that of a fine one.
void compare(BenchPlan& plan, const Variant& shipped, const Variant& fine, int phases) {
  double worst = 0, worst_cell = 0;
  int beyond = 0;
  for (std::size_t f = 0; f < std::size(kTableForces); ++f) {
    const Survivors &a = *shipped.pushed[f], &b = *fine.pushed[f];
    worst = std::max(worst, std::abs(a.up_rate() - b.up_rate()));
    for (int d = 0; d < kPushDirections; ++d) {
      const double apart = 100.0 * std::abs(a.in(d)-b.in(d)) / phases;
      worst_cell = std::max(worst_cell, apart);
      beyond += apart > 5;
    }
  }
  plan.at_most("push-table-step",
               formatted("push table at the shipped step against 0.5 ms: greatest difference of a "
                         "force, 16 directions x %d phases each; single directions differ by up "
                         "to %.0f, %d of 96 by more than 5",
                         phases, worst_cell, beyond),
               "", 5, worst, "points");
}

}  // namespace

void bench_steps(BenchPlan& plan) {
  // The other steps only if they are asked for by name, as they take as long again.
  const bool table = plan.wants("push-table-step"), named = !plan.only.empty();
  const int phases = plan.amount(20, 10);
  ReportOptions amounts;
  ReportPlan pushes(plan.library, amounts);
  std::vector<Variant> variants;
  for (const double hz : {240.0, kShippedHz, 960.0, kFineHz}) {
    const bool compared = table && (hz == kShippedHz || hz == kFineHz);
    if (compared || (named && plan.wants(id_of(hz)))) variants.push_back({hz, {}});
  }
  if (variants.empty()) return;
  for (Variant& one : variants) {
    Walker walker = Walker::of(*plan.library, "human", "normal");
    walker.step = 1 / one.hz;
    plan.now(formatted("characters a core at 1/%.0f s", one.hz));
    one.a_core = rollouts_a_core(*plan.library, walker.step, plan.amount(4.0, 1.0));
    for (const double force : kTableForces) {
      one.pushed.push_back(plan_survivors(pushes, walker, force, phases));
    }
  }
  trial::run_parallel(
      int(pushes.jobs.size()), 0, [&](int i) { pushes.jobs[std::size_t(i)].job(); },
      [&](int done) {
        plan.now(
            formatted("pushes at %zu steps, %d of %zu", variants.size(), done, pushes.jobs.size()));
      });

  TextTable text(
      {"step s", "200 N", "400 N", "600 N", "800 N", "1000 N", "1200 N", "characters a core"});
  const Variant* shipped = nullptr;
  const Variant* fine = nullptr;
  for (const Variant& one : variants) {
    if (one.hz == kShippedHz) shipped = &one;
    if (one.hz == kFineHz) fine = &one;
    std::vector<std::string> cells{formatted("1/%.0f", one.hz)};
    for (const auto& force : one.pushed) cells.push_back(formatted("%.1f", force->up_rate()));
    cells.push_back(formatted("%.0f", one.a_core));
    text.add(std::move(cells));
  }
  plan.notes += formatted(
      "Up after a push, %% of %d in 16 directions, by step of physics, with decisions of the "
      "controller 480 times a second at most; characters a core of those two alone:\n%s\n",
      16 * phases, text.text().c_str());
  if (table) compare(plan, *shipped, *fine, phases);
  if (!named) return;
  for (const Variant& one : variants) {
    plan.measured(id_of(one.hz),
                  formatted("characters a core at 1/%.0f s, control and physics alone; up after "
                            "600 N: %.1f %%",
                            one.hz, one.pushed[2]->up_rate()),
                  one.a_core, "characters");
  }
}

}  // namespace promenade::study
