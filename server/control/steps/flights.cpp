// What going up and going down stairs share: which steps in the ground are those of a flight, and
// the last steps before it. Source: not in Coros2010.
#include "control/steps/flights.h"

#include <algorithm>
#include <cmath>

namespace promenade::control::steps {
namespace {

using ahead::FeatureKind;

/// @param on_it  the feet are on that flight already
int next_of(const Situation& now, FeatureKind kind, bool on_it, double treads) {
  const auto edges = now.features.of(kind);
  int next = 0;
  while (next < edges.size() && edges[next].near < now.from) ++next;
  if (next == edges.size() || !(on_it || edges.has_neighbour(next, treads))) return -1;
  for (const ahead::Feature& board : now.features.of(FeatureKind::kBoard)) {
    if (board.near > now.from && board.near < edges[next].near) return -1;
  }
  return next;
}

}  // namespace

int next_riser(const Situation& now) {
  return next_of(now, FeatureKind::kRiser, now.climbs, now.up_treads);
}
int next_drop(const Situation& now) {
  return next_of(now, FeatureKind::kDrop, now.descends, now.down_treads);
}

bool near_flight(const Situation& now, double stop, double first, double longest, StepPlan& plan) {
  const double all = first - now.from;
  const double count = std::max(2.0, std::ceil(all / longest));
  if (count > now.p.stairs().counted_steps()) return false;
  plan.kind = StepKind::kNearFlight;
  plan.limit = stop;
  plan.place = now.from + std::max(0.0, std::min(all / count, (stop - now.from) / (count - 1)));
  plan.speed = std::max(0.0, plan.place - now.from) / now.step_time;
  return true;
}

}  // namespace promenade::control::steps
