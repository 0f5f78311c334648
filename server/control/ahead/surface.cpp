#include "control/ahead/surface.h"

#include <algorithm>
#include <cmath>

namespace promenade::control::ahead {

double friction_at(const physics::GroundNow& ground, const Vec2& at, double below) {
  return ground.at(at.x(), at.y(), below).friction;
}

SlipperyPlaces slippery_ahead(const physics::GroundNow& ground, const Way& way, double sight,
                              double firm, double below) {
  SlipperyPlaces out;
  if (ground.ground->least_friction() >= firm) return out;
  for (int i = 1; i <= SlipperyPlaces::kLooks; ++i) {
    const double distance = sight * i / SlipperyPlaces::kLooks;
    const double friction = friction_at(ground, way.at(distance), below);
    if (friction < firm) out.add({distance, friction});
  }
  return out;
}

double unevenness(const PathGround& ground, const Way& way, double far) {
  constexpr int kParts = 10;
  double greatest = 0, before = ground.height(way.at(0)), slope = 0;
  for (int i = 1; i <= kParts; ++i) {
    const double here = ground.height(way.at(far * i / kParts));
    const double rise = here - before;
    greatest = std::max(greatest, std::abs(rise - (i > 1 ? slope : rise)));
    slope = rise;
    before = here;
  }
  return greatest;
}

double steepness_at(const physics::GroundNow& ground, const Vec2& at, double below) {
  constexpr double kUpright = 0.1;  // of the normal's height: steeper is taken as that
  const Vec3 normal = ground.at(at.x(), at.y(), below).normal;
  return normal.head<2>().norm() / std::max(kUpright, normal.z());
}

}  // namespace promenade::control::ahead
