#include "behaviour/tasks/parts/stand_before.h"

#include <cmath>

#include "math/rotation.h"

namespace promenade::behaviour::tasks {

bool on_stack(const Now& now, double height) {
  const v1::StandParameters& p = now.parameters.stand();
  const double over = (height - now.body.sole) / now.scale();
  return over > p.raised_m() && over < p.on_table_m();
}

bool stand_before(const Now& now, const Vec2& middle, const BoxSide& side, ThingId except,
                  double before, Stand* stand) {
  const v1::StandParameters& p = now.parameters.stand();
  const BodySeen& body = now.body;
  const double scale = now.scale();
  const double toes = body.toes + before * scale;
  const int places = int((body.toes + p.furthest() * body.arm - toes) / (p.further_m() * scale));
  for (int k = 0; k <= places; ++k) {
    const double gap = toes + k * p.further_m() * scale;
    const Vec2 feet = middle - (side.depth + gap) * side.way;
    // It may stand a step higher or lower than now.
    const double ground = now.place.ground(feet);
    bool level = std::abs(ground - body.sole) < p.most_step_m() * scale;
    for (const double ahead : {0.0, p.toes_seen() * toes}) {
      for (const double aside : {-p.half_stance_m() * scale, 0.0, p.half_stance_m() * scale}) {
        const Vec2 at = feet + ahead * side.way + aside * Vec2(-side.way.y(), side.way.x());
        level = level && std::abs(now.place.height(at, except) - ground) < p.level_m();
      }
    }
    if (!level) continue;
    stand->place = feet;
    stand->heading = std::atan2(side.way.y(), side.way.x());
    return true;
  }
  return false;
}

bool too_low(const Now& now, const Stand& stand, const Vec3& middle, double apart) {
  const double far = (middle.head<2>() - stand.place).dot(rotated(Vec2(1, 0), stand.heading));
  const double high = middle.z() - now.place.ground(stand.place);
  const Vec2 way = Vec2(far, high) - now.body.low_shoulders;
  const double aside = 0.5 * (apart - (now.body.shoulder[0] - now.body.shoulder[1]).norm());
  return way.y() < 0 && Vec3(way.x(), way.y(), aside).norm() > now.body.arm;
}

double lowest_of(const ThingSeen& thing) {
  return thing.middle().z() -
         thing.rotation.toRotationMatrix().row(2).cwiseAbs().dot(thing.half.transpose());
}

}  // namespace promenade::behaviour::tasks
