// Where people stand in lines, on benches and about things to look at: laid out once, when a plan
// is made.
#include <algorithm>
#include <cmath>

#include "behaviour/flow/plan.h"
#include "math/rotation.h"

namespace promenade::behaviour::flow {
namespace {

constexpr double kTurnStep = 10 * kRadFromDeg;
constexpr int kTurnSteps = 12;        // up to 120 degrees between two in a line
constexpr double kLinesApart = 0.95;  // of the spacing, least, between two parts of a line
constexpr double kAside = 1.0;        // m, from people who wait to those in the line
constexpr double kWaitApart = 0.7;    // m, between people who wait

Vec2 heading_vector(double angle) { return {std::cos(angle), std::sin(angle)}; }
double heading_from(const Vec2& v) { return std::atan2(v.y(), v.x()); }

bool keeps_apart(const std::vector<Spot>& spots, std::size_t count, const Vec2& p, double apart) {
  return std::all_of(spots.begin(), spots.begin() + std::ptrdiff_t(count),
                     [&](const Spot& s) { return (s.at - p).norm() >= apart; });
}

/// The next slot behind the last one, straight on if it can be.
bool add_bent(const route::RouteMap& map, double spacing, double& back, std::vector<Spot>& line) {
  const Vec2 last = line.back().at;
  for (int turn = 0; turn <= kTurnSteps; ++turn) {
    for (const int side : {1, -1}) {
      const double angle = back + side * turn * kTurnStep;
      const Vec2 p = last + spacing * heading_vector(angle);
      if (!map.sees(last, p) || !map.free(p)) continue;
      if (!keeps_apart(line, line.size() - 1, p, kLinesApart * spacing)) continue;
      back = angle;
      line.push_back({p, wrap_angle(angle + kPi)});
      return true;
    }
  }
  return false;
}

/// Points along a way, `spacing` of its length apart.
std::vector<Vec2> points_along(const std::vector<Vec2>& way, double spacing, std::size_t count) {
  std::vector<Vec2> out = {way.front()};
  double left = spacing;
  for (std::size_t i = 0; i + 1 < way.size(); ++i) {
    const Vec2 piece = way[i + 1] - way[i];
    const double length = piece.norm();
    double at = 0;
    while (out.size() < count && length > 0 && at + left <= length) {
      at += left;
      left = spacing;
      out.push_back(way[i] + piece * (at / length));
    }
    left -= length - at;
  }
  return out;
}

}  // namespace

std::vector<Spot> lay_out_line(const route::RouteMap& map, const Spot& head, double spacing,
                               std::size_t count, const std::vector<Vec2>& way) {
  std::vector<Spot> line;
  if (count == 0 || !map.free(head.at)) return line;
  line.push_back(head);
  if (way.size() < 2) {
    double back = wrap_angle(head.facing + kPi);
    while (line.size() < count && add_bent(map, spacing, back, line)) {
    }
    return line;
  }
  const std::vector<Vec2> points = points_along(way, spacing, count);
  for (std::size_t i = 1; i < points.size(); ++i) {
    if (!map.free(points[i]) || !map.sees(line.back().at, points[i])) break;
    line.push_back({points[i], heading_from(line.back().at - points[i])});
  }
  return line;
}

std::vector<Spot> spots_aside(const route::RouteMap& map, const std::vector<Spot>& line) {
  std::vector<Spot> out;
  if (line.empty()) return out;
  const Spot& head = line.front();
  for (int ring = 0; ring < 6; ++ring) {
    const double distance = 1.5 + 0.5 * ring;
    for (int step = 0; step < 24; ++step) {
      // Alternating to either side, from straight ahead of the first in the line.
      const int turns = (step % 2 == 0 ? 1 : -1) * ((step + 1) / 2);
      const double turn = turns * kTwoPi / 24;
      const Vec2 p = head.at + distance * heading_vector(head.facing + turn);
      if (out.size() == kMostInParty - 1) return out;
      if (!map.free(p) || !map.sees(head.at, p)) continue;
      if (!keeps_apart(line, line.size(), p, kAside)) continue;
      if (!keeps_apart(out, out.size(), p, kWaitApart)) continue;
      out.push_back({p, heading_from(head.at - p)});
    }
  }
  return out;
}

std::vector<Spot> spots_in_row(const route::RouteMap& map, const Spot& middle, double apart,
                               std::size_t count) {
  std::vector<Spot> out;
  const Vec2 left = heading_vector(middle.facing + kPi / 2);
  for (std::size_t i = 0; i < count; ++i) {
    const Vec2 p = middle.at + left * apart * (double(i) - 0.5 * (double(count) - 1));
    if (map.free(p)) out.push_back({p, middle.facing});
  }
  return out;
}

std::vector<Spot> spots_around(const route::RouteMap& map, const Vec2& what, double distance,
                               std::size_t count) {
  std::vector<Spot> out;
  for (std::size_t i = 0; i < count; ++i) {
    const double angle = kTwoPi * double(i) / double(count);
    const Vec2 p = what + distance * heading_vector(angle);
    if (map.free(p)) out.push_back({p, wrap_angle(angle + kPi)});
  }
  return out;
}

}  // namespace promenade::behaviour::flow
