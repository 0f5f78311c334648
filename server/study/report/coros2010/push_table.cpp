#include "study/report/coros2010/push_table.h"

#include <algorithm>

#include "math/rotation.h"

namespace promenade::study {

int Survivors::in(int direction) const {
  const auto first = up.begin() + direction * phases;
  return int(std::count(first, first + phases, 1));
}

double Survivors::rate() const {
  return 100.0 * double(std::count(up.begin(), up.end(), 1)) / double(up.size());
}

double Survivors::weakest() const {
  int least = phases;
  for (int d = 0; d < kPushDirections; ++d) least = std::min(least, in(d));
  return 100.0 * least / phases;
}

std::shared_ptr<Survivors> plan_survivors(ReportPlan& plan, const trial::Walker& walker,
                                          double force, int phases, bool standing) {
  auto out = std::make_shared<Survivors>();
  out->force = force;
  out->phases = phases;
  out->up.resize(std::size_t(kPushDirections * phases));
  for (int i = 0; i < kPushDirections * phases; ++i) {
    const std::uint64_t seed = plan.seed_of(standing ? "standing push" : "push", i);
    plan.job(
        [=] {
          trial::PushCase push;
          push.force = force;
          push.standing = standing;
          push.direction = (i / phases) * kTwoPi / kPushDirections;
          const trial::PushOutcome outcome = trial::push_once(walker, push, seed);
          out->up[std::size_t(i)] = outcome.up && (!standing || outcome.quiet);
        },
        14);
  }
  return out;
}

std::string polar_table(const std::vector<std::shared_ptr<Survivors>>& forces) {
  std::vector<std::string> header{"degrees"};
  for (const auto& one : forces) header.push_back(formatted("%.0f N", one->force));
  TextTable table(header);
  for (int d = 0; d < kPushDirections; ++d) {
    std::vector<std::string> cells{formatted("%.1f", d * 360.0 / kPushDirections)};
    for (const auto& one : forces) cells.push_back(formatted("%d", one->in(d)));
    table.add(std::move(cells));
  }
  std::vector<std::string> cells{"all, %"};
  for (const auto& one : forces) cells.push_back(formatted("%.1f", one->rate()));
  table.add(std::move(cells));
  return table.text();
}

double weakest_force(const std::vector<std::shared_ptr<Survivors>>& forces) {
  double weakest = 1e9;
  for (int d = 0; d < kPushDirections; ++d) {
    double below_force = 0, below_rate = 1, reached = forces.back()->force;
    for (const auto& one : forces) {
      const double rate = double(one->in(d)) / one->phases;
      if (rate < 0.9) {
        reached =
            below_force + (one->force - below_force) * (below_rate - 0.9) / (below_rate - rate);
        break;
      }
      below_force = one->force;
      below_rate = rate;
    }
    weakest = std::min(weakest, reached);
  }
  return weakest;
}

}  // namespace promenade::study
