// For how long the gaits that ship go on.
#include "study/report/panne1996/shipped_gaits.h"
#include "study/report/plan.h"

namespace promenade::study {

void plan_toy_endurance(ReportPlan& plan) {
  const double seconds = plan.span(600);
  const int starts = plan.trials(20);
  for (const ShippedGait& one : shipped_gaits(*plan.library)) {
    ReportRow row;
    row.id = "lasts-" + one.name;
    row.claim = formatted(
        "%s from %d starts that its search did not have: up after %.0f s on "
        "level ground",
        one.name.c_str(), starts, seconds);
    plan_share(
        plan, starts, seconds,
        [=, id = row.id, &plan](int i) {
          return one.trial->run(one.gait, {seconds, 2}, plan.seed_of(id, i)).end ==
                 trial::GaitEnd::kWentOn;
        },
        row, 100);
  }
}

}  // namespace promenade::study
