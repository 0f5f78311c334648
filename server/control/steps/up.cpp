// Steps up a flight: one foot on each tread. Source: Coros2010 §5.4 shows stairs and tells nothing
// of them.
#include <algorithm>

#include "control/steps/flights.h"

namespace promenade::control::steps {

double place_on_tread(const Situation& now, int riser, int side) {
  const v1::GbwcUp& p = now.p.up();
  const double l = now.length_scale;
  const Vec3& reach = now.foot_reach[std::size_t(side)];
  const auto risers = now.features.of(ahead::FeatureKind::kRiser);
  const ahead::Feature& r = risers[riser];
  const double room = p.heel_room_m() * l -
                      p.less_room() * std::max(0.0, r.height() - p.usual_rise_m() * l) -
                      (now.climbs ? 0 : p.first_back_m() * l);
  const double first = r.near + std::max(p.over_tread_m() * l, reach.y() + room);
  if (riser + 1 == risers.size()) return first;
  const double last = risers[riser + 1].near - reach.x() - p.toe_room_m() * l;
  return last < first ? last : std::min(0.5 * (first + last), first + p.behind_heel_m() * l);
}

/// Onto the next tread, once it is within a step.
bool plan_up(const Situation& now, const StepPlan&, StepPlan& plan) {
  const v1::GbwcUp& p = now.p.up();
  const int riser = next_riser(now);
  if (riser < 0) return false;
  const double place = place_on_tread(now, riser, now.swing());
  if (place - now.from >= p.onto_first_m() * now.length_scale) return false;
  plan.kind = StepKind::kUp;
  plan.place = place;
  plan.height = now.features.of(ahead::FeatureKind::kRiser)[riser].height();
  plan.speed = (p.pace() + p.loaded_pace() * now.load) * (place - now.from) / now.step_time;
  return true;
}

/// In equal steps up to the first tread.
bool plan_near_riser(const Situation& now, const StepPlan&, StepPlan& plan) {
  const v1::GbwcUp& p = now.p.up();
  const int riser = next_riser(now);
  if (riser < 0) return false;
  const ahead::Feature& r = now.features.of(ahead::FeatureKind::kRiser)[riser];
  plan.height = r.height();
  const double stop =
      r.near - now.foot_reach[std::size_t(now.swing())].x() - p.foot_room_m() * now.length_scale;
  return near_flight(now, stop, place_on_tread(now, riser, now.swing()),
                     p.longest_before_m() * now.length_scale, plan);
}

}  // namespace promenade::control::steps
