// Pushes of growing force until it falls, walking and standing.
#include <algorithm>
#include <memory>

#include "study/report/coros2010/push_table.h"

namespace promenade::study {
namespace {

using trial::Walker;

constexpr int kPhases = 20;

using Table = std::vector<std::shared_ptr<Survivors>>;

const Survivors& at(const Table& table, double force) {
  return **std::find_if(table.begin(), table.end(),
                        [&](const auto& one) { return one->force == force; });
}

}  // namespace

void plan_strong_pushes(ReportPlan& plan) {
  const int phases = plan.trials(kPhases);
  const Walker human = Walker::of(*plan.library, "human", "normal");
  Walker limited = human;
  limited.source_torque_limits = true;
  // Only the pushes that the wanted rows are made of.
  const bool polar = plan.wants("push-weakest"), both = plan.wants("push-600-torque-limits");
  auto plain = std::make_shared<Table>();
  auto with_limits = std::make_shared<Table>();
  for (const double force : kTableForces) {
    const bool row = (force == 600 && (wants_either(plan, "push-600") || both)) ||
                     (force == 800 && wants_either(plan, "push-800"));
    if (polar || row) plain->push_back(plan_survivors(plan, human, force, phases));
    if (both) with_limits->push_back(plan_survivors(plan, limited, force, phases));
  }
  plan.finish([=, &plan](std::vector<ReportRow>& rows, std::string& notes) {
    const std::string how =
        formatted("0.1 s on the torso at 0.6 m/s, 16 directions, %d phases", phases);
    const auto both_rates = [&](const char* id, const char* source, double asked, double force) {
      ReportRow row;
      row.id = id;
      row.claim = how + ", up 8 s later";
      row.source = source;
      // If neither row is wanted there may have been no pushes of that force.
      if (!wants_either(plan, id)) return;
      const Survivors& all = at(*plain, force);
      add_both_rates(plan, rows, row, asked, all.up_rate(), all.recovered_rate());
    };
    both_rates("push-600", "claimed; its program 43 of 80, 75 of 80 with early steps", 97, 600);
    both_rates("push-800", "not claimed", 85, 800);
    if (polar) {
      const double weakest = weakest_force(*plain);
      const bool holds = at(*plain, 600).weakest() >= 90 && weakest >= 600;
      rows.push_back({"push-weakest",
                      how + formatted(": force that 90 %% survive in the weakest direction (600 N "
                                      "there: %.0f %%)",
                                      at(*plain, 600).weakest()),
                      "its program 250 N, 500 N with early steps", 600.0, weakest, "N", holds});
      notes += formatted("Up of %d, by direction (0 forward, 90 left):\n%s\n", phases,
                         polar_table(*plain).c_str());
    }
    if (both) {
      const double with = at(*with_limits, 600).up_rate(), without = at(*plain, 600).up_rate();
      rows.push_back(rate_row("push-600-torque-limits",
                              "as push-600 with 200 N m at hips and knees, 100 elsewhere; at most "
                              "5 points fewer",
                              "no visible change", without - 5, with));
      notes += formatted("The same with the torque limits of the source:\n%s\n",
                         polar_table(*with_limits).c_str());
    }
  });
}

void plan_standing_push(ReportPlan& plan) {
  if (!plan.wants("push-standing")) return;
  const int phases = plan.trials(kPhases);
  const auto standing =
      plan_survivors(plan, Walker::of(*plan.library, "human", "normal"), 400, phases, true);
  plan.finish([=](std::vector<ReportRow>& rows, std::string& notes) {
    rows.push_back(rate_row("push-standing",
                            formatted("400 N for 0.1 s while standing, 16 directions, %d moments: "
                                      "8 s later it stands, the last 2 s without a step",
                                      phases),
                            "shown", 95, standing->recovered_rate()));
    notes +=
        "Up and quiet after 400 N while standing, by direction:\n" + polar_table({standing}) + "\n";
  });
}

}  // namespace promenade::study
