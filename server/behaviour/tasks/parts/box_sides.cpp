#include "behaviour/tasks/parts/box_sides.h"

#include <algorithm>
#include <cmath>

namespace promenade::behaviour::tasks {
namespace {

int vertical_axis(const Mat3& r) {
  int axis = 0;
  r.row(2).cwiseAbs().maxCoeff(&axis);
  return axis;
}

}  // namespace

std::array<BoxSide, 4> sides_of(const ThingSeen& thing) {
  const Mat3 r = thing.rotation.toRotationMatrix();
  const int v = vertical_axis(r);
  const double sign = r(2, v) < 0 ? -1 : 1;
  std::array<BoxSide, 4> out;
  for (int k = 0; k < 4; ++k) {
    const int along = (v + 1 + k % 2) % 3, across = 3 - v - along;
    BoxSide& side = out[std::size_t(k)];
    side.ahead = Vec3::Unit(along) * (k < 2 ? 1 : -1);
    side.up = sign * Vec3::Unit(v);
    side.left = side.up.cross(side.ahead);
    const Vec3 way = r * side.ahead;
    side.way = way.head<2>().normalized();
    side.depth = thing.half[along];
    side.width = thing.half[across];
    side.height = thing.half[v];
  }
  return out;
}

BoxSide side_towards(const ThingSeen& thing, const Vec2& ahead) {
  const auto sides = sides_of(thing);
  return *std::max_element(sides.begin(), sides.end(), [&](const BoxSide& a, const BoxSide& b) {
    return a.way.dot(ahead) < b.way.dot(ahead);
  });
}

Quat upright(const ThingSeen& thing) {
  const Mat3 r = thing.rotation.toRotationMatrix();
  const int v = vertical_axis(r);
  const Vec3 up = r.col(v) * (r(2, v) < 0 ? -1 : 1);
  return (Quat::FromTwoVectors(up, Vec3::UnitZ()) * thing.rotation).normalized();
}

bool grips_across(const ThingSeen& thing, const Vec2& towards, double apart, double inside,
                  std::array<Vec2, 2>* out, double* near) {
  const std::array<BoxSide, 4> sides = sides_of(thing);
  const Vec2 middle = thing.middle().head<2>();
  const Vec2 left(-towards.y(), towards.x());
  double half = 0;  // m, half of the width that the box shows
  *near = 0;
  for (const BoxSide& side : {sides[0], sides[1]}) {
    half += side.depth * std::abs(side.way.dot(left));
    *near += side.depth * std::abs(side.way.dot(towards));
  }
  apart = std::min(apart, half - inside);
  if (apart <= 0) return false;
  for (int hand : {0, 1}) {
    const Vec2 from = (hand == 0 ? apart : -apart) * left;
    double enters = -1e9;
    for (const BoxSide& side : sides) {
      const double closing = side.way.dot(towards);
      if (closing > 1e-6) enters = std::max(enters, (-side.depth - from.dot(side.way)) / closing);
    }
    (*out)[std::size_t(hand)] = middle + from + enters * towards;
  }
  return true;
}

}  // namespace promenade::behaviour::tasks
