// A person meets ice, a pit, a swing door, a seesaw, a ball: each a scene, at many seeds.
#include <memory>
#include <vector>

#include "study/report/plan.h"
#include "study/trial/crowd/encounter.h"

namespace promenade::study {

void plan_encounters(ReportPlan& plan) {
  constexpr int kRuns = 20;
  constexpr double kAsked = 90;  // %
  const int count = plan.trials(kRuns);
  for (const trial::Encounter& encounter : trial::encounters()) {
    const std::string id = encounter.scene;
    if (!plan.wants(id)) continue;
    auto runs = std::make_shared<std::vector<trial::EncounterRun>>(std::size_t(count));
    for (int i = 0; i < count; ++i) {
      plan.job(
          [=, &plan] {
            const std::uint64_t seed = plan.seed_of(id, i);
            (*runs)[std::size_t(i)] = trial::run_encounter(plan.library, encounter, seed);
          },
          encounter.seconds);
    }
    plan.finish([=, &plan](std::vector<ReportRow>& rows, std::string& notes) {
      int good = 0;
      notes += formatted("\n%s, %d seeds: %s\n", id.c_str(), count, encounter.expected);
      for (int i = 0; i < count; ++i) {
        const trial::EncounterRun& run = (*runs)[std::size_t(i)];
        good += run.as_expected;
        notes +=
            formatted("  %-20llu %-4s %s\n", static_cast<unsigned long long>(plan.seed_of(id, i)),
                      run.as_expected ? "yes" : "NO", run.story.c_str());
      }
      rows.push_back(rate_row(
          id, formatted("scene %s, %d seeds: the person %s", id.c_str(), count, encounter.expected),
          "", kAsked, 100.0 * good / count));
    });
  }
}

}  // namespace promenade::study
