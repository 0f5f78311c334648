// Steps down a flight: one foot on each tread. Source: not in Coros2010.
#include <algorithm>

#include "control/steps/flights.h"

namespace promenade::control::steps {

double place_below(const Situation& now, int drop, int side) {
  const v1::GbwcDown& p = now.p.down();
  const double l = now.length_scale;
  const Vec3& reach = now.foot_reach[std::size_t(side)];
  const auto drops = now.features.of(ahead::FeatureKind::kDrop);
  const double first = drops[drop].near + reach.y() + p.heel_behind_m() * l;
  const double furthest = first + p.further_on_m() * l;
  if (drop + 1 == drops.size()) return furthest;
  return std::clamp(drops[drop + 1].near - reach.x() + p.toes_over_m() * l, first, furthest);
}

/// Onto the next tread, once it is within a step.
bool plan_down(const Situation& now, const StepPlan&, StepPlan& plan) {
  const v1::GbwcDown& p = now.p.down();
  const int drop = next_drop(now);
  if (drop < 0) return false;
  const double place = place_below(now, drop, now.swing());
  if (place - now.from >= p.onto_first_m() * now.length_scale) return false;
  const ahead::Feature& d = now.features.of(ahead::FeatureKind::kDrop)[drop];
  plan.kind = StepKind::kDown;
  plan.place = place;
  plan.height = d.height();
  plan.edge = d.near;
  plan.speed = p.pace() * (place - now.from) / now.step_time;
  return true;
}

/// In equal steps up to the edge above the first tread. Its height is left at 0: nothing is high
/// before the feet.
bool plan_near_drop(const Situation& now, const StepPlan&, StepPlan& plan) {
  const int drop = next_drop(now);
  if (drop < 0) return false;
  const double edge = now.features.of(ahead::FeatureKind::kDrop)[drop].near;
  return near_flight(now, edge - now.foot_reach[std::size_t(now.swing())].x(),
                     place_below(now, drop, now.swing()),
                     now.p.down().longest_before_m() * now.length_scale, plan);
}

}  // namespace promenade::control::steps
