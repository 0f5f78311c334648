// Pushes on the torso of a walking human.
#include "study/trial/pushes.h"

#include <algorithm>
#include <memory>

#include "math/rotation.h"
#include "study/report/plan.h"

namespace promenade::study {

void plan_pushes(ReportPlan& plan) {
  if (!plan.wants("push-300")) return;
  constexpr int kDirections = 8;
  constexpr double kRate = 95;  // %
  const int phases = plan.amount(10, 3);
  const trial::Walker human = trial::Walker::of(*plan.library, "human", "normal");
  auto up = std::make_shared<std::vector<int>>(std::size_t(kDirections * phases));
  for (int i = 0; i < kDirections * phases; ++i) {
    plan.job([=, &plan] {
      trial::PushCase push;
      push.direction = (i / phases) * kTwoPi / kDirections;
      // A phase of its own for every push.
      (*up)[std::size_t(i)] =
          trial::push_once(human, push, plan.options.seed * 1000 + std::uint64_t(i)).up;
    });
  }
  plan.finish([=](std::vector<ReportRow>& rows, std::string& notes) {
    int total = 0;
    notes += formatted("Up after a push of 300 N, of %d, by direction:", phases);
    for (int d = 0; d < kDirections; ++d) {
      const auto first = up->begin() + d * phases;
      const int here = int(std::count(first, first + phases, 1));
      total += here;
      notes += formatted("  %d: %d", d * 360 / kDirections, here);
    }
    notes += "  (degrees, 0 forward, 90 left)\n\n";
    ReportRow row;
    row.id = "push-300";
    row.claim = formatted(
        "300 N for 0.1 s on the torso at 0.6 m/s, 8 directions, %d random phases, up 8 s later",
        phases);
    row.source = "600 N claimed; its program 250 N in its weakest directions";
    row.asked = kRate;
    row.got = 100.0 * total / double(up->size());
    row.unit = std::string("%");
    row.holds = 100.0 * total >= kRate * double(up->size());
    rows.push_back(row);
  });
}

}  // namespace promenade::study
