// Turns to any heading, and long times of changing commands.
#include <algorithm>
#include <cmath>
#include <memory>

#include "math/random.h"
#include "math/rotation.h"
#include "math/statistics.h"
#include "study/report/plan.h"
#include "study/trial/task/errands.h"
#include "study/trial/walk/turning.h"

namespace promenade::study {

using trial::Walker;

void plan_any_turns(ReportPlan& plan) {
  constexpr double kTolerance = 10 * kRadFromDeg, kWatch = 8;
  constexpr double kAsked = 2;                           // rad/s
  constexpr double kLong = 1, kAhead = 3 * kRadFromDeg;  // rad
  static const char* const kRows[] = {"turn-any", "turn-rate", "turn-head-leads"};
  if (std::none_of(std::begin(kRows), std::end(kRows), [&](auto id) { return plan.wants(id); })) {
    return;
  }
  struct Case {
    double speed, angle;
    trial::Turn turn;
  };
  const int count = plan.trials(100);
  auto cases = std::make_shared<std::vector<Case>>(std::size_t(count));
  const Walker human = Walker::of(*plan.library, "human", "normal");
  for (int i = 0; i < count; ++i) {
    const std::uint64_t seed = plan.seed_of("turn", i);
    Random random = Random::stream(seed, 0x7u);
    Case& one = (*cases)[std::size_t(i)];
    one.speed = random.uniform(0.3, 1.4);
    one.angle = random.uniform(-kPi, kPi);
    plan.job([=, &one] {
      one.turn = trial::turn(human, one.speed, one.angle, kTolerance, kWatch, seed);
    });
  }
  plan.finish([=](std::vector<ReportRow>& rows, std::string& notes) {
    int good = 0, fell = 0, long_ones = 0, led = 0;
    std::vector<double> rates, leads;
    TextTable worst({"m/s", "degrees", "settled s", "rate rad/s", "head leads deg"});
    for (const Case& one : *cases) {
      const bool settled = one.turn.up && one.turn.settled >= 0;
      good += settled;
      fell += !one.turn.up;
      if (!settled) {
        worst.add({formatted("%.2f", one.speed), formatted("%.0f", one.angle / kRadFromDeg),
                   one.turn.up ? "never" : "FELL", formatted("%.2f", one.turn.rate),
                   formatted("%.0f", one.turn.head_lead / kRadFromDeg)});
      }
      if (!one.turn.up || std::abs(one.angle) < kLong) continue;
      ++long_ones;
      led += one.turn.head_lead > kAhead;
      leads.push_back(one.turn.head_lead / kRadFromDeg);
      rates.push_back(one.turn.rate);
    }
    rows.push_back(rate_row("turn-any",
                            formatted("%d turns to random headings at 0.3 to 1.4 m/s, random "
                                      "phases: no fall, within 10 degrees for good 8 s later",
                                      count),
                            "any heading, shown", 99, 100.0 * good / count));
    const double rate = percentile(rates, 50);
    rows.push_back({"turn-rate",
                    formatted("those of more than 57 degrees, from a tenth to nine tenths of the "
                              "turn: median rate of the pelvis, within 10 %%; p10 %.2f",
                              percentile(rates, 10)),
                    "2 rad/s", kAsked, rate, "rad/s", std::abs(rate - kAsked) <= 0.1 * kAsked});
    rows.push_back(
        rate_row("turn-head-leads",
                 formatted("the same: until then the head is ahead of the pelvis, on the mean, "
                           "by more than 3 degrees; median %.0f, least %.0f",
                           percentile(leads, 50), percentile(leads, 0)),
                 "shown", 95, long_ones > 0 ? 100.0 * led / long_ones : 0));
    if (good < count) {
      notes += formatted("Turns that failed, %d by a fall:\n%s\n", fell, worst.text().c_str());
    }
  });
}

void plan_errands(ReportPlan& plan) {
  if (!plan.wants("errands")) return;
  const double seconds = plan.span(600);
  const int count = plan.options.quick ? 4 : 10;
  auto runs = std::make_shared<std::vector<trial::Errands>>(std::size_t(count));
  const Walker human = Walker::of(*plan.library, "human", "normal");
  for (int i = 0; i < count; ++i) {
    plan.job(
        [=, seed = plan.seed_of("errands", i)] {
          (*runs)[std::size_t(i)] = trial::run_errands(human, seconds, seed);
        },
        seconds);
  }
  plan.finish([=](std::vector<ReportRow>& rows, std::string& notes) {
    int up = 0, commands = 0;
    double walked = 0;
    std::string falls;
    for (const trial::Errands& run : *runs) {
      up += run.up;
      commands += run.commands;
      walked += run.travelled;
      if (!run.up) falls += formatted(" %.0f", run.seconds);
    }
    rows.push_back({"errands",
                    formatted("%d seeds of random way-points, speeds, headings turned about and "
                              "stops every 2 to 5 s for %.0f s: without a fall",
                              count, seconds),
                    "shown", double(count), double(up), formatted("of %d", count), up == count});
    notes += formatted("Errands: %d commands, %.0f m walked%s%s.\n\n", commands, walked,
                       falls.empty() ? "" : "; falls at s", falls.c_str());
  });
}

void plan_idling(ReportPlan& plan) {
  if (!plan.wants("idle")) return;
  const double seconds = plan.span(1800);
  const int count = plan.options.seeds;
  auto runs = std::make_shared<std::vector<trial::Errands>>(std::size_t(count));
  const Walker human = Walker::of(*plan.library, "human", "normal");
  for (int i = 0; i < count; ++i) {
    plan.job(
        [=, seed = plan.seed_of("idle", i)] {
          (*runs)[std::size_t(i)] = trial::idle_about(human, seconds, seed);
        },
        seconds);
  }
  plan.finish([=](std::vector<ReportRow>& rows, std::string&) {
    double least = seconds, standing = 0;
    int shifts = 0, starts = 0;
    bool up = true;
    for (const trial::Errands& run : *runs) {
      least = std::min(least, run.seconds);
      up = up && run.up;
      shifts += run.shifts;
      starts += run.commands;
      standing += run.standing;
    }
    rows.push_back({"idle",
                    formatted("standing 10 to 60 s, a short walk, a stop, and so on for %.0f min: "
                              "until the first fall of %d seeds; %d starts, %.1f weight shifts a "
                              "minute of standing",
                              seconds / 60, count, starts, 60 * shifts / std::max(1.0, standing)),
                    "shown", seconds / 60, least / 60, "min", up});
  });
}

}  // namespace promenade::study
