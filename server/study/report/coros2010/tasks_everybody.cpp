// Every body in every style at every kind of task (Coros2010 §5.4 shows three bodies).
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "creature/biped/biped_names.h"
#include "math/random.h"
#include "math/rotation.h"
#include "physics/articulated_body.h"
#include "study/report/coros2010/tasks_work.h"
#include "study/report/plan.h"
#include "study/trial/rig/workshop.h"
#include "study/trial/task/over.h"

namespace promenade::study {
namespace {

using behaviour::tasks::Task;
using behaviour::tasks::TaskKind;
using trial::Walker;
using Shared = std::shared_ptr<const Library>;

constexpr std::array<const char*, 6> kTaskNames = {"reach",     "lift",          "push",
                                                   "step over", "duck or climb", "go to"};
constexpr double kAllOfOne = 200;  // s that the six tasks of a pair simulate, about
constexpr double kNearGoal = 0.2;  // m

bool gets_past(const Shared& library, const Somebody& who,
               const std::shared_ptr<const physics::Ground>& ground, double past,
               std::uint64_t seed) {
  Walker walker = Walker::of(*library, who.body, who.style);
  walker.straight_on = true;
  walker.ground = ground;
  return trial::go_over(walker, 0.6 * std::sqrt(who.scale), past, 40, seed).past;
}

bool steps_over(const Shared& library, const Somebody& who, std::uint64_t seed) {
  Random random(seed);
  const double near = random.uniform(1.8, 2.9), depth = random.uniform(0.05, 0.25) * who.scale;
  return gets_past(library, who, trial::bars_across({{near, depth, 0, 0.2 * who.scale}}),
                   near + depth + 1, seed);
}

/// Under a bar at 80 % of its height, or up and down a flight of five stairs.
bool ducks_or_climbs(const Shared& library, const Somebody& who, std::uint64_t seed) {
  Random random(seed);
  const double edge = random.uniform(1.8, 2.9);
  if (random.chance(0.5)) {
    const physics::ArticulatedBody upright(Walker::of(*library, who.body, who.style).body->model);
    const double underside = 0.8 * upright.bounds().sizes().z();
    return gets_past(library, who, trial::bars_across({{edge, 0.1, underside, underside + 0.1}}),
                     edge + 1, seed);
  }
  constexpr double kRise = 0.15, kTread = 0.3;  // m
  constexpr int kSteps = 5;
  const double length = 2 * (kSteps * kTread + 1.2) * who.scale;
  return gets_past(
      library, who,
      trial::flights_up_and_down(kRise * who.scale, kTread * who.scale, kSteps, 1, edge),
      edge + length, seed);
}

/// Goes to two places and to a third, where it turns to a heading.
bool goes(const Shared& library, const Somebody& who, std::uint64_t seed) {
  Random random(seed);
  trial::Workshop shop(library, who.body, who.style, seed);
  std::vector<Task> tasks(3);
  for (Task& one : tasks) {
    const double far = random.uniform(1.5, 4);
    one = trial::task_at(TaskKind::kGoTo, rotated(Vec2(far, 0), random.uniform(-kPi, kPi)));
  }
  tasks.back().turned = true;
  tasks.back().heading = random.uniform(-kPi, kPi);
  const trial::WorkRun run = shop.work(tasks, 90);
  const Vec2 at = shop.pose_of(trial::Workshop::kWorker).position.head<2>();
  return run.up && run.done == 3 &&
         (at - tasks.back().point.head<2>()).norm() < kNearGoal * std::max(1.0, who.scale);
}

bool does(std::size_t task, const Shared& library, const Somebody& who, std::uint64_t seed) {
  switch (task) {
    case 0:
      return reaches(library, who, Random::stream(seed, 0x6e18ULL).uniform(0.3, 1.7), 0, seed);
    case 1:
      return carries(library, who, seed);
    case 2:
      return hauls(library, {"", TaskKind::kPushTo, 20}, seed, who);
    case 3:
      return steps_over(library, who, seed);
    case 4:
      return ducks_or_climbs(library, who, seed);
    default:
      return goes(library, who, seed);
  }
}

using Results = std::vector<std::array<bool, kTaskNames.size()>>;

/// "reach 13, lift 11, ...": of those that did it.
std::string told(const std::map<std::string, std::pair<int, int>>& counts) {
  std::string out;
  for (const auto& [name, count] : counts)
    out +=
        formatted("%s%s %d/%d", out.empty() ? "" : ", ", name.c_str(), count.first, count.second);
  return out;
}

ReportRow row_of(const std::string& id, const std::vector<Somebody>& pairs,
                 const Results& results) {
  std::map<std::string, std::pair<int, int>> tasks, bodies, styles;
  int good = 0, all = 0;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    for (std::size_t k = 0; k < kTaskNames.size(); ++k) {
      const int ok = results[i][k] ? 1 : 0;
      for (auto* count : {&tasks[kTaskNames[k]], &bodies[pairs[i].body], &styles[pairs[i].style]}) {
        count->first += ok;
        ++count->second;
      }
      good += ok;
      ++all;
    }
  }
  return rate_row(
      id,
      formatted("%d pairs of body and style, six tasks each, scaled by the body: %s; %s; %s",
                int(pairs.size()), told(tasks).c_str(), told(bodies).c_str(), told(styles).c_str()),
      "3 bodies", 90, 100.0 * good / std::max(1, all));
}

}  // namespace

void plan_everybody(ReportPlan& plan) {
  plan.begin_section("Bodies, styles and tasks");
  const std::string id = "bodies-styles-tasks";
  if (!plan.wants(id)) return;
  const Shared library = trial::workshop_library(plan.options.data_dir);
  std::vector<Somebody> every;
  for (const std::string& body : biped_names(library->bodies())) {
    for (const std::string& style : library->styles().names())
      every.push_back(somebody(*library, body, style));
  }
  // A quick report takes every few of them, each time others.
  const int count = plan.trials(int(every.size()));
  const std::size_t apart = every.size() / std::size_t(count);
  std::vector<Somebody> pairs;
  pairs.reserve(std::size_t(count));
  for (int i = 0; i < count; ++i)
    pairs.push_back(every[std::size_t(i) * apart + plan.seed_of(id, i) % apart]);
  const auto results = std::make_shared<Results>(pairs.size());
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    plan.job(
        [=, who = pairs[i], seed = plan.seed_of(id, int(i))] {
          for (std::size_t k = 0; k < kTaskNames.size(); ++k)
            (*results)[i][k] = does(k, library, who, seed + 2 * k);
        },
        kAllOfOne);
  }
  plan.finish([=](std::vector<ReportRow>& rows, std::string&) {
    rows.push_back(row_of(id, pairs, *results));
  });
}

}  // namespace promenade::study
