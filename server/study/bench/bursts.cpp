// Worst cases of a crowd: all pushed in one tick, all starting at once, and the largest crowd whose
// slowest ticks are fast enough.
#include <algorithm>

#include "study/bench/plan.h"
#include "study/bench/rig.h"

namespace promenade::study {
namespace {

constexpr double kFrame = 1e3 / 60;  // ms, of a tick by the wall clock

void push_all(BenchRig& rig, double force) {
  int i = 0;
  const auto snapshot = rig.room().snapshot();  // kept: a loop does not keep what it goes through
  for (const auto& character : snapshot->characters) {
    // Half to the left, half to the right.
    rig.room().apply(world::Push{character.id, "torso", Vec3::Zero(),
                                 Vec3(0, i++ % 2 ? force : -force, 0), 0.1});
  }
}

void bench_pushed(BenchPlan& plan) {
  if (!plan.wants("walkers-pushed")) return;
  plan.now("100 walkers pushed at once");
  BenchRig rig = BenchRig::crowd(plan.library, 100, 1);
  rig.warm_up(kInStride);
  push_all(rig, 600);
  const BenchFigures f = rig.measure(2, 60);
  plan.at_least("walkers-pushed",
                formatted("100 walkers on one thread, all pushed with 600 N for 0.1 s in one tick, "
                          "the next 2 s by the wall clock: slowest ticks (p99) %.1f ms; %d fell",
                          f.tick_p99, f.falls),
                "", 1, f.real_time_factor(), "x real time");
}

void bench_starting(BenchPlan& plan) {
  if (!plan.wants("walkers-start")) return;
  plan.now("100 walkers starting at once");
  BenchRig rig = BenchRig::crowd(plan.library, 100, 1);
  const BenchFigures f = rig.measure(kInStride, 60);
  plan.at_least("walkers-start",
                formatted("100 bipeds on one thread that all start at once from standing, their "
                          "first %.0f s by the wall clock: slowest ticks (p99) %.1f ms",
                          kInStride, f.tick_p99),
                "", 1, f.real_time_factor(), "x real time");
}

/// Slowest ticks (p99, ms) of so many walkers with all threads of the plan.
double slowest(const BenchPlan& plan, int count) {
  plan.now(formatted("%d walkers, slowest ticks", count));
  BenchRig rig = BenchRig::crowd(plan.library, count, plan.threads);
  rig.warm_up(kInStride);
  return rig.measure(plan.amount(10.0, 3.0), 20).tick_p99;
}

void bench_largest(BenchPlan& plan) {
  if (!plan.wants("largest-crowd")) return;
  constexpr int kStep = 20;  // characters; smaller differences are within the noise of the machine
  int good = 0, bad = 1000;
  while (bad - good > kStep) {
    const int count = good == 0 ? 100 : (good + bad) / 2;
    (slowest(plan, count) < kFrame ? good : bad) = count;
    if (good == 0 && bad <= kStep) break;
  }
  plan.measured("largest-crowd",
                formatted("the most walkers, found by halving to %d, of whose ticks 99 of 100 take "
                          "less than 16.7 ms by the wall clock, %d threads, snapshot and encoding "
                          "included",
                          kStep, plan.threads),
                good, "characters");
}

}  // namespace

void bench_bursts(BenchPlan& plan) {
  bench_pushed(plan);
  bench_starting(plan);
  bench_largest(plan);
}

}  // namespace promenade::study
