#include "behaviour/crowd/walls.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace promenade::behaviour::crowd {
namespace {

constexpr float kCell = 4;           // m, of the grid, at least
constexpr int kMostAlongSide = 512;  // cells along a side of the grid

float cross_of(const Vec2f& a, const Vec2f& b) { return a.x() * b.y() - a.y() * b.x(); }

Vec2f nearest_on(const Vec2f& a, const Vec2f& b, const Vec2f& p) {
  const Vec2f way = b - a;
  const float length2 = way.squaredNorm();
  const float t = length2 > 0 ? std::clamp((p - a).dot(way) / length2, 0.f, 1.f) : 0;
  return a + t * way;
}

struct Nearest {
  Vec2f point;
  bool inside;
};
// The point of an outline's edge nearest to p.
Nearest nearest_of(std::span<const Vec2f> outline, const Vec2f& p) {
  Nearest nearest{outline[0], outline.size() > 2};
  if (outline.size() == 1) return nearest;
  float least = (p - nearest.point).squaredNorm();
  for (std::size_t i = 0; i < outline.size(); ++i) {
    const Vec2f &a = outline[i], &b = outline[(i + 1) % outline.size()];
    if (cross_of(b - a, p - a) < 0) nearest.inside = false;
    const Vec2f q = nearest_on(a, b, p);
    const float d2 = (p - q).squaredNorm();
    if (d2 < least) {
      least = d2;
      nearest.point = q;
    }
  }
  return nearest;
}

// The direction out of the edge on which q is: for places on the very edge.
Vec2f outward_at(std::span<const Vec2f> outline, const Vec2f& q) {
  Vec2f best = Vec2f::UnitX();
  float least = INFINITY;
  for (std::size_t i = 0; i < outline.size(); ++i) {
    const Vec2f &a = outline[i], &b = outline[(i + 1) % outline.size()];
    const Vec2f way = b - a;
    const float length = way.norm();
    if (!(length > 0)) continue;
    const float d2 = (q - nearest_on(a, b, q)).squaredNorm();
    if (d2 < least) {
      least = d2;
      best = Vec2f(way.y(), -way.x()) / length;
    }
  }
  return best;
}

// Convex hull by monotone chains (Andrew 1979), counter-clockwise, without points on its edges.
void append_hull(std::vector<Vec2f> points, std::vector<Vec2f>& out) {
  std::sort(points.begin(), points.end(), [](const Vec2f& a, const Vec2f& b) {
    return a.x() < b.x() || (a.x() == b.x() && a.y() < b.y());
  });
  points.erase(std::unique(points.begin(), points.end()), points.end());
  if (points.size() < 3) {
    out.insert(out.end(), points.begin(), points.end());
    return;
  }
  std::vector<Vec2f> hull;
  const auto add = [&hull](const Vec2f& p, std::size_t least) {
    while (hull.size() > least &&
           cross_of(hull.back() - hull[hull.size() - 2], p - hull[hull.size() - 2]) <= 0) {
      hull.pop_back();
    }
    hull.push_back(p);
  };
  for (const Vec2f& p : points) add(p, 1);
  const std::size_t lower = hull.size();
  for (std::size_t i = points.size() - 1; i-- > 0;) add(points[i], lower);
  hull.pop_back();
  out.insert(out.end(), hull.begin(), hull.end());
}

}  // namespace

void Walls::add(std::span<const Vec2f> points) {
  std::vector<Vec2f> finite;
  std::copy_if(points.begin(), points.end(), std::back_inserter(finite),
               [](const Vec2f& p) { return p.allFinite(); });
  if (finite.empty()) return;
  Outline outline;
  outline.first = std::uint32_t(vertices_.size());
  append_hull(std::move(finite), vertices_);
  outline.count = std::uint32_t(vertices_.size()) - outline.first;
  outline.low = outline.high = vertices_[outline.first];
  for (std::uint32_t i = 0; i < outline.count; ++i) {
    outline.low = outline.low.cwiseMin(vertices_[outline.first + i]);
    outline.high = outline.high.cwiseMax(vertices_[outline.first + i]);
  }
  outlines_.push_back(outline);
}

void Walls::add(const Vec2f& from, const Vec2f& to) { add(std::array<Vec2f, 2>{from, to}); }

void Walls::add(const Obstacle& obstacle) {
  const Vec2 x = Vec2(std::cos(obstacle.yaw), std::sin(obstacle.yaw)) * obstacle.half.x();
  const Vec2 y = Vec2(-std::sin(obstacle.yaw), std::cos(obstacle.yaw)) * obstacle.half.y();
  const Vec2& c = obstacle.center;
  add(std::array<Vec2f, 4>{Vec2(c + x + y).cast<float>(), Vec2(c - x + y).cast<float>(),
                           Vec2(c - x - y).cast<float>(), Vec2(c + x - y).cast<float>()});
}

void Walls::build(float reach) {
  columns_ = rows_ = 0;
  if (outlines_.empty()) return;
  Vec2f low = outlines_[0].low, high = outlines_[0].high;
  for (const Outline& outline : outlines_) {
    low = low.cwiseMin(outline.low);
    high = high.cwiseMax(outline.high);
  }
  corner_ = low - Vec2f(reach, reach);
  const Vec2f extent = high - low + 2 * Vec2f(reach, reach);
  size_ = std::max(kCell, extent.maxCoeff() / float(kMostAlongSide - 1));
  columns_ = int(extent.x() / size_) + 1;
  rows_ = int(extent.y() / size_) + 1;
  begin_.assign(1, 0);
  listed_.clear();
  for (int row = 0; row < rows_; ++row) {
    for (int column = 0; column < columns_; ++column) {
      const Vec2f from = corner_ + size_ * Vec2f(float(column), float(row));
      // Every place of the cell is within half a diagonal of its centre.
      const Vec2f centre = from + Vec2f(size_, size_) / 2;
      const float far = reach + 0.7072f * size_;
      for (std::uint32_t i = 0; i < outlines_.size(); ++i) {
        const Outline& o = outlines_[i];
        if ((centre - centre.cwiseMax(o.low).cwiseMin(o.high)).norm() > far) continue;
        if (beside(i, centre).distance <= far) listed_.push_back(i);
      }
      begin_.push_back(std::uint32_t(listed_.size()));
    }
  }
}

std::span<const Vec2f> Walls::vertices(std::uint32_t outline) const {
  return std::span(vertices_).subspan(outlines_[outline].first, outlines_[outline].count);
}

Walls::Beside Walls::beside(std::uint32_t outline, const Vec2f& place) const {
  const std::span<const Vec2f> around = vertices(outline);
  const Nearest nearest = nearest_of(around, place);
  const Vec2f offset = place - nearest.point;
  const float distance = offset.norm();
  Beside out;
  out.outline = outline;
  out.distance = nearest.inside ? -distance : distance;
  if (distance > 1e-6f)
    out.away = (nearest.inside ? -1.f : 1.f) / distance * offset;
  else
    out.away = outward_at(around, nearest.point);
  return out;
}

std::size_t Walls::near(const Vec2f& place, float reach, std::span<Beside> out) const {
  if (columns_ == 0 || out.empty()) return 0;
  const Vec2f at = (place - corner_) / size_;
  if (!(at.x() >= 0 && at.y() >= 0 && at.x() < float(columns_) && at.y() < float(rows_))) return 0;
  const std::size_t cell = std::size_t(at.y()) * std::size_t(columns_) + std::size_t(at.x());
  std::size_t count = 0;
  for (std::uint32_t k = begin_[cell]; k < begin_[cell + 1]; ++k) {
    const Outline& o = outlines_[listed_[k]];
    if ((place - place.cwiseMax(o.low).cwiseMin(o.high)).squaredNorm() > reach * reach) continue;
    const Beside one = beside(listed_[k], place);
    if (one.distance > reach) continue;
    if (count < out.size())
      ++count;
    else if (out[count - 1].distance <= one.distance)
      continue;
    std::size_t i = count - 1;
    for (; i > 0 && out[i - 1].distance > one.distance; --i) out[i] = out[i - 1];
    out[i] = one;
  }
  return count;
}

HalfPlane avoid_outline(std::span<const Vec2f> outline, const Vec2f& place, float radius,
                        const Vec2f& velocity, float horizon) {
  // Legs: of the tangents from the place to the discs of `radius` about the vertices the outermost
  // ones. Front: the outline grown by the radius, over the horizon, where it faces the place.
  HalfPlane best{Vec2f::UnitX(), -INFINITY};
  float outside = -INFINITY;
  const auto consider = [&](const Vec2f& normal, float least) {
    const float by = normal.dot(velocity) - least;
    if (by > outside) {
      outside = by;
      best = {normal, least};
    }
  };
  for (const float side : {1.f, -1.f}) {
    Vec2f outermost = Vec2f::Zero();
    for (const Vec2f& vertex : outline) {
      const Vec2f offset = vertex - place;
      const float d2 = offset.squaredNorm();
      const float leg = std::sqrt(std::max(0.f, d2 - radius * radius));
      const Vec2f tangent(offset.x() * leg - side * offset.y() * radius,
                          side * offset.x() * radius + offset.y() * leg);
      if (outermost.isZero() || side * cross_of(outermost, tangent) > 0) outermost = tangent;
    }
    const float length = outermost.norm();
    if (length > 0) consider(side * Vec2f(-outermost.y(), outermost.x()) / length, 0);
  }
  const float grown = radius / horizon;
  const std::size_t edges = outline.size() > 1 ? outline.size() : 0;
  for (std::size_t i = 0; i < edges; ++i) {
    const Vec2f a = (outline[i] - place) / horizon;
    const Vec2f way = outline[(i + 1) % outline.size()] - outline[i];
    const Vec2f normal = Vec2f(way.y(), -way.x()).normalized();
    const float least = normal.dot(a) + grown;
    if (least <= 0) consider(normal, least);  // it faces the place
  }
  // Around a vertex the border is an arc, which has a tangent for each direction.
  const Vec2f scaled = place + horizon * velocity;
  const Nearest nearest = nearest_of(outline, scaled);
  const Vec2f off = scaled - nearest.point;
  const float length = off.norm();
  if (!nearest.inside && length > 0) {
    const Vec2f normal = off / length;
    const float least = normal.dot(nearest.point - place) / horizon + grown;
    if (least <= 0) consider(normal, least);
  }
  return best;
}

}  // namespace promenade::behaviour::crowd
