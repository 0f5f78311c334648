// How many characters, how even the ticks, how much faster with two threads.
#include <algorithm>
#include <functional>
#include <vector>

#include "math/statistics.h"
#include "study/bench/plan.h"
#include "study/bench/rig.h"
#include "study/trial/crowd/crowd.h"
#include "study/trial/crowd/dancers.h"
#include "study/trial/rig/rollout.h"
#include "world/step/worker_pool.h"

namespace promenade::study {
namespace {

BenchRig warm_crowd(const BenchPlan& plan, int count, int threads) {
  BenchRig rig = BenchRig::crowd(plan.library, count, threads);
  rig.warm_up(kInStride);
  return rig;
}

}  // namespace

void bench_walkers(BenchPlan& plan) {
  if (!plan.wants_any({"walkers-a-core", "tick-p99-over-p50"})) return;
  plan.now("100 walkers on a core");
  BenchRig rig = BenchRig::crowd(plan.library, 100, 1);
  rig.warm_up(kInStride);
  const BenchFigures f = rig.measure(plan.amount(20.0, 4.0), plan.amount(60.0, 8.0));
  plan.at_least("walkers-a-core",
                formatted("%d bipeds walking on level ground (%.0f %% of their time, %d falls), "
                          "behaviour, control, contacts, snapshot and encoding included, by CPU "
                          "time",
                          f.characters, 100 * f.walking, f.falls),
                "10 at 0.5 ms (their program); 150 for MuJoCo's physics alone at 5 ms", 100,
                f.characters_a_core(), "characters");
  plan.at_most("tick-p99-over-p50",
               formatted("the same, CPU time of a tick: p50 %.2f, p99 %.2f ms; by the wall clock "
                         "%.2f times",
                         f.cpu_p50, f.cpu_p99, f.tick_p50 > 0 ? f.tick_p99 / f.tick_p50 : 0),
               "", 2, f.cpu_p50 > 0 ? f.cpu_p99 / f.cpu_p50 : 0, "times");
}

void bench_dancers(BenchPlan& plan) {
  if (!plan.wants("dancers-a-core")) return;
  plan.now("16 dancers");
  BenchRig rig(plan.library, "dancers", 1);
  rig.warm_up(3);
  const BenchFigures f = rig.measure(plan.amount(60.0, 10.0), plan.amount(60.0, 8.0));
  const trial::DancersRun run =
      trial::run_dancers(plan.library, "dancers", plan.amount(20.0, 5.0), 0);
  plan.at_least(
      "dancers-a-core",
      formatted("%d dancers in one small circle, by CPU time; counted in another %.0f s of them: "
                "%.0f bumps a minute, %.0f %% of the time in touch, %d falls",
                f.characters, run.seconds, 60 * run.bumps / run.seconds, 100 * run.touching,
                run.falls),
      "16, 10 times slower than real time", 60, f.characters_a_core(), "characters");
}

void bench_ratios(BenchPlan& plan) {
  const int rounds = plan.amount(60, 20);
  if (plan.wants_any({"two-threads", "two-threads-of-possible"})) {
    plan.now("two threads over one");
    constexpr int kTicks = 4;  // ticks in a turn
    BenchRig one = warm_crowd(plan, 100, 1), two = warm_crowd(plan, 100, 2);
    // The speed of two threads that share nothing, measured in the same minute.
    BenchRig halves[2] = {warm_crowd(plan, 50, 1), warm_crowd(plan, 50, 1)};
    world::WorkerPool pool(2);
    const std::vector<double> took =
        times_in_turn(std::vector<std::function<void()>>{
                          [&] { one.run(kTicks); }, [&] { two.run(kTicks); },
                          [&] {
                            for (BenchRig& half : halves) half.run(kTicks);
                          },
                          [&] { pool.run(2, [&](int half, int) { halves[half].run(kTicks); }); }},
                      3 * rounds, false, 5);
    const double gain = took[0] / took[1], possible = took[2] / took[3];
    plan.at_least(
        "two-threads",
        formatted("100 walkers, wall clock of %d ticks with 1 thread over that with 2, in "
                  "turn, fifth percentiles of %d",
                  kTicks, 3 * rounds),
        "", 1.8, gain, "times");
    plan.at_least(
        "two-threads-of-possible",
        formatted("that over what two crowds of 50 get that share nothing, a thread each, "
                  "in the same turns: %.2f; the rest is the machine's",
                  possible),
        "", 0.95, gain / possible, "times");
  }
  if (plan.wants("cost-500-over-10")) {
    plan.now("500 characters over 10");
    BenchRig many = warm_crowd(plan, 500, 1), few = warm_crowd(plan, 10, 1);
    constexpr int kCharacterTicks = 1000;  // ticks times characters in a turn of either
    const std::vector<double> took =
        times_in_turn(std::vector<std::function<void()>>{[&] { many.run(kCharacterTicks / 500); },
                                                         [&] { few.run(kCharacterTicks / 10); }},
                      rounds, true, 25);
    plan.at_most(
        "cost-500-over-10",
        formatted("CPU time of a character's tick among 500 (%.0f us) over one among 10 "
                  "(%.0f us), in turn, lower quartiles of %d",
                  1e6 * took[0] / kCharacterTicks, 1e6 * took[1] / kCharacterTicks, rounds),
        "", 1.15, took[0] / took[1], "times");
  }
}

void bench_one(BenchPlan& plan) {
  if (!plan.wants("run-one")) return;
  plan.now("one, 60 s");
  double best = 0, cpu = 0;
  for (int i = 0; i < plan.amount(10, 5); ++i) {
    const double start = process_cpu_s();
    best = std::max(best, trial::run_crowd(plan.library, "one", 60, 1, 0).real_time_factor);
    cpu = std::max(cpu, 60 / (process_cpu_s() - start));
  }
  plan.at_least("run-one",
                formatted("60 s of scene one as `run one --seconds 60` runs it on one thread, best "
                          "of %d by CPU time; by the wall clock %.0f",
                          plan.amount(10, 5), best),
                "", 100, cpu, "x real time");
}

void bench_restart(BenchPlan& plan) {
  if (!plan.wants("rollout-start")) return;
  plan.now("starting rollouts");
  const int starts = plan.amount(5000, 1000);
  constexpr int kSteps = 16;  // of physics between two starts: other data fills the caches
  const auto median_us = [&](const trial::Walker& walker, double speed) {
    trial::Rollout present(walker, 1), planned(walker, 2);
    if (speed > 0) present.walk({speed, 0});
    present.run(3);
    RecentValues took(static_cast<std::size_t>(starts));
    for (int i = 0; i < starts; ++i) {
      const double start = wall_s();
      planned.start_from(present);
      took.add(1e6 * (wall_s() - start));
      for (int k = 0; k < kSteps; ++k) planned.step();
      present.step();
    }
    return took.median();
  };
  const double human = median_us(trial::Walker::of(*plan.library, "human", "normal"), 0.8);
  const double cat = median_us(trial::Walker::unstyled(*plan.library, "cat", "hold"), 0);
  plan.at_most("rollout-start",
               formatted("a rollout begun anew from the present state of a walking human, by the "
                         "wall clock, median of %d; of a cat that holds its pose %.1f us",
                         starts, cat),
               "", 20, human, "us");
}

}  // namespace promenade::study
