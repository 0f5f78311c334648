// Whether the human keeps to the velocity asked for: forward, back, to the side.
#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "study/report/plan.h"
#include "study/trial/walk/walking.h"

namespace promenade::study {
namespace {

constexpr double kBeforeMean = 8;                       // s, not measured
constexpr double kPart = 0.05, kAtLeastAllowed = 0.03;  // share of the speed asked for; m/s

struct KeptSpeed {
  std::string id;
  Vec2 velocity;  // m/s, asked for
  std::vector<trial::SteadyWalk> walks;
};

ReportRow row_of(const KeptSpeed& one, double seconds) {
  const double asked = one.velocity.norm();
  double worst = 0;
  int fell = 0;
  Vec2 of_worst = Vec2::Zero();
  for (const trial::SteadyWalk& walk : one.walks) {
    fell += !walk.up;
    const double off = (walk.velocity - one.velocity).norm();
    if (off < worst) continue;
    worst = off;
    of_worst = walk.velocity;
  }
  ReportRow row;
  row.id = one.id;
  row.asked = std::max(kPart * asked, kAtLeastAllowed);
  row.got = worst;
  row.unit = "m/s";
  row.holds = fell == 0 && worst <= std::get<double>(row.asked);
  if (fell > 0) row.got = formatted("%d of %zu fell", fell, one.walks.size());
  row.claim = formatted(
      "%.0f s at (%.1f, %.1f) m/s forward and left: mean after %.0f s, off that by at most 5 %% or "
      "0.03 m/s, worst of %zu: (%.3f, %.3f)",
      seconds, one.velocity.x(), one.velocity.y(), kBeforeMean, one.walks.size(), of_worst.x(),
      of_worst.y());
  return row;
}

}  // namespace

void plan_kept_speeds(ReportPlan& plan) {
  const double seconds = plan.amount(60.0, 20.0);
  auto cases = std::make_shared<std::vector<KeptSpeed>>();
  const auto add = [&](const char* way, double speed, const Vec2& velocity) {
    const std::string id = formatted("speed-%s-%.1f", way, speed);
    if (plan.wants(id)) {
      cases->push_back(
          {id, velocity, std::vector<trial::SteadyWalk>(std::size_t(plan.options.seeds))});
    }
  };
  for (const double v : {0.2, 0.4, 0.8, 1.2, 1.6, 2.0}) add("forward", v, {v, 0});
  for (const double v : {0.5, 1.0}) add("back", v, {-v, 0});
  for (const double v : {0.4, 0.8}) add("left", v, {0, v});
  const trial::Walker human = trial::Walker::of(*plan.library, "human", "normal");
  for (KeptSpeed& one : *cases) {
    for (int k = 0; k < plan.options.seeds; ++k) {
      plan.job(
          [=, &one, seed = plan.seed_of(one.id, k)] {
            one.walks[std::size_t(k)] =
                trial::walk_steadily(human, one.velocity, seconds, kBeforeMean, seed);
          },
          seconds);
    }
  }
  plan.finish([=](std::vector<ReportRow>& rows, std::string&) {
    for (const KeptSpeed& one : *cases) rows.push_back(row_of(one, seconds));
  });
}

}  // namespace promenade::study
