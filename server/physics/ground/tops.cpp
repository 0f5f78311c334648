#include "physics/ground/tops.h"

#include <algorithm>
#include <cmath>

namespace promenade::physics {
namespace {

constexpr double kLevel = 0.906;  // cosine of 25 degrees
constexpr double kNarrow = 0.1;   // m, least half width

}  // namespace

void Tops::clear() {
  tops_.clear();
  low_.setZero();
  high_.setZero();
}

void Tops::add(const ArticulatedBody& of, std::size_t body) {
  const auto& links = of.model().links;
  for (std::size_t i = 0; i < links.size(); ++i) {
    const LinkMotion& link = of.links()[i];
    for (const Shape& shape : links[i].shapes) {
      if (shape.kind != Shape::Kind::kBox) continue;
      int up = 0;  // axis of the box that is nearest to the vertical
      link.rotation.row(2).cwiseAbs().maxCoeff(&up);
      const double sign = link.rotation(2, up) > 0 ? 1 : -1;
      if (sign * link.rotation(2, up) < kLevel) continue;
      const int u = (up + 1) % 3, v = (up + 2) % 3;
      if (std::min(shape.b[u], shape.b[v]) < kNarrow) continue;
      Top top;
      top.normal = sign * link.rotation.col(up);
      top.along = link.rotation.col(u);
      top.across = link.rotation.col(v);
      top.half_along = shape.b[u];
      top.half_across = shape.b[v];
      top.center = link.position + link.rotation * shape.a + shape.b[up] * top.normal;
      top.omega = link.omega;
      top.velocity = link.velocity + link.omega.cross(top.center - link.position);
      top.body = body;
      top.link = int(i);
      const Vec2 reach = Vec2::Constant(kReach) + shape.b[u] * top.along.head<2>().cwiseAbs() +
                         shape.b[v] * top.across.head<2>().cwiseAbs();
      const Vec2 low = top.center.head<2>() - reach, high = top.center.head<2>() + reach;
      low_ = tops_.empty() ? low : Vec2(low_.cwiseMin(low));
      high_ = tops_.empty() ? high : Vec2(high_.cwiseMax(high));
      tops_.push_back(top);
    }
  }
}

bool Tops::near(double x, double y) const {
  if (x < low_.x() || x > high_.x() || y < low_.y() || y > high_.y()) return false;
  return std::any_of(tops_.begin(), tops_.end(), [&](const Top& top) {
    const double far = kReach + top.half_along + top.half_across;
    return std::abs(x - top.center.x()) < far && std::abs(y - top.center.y()) < far;
  });
}

const Top* Tops::at(double x, double y, double below, double& height) const {
  const Top* found = nullptr;
  if (x < low_.x() || x > high_.x() || y < low_.y() || y > high_.y()) return found;
  for (const Top& top : tops_) {
    const double dx = x - top.center.x(), dy = y - top.center.y();
    const double far = top.half_along + top.half_across;
    if (std::abs(dx) > far || std::abs(dy) > far) continue;
    const double dz = -(top.normal.x() * dx + top.normal.y() * dy) / top.normal.z();
    const double z = top.center.z() + dz;
    if (z > below || (found && z <= height)) continue;
    const Vec3 from(dx, dy, dz);
    if (std::abs(from.dot(top.along)) > top.half_along ||
        std::abs(from.dot(top.across)) > top.half_across)
      continue;
    found = &top;
    height = z;
  }
  return found;
}

}  // namespace promenade::physics
