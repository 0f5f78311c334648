#include "control/posegraph/hurdle_eye.h"

#include <algorithm>
#include <cmath>

#include "control/ahead/stretch.h"

namespace promenade::control::posegraph {
namespace {

constexpr double kGlance = 0.01;  // m, from one point that is looked at to the next, at least
constexpr double kGlances = 150;  // points within the horizon at most
constexpr double kSpare = 0.01;   // m, before and behind a hurdle

}  // namespace

std::optional<Hurdle> look_ahead(const physics::GroundNow& ground, const Vec2& place,
                                 double heading, double low, double horizon) {
  if (!ground.ground->has_relief() && !ground.tops) return std::nullopt;
  const Vec2 direction(std::cos(heading), std::sin(heading));
  const double here = ground.height(place.x(), place.y());
  double top = 0;
  // Higher than the ground under the toy: ahead::find_relief() would miss what rises gradually, as
  // it looks for edges.
  const auto is_hurdle = [&](double away) {
    const Vec2 at = place + away * direction;
    const auto point = ground.bearing(at.x(), at.y(), physics::kAnyHeight);
    const double height = point.there ? point.height - here : 0;
    if (height < low) return false;
    top = std::max(top, height);
    return true;
  };
  const double glance = std::max(kGlance, horizon / kGlances);
  const auto seen = ahead::first_stretch(0, horizon, 2 * horizon, glance, is_hurdle);
  if (!seen) return std::nullopt;
  return Hurdle{seen->near, seen->far, top};
}

std::optional<double> size_over(const Gait& gait, const Hurdle& hurdle) {
  std::optional<double> size;
  double best = 0;
  for (const Gait::Variant& leap : gait.variants) {
    for (const LeapReach& reach : leap.reaches) {
      if (reach.height < hurdle.height) continue;
      const double spare = std::min(hurdle.near - reach.from, reach.to - hurdle.far);
      if (spare < kSpare || (size && spare <= best)) continue;
      size = leap.size;
      best = spare;
    }
  }
  return size;
}

}  // namespace promenade::control::posegraph
