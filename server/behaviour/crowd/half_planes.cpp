#include "behaviour/crowd/half_planes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

namespace promenade::behaviour::crowd {
namespace {

constexpr float kParallel = 1e-5f;  // sine of an angle that counts as none
constexpr float kRounding = 2e-5f;  // m/s: a micrometre in a step

Vec2f left_of(const Vec2f& v) { return {-v.y(), v.x()}; }

using Four = float __attribute__((vector_size(16)));
Four four_of(const float* values) {
  Four out;
  std::memcpy(&out, values, sizeof out);
  return out;
}
Four root(const Four& x) {
  Eigen::Array4f values;
  std::memcpy(values.data(), &x, sizeof x);
  values = values.sqrt();
  return four_of(values.data());
}

/// The wish for the velocity besides the half-planes.
struct Wish {
  Vec2f point = Vec2f::Zero();  // nearest to it, or
  Vec2f way = Vec2f::Zero();    // furthest along it
  bool far = false;
};

/// The best velocity on the edge of a half-plane that the ones before it allow.
bool along_edge(std::span<const HalfPlane> before, const HalfPlane& edge, const Wish& wish,
                float fastest, Vec2f& best) {
  const float room = fastest * fastest - edge.least * edge.least;
  if (room < 0) return false;  // faster than allowed wherever on the edge
  float high = std::sqrt(room), low = -high;
  const Vec2f foot = edge.least * edge.normal, along = left_of(edge.normal);
  for (const HalfPlane& plane : before) {
    const float slope = plane.normal.dot(along);
    const float missing = plane.least - plane.normal.dot(foot);
    if (std::abs(slope) < kParallel) {
      if (missing > 0) return false;
      continue;
    }
    const float at = missing / slope;
    if (slope > 0)
      low = std::max(low, at);
    else
      high = std::min(high, at);
    if (low > high) return false;
  }
  const float wanted = wish.far ? (wish.way.dot(along) > 0 ? high : low) : wish.point.dot(along);
  best = foot + std::clamp(wanted, low, high) * along;
  return true;
}

/// @return how many half-planes could be kept, from the first; `best` keeps these
std::size_t solve(std::span<const HalfPlane> planes, const Wish& wish, float fastest, Vec2f& best) {
  if (wish.far) {
    best = fastest * wish.way;
  } else {
    const float speed2 = wish.point.squaredNorm();
    best =
        speed2 > fastest * fastest ? Vec2f(wish.point * (fastest / std::sqrt(speed2))) : wish.point;
  }
  for (std::size_t i = 0; i < planes.size(); ++i) {
    if (planes[i].normal.dot(best) >= planes[i].least) continue;
    const Vec2f kept = best;
    if (!along_edge(planes.first(i), planes[i], wish, fastest, best)) {
      best = kept;
      return i;
    }
  }
  return planes.size();
}

/// Least violation of the half-planes from `from` on, which is where solve() gave up.
void relax(std::span<const HalfPlane> planes, std::size_t firm, std::size_t from, float fastest,
           Vec2f& best) {
  std::array<HalfPlane, kMostPlanes> equal;  // uninitialised: it is large
  float worst = 0;
  for (std::size_t i = from; i < planes.size(); ++i) {
    const HalfPlane& now = planes[i];
    if (now.least - now.normal.dot(best) <= worst) continue;
    // Where each one before is violated no more than this one: again a half-plane.
    std::size_t count = std::min(firm, i);
    std::copy_n(planes.begin(), count, equal.begin());
    for (std::size_t j = count; j < i; ++j) {
      const Vec2f normal = planes[j].normal - now.normal;
      const float length = normal.norm();
      if (length < kParallel) continue;  // the same direction: one of the two implies the other
      equal[count++] = {normal / length, (planes[j].least - now.least) / length};
    }
    const Vec2f kept = best;
    Wish deepest;
    deepest.way = now.normal;
    deepest.far = true;
    if (solve(std::span(equal).first(count), deepest, fastest, best) < count) best = kept;
    worst = now.least - now.normal.dot(best);
  }
}

void relax_ranked(std::span<const HalfPlane> planes, const Ranks& ranks, std::size_t kept,
                  float fastest, Vec2f& best) {
  if (kept >= ranks.touch) {
    relax(planes, ranks.touch, kept, fastest, best);
  } else if (kept >= ranks.walls) {
    relax(planes.first(ranks.touch), ranks.walls, kept, fastest, best);
  } else {
    relax(planes.first(ranks.walls), 0, kept, fastest, best);
  }
}

}  // namespace

Vec2f allowed_velocity(std::span<const HalfPlane> planes, const Ranks& ranks,
                       const Vec2f& preferred, float fastest) {
  planes = planes.first(std::min(planes.size(), kMostPlanes));
  Wish wish;
  wish.point = preferred;
  Vec2f best;
  const std::size_t kept = solve(planes, wish, fastest, best);
  if (kept == planes.size()) return best;
  relax_ranked(planes, ranks, kept, fastest, best);
  // Where hardly anything is allowed rounding may lose it; standing still then is always allowed.
  bool broken = false, still = true;
  for (const HalfPlane& plane : planes.first(ranks.touch)) {
    broken |= plane.normal.dot(best) < plane.least - kRounding;
    still &= plane.least <= 0;
  }
  return broken && still ? Vec2f(Vec2f::Zero()) : best;
}

HalfPlane avoid_disc(const Encounter& encounter, float horizon, float step, float right) {
  const Vec2f &offset = encounter.offset, &relative = encounter.relative;
  const float reach = encounter.reach;
  const float distance2 = offset.squaredNorm();
  const bool apart = distance2 > reach * reach;
  // The velocities that lead to a touch fill a cone; its tip is a circle of radius reach / time
  // about offset / time.
  const float time = apart ? horizon : step;
  const Vec2f from_tip = relative - offset / time;
  const float from2 = from_tip.squaredNorm(), along = from_tip.dot(offset);
  Vec2f normal;
  float outside;  // how far the relative velocity is outside the cone; negative: within
  if (!apart || (along < 0 && along * along > reach * reach * from2)) {
    const float length = std::sqrt(from2);
    if (length > 0)
      normal = from_tip / length;
    else
      normal = distance2 > 0 ? Vec2f(left_of(offset).normalized()) : Vec2f::UnitX();
    outside = length - reach / time;
  } else {
    // One of the cone's two sides: the tangents from the origin to the disc.
    const float leg = std::sqrt(distance2 - reach * reach);
    const float cross = offset.x() * from_tip.y() - offset.y() * from_tip.x();
    const Vec2f other = encounter.own - relative;
    const bool head_on = encounter.own.dot(other) < 0;
    const bool left = cross > 0 && !(head_on && cross * cross < right * right * distance2 * from2);
    const float side = left ? 1.f : -1.f;
    const Vec2f tangent = Vec2f(offset.x() * leg - side * offset.y() * reach,
                                side * offset.x() * reach + offset.y() * leg) /
                          distance2;
    normal = side * left_of(tangent);
    outside = normal.dot(relative);
  }
  // This disc takes over a share of the change that brings the relative velocity to the edge.
  return {normal, normal.dot(encounter.own) - encounter.share * outside};
}

void avoid_four(const FourEncounters& encounters, const Vec2f& own, float horizon, float step,
                float right, HalfPlane* out) {
  const Four ox = four_of(encounters.offset_x), oy = four_of(encounters.offset_y);
  const Four rx = four_of(encounters.relative_x), ry = four_of(encounters.relative_y);
  const Four reach = four_of(encounters.reach);
  const Four zero{}, one = zero + 1;
  const Four distance2 = ox * ox + oy * oy, reach2 = reach * reach;
  const auto apart = distance2 > reach2;
  const Four per_time = apart ? zero + 1 / horizon : zero + 1 / step;
  const Four tx = rx - ox * per_time, ty = ry - oy * per_time;
  const Four from2 = tx * tx + ty * ty, along = tx * ox + ty * oy;
  const auto tip = (apart == 0) | ((along < 0) & (along * along > reach2 * from2));
  // Here the border is a side of the cone.
  const Four leg = root(apart ? distance2 - reach2 : zero);
  const Four cross = ox * ty - oy * tx;
  const Four closing = own.x() * (own.x() - rx) + own.y() * (own.y() - ry);
  const auto left =
      (cross > 0) & ((closing >= 0) | (cross * cross >= right * right * distance2 * from2));
  const Four side = left ? one : -one;
  const Four per_distance2 = one / (distance2 > 0 ? distance2 : one);
  const Four side_x = -side * (side * ox * reach + oy * leg) * per_distance2;
  const Four side_y = side * (ox * leg - side * oy * reach) * per_distance2;
  // Here the border is a circle, at the tip of the cone.
  const Four length = root(from2);
  const Four per_length = one / (length > 0 ? length : one);
  const Four nx = tip ? tx * per_length : side_x, ny = tip ? ty * per_length : side_y;
  const Four outside = tip ? length - reach * per_time : nx * rx + ny * ry;
  const Four least = nx * own.x() + ny * own.y() - four_of(encounters.share) * outside;
  for (int i = 0; i < 4; ++i) {
    if (tip[i] && !(length[i] > 0)) {  // no direction of its own
      out[i] = avoid_disc({{ox[i], oy[i]}, {rx[i], ry[i]}, own, reach[i], encounters.share[i]},
                          horizon, step, right);
    } else {
      out[i] = {{nx[i], ny[i]}, least[i]};
    }
  }
}

HalfPlane keep_apart(const Vec2f& away, float gap, const Vec2f& own, float lag, float step) {
  constexpr float kPart = 0.5f;  // m/s, at which overlapping discs come apart
  if (gap < 0) return {away, std::min(kPart, -gap / step)};
  return {away, std::min(0.f, -(gap + lag * away.dot(own)) / step)};
}

}  // namespace promenade::behaviour::crowd
