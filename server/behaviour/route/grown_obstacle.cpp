#include "behaviour/route/grown_obstacle.h"

#include <cmath>

namespace promenade::behaviour::route {
namespace {
constexpr double kEighthTurn = 0.41421356237309503;  // tan(22.5 degrees)
constexpr double kRoot2 = 1.4142135623730951;
}  // namespace

GrownObstacle::GrownObstacle(const Vec2& center, const Vec2& axis, const Vec2& half, double radius)
    : center_(center),
      axis_(axis),
      half_(half),
      radius_(radius),
      reach_(half.x() + radius, half.y() + radius),
      diagonal_(half.x() + half.y() + kRoot2 * radius) {}

GrownObstacle::GrownObstacle(const Obstacle& obstacle, double radius)
    : GrownObstacle(obstacle.center, Vec2(std::cos(obstacle.yaw), std::sin(obstacle.yaw)),
                    obstacle.half, radius) {}

Vec2 GrownObstacle::local(const Vec2& v) const {
  return {axis_.x() * v.x() + axis_.y() * v.y(), axis_.x() * v.y() - axis_.y() * v.x()};
}

bool GrownObstacle::contains(const Vec2& p) const {
  const Vec2 q = local(p - center_).cwiseAbs();
  return q.x() < reach_.x() && q.y() < reach_.y() && q.x() + q.y() < diagonal_;
}

bool GrownObstacle::crossed_by(const Vec2& a, const Vec2& b) const {
  const Vec2 middle = local(0.5 * (a + b) - center_);
  const Vec2 along = local(0.5 * (b - a));  // half of the way
  const Vec2 m = middle.cwiseAbs(), d = along.cwiseAbs();
  if (m.x() >= reach_.x() + d.x() || m.y() >= reach_.y() + d.y()) return false;
  if (std::abs(middle.x() + middle.y()) >= diagonal_ + std::abs(along.x() + along.y()) ||
      std::abs(middle.x() - middle.y()) >= diagonal_ + std::abs(along.x() - along.y())) {
    return false;
  }
  // Along the way's normal (-y, x) the octagon reaches as far as one of its two corners there.
  const double inner_x = half_.x() + kEighthTurn * radius_;
  const double inner_y = half_.y() + kEighthTurn * radius_;
  const double reach = std::max(d.y() * reach_.x() + d.x() * inner_y,  //
                                d.y() * inner_x + d.x() * reach_.y());
  const double offset = std::abs(along.x() * middle.y() - along.y() * middle.x());
  return d.isZero(0) || offset < reach;
}

GrownObstacle GrownObstacle::shrunk(double share) const {
  return {center_, axis_, half_, share * radius_};
}

std::array<Vec2, 8> GrownObstacle::corners(double clearance) const {
  const double r = radius_ + clearance;
  const Vec2 outer(half_.x() + r, half_.y() + r);
  const Vec2 inner(half_.x() + kEighthTurn * r, half_.y() + kEighthTurn * r);
  const std::array<Vec2, 8> in_frame = {Vec2(outer.x(), -inner.y()),  Vec2(outer.x(), inner.y()),
                                        Vec2(inner.x(), outer.y()),   Vec2(-inner.x(), outer.y()),
                                        Vec2(-outer.x(), inner.y()),  Vec2(-outer.x(), -inner.y()),
                                        Vec2(-inner.x(), -outer.y()), Vec2(inner.x(), -outer.y())};
  std::array<Vec2, 8> out;
  for (std::size_t i = 0; i < 8; ++i) {
    const Vec2& p = in_frame[i];
    out[i] = center_ + Vec2(axis_.x() * p.x() - axis_.y() * p.y(),  //
                            axis_.y() * p.x() + axis_.x() * p.y());
  }
  return out;
}

Vec2 GrownObstacle::box_half() const {
  const Vec2 a = axis_.cwiseAbs();
  return {a.x() * reach_.x() + a.y() * reach_.y(), a.y() * reach_.x() + a.x() * reach_.y()};
}

}  // namespace promenade::behaviour::route
