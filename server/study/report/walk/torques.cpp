// That no joint is ever driven harder than the body allows.
#include <algorithm>
#include <memory>
#include <vector>

#include "study/report/plan.h"
#include "study/trial/walk/exertion.h"

namespace promenade::study {

void plan_torques(ReportPlan& plan) {
  constexpr int kExertions = 160;
  constexpr double kSeconds = 12, kRounding = 1e-9;
  const int count = plan.trials(kExertions);
  const trial::Walker human = trial::Walker::of(*plan.library, "human", "normal");
  for (const trial::Effort effort : trial::kEfforts) {
    const std::string id = std::string("torque-") + trial::effort_name(effort);
    if (!plan.wants(id)) continue;
    auto all = std::make_shared<std::vector<trial::Exertion>>(std::size_t(count));
    for (int i = 0; i < count; ++i) {
      plan.job([=, seed = plan.seed_of(
                       id, i)] { (*all)[std::size_t(i)] = trial::exert(human, effort, seed); },
               kSeconds);
    }
    plan.finish([=](std::vector<ReportRow>& rows, std::string&) {
      const trial::Exertion& most = *std::max_element(
          all->begin(), all->end(), [](const auto& a, const auto& b) { return a.share < b.share; });
      static constexpr const char* kWords[] = {
          "walks on", "is pushed by 600 N for 0.1 s at a random phase", "stops at a random phase"};
      rows.push_back({id,
                      formatted("greatest torque over the body's limit for it, of all joints, axes "
                                "and steps in %d runs in which the human walks at 1.2 m/s and %s; "
                                "at %s",
                                count, kWords[int(effort)], most.joint.c_str()),
                      "", 1.0, most.share, "of the limit", most.share <= 1 + kRounding});
    });
  }
}

}  // namespace promenade::study
