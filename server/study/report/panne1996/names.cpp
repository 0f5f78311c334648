// Whether the gaits that ship have the footfalls that their files name.
#include "study/report/panne1996/shipped_gaits.h"
#include "study/report/plan.h"
#include "study/trial/gait/gait_name.h"
#include "study/trial/gait/mixed_gait.h"

namespace promenade::study {

void plan_toy_names(ReportPlan& plan) {
  const char* const id = "named";
  if (!plan.wants(id)) return;
  constexpr double kStrides = 20;
  auto shipped = std::make_shared<const std::vector<ShippedGait>>(shipped_gaits(*plan.library));
  auto names = std::make_shared<std::vector<std::string>>(shipped->size());
  for (std::size_t i = 0; i < shipped->size(); ++i) {
    plan.job([=, seed = plan.seed_of(id, int(i))] {
      const ShippedGait& one = (*shipped)[i];
      // As it was found: variants that steer change the stride's time, feedback its footfalls.
      const auto alone = trial::blind(*trial::unmixed(*one.gait));
      const auto time = trial::time_for(alone->graph.period(), kStrides);
      const trial::GaitMeasures measures = one.trial->run(alone, time, seed);
      (*names)[i] = measures.end == trial::GaitEnd::kWentOn
                        ? trial::gait_name(one.trial->legs(), measures.footfalls)
                        : trial::kGaitEnds[std::size_t(measures.end)];
    });
  }
  plan.finish([=](std::vector<ReportRow>& rows, std::string&) {
    std::string others;
    int right = 0;
    for (std::size_t i = 0; i < shipped->size(); ++i) {
      const ShippedGait& one = (*shipped)[i];
      const bool same = (*names)[i] == one.message.origin().kind();
      right += same;
      if (same) continue;
      others += formatted("; %s (%s): %s", one.name.c_str(), one.message.origin().kind().c_str(),
                          (*names)[i].c_str());
    }
    ReportRow row;
    row.id = id;
    row.claim = formatted(
        "gaits that ship whose footfalls over %.0f strides, without variants and feedback, have "
        "the name that stands in their file%s",
        kStrides, others.c_str());
    row.source = "by eye";
    row.asked = double(shipped->size());
    row.got = double(right);
    row.unit = "gaits";
    row.holds = right == int(shipped->size());
    rows.push_back(std::move(row));
  });
}

}  // namespace promenade::study
