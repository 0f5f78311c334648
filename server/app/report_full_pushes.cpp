// Pushes up to where it falls, and what each part of the controller is worth.
#include <algorithm>
#include <array>
#include <memory>

#include "app/report_plan.h"
#include "math/rotation.h"
#include "synthesis/pushes.h"
#include "synthesis/walking.h"

namespace promenade::app {
namespace {

using synthesis::Walker;

constexpr int kDirections = 16;

/// Survivors of pushes of one force, by direction, at random phases.
struct Survivors {
  std::vector<int> up;  // [direction * phases]
  int phases = 1;
  int in(int direction) const {
    const auto first = up.begin() + direction * phases;
    return int(std::count(first, first + phases, 1));
  }
  double rate() const {  // %
    return 100.0 * double(std::count(up.begin(), up.end(), 1)) / double(up.size());
  }
};

std::shared_ptr<Survivors> plan_survivors(ReportPlan& plan, const Walker& walker, double force,
                                          int phases, bool standing = false) {
  auto out = std::make_shared<Survivors>();
  out->phases = phases;
  out->up.resize(std::size_t(kDirections * phases));
  for (int i = 0; i < kDirections * phases; ++i) {
    plan.job([=, &plan] {
      synthesis::PushCase push;
      push.force = force;
      push.standing = standing;
      push.direction = (i / phases) * kTwoPi / kDirections;
      const std::uint64_t seed = plan.options.seed * 100000 + std::uint64_t(i);
      const synthesis::PushOutcome outcome = synthesis::push_once(walker, push, seed);
      out->up[std::size_t(i)] = outcome.up && (!standing || outcome.quiet);
    });
  }
  return out;
}

ReportRow rate_row(std::string id, std::string claim, std::string source, double asked,
                   double got) {
  return {std::move(id), std::move(claim), std::move(source), asked, got, "%", got >= asked};
}

}  // namespace

void plan_strong_pushes(ReportPlan& plan) {
  static constexpr double kForces[] = {200, 400, 600, 800, 1000, 1200};
  const int phases = plan.amount(20, 3);
  const Walker human = Walker::of(*plan.library, "human", "normal");
  Walker limited = human;
  limited.source_torque_limits = true;
  auto plain = std::make_shared<std::vector<std::shared_ptr<Survivors>>>();
  auto with_limits = std::make_shared<std::vector<std::shared_ptr<Survivors>>>();
  for (const double force : kForces) {
    plain->push_back(plan_survivors(plan, human, force, phases));
    with_limits->push_back(plan_survivors(plan, limited, force, phases));
  }
  const auto standing = plan_survivors(plan, human, 400, phases, true);
  plan.finish([=](std::vector<ReportRow>& rows, std::string& notes) {
    const std::string how =
        formatted("0.1 s on the torso at 0.6 m/s, 16 directions, %d phases", phases);
    rows.push_back(rate_row("push-600", how + ", up 8 s later",
                            "claimed; its program 43 of 80, 75 of 80 with early steps", 97,
                            (*plain)[2]->rate()));
    rows.push_back(rate_row("push-800", how + ", up 8 s later", "", 85, (*plain)[3]->rate()));
    // The greatest force up to which every direction keeps nine of ten.
    double weakest = 0;
    for (std::size_t f = 0; f < std::size(kForces); ++f) {
      bool all = true;
      for (int d = 0; d < kDirections; ++d) all = all && 10 * (*plain)[f]->in(d) >= 9 * phases;
      if (!all) break;
      weakest = kForces[f];
    }
    rows.push_back({"push-weakest", how + ": force that 90 % survive in every direction",
                    "250 N, 500 N with early steps", 600.0, weakest, "N", weakest >= 600});
    rows.push_back(rate_row("push-standing",
                            formatted("400 N for 0.1 s while standing, 16 directions, %d seeds, up "
                                      "and standing 8 s later",
                                      phases),
                            "shown", 95, standing->rate()));
    const double with = (*with_limits)[2]->rate(), without = (*plain)[2]->rate();
    rows.push_back(rate_row("push-600-torque-limits",
                            "as push-600 with 200 N m at hips and knees, 100 elsewhere",
                            "no visible change", without - 5, with));

    for (const auto* table : {plain.get(), with_limits.get()}) {
      TextTable polar({"direction", "200 N", "400 N", "600 N", "800 N", "1000 N", "1200 N"});
      for (int d = 0; d < kDirections; ++d) {
        std::vector<std::string> cells{formatted("%.1f", d * 360.0 / kDirections)};
        for (const auto& force : *table) cells.push_back(formatted("%d", force->in(d)));
        polar.add(std::move(cells));
      }
      notes += formatted("Up of %d, by direction (0 forward, 90 left)%s:\n", phases,
                         table == plain.get() ? "" : ", torque limits of the source");
      notes += polar.text() + "\n";
    }
  });
}

void plan_ablations(ReportPlan& plan) {
  struct Case {
    const char* name;
    std::shared_ptr<Survivors> pushed;
    std::array<synthesis::SteadyWalk, 3> walks;
  };
  static constexpr double kSpeeds[] = {0.4, 0.8, 1.2};
  auto cases = std::make_shared<std::vector<Case>>(4);
  const int phases = plan.amount(5, 2);
  const char* const names[] = {"whole", "without gravity compensation", "without the pendulum",
                               "without velocity tuning"};
  for (std::size_t k = 0; k < cases->size(); ++k) {
    Walker walker = Walker::of(*plan.library, "human", "normal");
    auto parameters = std::make_shared<control::GbwcParameters>(*walker.parameters);
    if (k == 1) parameters->set_gravity_compensation(0);
    if (k == 2) parameters->set_pendulum(0);
    if (k == 3) parameters->set_velocity_tuning(0);
    walker.parameters = parameters;
    Case& one = (*cases)[k];
    one.name = names[k];
    one.pushed = plan_survivors(plan, walker, 600, phases);
    for (std::size_t v = 0; v < std::size(kSpeeds); ++v) {
      plan.job([=, &plan, walk = &one.walks[v]] {
        *walk = synthesis::walk_steadily(walker, {kSpeeds[v], 0}, 20, 8, plan.options.seed);
      });
    }
  }
  plan.finish([=](std::vector<ReportRow>& rows, std::string& notes) {
    TextTable table({"controller", "up after 600 N, %", "0.4 m/s", "0.8 m/s", "1.2 m/s"});
    for (const Case& one : *cases) {
      std::vector<std::string> cells{one.name, formatted("%.0f", one.pushed->rate())};
      for (const auto& walk : one.walks) {
        cells.push_back(walk.up ? formatted("%.2f", walk.velocity.x())
                                : formatted("fell, %.0f s", walk.seconds));
      }
      table.add(std::move(cells));
    }
    notes += "Ablations, mean speeds got:\n" + table.text() + "\n";
    const double whole = (*cases)[0].pushed->rate(), without = (*cases)[2].pushed->rate();
    rows.push_back({"ablation-pendulum",
                    "survivors of 600 N without pendulum foot placement; at most half of the "
                    "whole controller's",
                    "no recovery", whole / 2, without, "%", without <= whole / 2});
  });
}

}  // namespace promenade::app
