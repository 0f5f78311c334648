// Steady speeds, turns, stops: one human in the style of the source.
#include "study/trial/walk/walking.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "math/rotation.h"
#include "study/report/plan.h"
#include "study/trial/walk/standing.h"
#include "study/trial/walk/turning.h"

namespace promenade::study {

using trial::Walker;

void plan_speeds(ReportPlan& plan) {
  static constexpr double kSpeeds[] = {-0.4, 0.0, 0.4, 0.8, 1.2, 1.5};
  constexpr double kShare = 0.15, kAtRest = 0.1;
  const double seconds = plan.amount(60.0, 20.0), settle = plan.amount(20.0, 8.0);
  const int seeds = plan.options.seeds;
  const Walker human = Walker::of(*plan.library, "human", "normal");
  struct Case {
    double speed;
    std::vector<trial::SteadyWalk> walks;
  };
  auto cases = std::make_shared<std::vector<Case>>();
  for (const double speed : kSpeeds) {
    if (plan.wants(formatted("speed-%.1f", speed))) cases->push_back({speed, {}});
  }
  if (cases->empty()) return;
  for (Case& one : *cases) {
    one.walks.resize(std::size_t(seeds));
    for (int k = 0; k < seeds; ++k) {
      plan.job([=, &plan, &one, walk = &one.walks[std::size_t(k)]] {
        *walk = trial::walk_steadily(human, {one.speed, 0}, seconds, settle,
                                     plan.options.seed + std::uint64_t(k));
      });
    }
  }
  plan.finish([=](std::vector<ReportRow>& rows, std::string& notes) {
    TextTable table({"asked m/s", "got m/s", "sideways", "step s", "slip cm/step", "stubs %",
                     "through %", "overlap cm", "knee back deg", "peak N m", "of", "mean sum N m",
                     "cost of transport"});
    for (const Case& one : *cases) {
      const double asked = one.speed;
      const double allowed = asked == 0 ? kAtRest : kShare * std::abs(asked);
      const trial::SteadyWalk* worst = nullptr;
      int up = 0;
      for (const trial::SteadyWalk& walk : one.walks) {
        up += walk.up;
        if (!worst || (worst->up && !walk.up) ||
            (worst->up == walk.up &&
             std::abs(walk.velocity.x() - asked) > std::abs(worst->velocity.x() - asked))) {
          worst = &walk;
        }
      }
      ReportRow row;
      row.id = formatted("speed-%.1f", asked);
      row.claim = formatted("%.0f s without a fall, mean of the last %.0f s within %s, worst of %d",
                            seconds, seconds - settle, asked == 0 ? "0.1 m/s" : "15 %", seeds);
      row.source = asked < 0    ? "backward walking shown"
                   : asked == 0 ? "walking on the spot"
                                : "0.6 to 1.7 m/s claimed; its program stops at 0.9";
      row.asked = asked;
      row.got = worst->velocity.x();
      if (!worst->up) {
        row.got = formatted("%d of %d fell, first at %.1f s", seeds - up, seeds, worst->seconds);
      }
      row.unit = "m/s";
      row.holds = worst->up && std::abs(worst->velocity.x() - asked) <= allowed;
      rows.push_back(row);

      const trial::SteadyWalk& first = one.walks.front();
      const trial::GaitQuality& q = first.quality;
      const double steps = std::max(1, q.steps);
      table.add({formatted("%.1f", asked), formatted("%.2f", first.velocity.x()),
                 formatted("%.2f", first.velocity.y()), formatted("%.2f", q.step_time),
                 formatted("%.1f", 100 * q.slip), formatted("%.1f", 100 * q.stubs / steps),
                 formatted("%.1f", 100 * q.through / steps),
                 formatted("%.1f", 100 * q.deepest_through),
                 formatted("%.1f", q.past_straight / kRadFromDeg), formatted("%.0f", q.peak_torque),
                 human.body->joint_names[std::size_t(q.peak_link)],
                 formatted("%.0f", q.mean_torque), formatted("%.2f", q.cost_of_transport)});
    }
    notes += "How the human walks, first seed, after settling:\n" + table.text() + "\n";
  });
}

void plan_turns(ReportPlan& plan) {
  static constexpr double kAngles[] = {45, -45, 90, -90, 180, -180};
  constexpr double kSpeed = 0.8, kTolerance = 10 * kRadFromDeg, kWithin = 4, kWatch = 8;
  const int seeds = plan.options.seeds;
  const Walker human = Walker::of(*plan.library, "human", "normal");
  const auto id_of = [](double angle) {
    return formatted("turn-%s-%.0f", angle > 0 ? "left" : "right", std::abs(angle));
  };
  auto turns = std::make_shared<std::vector<std::vector<trial::Turn>>>();
  for (std::size_t i = 0; i < std::size(kAngles); ++i) turns->emplace_back(std::size_t(seeds));
  for (std::size_t i = 0; i < std::size(kAngles); ++i) {
    if (!plan.wants(id_of(kAngles[i]))) continue;
    for (int k = 0; k < seeds; ++k) {
      plan.job([=, &plan] {
        (*turns)[i][std::size_t(k)] =
            trial::turn(human, kSpeed, kAngles[i] * kRadFromDeg, kTolerance, kWatch,
                        plan.options.seed + std::uint64_t(k));
      });
    }
  }
  plan.finish([=](std::vector<ReportRow>& rows, std::string&) {
    for (std::size_t i = 0; i < std::size(kAngles); ++i) {
      double slowest = 0, lead = 1e9;
      int fell = 0, never = 0;
      for (const trial::Turn& turn : (*turns)[i]) {
        fell += !turn.up;
        never += turn.up && turn.settled < 0;
        slowest = std::max(slowest, turn.settled);
        if (turn.up) lead = std::min(lead, turn.head_lead);
      }
      ReportRow row;
      row.id = id_of(kAngles[i]);
      row.claim =
          formatted("at 0.8 m/s, until within 10 degrees for good, slowest of %d phases", seeds);
      if (lead < kPi) row.claim += formatted("; the head leads by %.0f", lead / kRadFromDeg);
      row.source = "any heading at 2 rad/s, the head leads";
      row.asked = kWithin;
      row.got = slowest;
      if (never > 0) row.got = formatted("%d of %d not within %.0f s", never, seeds, kWatch);
      if (fell > 0) row.got = formatted("%d of %d fell", fell, seeds);
      row.unit = std::string("s");
      row.holds = fell + never == 0 && slowest <= kWithin;
      rows.push_back(row);
    }
  });
}

void plan_stops(ReportPlan& plan) {
  if (!plan.wants("stop-start")) return;
  constexpr int kRounds = 3;
  const double stand = plan.amount(20.0, 8.0);
  const int seeds = plan.options.seeds;
  const Walker human = Walker::of(*plan.library, "human", "normal");
  auto runs = std::make_shared<std::vector<trial::StopAndStart>>(std::size_t(seeds));
  for (int k = 0; k < seeds; ++k) {
    plan.job([=, &plan] {
      (*runs)[std::size_t(k)] = trial::stop_and_start(human, 0.8, kRounds, 6, stand,
                                                      plan.options.seed + std::uint64_t(k));
    });
  }
  plan.finish([=](std::vector<ReportRow>& rows, std::string& notes) {
    int rounds = kRounds, fell = 0, steps = 0;
    double stop = 0, start = 0;
    for (const trial::StopAndStart& run : *runs) {
      rounds = std::min(rounds, run.rounds);
      fell += !run.up;
      steps += run.steps_standing;
      stop = std::max(stop, run.slowest_stop);
      start = std::max(start, run.slowest_start);
    }
    ReportRow row;
    row.id = "stop-start";
    row.claim = formatted(
        "from 0.8 m/s: stop within 6 s, stand %.0f s without a step, start again; fewest rounds "
        "of %d seeds",
        stand, seeds);
    row.source = "stop, stand, start shown; its program has no working stop";
    row.asked = double(kRounds);
    row.got = double(rounds);
    if (fell > 0) row.got = formatted("%d, and %d of %d fell or stayed", rounds, fell, seeds);
    row.unit = "rounds";
    row.holds = fell == 0 && rounds == kRounds;
    rows.push_back(row);
    notes += formatted(
        "Stops and starts: slowest stop %.1f s, slowest start %.1f s, %d steps taken while it "
        "should stand.\n\n",
        stop, start, steps);
  });
}

}  // namespace promenade::study
