// The light biped walks at the speeds that it is asked for, and stands.
#include "study/trial/walk/walking.h"

#include <memory>

#include "study/report/plan.h"

namespace promenade::study {
namespace {

constexpr double kTolerance = 5;  // %

void plan_pendulum_speeds(ReportPlan& plan, const trial::Walker& pendulum) {
  constexpr double kSeconds = 40, kSettle = 10;
  for (const double speed : {0.2, 0.3, 0.5, 0.8, 1.0, 1.2, 1.5, 1.8, 2.0, -0.5}) {
    const std::string id = formatted("speed-%.1f", speed);
    if (!plan.wants(id)) continue;
    const int seeds = plan.options.seeds;
    auto walks = std::make_shared<std::vector<trial::SteadyWalk>>(std::size_t(seeds));
    for (int i = 0; i < seeds; ++i) {
      plan.job([=, seed = plan.seed_of(id, i)] {
        (*walks)[std::size_t(i)] =
            trial::walk_steadily(pendulum, {speed, 0}, kSeconds, kSettle, seed);
      });
    }
    plan.finish([=](std::vector<ReportRow>& rows, std::string&) {
      double worst = 0;  // %
      bool up = true;
      for (const trial::SteadyWalk& walk : *walks) {
        up = up && walk.up;
        worst = std::max(worst, 100 * std::abs(walk.velocity.x() - speed) / std::abs(speed));
      }
      ReportRow row;
      row.id = id;
      row.claim = formatted("mean speed asked to walk at %.1f m/s, worst of %d walks: off by",
                            speed, seeds);
      row.source = "0.3 to 1.5 m/s";
      row.asked = kTolerance;
      row.got = up ? Figure(worst) : Figure("fell");
      row.unit = "%";
      row.holds = up && worst <= kTolerance;
      rows.push_back(std::move(row));
    });
  }
}

void plan_pendulum_standing(ReportPlan& plan, const trial::Walker& pendulum) {
  const std::string id = "standing";
  if (!plan.wants(id)) return;
  const double seconds = plan.span(600);
  auto steps = std::make_shared<double>(-1);  // -1: it fell
  plan.job([=, seed = plan.seed_of(id, 0)] {
    trial::Rollout rollout(pendulum, seed);
    rollout.stop();
    if (rollout.run(seconds)) *steps = double(rollout.report().steps);
  });
  plan.finish([=](std::vector<ReportRow>& rows, std::string&) {
    ReportRow row;
    row.id = id;
    row.claim = formatted("stands for %.0f s by ankle torque: steps", seconds);
    row.source = "shown";
    row.asked = 0.0;
    row.got = *steps < 0 ? Figure("fell") : Figure(*steps);
    row.unit = "steps";
    row.holds = *steps == 0;
    rows.push_back(std::move(row));
  });
}

}  // namespace

void plan_pendulum_walking(ReportPlan& plan) {
  trial::Walker pendulum = trial::Walker::of(*plan.library, "human", "normal");
  pendulum.drive_by(*plan.library, "pendulum");
  plan_pendulum_speeds(plan, pendulum);
  plan_pendulum_standing(plan, pendulum);
}

}  // namespace promenade::study
