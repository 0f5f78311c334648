// Leg through leg of every biped body, after pushes and in sharp turns.
#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "creature/biped/biped_names.h"
#include "math/rotation.h"
#include "study/report/plan.h"
#include "study/trial/walk/pushes.h"
#include "study/trial/walk/turning.h"

namespace promenade::study {
namespace {

using trial::GaitQuality;
using trial::Walker;

/// How one body's legs moved in several rollouts.
struct Legs {
  std::string body;
  std::vector<GaitQuality> looks;  // [rollouts]
  std::vector<int> fell;           // [rollouts]

  explicit Legs(std::string name, int rollouts)
      : body(std::move(name)), looks(std::size_t(rollouts)), fell(std::size_t(rollouts)) {}
  int steps() const {
    int sum = 0;
    for (const GaitQuality& q : looks) sum += q.steps;
    return sum;
  }
  int through() const {
    int sum = 0;
    for (const GaitQuality& q : looks) sum += q.through;
    return sum;
  }
  double rate() const { return 100.0 * through() / std::max(1, steps()); }  // % of steps
  double deepest() const {                                                  // m
    double most = -1;
    for (const GaitQuality& q : looks) most = std::max(most, q.deepest_through);
    return most;
  }
  int falls() const { return int(std::count(fell.begin(), fell.end(), 1)); }
};

using AllLegs = std::shared_ptr<std::vector<Legs>>;

AllLegs legs_of_all(const ReportPlan& plan, int rollouts) {
  auto out = std::make_shared<std::vector<Legs>>();
  for (const std::string& body : biped_names(plan.library->bodies())) {
    out->emplace_back(body, rollouts);
  }
  return out;
}

/// Adds the row of the worst body, and a line for each body under the table.
void show(std::vector<ReportRow>& rows, std::string& notes, const std::string& id,
          const std::string& how, const std::vector<Legs>& all) {
  TextTable table({"body", "steps", "through %", "deepest cm", "fell"});
  const Legs* worst = &all.front();
  int steps = 0, through = 0;
  for (const Legs& one : all) {
    table.add({one.body, formatted("%d", one.steps()), formatted("%.1f", one.rate()),
               formatted("%.1f", 100 * one.deepest()), formatted("%d", one.falls())});
    steps += one.steps();
    through += one.through();
    if (one.rate() > worst->rate()) worst = &one;
  }
  rows.push_back({id,
                  how + formatted(": steps in which a leg went through the other by more than "
                                  "1 cm, of the worst of %zu bodies (%s); of all bodies %.1f %% "
                                  "of %d; a measurement, nothing is asked",
                                  all.size(), worst->body.c_str(),
                                  100.0 * through / std::max(1, steps), steps),
                  "not claimed", std::string("measured"), worst->rate(), "%", true});
  notes += "Legs through each other, " + how + ":\n" + table.text() + "\n";
}

void plan_pushed(ReportPlan& plan) {
  if (!plan.wants("legs-push")) return;
  constexpr int kDirections = 8;
  constexpr double kForce = 0.58;  // share of the weight: 400 N of the human
  const int phases = plan.trials(8);
  const AllLegs all = legs_of_all(plan, kDirections * phases);
  for (Legs& one : *all) {
    Walker walker = Walker::of(*plan.library, one.body, "normal");
    for (int i = 0; i < kDirections * phases; ++i) {
      const std::uint64_t seed = plan.seed_of("legs pushed " + one.body, i);
      plan.job(
          [=, &one] {
            const int direction = i / phases;
            trial::PushCase push;
            push.speed = 0.6 * std::sqrt(walker.body->leg_scale());
            push.force = kForce * physics::kGravity * walker.body->total_mass;
            push.direction = direction * kTwoPi / kDirections;
            push.look = true;
            const trial::PushOutcome end = trial::push_once(walker, push, seed);
            one.looks[std::size_t(i)] = end.quality;
            one.fell[std::size_t(i)] = !end.up;
          },
          14);
    }
  }
  plan.finish([=](std::vector<ReportRow>& rows, std::string& notes) {
    show(rows, notes, "legs-push",
         formatted("in the 8 s after 0.58 of the weight for 0.1 s on the torso at 0.6 m/s times "
                   "sqrt(leg scale), 8 directions, %d phases",
                   phases),
         *all);
  });
}

void plan_turning(ReportPlan& plan) {
  if (!plan.wants("legs-turn")) return;
  constexpr int kTurns = 12;  // turns of a rollout
  const int rollouts = plan.trials(8);
  const AllLegs all = legs_of_all(plan, rollouts);
  for (Legs& one : *all) {
    const Walker walker = Walker::of(*plan.library, one.body, "normal");
    for (int i = 0; i < rollouts; ++i) {
      const std::uint64_t seed = plan.seed_of("legs turning " + one.body, i);
      plan.job(
          [=, &one] {
            const trial::SharpTurns turns =
                trial::turn_sharply(walker, trial::fitting_speed(walker), kTurns, seed);
            one.looks[std::size_t(i)] = turns.quality;
            one.fell[std::size_t(i)] = !turns.up;
          },
          3 * kTurns);
    }
  }
  plan.finish([=](std::vector<ReportRow>& rows, std::string& notes) {
    show(rows, notes, "legs-turn",
         formatted("in %d turns by 90 to 180 degrees, one every 2.5 s, at the style's speed times "
                   "sqrt(leg scale)",
                   rollouts * kTurns),
         *all);
  });
}

}  // namespace

void plan_legs(ReportPlan& plan) {
  plan_pushed(plan);
  plan_turning(plan);
}

}  // namespace promenade::study
