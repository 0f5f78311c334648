// Several people who carry stacks of boxes from one place to another.
#include <algorithm>
#include <memory>
#include <vector>

#include "math/statistics.h"
#include "study/report/plan.h"
#include "study/trial/rig/workshop.h"
#include "study/trial/task/removal.h"

namespace promenade::study {
namespace {

constexpr int kRemovals = 50;
constexpr double kWithin = 900;  // s of simulated time

struct Removal {
  const char* id;
  const char* time_id;
  double mass;  // kg, of each box
};

}  // namespace

void plan_removals(ReportPlan& plan) {
  constexpr Removal kAll[] = {{"removal", "removal-time", 4},
                              {"removal-10", "removal-10-time", 10}};
  for (const Removal& removal : kAll) {
    if (!plan.wants(removal.id) && !plan.wants(removal.time_id)) continue;
    const auto library = trial::workshop_library(plan.options.data_dir);
    auto runs =
        std::make_shared<std::vector<trial::RemovalRun>>(std::size_t(plan.trials(kRemovals)));
    for (std::size_t i = 0; i < runs->size(); ++i) {
      plan.job(
          [=, &plan] {
            trial::RemovalSpec spec;
            spec.mass = removal.mass;
            (*runs)[i] =
                trial::remove_boxes(library, spec, plan.seed_of(removal.id, int(i)), kWithin);
          },
          kWithin);
    }
    plan.finish([=, &plan](std::vector<ReportRow>& rows, std::string&) {
      int good = 0, done = 0, dropped = 0, falls = 0;
      std::vector<double> times;
      for (const trial::RemovalRun& run : *runs) {
        good += run.done && run.dropped == 0;
        done += run.done;
        dropped += run.dropped;
        falls += run.falls;
        if (run.done) times.push_back(run.seconds);
      }
      const double count = double(runs->size());
      if (plan.wants(removal.id)) {
        rows.push_back(rate_row(
            removal.id,
            formatted("four people carry four stacks of three crates of %.0f kg 6 m further and "
                      "stack them again: done, and no crate dropped; done in %.0f %%, %.2f crates "
                      "dropped and %.2f falls a trial",
                      removal.mass, 100 * done / count, dropped / count, falls / count),
            "", 100, 100 * good / count));
      }
      if (plan.wants(removal.time_id) && !times.empty()) {
        const double median = percentile(times, 50);
        rows.push_back({removal.time_id, "the same: median time", "", "", median, "s", true});
      }
    });
  }
}

}  // namespace promenade::study
