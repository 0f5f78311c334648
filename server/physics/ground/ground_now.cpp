#include "physics/ground/ground.h"
#include "physics/ground/tops.h"

namespace promenade::physics {

bool GroundNow::has_tops_near(double x, double y) const { return tops->near(x, y); }

GroundPoint GroundNow::bearing(double x, double y, double below) const {
  GroundPoint point = at(x, y);
  if (!tops) return point;
  double height = 0;
  const Top* top = tops->at(x, y, below, height);
  if (!top || (point.there && point.height >= height)) return point;
  point.there = true;
  point.height = height;
  point.normal = top->normal;
  point.velocity = top->velocity_at({x, y, height});
  point.spin = top->omega.z();
  return point;
}

}  // namespace promenade::physics
