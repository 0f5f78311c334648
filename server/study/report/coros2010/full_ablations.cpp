// Ablations: the same experiments without one part of the controller each.
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "study/report/coros2010/push_table.h"
#include "study/trial/walk/walking.h"

namespace promenade::study {

namespace {

using trial::Walker;

constexpr double kPushForce = 600;             // N
constexpr double kSpeeds[] = {0.4, 0.8, 1.2};  // m/s
constexpr double kPoints = 10;  // %: so many fewer survive without the pendulum, at least

/// A controller without one of its parts.
struct Ablation {
  const char* id;
  const char* name;
  void (*take_away)(v1::GbwcParameters& parameters);
  bool asked;  // whether the rate of survivors has to fall by kPoints
};
constexpr Ablation kAblations[] = {
    {"", "whole", [](v1::GbwcParameters&) {}, false},
    {"ablation-gravity-compensation", "without gravity compensation",
     [](v1::GbwcParameters& p) { p.mutable_servos()->set_gravity_compensation(0); }, false},
    // The pendulum is what survives pushes: without it the experiment must see the difference.
    {"ablation-pendulum", "without the pendulum",
     [](v1::GbwcParameters& p) { p.mutable_placement()->set_pendulum(0); }, true},
    {"ablation-velocity-tuning", "without velocity tuning",
     [](v1::GbwcParameters& p) { p.mutable_speed()->set_tuning(0); }, false},
};

/// How a controller fared.
struct Fared {
  const Ablation* ablation;
  std::shared_ptr<Survivors> pushed;
  std::array<trial::SteadyWalk, std::size(kSpeeds)> walks;

  /// Mean distance from the speeds asked for, m/s; a fall counts as the whole speed.
  double speed_error() const {
    double sum = 0;
    std::size_t v = 0;
    for (const double asked : kSpeeds) {
      const trial::SteadyWalk& walk = walks.at(v++);
      sum += walk.up ? std::abs(walk.velocity.x() - asked) : asked;
    }
    return sum / double(walks.size());
  }
  int fallen() const {
    return int(std::count_if(walks.begin(), walks.end(), [](const auto& w) { return !w.up; }));
  }
  /// Fewer survive, more fall on their own, or speeds are further off.
  bool is_worse_than(const Fared& whole) const {
    return pushed->up_rate() < whole.pushed->up_rate() - 1 || fallen() > whole.fallen() ||
           speed_error() > whole.speed_error() + 0.02;
  }
};

/// The whole controller first, then the ablations that are wanted; nothing if none is.
std::vector<Fared> wanted_ablations(const ReportPlan& plan) {
  std::vector<Fared> wanted;
  for (const Ablation& ablation : kAblations) {
    const bool whole = &ablation == kAblations;
    if (whole || plan.wants(ablation.id)) wanted.push_back({&ablation, nullptr, {}});
  }
  if (wanted.size() == 1) wanted.clear();
  return wanted;
}

ReportRow row_of(const Fared& one, const Fared& whole, int phases) {
  ReportRow row;
  row.id = one.ablation->id;
  row.claim = formatted(
      "%s: survivors of 600 N in %d pushes (mean error of three speeds %.2f m/s); %s than the "
      "whole (%.0f %%, %.2f m/s)",
      one.ablation->name, 16 * phases, one.speed_error(),
      one.is_worse_than(whole) ? "worse" : "hardly worse", whole.pushed->up_rate(),
      whole.speed_error());
  row.source = "worse, shown";
  row.got = one.pushed->up_rate();
  row.unit = "%";
  if (one.ablation->asked) {
    const double most = whole.pushed->up_rate() - kPoints;
    row.claim += formatted("; at least %.0f points fewer", kPoints);
    row.asked = most;
    row.holds = one.pushed->up_rate() <= most;
  } else {
    row.claim += "; a measurement, nothing is asked";
    row.asked = std::string("measured");
    row.holds = true;
  }
  return row;
}

std::vector<std::string> cells_of(const Fared& one) {
  std::vector<std::string> cells{one.ablation->name, formatted("%.0f", one.pushed->up_rate())};
  for (const auto& walk : one.walks) {
    cells.push_back(walk.up ? formatted("%.2f", walk.velocity.x())
                            : formatted("fell, %.0f s", walk.seconds));
  }
  return cells;
}

}  // namespace

void plan_ablations(ReportPlan& plan) {
  const int phases = plan.trials(20);
  const auto all = std::make_shared<std::vector<Fared>>(wanted_ablations(plan));
  if (all->empty()) return;
  for (Fared& one : *all) {
    Walker walker = Walker::of(*plan.library, "human", "normal");
    v1::GbwcParameters parameters = walker.gbwc();
    one.ablation->take_away(parameters);
    walker.set_gbwc(parameters);
    one.pushed = plan_survivors(plan, walker, kPushForce, phases);
    for (std::size_t v = 0; v < std::size(kSpeeds); ++v) {
      plan.job([all, walker, v, walk = &one.walks[v], seed = plan.seed_of("ablation", int(v))] {
        *walk = trial::walk_steadily(walker, {kSpeeds[v], 0}, 20, 8, seed);
      });
    }
  }
  plan.finish([all, phases](std::vector<ReportRow>& rows, std::string& notes) {
    TextTable table({"controller", "up after 600 N, %", "0.4 m/s", "0.8 m/s", "1.2 m/s"});
    const Fared& whole = all->front();
    for (const Fared& one : *all) {
      table.add(cells_of(one));
      if (&one != &whole) rows.push_back(row_of(one, whole, phases));
    }
    notes += "Ablations, mean speeds got:\n" + table.text() + "\n";
  });
}

}  // namespace promenade::study
