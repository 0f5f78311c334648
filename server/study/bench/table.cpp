// The square, and crowds of growing size: real-time factor and times of the parts.
#include <algorithm>
#include <iterator>

#include "study/bench/plan.h"
#include "study/bench/rig.h"

namespace promenade::study {
namespace {

constexpr int kCounts[] = {1, 10, 50, 100, 200, 500};
constexpr int kCarriedByCore = 100;  // characters in real time, as `walkers-a-core` asks
constexpr double kBytesAsked = 64;   // bytes of a character in a frame, at most

}  // namespace

void bench_square(BenchPlan& plan) {
  if (!plan.wants_any({"square-real-time", "bytes-character-frame", "characters-a-core", "tick-p50",
                       "tick-p99", "cpu-behaviour", "cpu-control", "cpu-physics", "cpu-snapshot",
                       "cpu-encode"})) {
    return;
  }
  plan.now("square");
  BenchRig rig(plan.library, "square", plan.threads);
  rig.warm_up(2);
  const BenchFigures square = rig.measure(plan.amount(20.0, 3.0), plan.amount(20.0, 4.0));
  plan.at_least("square-real-time",
                formatted("square, %d characters, %d threads, one viewer at 30 Hz",
                          square.characters, square.threads),
                "16 dancers, 10 times slower than real time (Coros2010)", 1,
                square.real_time_factor(), "x real time");
  plan.at_most("bytes-character-frame",
               formatted("square, mean %.1f; the largest frame over its characters",
                         square.bytes_per_character_frame),
               "", kBytesAsked, double(square.largest_frame) / std::max(1, square.characters), "B");
  plan.measured("characters-a-core", "square, all parts together, in real time, by CPU time",
                square.characters_a_core(), "characters");
  plan.measured("tick-p50", "square, wall clock of a tick of 1/60 s", square.tick_p50, "ms");
  plan.measured("tick-p99", "square, wall clock of a tick of 1/60 s", square.tick_p99, "ms");
  const struct {
    const char* name;
    double seconds;
  } parts[] = {{"behaviour", square.behaviour},
               {"control", square.control},
               {"physics", square.physics},
               {"snapshot", square.snapshot},
               {"encode", square.encode}};
  for (const auto& part : parts) {
    plan.measured(std::string("cpu-") + part.name,
                  formatted("square, CPU a character-second; %.0f %% of all",
                            100 * square.share(part.seconds)),
                  square.us_a_character_second(part.seconds), "us");
  }
}

void bench_table(BenchPlan& plan) {
  const auto id_of = [](int count) { return formatted("crowd-%d", count); };
  if (std::none_of(std::begin(kCounts), std::end(kCounts),
                   [&](int count) { return plan.wants(id_of(count)); })) {
    return;
  }
  plan.now("stages of physics");
  const PhysicsShares of = physics_shares(*plan.library, plan.amount(4.0, 1.0));
  TextTable table({"characters", "threads", "x real time", "a core", "p50 ms", "p99 ms",
                   "behaviour %", "control %", "collision %", "solve %", "dynamics %", "snapshot %",
                   "encode %", "B/char-frame", "walking %", "falls"});
  for (const int count : kCounts) {
    plan.now(formatted("%d characters", count));
    BenchRig rig = BenchRig::crowd(plan.library, count, plan.threads);
    rig.warm_up(kInStride);
    const BenchFigures f = rig.measure(plan.amount(20.0, 3.0), plan.amount(10.0, 2.0));
    const double physics = 100 * f.share(f.physics);
    table.add(
        {formatted("%d", f.characters), formatted("%d", f.threads),
         formatted("%.2f", f.real_time_factor()), formatted("%.0f", f.characters_a_core()),
         formatted("%.2f", f.tick_p50), formatted("%.2f", f.tick_p99),
         formatted("%.1f", 100 * f.share(f.behaviour)), formatted("%.1f", 100 * f.share(f.control)),
         formatted("%.1f", physics * of.collision), formatted("%.1f", physics * of.solve),
         formatted("%.1f", physics * of.dynamics), formatted("%.1f", 100 * f.share(f.snapshot)),
         formatted("%.1f", 100 * f.share(f.encode)), formatted("%.1f", f.bytes_per_character_frame),
         formatted("%.0f", 100 * f.walking), formatted("%d", f.falls)});
    const std::string claim = formatted(
        "%d walking on level ground, %d threads, a frame 30 times a second", count, plan.threads);
    if (count <= kCarriedByCore * plan.threads) {
      plan.at_least(id_of(count), claim, "", 1, f.real_time_factor(), "x real time");
    } else {
      plan.measured(id_of(count),
                    claim + "; a measurement, as it is more than is asked of so many threads",
                    f.real_time_factor(), "x real time");
    }
  }
  plan.notes +=
      "Crowds on level ground; collision, solve and dynamics by their shares in physics, "
      "measured one by one:\n" +
      table.text() + "\n";
}

}  // namespace promenade::study
