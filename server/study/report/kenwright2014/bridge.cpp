// A bridge of loose cubes on springs. Source: Kenwright2014 figure 6.13.
#include "study/trial/task/bridge.h"

#include <algorithm>

#include "math/rotation.h"
#include "study/report/plan.h"

namespace promenade::study {

void plan_pendulum_bridge(ReportPlan& plan) {
  const std::string across_id = "bridge", sinks_id = "bridge-sinks";
  if (!plan.wants(across_id) && !plan.wants(sinks_id)) return;
  const int count = plan.trials(100);
  auto runs = std::make_shared<std::vector<trial::BridgeRun>>(std::size_t(count));
  for (int i = 0; i < count; ++i) {
    plan.job(
        [=, library = plan.library, seed = plan.seed_of(across_id, i)] {
          (*runs)[std::size_t(i)] = trial::cross_bridge(library, "", seed);
        },
        4 * trial::kCrossingTime);
  }
  plan.finish([=](std::vector<ReportRow>& rows, std::string&) {
    int people = 0, across = 0;
    double least_sank = 1e9, most_sank = 0, tilted = 0;
    for (const trial::BridgeRun& run : *runs) {
      people += run.people;
      across += run.across;
      least_sank = std::min(least_sank, 1e3 * run.sank);
      most_sank = std::max(most_sank, 1e3 * run.sank);
      tilted = std::max(tilted, run.tilted / kRadFromDeg);
    }
    rows.push_back(rate_row(
        across_id,
        formatted("%d light people in %d crossings of a bridge of loose cubes on springs, two "
                  "towards each other each time: get across without a fall",
                  people, count),
        "shown", 95, 100.0 * across / std::max(1, people)));
    rows.push_back({sinks_id,
                    formatted("the same: the cube that sinks furthest in a crossing does so by at "
                              "least (at most %.0f mm; cubes tilt by up to %.0f degrees)",
                              most_sank, tilted),
                    "", 20.0, least_sank, "mm", least_sank >= 20});
  });
}

}  // namespace promenade::study
