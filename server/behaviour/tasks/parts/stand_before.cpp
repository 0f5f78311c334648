#include "behaviour/tasks/parts/stand_before.h"

#include <cmath>

#include "math/rotation.h"

namespace promenade::behaviour::tasks {
namespace {

constexpr double kMostStep = 0.25;  // m, by which it may be higher or lower than here
constexpr double kFurther = 0.05;   // m, between places to stand that are tried
constexpr double kFurthest = 0.75;  // of the arm, from the toes to the thing's near side

}  // namespace

bool on_stack(const BodySeen& body, double height, double scale) {
  const double over = (height - body.sole) / scale;
  return over > kRaised && over < kOnTable;
}

bool stand_before(const Workplace& place, const BodySeen& body, double scale, const Vec2& middle,
                  const BoxSide& side, ThingId except, double before, Stand* stand) {
  const double toes = body.toes + before * scale;
  const int places = int((body.toes + kFurthest * body.arm - toes) / (kFurther * scale));
  for (int k = 0; k <= places; ++k) {
    const double gap = toes + k * kFurther * scale;
    const Vec2 feet = middle - (side.depth + gap) * side.way;
    // It may stand a step higher or lower than now.
    const double ground = place.ground(feet);
    bool level = std::abs(ground - body.sole) < kMostStep * scale;
    for (const double ahead : {0.0, 0.9 * toes}) {
      for (const double aside : {-0.16 * scale, 0.0, 0.16 * scale}) {
        const Vec2 at = feet + ahead * side.way + aside * Vec2(-side.way.y(), side.way.x());
        level = level && std::abs(place.height(at, except) - ground) < kLevel;
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
