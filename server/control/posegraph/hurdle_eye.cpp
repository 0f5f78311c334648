#include "control/posegraph/hurdle_eye.h"

#include <algorithm>
#include <cmath>

namespace promenade::control::posegraph {
namespace {

constexpr double kGlance = 0.01;  // m, from one point that is looked at to the next, at least
constexpr double kGlances = 150;  // points within the horizon at most
constexpr double kSpare = 0.01;   // m, before and behind a hurdle

}  // namespace

std::optional<Hurdle> look_ahead(const physics::GroundNow& ground, const Vec2& place,
                                 double heading, double low, double horizon) {
  if (!ground.ground->has_relief() && !ground.tops) return std::nullopt;
  const Vec2 ahead(std::cos(heading), std::sin(heading));
  const double here = ground.height(place.x(), place.y());
  std::optional<Hurdle> seen;
  const double glance = std::max(kGlance, horizon / kGlances);
  for (int i = 0; i * glance < (seen ? 2 : 1) * horizon; ++i) {
    const double away = i * glance;
    const Vec2 at = place + away * ahead;
    const auto point = ground.bearing(at.x(), at.y(), physics::kAnyHeight);
    const double height = point.there ? point.height - here : 0;
    if (height < low) {
      if (seen) return seen;
      continue;
    }
    if (!seen) seen = {away, away, height};
    seen->far = away;
    seen->height = std::max(seen->height, height);
  }
  return std::nullopt;
}

std::optional<double> size_over(std::span<const LeapReach> reaches, const Hurdle& hurdle) {
  std::optional<double> size;
  double best = 0;
  for (const LeapReach& reach : reaches) {
    if (reach.height < hurdle.height) continue;
    const double spare = std::min(hurdle.near - reach.from, reach.to - hurdle.far);
    if (spare < kSpare || (size && spare <= best)) continue;
    size = reach.size;
    best = spare;
  }
  return size;
}

}  // namespace promenade::control::posegraph
