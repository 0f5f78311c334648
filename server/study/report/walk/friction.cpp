// A floor of little friction everywhere: walking, stopping and turning on it.
#include <algorithm>
#include <memory>
#include <vector>

#include "math/rotation.h"
#include "math/statistics.h"
#include "study/report/plan.h"
#include "study/trial/rig/ground.h"
#include "study/trial/walk/standing.h"
#include "study/trial/walk/turning.h"
#include "study/trial/walk/walking.h"

namespace promenade::study {
namespace {

using trial::Walker;

constexpr int kSlippery = 320;  // trials

/// Two rows of the same walks: how many stay up, and how fast these are in the end.
void plan_slippery_walk(ReportPlan& plan, const Walker& walker, double friction, double asked) {
  constexpr double kSpeed = 1.2, kSeconds = 12, kUntilSteady = 8;  // m/s, s, s
  const std::string id = formatted("friction-%.1f-walk", friction);
  const std::string speed_id = formatted("friction-%.1f-speed", friction);
  if (!plan.wants(id) && !plan.wants(speed_id)) return;
  const int count = plan.trials(kSlippery);
  auto walks = std::make_shared<std::vector<trial::SteadyWalk>>(std::size_t(count));
  for (int i = 0; i < count; ++i) {
    plan.job(
        [=, seed = plan.seed_of(id, i)] {
          (*walks)[std::size_t(i)] =
              trial::walk_steadily(walker, {kSpeed, 0}, kSeconds, kUntilSteady, seed);
        },
        kSeconds);
  }
  plan.finish([=](std::vector<ReportRow>& rows, std::string&) {
    std::vector<double> speeds;
    for (const trial::SteadyWalk& walk : *walks) {
      if (walk.up) speeds.push_back(walk.velocity.x());
    }
    const auto up = int(speeds.size());
    rows.push_back(rate_row(id,
                            formatted("%d walks asked to go at %.1f m/s on a floor of friction "
                                      "%.1f: up after %.0f s",
                                      count, kSpeed, friction, kSeconds),
                            "", asked, 100.0 * up / count));
    ReportRow speed{speed_id, "",  "", std::string("measured"), std::string("all fell"),
                    "m/s",    true};
    if (up > 0) {
      speed.got = median(speeds);
      speed.claim = formatted(
          "the same: speed over the last %.0f s, median of the %d up; p10 %.2f, "
          "p90 %.2f",
          kSeconds - kUntilSteady, up, percentile(speeds, 10), percentile(speeds, 90));
    }
    rows.push_back(speed);
  });
}

}  // namespace

void plan_friction(ReportPlan& plan) {
  constexpr double kSpeed = 1.0, kWatch = 8, kBefore = 6;  // m/s, s, s
  constexpr double kTolerance = 10 * kRadFromDeg;
  const struct {
    double friction, asked;  // %
  } floors[] = {{0.4, 99}, {0.2, 95}, {0.1, 80}};
  const int count = plan.trials(kSlippery);
  const Walker human = Walker::of(*plan.library, "human", "normal");
  for (const auto& floor : floors) {
    Walker walker = human;
    walker.ground = trial::with_friction(*human.ground, floor.friction);
    plan_slippery_walk(plan, walker, floor.friction, floor.asked);
    ReportRow row;
    row.id = formatted("friction-%.1f-stop", floor.friction);
    row.claim = formatted("%d stops from %.1f m/s on a floor of friction %.1f: up %.0f s later",
                          count, kSpeed, floor.friction, kWatch);
    plan_share(
        plan, count, kBefore + kWatch,
        [=, &plan, id = row.id](int i) {
          return trial::stop_once(walker, kSpeed, kWatch, plan.seed_of(id, i)).up;
        },
        row, floor.asked);
    row.id = formatted("friction-%.1f-turn", floor.friction);
    row.claim =
        formatted("%d turns by 90 degrees at %.1f m/s on a floor of friction %.1f: up %.0f s later",
                  count, kSpeed, floor.friction, kWatch);
    plan_share(
        plan, count, kBefore + kWatch,
        [=, &plan, id = row.id](int i) {
          const double angle = i % 2 ? 0.5 * kPi : -0.5 * kPi;
          return trial::turn(walker, kSpeed, angle, kTolerance, kWatch, plan.seed_of(id, i)).up;
        },
        row, floor.asked);
  }
}

}  // namespace promenade::study
