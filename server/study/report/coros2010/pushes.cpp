// Pushes on the torso of a walking human.
#include "study/trial/walk/pushes.h"

#include "math/rotation.h"
#include "study/report/plan.h"

namespace promenade::study {

void plan_pushes(ReportPlan& plan) {
  if (!wants_either(plan, "push-300")) return;
  constexpr int kDirections = 8;
  constexpr double kRate = 95;  // %
  const int phases = plan.amount(10, 3);
  const trial::Walker human = trial::Walker::of(*plan.library, "human", "normal");
  ReportRow row;
  row.id = "push-300";
  row.claim = formatted(
      "300 N for 0.1 s on the torso at 0.6 m/s, 8 directions, %d random phases, up 8 s later",
      phases);
  row.source = "600 N claimed; its program 250 N in its weakest directions";
  const auto pushed = [=, &plan](int i) {
    const int direction = i / phases;
    trial::PushCase push;
    push.direction = direction * kTwoPi / kDirections;
    // A phase of its own for every push.
    const trial::PushOutcome end =
        trial::push_once(human, push, plan.options.seed * 1000 + std::uint64_t(i));
    return Outcome{end.up, end.recovered};
  };
  plan_rate(plan, kDirections * phases, 14, pushed, row, kRate);
}

}  // namespace promenade::study
