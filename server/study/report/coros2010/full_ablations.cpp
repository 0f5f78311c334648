// Ablations: the same experiments without one part of the controller each.
#include <array>
#include <memory>

#include "study/report/coros2010/push_table.h"
#include "study/trial/walk/walking.h"

namespace promenade::study {

using trial::Walker;

void plan_ablations(ReportPlan& plan) {
  static const char* const kIds[] = {"", "ablation-gravity-compensation", "ablation-pendulum",
                                     "ablation-velocity-tuning"};
  static const char* const kNames[] = {"whole", "without gravity compensation",
                                       "without the pendulum", "without velocity tuning"};
  static constexpr double kSpeeds[] = {0.4, 0.8, 1.2};
  static constexpr std::size_t kPendulum = 2;
  static constexpr double kPoints = 10;  // %: so many fewer survive without the pendulum, at least
  struct Case {
    bool wanted = false;
    std::shared_ptr<Survivors> pushed;
    std::array<trial::SteadyWalk, 3> walks;
    /// Mean distance from the speeds asked for, m/s; a fall counts as the whole speed.
    double speed_error() const {
      double sum = 0;
      for (std::size_t v = 0; v < walks.size(); ++v) {
        sum += walks[v].up ? std::abs(walks[v].velocity.x() - kSpeeds[v]) : kSpeeds[v];
      }
      return sum / double(walks.size());
    }
    int fallen() const {
      return int(std::count_if(walks.begin(), walks.end(), [](const auto& w) { return !w.up; }));
    }
  };
  auto cases = std::make_shared<std::array<Case, 4>>();
  const int phases = plan.trials(20);
  bool any = false;
  for (std::size_t k = 1; k < 4; ++k) any |= (*cases)[k].wanted = plan.wants(kIds[k]);
  if (!any) return;
  (*cases)[0].wanted = true;
  for (std::size_t k = 0; k < cases->size(); ++k) {
    Case& one = (*cases)[k];
    if (!one.wanted) continue;
    Walker walker = Walker::of(*plan.library, "human", "normal");
    v1::GbwcParameters parameters = walker.gbwc();
    if (k == 1) parameters.set_gravity_compensation(0);
    if (k == kPendulum) parameters.set_pendulum(0);
    if (k == 3) parameters.set_velocity_tuning(0);
    walker.set_gbwc(parameters);
    one.pushed = plan_survivors(plan, walker, 600, phases);
    for (std::size_t v = 0; v < std::size(kSpeeds); ++v) {
      plan.job([=, walk = &one.walks[v], seed = plan.seed_of("ablation", int(v))] {
        *walk = trial::walk_steadily(walker, {kSpeeds[v], 0}, 20, 8, seed);
      });
    }
  }
  plan.finish([=](std::vector<ReportRow>& rows, std::string& notes) {
    TextTable table({"controller", "up after 600 N, %", "0.4 m/s", "0.8 m/s", "1.2 m/s"});
    const Case& whole = cases->front();
    for (std::size_t k = 0; k < cases->size(); ++k) {
      const Case& one = (*cases)[k];
      if (!one.wanted) continue;
      std::vector<std::string> cells{kNames[k], formatted("%.0f", one.pushed->up_rate())};
      for (const auto& walk : one.walks) {
        cells.push_back(walk.up ? formatted("%.2f", walk.velocity.x())
                                : formatted("fell, %.0f s", walk.seconds));
      }
      table.add(std::move(cells));
      if (k == 0) continue;
      // Worse: fewer survive, more fall on their own, or speeds are further off.
      const bool worse = one.pushed->up_rate() < whole.pushed->up_rate() - 1 ||
                         one.fallen() > whole.fallen() ||
                         one.speed_error() > whole.speed_error() + 0.02;
      ReportRow row;
      row.id = kIds[k];
      row.claim = formatted(
          "%s: survivors of 600 N in %d pushes (mean error of three speeds %.2f m/s); %s than the "
          "whole (%.0f %%, %.2f m/s)",
          kNames[k], 16 * phases, one.speed_error(), worse ? "worse" : "hardly worse",
          whole.pushed->up_rate(), whole.speed_error());
      row.source = "worse, shown";
      row.got = one.pushed->up_rate();
      row.unit = "%";
      if (k == kPendulum) {
        // The pendulum is what survives pushes: without it the experiment must see the difference.
        const double most = whole.pushed->up_rate() - kPoints;
        row.claim += formatted("; at least %.0f points fewer", kPoints);
        row.asked = most;
        row.holds = one.pushed->up_rate() <= most;
      } else {
        row.claim += "; a measurement, nothing is asked";
        row.asked = std::string("measured");
        row.holds = true;
      }
      rows.push_back(row);
    }
    notes += "Ablations, mean speeds got:\n" + table.text() + "\n";
  });
}

}  // namespace promenade::study
