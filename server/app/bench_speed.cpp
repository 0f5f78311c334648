// How many, how evenly, how much more with two threads.
#include <algorithm>

#include "app/bench_plan.h"
#include "app/bench_rig.h"
#include "synthesis/crowd.h"
#include "synthesis/dancers.h"

namespace promenade::app {
namespace {

BenchRig warm_crowd(const BenchPlan& plan, int count, int threads) {
  BenchRig rig = BenchRig::crowd(plan.library, count, threads);
  rig.warm_up(2);
  return rig;
}

}  // namespace

void bench_walkers(BenchPlan& plan) {
  if (!plan.wants_any({"walkers-a-core", "tick-p99-over-p50"})) return;
  plan.now("100 walkers on a core");
  BenchRig rig = BenchRig::crowd(plan.library, 100, 1);
  rig.warm_up(3);
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
  const synthesis::DancersRun run =
      synthesis::run_dancers(plan.library, "dancers", plan.amount(20.0, 5.0), 0);
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
  if (plan.wants("two-threads")) {
    plan.now("two threads over one");
    BenchRig one = warm_crowd(plan, 100, 1), two = warm_crowd(plan, 100, 2);
    // Short turns, and many: some meet nobody else on either core.
    const auto [of_one, of_two] = times_in_turn({one, 4}, {two, 4}, 3 * rounds, false, 5);
    // What can be shared out, and what one thread does alone: a busy machine does not change it.
    const BenchFigures f = one.measure(plan.amount(2.0, 0.5), 10);
    const double alone = f.share(f.behaviour) + f.share(f.encode);
    plan.at_least("two-threads",
                  formatted("100 walkers, wall clock of 4 ticks with 1 thread over that with 2, in "
                            "turn, fifth percentiles of %d; behaviour and encoding, %.1f %% of the "
                            "work, are not shared out, which alone allows %.2f",
                            3 * rounds, 100 * alone, 2 / (1 + alone)),
                  "", 1.8, of_one / of_two, "times");
  }
  if (plan.wants("cost-500-over-10")) {
    plan.now("500 characters over 10");
    BenchRig many = warm_crowd(plan, 500, 1), few = warm_crowd(plan, 10, 1);
    constexpr int kCharacterTicks = 1000;  // in a turn of either
    const auto [of_many, of_few] =
        times_in_turn({many, kCharacterTicks / 500}, {few, kCharacterTicks / 10}, rounds, true, 25);
    plan.at_most("cost-500-over-10",
                 formatted("CPU time of a character's tick among 500 (%.0f us) over one among 10 "
                           "(%.0f us), in turn, lower quartiles of %d",
                           1e6 * of_many / kCharacterTicks, 1e6 * of_few / kCharacterTicks, rounds),
                 "", 1.15, of_many / of_few, "times");
  }
}

void bench_one(BenchPlan& plan) {
  if (!plan.wants("run-one")) return;
  plan.now("one, 60 s");
  double best = 0, cpu = 0;
  for (int i = 0; i < plan.amount(3, 1); ++i) {
    const double start = process_cpu_s();
    best = std::max(best, synthesis::run_crowd(plan.library, "one", 60, 1, 0).real_time_factor);
    cpu = std::max(cpu, 60 / (process_cpu_s() - start));
  }
  plan.at_least("run-one",
                formatted("60 s of scene one as `run one --seconds 60` runs it on one thread, best "
                          "of %d by CPU time; by the wall clock %.0f",
                          plan.amount(3, 1), best),
                "", 100, cpu, "x real time");
}

}  // namespace promenade::app
