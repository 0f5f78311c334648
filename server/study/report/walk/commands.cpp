// Commands that come faster than they can be obeyed.
#include <memory>
#include <vector>

#include "study/report/plan.h"
#include "study/trial/task/errands.h"

namespace promenade::study {

void plan_storms(ReportPlan& plan) {
  constexpr int kStorms = 80;
  constexpr double kStorm = 60;  // s
  static const std::string kStormId = "storm";
  if (!plan.wants(kStormId)) return;
  const int count = plan.amount(kStorms, 8);
  const trial::Walker human = trial::Walker::of(*plan.library, "human", "normal");
  auto runs = std::make_shared<std::vector<trial::Errands>>(std::size_t(count));
  for (int i = 0; i < count; ++i) {
    plan.job([=, seed = plan.seed_of(
                     kStormId, i)] { (*runs)[std::size_t(i)] = trial::storm(human, kStorm, seed); },
             kStorm);
  }
  plan.finish([=](std::vector<ReportRow>& rows, std::string&) {
    int falls = 0;
    double minutes = 0;
    for (const trial::Errands& run : *runs) {
      falls += !run.up;
      minutes += run.seconds / 60;
    }
    rows.push_back({kStormId,
                    formatted("another velocity, -0.8 to 1.8 m/s forward and 0.5 m/s aside, and "
                              "another heading every 0.3 s: falls in %d runs of a minute, each "
                              "ended by its fall; %.1f minutes up",
                              count, minutes),
                    "", 0.0, double(falls), "falls", falls == 0});
  });
}

}  // namespace promenade::study
