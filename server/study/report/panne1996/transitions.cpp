// From one gait of the cat to another while it goes on.
#include <algorithm>

#include "study/report/panne1996/shipped_gaits.h"
#include "study/report/plan.h"
#include "study/trial/gait/change_trial.h"

namespace promenade::study {
namespace {

constexpr double kAfter = 5;   // s, for which it has to stay up
constexpr double kAsked = 95;  // %

// What comes after the creature's name: "trot" of "cat_trot".
std::string short_name(const ShippedGait& gait) {
  const std::string& creature = gait.message.creature();
  const bool begins = gait.name.rfind(creature + "_", 0) == 0;
  return begins ? gait.name.substr(creature.size() + 1) : gait.name;
}

}  // namespace

void plan_toy_transitions(ReportPlan& plan) {
  const int starts = plan.trials(20);
  const std::vector<ShippedGait> gaits = shipped_gaits_of(*plan.library, "cat");
  for (const ShippedGait& from : gaits) {
    for (const ShippedGait& to : gaits) {
      if (from.name == to.name) continue;
      ReportRow row;
      row.id = "transition-" + short_name(from) + "-" + short_name(to);
      row.claim = formatted("%s becomes %s at a random phase, %d starts, up %.0f s later",
                            from.name.c_str(), to.name.c_str(), starts, kAfter);
      row.source = "not addressed";
      plan_share(
          plan, starts, kAfter,
          [=, id = row.id, &plan](int i) {
            return trial::goes_on_after_change(*from.trial, from.gait, to.gait, kAfter,
                                               plan.seed_of(id, i));
          },
          row, kAsked);
    }
  }
}

}  // namespace promenade::study
