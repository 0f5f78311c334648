// Every biped body and every style: long walks, and pushes as hard for each body.
#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "creature/biped/biped_names.h"
#include "math/rotation.h"
#include "study/report/plan.h"
#include "study/trial/rig/rollout.h"
#include "study/trial/walk/pushes.h"

namespace promenade::study {
namespace {

using trial::Walker;

/// Walks of one body in one style.
struct LongWalks {
  std::string name;
  std::vector<char> up;
};

/// One row of the walks of all walkers together; it names those that fell.
/// @param speed  m/s, of a walker
void plan_long_walks(ReportPlan& plan, const std::string& id, const char* what,
                     const std::vector<std::pair<std::string, Walker>>& walkers,
                     const std::function<double(const Walker&)>& speed) {
  constexpr int kEach = 80;
  constexpr double kAsked = 99;
  const int count = plan.trials(kEach);
  const double seconds = plan.amount(60.0, 20.0);
  auto all = std::make_shared<std::vector<LongWalks>>();
  for (const auto& walker : walkers) {
    all->push_back({walker.first, std::vector<char>(std::size_t(count))});
  }
  for (std::size_t k = 0; k < walkers.size(); ++k) {
    for (int i = 0; i < count; ++i) {
      const std::uint64_t seed = plan.seed_of(id + walkers[k].first, i);
      plan.job(
          [=, walker = walkers[k].second, forward = speed(walkers[k].second)] {
            trial::Rollout rollout(walker, seed);
            rollout.walk({forward, 0});
            (*all)[k].up[std::size_t(i)] = static_cast<char>(rollout.run(seconds));
          },
          seconds);
    }
  }
  plan.finish([=](std::vector<ReportRow>& rows, std::string&) {
    std::string fell;
    int good = 0;
    for (const LongWalks& one : *all) {
      const auto up = int(std::count(one.up.begin(), one.up.end(), 1));
      good += up;
      if (up < count) fell += formatted(", %s %d", one.name.c_str(), count - up);
    }
    const int trials = count * int(all->size());
    rows.push_back(
        rate_row(id,
                 formatted("%d %s, %d walks of %.0f s each: without a fall%s%s", int(all->size()),
                           what, count, seconds, fell.empty() ? "" : "; fell",
                           fell.empty() ? "" : fell.substr(1).c_str()),
                 "", kAsked, 100.0 * good / trials));
  });
}

}  // namespace

void plan_bodies(ReportPlan& plan) {
  if (!plan.wants("bodies")) return;
  std::vector<std::pair<std::string, Walker>> walkers;
  for (const std::string& body : biped_names(plan.library->bodies())) {
    walkers.emplace_back(body, Walker::of(*plan.library, body, "normal"));
  }
  plan_long_walks(plan, "bodies", "biped bodies at 1.2 m/s times the scale of their legs", walkers,
                  [](const Walker& walker) { return 1.2 * walker.body->leg_scale(); });
}

void plan_styles(ReportPlan& plan) {
  if (!plan.wants("styles")) return;
  std::vector<std::pair<std::string, Walker>> walkers;
  for (const std::string& style : plan.library->styles().names()) {
    walkers.emplace_back(style, Walker::of(*plan.library, "human", style));
  }
  plan_long_walks(plan, "styles", "styles of the human at 1.2 m/s", walkers,
                  [](const Walker&) { return 1.2; });
}

void plan_pushed_bodies(ReportPlan& plan) {
  constexpr int kEach = 240;
  constexpr double kAsked = 90, kSpeed = 0.6;        // %, m/s for legs of scale 1
  constexpr double kPerMass = 1.0, kDuration = 0.1;  // N s/kg, s
  static const std::string kPushedId = "push-bodies";
  if (!wants_either(plan, kPushedId)) return;
  const int count = plan.trials(kEach);
  struct Pushed {
    std::string body;
    std::vector<trial::PushOutcome> outcomes;
    double rate(bool trial::PushOutcome::*is) const {
      const auto good = std::count_if(outcomes.begin(), outcomes.end(),
                                      [is](const auto& one) { return one.*is; });
      return 100.0 * double(good) / double(outcomes.size());
    }
  };
  auto all = std::make_shared<std::vector<Pushed>>();
  for (const std::string& body : biped_names(plan.library->bodies())) {
    all->push_back({body, std::vector<trial::PushOutcome>(std::size_t(count))});
  }
  for (Pushed& one : *all) {
    const Walker walker = Walker::of(*plan.library, one.body, "normal");
    trial::PushCase push;
    push.speed = kSpeed * std::sqrt(walker.body->leg_scale());
    push.duration = kDuration;
    push.force = kPerMass * walker.body->total_mass / kDuration;
    for (int i = 0; i < count; ++i) {
      push.direction = kTwoPi * i / count;
      plan.job(
          [=, &one, seed = plan.seed_of(kPushedId + one.body, i)] {
            one.outcomes[std::size_t(i)] = trial::push_once(walker, push, seed);
          },
          15);
    }
  }
  plan.finish([=, &plan](std::vector<ReportRow>& rows, std::string& notes) {
    using Is = bool trial::PushOutcome::*;
    const auto worst = [&](Is is) -> const Pushed& {
      return *std::min_element(all->begin(), all->end(), [is](const Pushed& a, const Pushed& b) {
        return a.rate(is) < b.rate(is);
      });
    };
    const Is up = &trial::PushOutcome::up, recovered = &trial::PushOutcome::recovered;
    ReportRow row;
    row.id = kPushedId;
    row.claim = formatted(
        "%zu biped bodies, %d pushes each, from all sides at random phases, of 1 N s/kg at 0.6 m/s "
        "times the root of the scale of their legs: up 8 s later, worst body: %s",
        all->size(), count, worst(up).body.c_str());
    add_both_rates(plan, rows, row, kAsked, worst(up).rate(up), worst(recovered).rate(recovered));
    TextTable table({"body", "up, %", "recovered, %"});
    for (const Pushed& one : *all) {
      table.add(
          {one.body, formatted("%.1f", one.rate(up)), formatted("%.1f", one.rate(recovered))});
    }
    notes += "Pushes of 1 N s/kg, by body:\n" + table.text() + "\n";
  });
}

}  // namespace promenade::study
