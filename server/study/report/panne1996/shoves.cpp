// Gaits that are shoved to a side, blind as in the source and with what they do about their
// balance.
#include <algorithm>

#include "math/random.h"
#include "study/report/panne1996/shipped_gaits.h"
#include "study/report/plan.h"
#include "study/trial/gait/mixed_gait.h"

namespace promenade::study {
namespace {

constexpr double kShove = 0.2;  // of the weight
constexpr double kSettle = 3;   // s, before the shove
constexpr double kAfter = 8;    // s, for which it has to stay up
constexpr double kAsked = 95;   // %

bool withstands(const trial::GaitTrial& trial,
                const std::shared_ptr<const control::posegraph::Gait>& gait, std::uint64_t seed) {
  const double phase = Random::stream(seed, 0x5407eULL).uniform() * gait->graph.period();
  trial::GaitDeeds deeds;
  deeds.shove = kShove;
  deeds.shove_every = 1000;  // once
  const double begin = kSettle + phase;
  return trial.run(gait, {begin + kAfter, begin}, seed, deeds).end == trial::GaitEnd::kWentOn;
}

// The blind are shown, nothing is asked of them: the source has no "active balance in the control".
void plan_blind(ReportPlan& plan, const ShippedGait& one, const std::string& what, int starts) {
  const std::string id = "shoved-" + one.name;
  if (!plan.wants(id)) return;
  auto up = std::make_shared<std::vector<char>>(std::size_t(starts));
  const auto gait = trial::blind(*trial::unmixed(*one.gait));
  for (int i = 0; i < starts; ++i) {
    plan.job(
        [=, trial = one.trial, seed = plan.seed_of("shoved-" + one.name, i)] {
          (*up)[std::size_t(i)] = static_cast<char>(withstands(*trial, gait, seed));
        },
        kSettle + kAfter);
  }
  plan.finish([=](std::vector<ReportRow>& rows, std::string&) {
    ReportRow row;
    row.id = id;
    row.claim = what + ", blind; a measurement, nothing is asked";
    row.asked = "measured";
    row.got = 100.0 * double(std::count(up->begin(), up->end(), 1)) / starts;
    row.unit = "%";
    row.holds = true;
    rows.push_back(std::move(row));
  });
}

}  // namespace

void plan_toy_shoves(ReportPlan& plan) {
  const int starts = plan.trials(20);
  for (const ShippedGait& one : shipped_gaits(*plan.library)) {
    const std::string what = formatted(
        "%s, %d starts, one shove to a side of %.0f %% of the weight for %.1f s at a "
        "random phase, up %.0f s later",
        one.name.c_str(), starts, 100 * kShove, trial::kShoveTime, kAfter);
    plan_blind(plan, one, what, starts);
    ReportRow row;
    row.id = "shoved-" + one.name + "-feeling";
    row.claim = what + (one.gait->feedback.gains.empty() ? ", as it ships, without a feedback"
                                                         : ", with feedback");
    row.asked = kAsked;
    row.unit = "%";
    plan_share(
        plan, starts, kSettle + kAfter,
        [trial = one.trial, gait = trial::unmixed(*one.gait), id = "shoved-" + one.name,
         &plan](int i) { return withstands(*trial, gait, plan.seed_of(id, i)); },
        row, kAsked);
  }
}

}  // namespace promenade::study
