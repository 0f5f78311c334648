// How many toys one core simulates in real time.
#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "math/thread_clock.h"
#include "study/report/panne1996/shipped_gaits.h"
#include "study/report/plan.h"

namespace promenade::study {
namespace {

constexpr double kInStride = 1;  // s, that are not measured

// Toys that a core simulates in real time, by controller and physics alone, as many side by side as
// a room steps at a time. 0: one of them fell.
double toys_in_real_time(const trial::Walker& walker, double seconds, std::uint64_t seed) {
  std::vector<std::unique_ptr<trial::Rollout>> toys;
  std::vector<trial::Rollout*> all;
  for (int i = 0; i < physics::kSideBySide; ++i) {
    toys.push_back(std::make_unique<trial::Rollout>(walker, seed + std::uint64_t(i)));
    all.push_back(toys.back().get());
    toys.back()->walk(Vec2(1, 0));
  }
  trial::Herd herd;
  const auto run = [&](double span) {
    const auto steps = std::llround(span / walker.step);
    for (long long i = 0; i < steps; ++i) herd.step(all);
    return std::none_of(all.begin(), all.end(), [](const auto* toy) { return toy->fallen(); });
  };
  if (!run(kInStride)) return 0;
  const double start = thread_cpu_s();
  if (!run(seconds)) return 0;
  return double(all.size()) * seconds / (thread_cpu_s() - start);
}

}  // namespace

void plan_toy_cost(ReportPlan& plan) {
  const struct {
    const char* creature;
    double asked;
  } toys[] = {{"cat", 400}, {"ant", 300}, {"luxo", 2000}};
  const double seconds = plan.span(30);
  constexpr int kTurns = 7;
  for (const auto& toy : toys) {
    const std::string id = std::string("toys-a-core-") + toy.creature;
    const auto* creature = plan.library->bodies().find(toy.creature);
    if (!plan.wants(id) || !creature) continue;
    const auto gaits = shipped_gaits_of(*plan.library, toy.creature);
    const auto gait = plan.library->gaits().usual_for(*creature->body);
    auto best = std::make_shared<double>(0);
    if (gait && !gaits.empty()) {
      plan.job_alone(id, [=, &plan, trial = gaits.front().trial] {
        trial::Walker walker = trial->walker();
        walker.gait = gait;
        for (int i = 0; i < kTurns; ++i) {
          *best = std::max(*best, toys_in_real_time(walker, seconds, plan.seed_of(id, i)));
        }
      });
    }
    plan.finish([=, asked = toy.asked, name = gait ? gait->name : std::string("no gait")](
                    std::vector<ReportRow>& rows, std::string&) {
      ReportRow row;
      row.id = id;
      row.claim = formatted(
          "toys that one core simulates in real time, %s, steps of 1/480 s, %d "
          "side by side, controller and physics alone, by processor time, best "
          "of %d turns of %.0f s",
          name.c_str(), physics::kSideBySide, kTurns, seconds);
      row.asked = asked;
      row.got = *best;
      row.unit = "toys";
      row.holds = *best >= asked;
      rows.push_back(std::move(row));
    });
  }
}

}  // namespace promenade::study
