#include "study/report/coros2010/push_table.h"

#include <algorithm>

#include "math/rotation.h"

namespace promenade::study {

namespace {

double percent(const std::vector<trial::PushOutcome>& all, bool trial::PushOutcome::*is) {
  const auto found = std::count_if(all.begin(), all.end(),
                                   [is](const trial::PushOutcome& one) { return one.*is; });
  return 100.0 * double(found) / double(all.size());
}

}  // namespace

int Survivors::in(int direction) const {
  const auto first = outcomes.begin() + direction * phases;
  return int(std::count_if(first, first + phases, [this](const trial::PushOutcome& one) {
    return standing ? one.recovered : one.up;
  }));
}

double Survivors::up_rate() const { return percent(outcomes, &trial::PushOutcome::up); }

double Survivors::recovered_rate() const {
  return percent(outcomes, &trial::PushOutcome::recovered);
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
  out->standing = standing;
  out->outcomes.resize(std::size_t(kPushDirections * phases));
  for (int i = 0; i < kPushDirections * phases; ++i) {
    const std::uint64_t seed = plan.seed_of(standing ? "standing push" : "push", i);
    plan.job(
        [=] {
          const int direction = i / phases;
          trial::PushCase push;
          push.force = force;
          push.standing = standing;
          push.direction = direction * kTwoPi / kPushDirections;
          out->outcomes[std::size_t(i)] = trial::push_once(walker, push, seed);
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
  std::vector<std::string> up{"up, %"}, recovered{"recovered, %"};
  for (const auto& one : forces) {
    up.push_back(formatted("%.1f", one->up_rate()));
    recovered.push_back(formatted("%.1f", one->recovered_rate()));
  }
  table.add(std::move(up));
  table.add(std::move(recovered));
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
