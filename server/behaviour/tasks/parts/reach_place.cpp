#include "behaviour/tasks/parts/reach_place.h"

#include <algorithm>
#include <cmath>

#include "behaviour/tasks/parts/reach_points.h"
#include "math/rotation.h"

namespace promenade::behaviour::tasks {

double half_shoulders(const BodySeen& body) {
  return 0.5 * (body.shoulder[0] - body.shoulder[1]).head<2>().norm();
}

double distance_for(const Now& now, double height) {
  const v1::ReachPlaceParameters& p = now.parameters.reach_place();
  const BodySeen& body = now.body;
  const double scale = now.scale();
  const double over = height - body.shoulder_height;
  const double usual = p.usual_reach() * body.arm;
  const double lowest = -usual;
  if (over < lowest) {
    // Stoops for it.
    const double low = std::clamp((lowest - over) / (body.shoulder_height - usual), 0.0, 1.0);
    return std::max(body.toes + p.free_toes_m() * scale,
                    std::lerp(p.middle_ahead(), p.low_ahead(), low) * body.arm);
  }
  const double level = std::sqrt(std::max(0.0, usual * usual - over * over));
  return std::max(over < 0 ? body.toes + p.free_toes_m() * scale : p.stretched() * body.arm, level);
}

double distance_before(const Now& now, const ThingSeen& thing, const BoxSide& side, double aside) {
  const v1::ReachPlaceParameters& p = now.parameters.reach_place();
  const double scale = now.scale(), arm = p.palms_out() * now.body.arm;
  const double height = thing.middle().z() - now.body.sole;
  const double nearest =
      std::max(distance_for(now, height), side.depth + now.body.toes + p.free_toes_m() * scale);
  const double over = std::max(0.0, height - now.body.shoulder_height);
  const double outwards = aside - half_shoulders(now.body);
  const double furthest = std::sqrt(std::max(0.0, arm * arm - over * over - outwards * outwards));
  const int places = 1 + int(std::max(0.0, furthest - nearest) / (p.stands_every_m() * scale));
  for (int k = 0; k < places; ++k) {
    const double far = nearest + k * p.stands_every_m() * scale;
    const Vec2 feet = thing.middle().head<2>() - far * side.way;
    if (free_to_stand(now, feet, side.way)) return far;
  }
  return 0;
}

bool free_to_stand(const Now& now, const Vec2& feet, const Vec2& ahead) {
  const v1::ReachPlaceParameters& p = now.parameters.reach_place();
  const double scale = now.scale();
  const Vec2 left(-ahead.y(), ahead.x());
  for (const double forwards : {0.0, now.body.toes}) {
    for (const double aside : {-p.half_stance_m() * scale, p.half_stance_m() * scale}) {
      const Vec2 at = feet + forwards * ahead + aside * left;
      if (std::abs(now.place.height(at, 0) - now.body.sole) > p.largest_step_m() * scale)
        return false;
    }
  }
  return true;
}

void stand_beside(const Now& now, const ReachTarget& to, bool left, Stand& stand) {
  const v1::ReachPlaceParameters& p = now.parameters.reach_place();
  const double distance = distance_for(now, to.middle.z() - now.body.sole);
  const Vec2 ahead = to.velocity.normalized(), aside(-ahead.y(), ahead.x());
  const double hand = left ? 1 : -1;
  const double out = half_shoulders(now.body) * hand;
  stand.heading = std::atan2(ahead.y(), ahead.x());
  stand.place = to.middle.head<2>() - p.beside_ahead() * distance * ahead -
                (out + hand * p.beside_aside() * distance) * aside;
}

void stand_on_free_ground(const Now& now, const Vec2& to, const Vec2& ahead_and_left,
                          Stand& stand) {
  const v1::ReachPlaceParameters& p = now.parameters.reach_place();
  for (int i = 0; i <= 2 * p.turns_tried(); ++i) {
    const int turns = (i + 1) / 2 * (i % 2 ? 1 : -1);
    const double heading = stand.heading + p.turn_every_rad() * turns;
    const Vec2 place = to - rotated(ahead_and_left, heading);
    if (!free_to_stand(now, place, rotated(Vec2(1, 0), heading))) continue;
    stand.heading = wrap_angle(heading);
    stand.place = place;
    return;
  }
}

}  // namespace promenade::behaviour::tasks
