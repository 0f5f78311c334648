// The monster follows paths by its variants that turn: "a working (but not very stable)
// path-following controller".
#include "study/report/panne1996/shipped_gaits.h"
#include "study/report/plan.h"
#include "study/trial/gait/way_trial.h"

namespace promenade::study {
namespace {

constexpr double kNear = 2, kFar = 6;  // m, from the start to a way-point
constexpr double kAbout = 20;          // s, that a way takes

}  // namespace

void plan_toy_ways(ReportPlan& plan) {
  const int ways = plan.trials(20);
  ReportRow row;
  row.id = "way-points";
  row.claim = formatted(
      "the monster sent to %d way-points %.0f to %.0f m away all round reaches "
      "them within six times the way at its own speed",
      ways, kNear, kFar);
  row.source = "working, not very stable";
  row.asked = 100.0;
  row.unit = "%";
  for (const ShippedGait& one : shipped_gaits_of(*plan.library, "monster")) {
    if (one.gait->variant_for(v1::GaitVariant::LEFT) < 0) continue;
    row.claim += ", with " + one.name;
    plan_share(
        plan, ways, kAbout,
        [one, id = row.id, &plan](int i) {
          return trial::follow_way(*one.trial, one.gait, kNear, kFar, plan.seed_of(id, i)).reached;
        },
        row, 100);
    return;
  }
  plan.finish([row](std::vector<ReportRow>& rows, std::string&) {
    rows.push_back(row_of_none(row, "no gait of it has a variant that turns"));
  });
}

}  // namespace promenade::study
