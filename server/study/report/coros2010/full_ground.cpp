// Bad ground, and no room to walk.
#include <algorithm>
#include <array>
#include <memory>

#include "math/rotation.h"
#include "study/report/plan.h"
#include "study/trial/crowd/dancers.h"
#include "study/trial/rig/ground.h"
#include "study/trial/walk/walking.h"

namespace promenade::study {

using trial::Walker;

namespace {

/// The trial has recovered if it walks as asked at the end and came as far as it should.
Outcome as_asked(const trial::SteadyWalk& walk) {
  return {walk.up, walk.recovered && walk.made_way};
}

}  // namespace

void plan_ground(ReportPlan& plan) {
  constexpr double kTilt = 8 * kRadFromDeg, kSeconds = 24;
  const int count = plan.trials(40);
  Walker human = Walker::of(*plan.library, "human", "normal");
  human.straight_on = true;
  ReportRow row;
  row.source = "not shown";
  for (const bool seen : {true, false}) {
    row.id = seen ? "uneven-ground" : "uneven-ground-unseen";
    row.claim = formatted("%d tracks of 18 m, tiles of 0.5 m up to 4 cm high, at 0.8 m/s%s", count,
                          seen ? "" : "; the controller believes the ground to be flat");
    plan_rate(
        plan, count, kSeconds,
        [=, &plan](int i) {
          const std::uint64_t seed = plan.seed_of("uneven", i);
          Walker walker = human;
          walker.ground = trial::rough_track(0.04, seed);
          if (!seen) walker.believed_ground = std::make_shared<const physics::Ground>();
          return as_asked(trial::walk_steadily(walker, {0.8, 0}, kSeconds, 1, seed));
        },
        row, 90);
  }
  const struct {
    const char *id, *claim;
    std::shared_ptr<const physics::Ground> ground;
  } slopes[] = {
      {"slope-up", "up 8 degrees, after 2 m of level ground", trial::long_slope(kTilt)},
      {"slope-down", "down 8 degrees, after 2 m of level ground", trial::long_slope(-kTilt)},
      {"slope-across", "across a hillside of 8 degrees", trial::hillside(kTilt)}};
  for (const auto& slope : slopes) {
    row.id = slope.id;
    row.claim = formatted("%d walks %s, at 0.6 m/s for %.0f s", count, slope.claim, kSeconds);
    plan_rate(
        plan, count, kSeconds,
        [=, &plan, ground = slope.ground, id = row.id](int i) {
          Walker walker = human;
          walker.ground = ground;
          return as_asked(trial::walk_steadily(walker, {0.6, 0}, kSeconds, 1, plan.seed_of(id, i)));
        },
        row, 90);
  }
}

void plan_dancers(ReportPlan& plan) {
  if (!plan.wants("dancers")) return;
  constexpr int kDancers = 16, kGroups = 4;
  constexpr double kRadius = 1.6;      // m
  constexpr double kFallsAMinute = 1;  // falls, of all sixteen together
  const double seconds = plan.span(300);
  auto runs = std::make_shared<std::array<trial::DancersRun, kGroups>>();
  for (int i = 0; i < kGroups; ++i) {
    const std::uint64_t seed = plan.seed_of("dancers", i) % 1000000 + 1;
    plan.job(
        [=, data = plan.options.data_dir] {
          const auto library = trial::with_random_dancers(data, kDancers, kRadius, seed);
          (*runs)[std::size_t(i)] = trial::run_dancers(library, "random-dancers", seconds, seed);
        },
        2 * kDancers * seconds);
  }
  plan.finish([=](std::vector<ReportRow>& rows, std::string&) {
    trial::DancersRun all;
    int most = 0;
    for (const trial::DancersRun& run : *runs) {
      all.falls += run.falls;
      all.quarantines += run.quarantines;
      all.bumps += run.bumps;
      all.touching += run.touching / kGroups;
      all.seconds += run.seconds;
      most = std::max(most, run.falls);
    }
    const double minutes = all.seconds / 60;
    const double falls = all.falls / minutes;
    rows.push_back(
        {"dancers",
         formatted(
             "%d of random bodies in a circle of %.1f m radius, %d times for %.1f min: falls "
             "a minute of all; %d falls, %d of them in one circle, %d quarantines, %.0f bumps "
             "a minute, %.0f %% of the time in touch",
             kDancers, kRadius, kGroups, minutes / kGroups, all.falls, most, all.quarantines,
             all.bumps / minutes, 100 * all.touching),
         "shown, 10 times slower than real time", kFallsAMinute, falls, "a minute",
         falls <= kFallsAMinute && all.quarantines == 0});
  });
}

}  // namespace promenade::study
