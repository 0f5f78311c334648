#include "behaviour/avoidance.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "math/rotation.h"

namespace promenade::behaviour {
namespace {

constexpr double kHorizon = 4.0;       // s, farther collisions do not matter yet
constexpr double kLag = 0.45;          // s, until a walker answers, for legs of scale 1
constexpr double kGlance = 0.6;        // s ahead, looked at for those already too near
constexpr double kObstacleGap = 0.15;  // m, wanted between a walker's space and a thing

// Share of the wanted space that the body itself fills, arms and sway included.
constexpr double kBodyShare = 0.62;

// These numbers are for passages.
constexpr double kNarrowest = 0.26;      // m, for legs of scale 1; with less, bodies touch
constexpr double kPassageShare = 0.2;    // share of the width; at a quarter two who meet just fit
constexpr double kOpposite = -0.5;       // cosine of the angle between two walls of it
constexpr std::size_t kMostBeside = 16;  // obstacles that are looked at

// Weights, in units of the preferred speed.
constexpr double kCollide = 4.0;
constexpr double kCrowd = 2.5;
constexpr double kTouch = 8.0;
constexpr double kKeep = 0.25;
constexpr double kRight = 0.08;
constexpr double kSlow = 1.2;

constexpr double kImpatienceRise = 0.3;  // 1/s, from 0 to 1
constexpr double kImpatienceFall = 0.7;  // 1/s, from 1 to 0

constexpr std::array<double, 11> kTurns = {0, -20, 20, -40, 40, -65, 65, -95, 95, -140, 140};
constexpr std::array<double, 3> kSpeeds = {1.0, 0.55, 0.2};

// Another character or a thing, as a disc that moves.
struct Disc {
  Vec2 offset;  // from the walker's centre after the lag, without the part that c decides
  Vec2 velocity;
  double wanted;  // m, distance of the centres
};

// Seconds until a point at the origin, moving at w, is within `radius` of d; negative: never.
// `depth` becomes how central the hit is, 0 (a graze) to 1.
double time_to_reach(const Vec2& d, const Vec2& w, double radius, double& depth) {
  const double closing = d.dot(w);
  const double speed2 = w.squaredNorm();
  if (closing <= 0 || speed2 < 1e-6) return -1;
  const double radius2 = radius * radius;
  const double discriminant = closing * closing - speed2 * (d.squaredNorm() - radius2);
  if (discriminant <= 0) return -1;
  depth = std::min(1.0, discriminant / (speed2 * radius2));
  return std::max(0.0, (closing - std::sqrt(discriminant)) / speed2);
}

/// The room that a walker wants about itself where it is, so that two who meet in a passage fit
/// side by side and both hold that they do.
/// Law: min(r, max(kNarrowest l, kPassageShare w)), r the room in the open, l the scale of the
///   legs, w the least width, m, between two obstacles on opposite sides of the walker: seen from
///   it, more than the angle of kOpposite apart
double room_in_passage(const Self& self, const Surroundings& around) {
  std::array<Vec2, kMostBeside> beside;
  std::size_t count = 0;
  const double widest = self.radius / kPassageShare;
  double width = widest;
  for (const Obstacle& o : around.obstacles) {
    if (count == kMostBeside) break;
    const Vec2 offset = o.nearest(self.position) - self.position;
    const double distance = offset.norm();
    if (distance >= widest) continue;
    for (std::size_t i = 0; i < count; ++i) {
      const double other = beside[i].norm();
      if (offset.dot(beside[i]) < kOpposite * distance * other)
        width = std::min(width, distance + other);
    }
    beside[count++] = offset;
  }
  return std::min(self.radius, std::max(kNarrowest * self.scale, kPassageShare * width));
}

// Cost of travelling at c past one disc.
double cost_of(const Disc& disc, const Vec2& c, double lag) {
  const Vec2 d = disc.offset + c * lag;  // where the disc is from the walker's effective start
  const Vec2 w = c - disc.velocity;      // closing velocity
  const double body = kBodyShare * disc.wanted;
  double cost = 0;

  // Already inside the wanted space, or about to be: velocities that lead out of it cost less.
  for (const double ahead : {kGlance, 2 * kGlance}) {
    const double near = (d - w * ahead).norm();
    if (near < disc.wanted) cost += kCrowd * (disc.wanted - near) / disc.wanted;
    if (near < body) cost += kTouch * (body - near) / body;
  }
  // Being inside the wanted space without moving towards the body has its cost above.
  double depth = 0;
  if (d.squaredNorm() > disc.wanted * disc.wanted) {
    const double t = time_to_reach(d, w, disc.wanted, depth);
    if (t >= 0 && t < kHorizon) {
      const double urgency = 1 - t / kHorizon;
      cost += kCollide * urgency * urgency * (0.4 + 0.6 * depth);
    }
  }
  const double t = time_to_reach(d, w, body, depth);
  if (t >= 0 && t < kHorizon) {
    const double urgency = 1 - t / kHorizon;
    cost += kCollide * urgency * urgency * (0.7 + 0.3 * depth);
  }
  return cost;
}

}  // namespace

Vec2 Avoidance::choose(const Self& self, const Surroundings& around, const Vec2& preferred,
                       double dt) {
  wait_ -= dt;
  const double wanted_speed = preferred.norm();
  if (wait_ > 0) {
    // Between decisions never faster than is wanted now: a stop must not wait for the next
    // decision.
    const double speed = chosen_.norm();
    return speed > wanted_speed ? Vec2(chosen_ * (wanted_speed / std::max(speed, 1e-9))) : chosen_;
  }
  wait_ += kDecisionInterval;
  if (wait_ <= 0) wait_ = kDecisionInterval;

  const double lag = kLag * std::sqrt(self.scale);
  const double radius = room_in_passage(self, around);
  const double tight = radius / self.radius;
  constexpr std::size_t kMaxDiscs = kMaxNeighbours + 6;
  std::array<Disc, kMaxDiscs> discs;
  std::size_t count = 0;
  for (const Neighbour& n : around.neighbours) {
    if (count == std::size_t(kMaxNeighbours)) break;
    discs[count++] = {n.position - self.position, n.velocity, tight * (n.radius + self.radius)};
  }
  for (const Obstacle& o : around.obstacles) {
    if (count == kMaxDiscs) break;
    const Vec2 offset = o.nearest(self.position) - self.position;
    const double wanted = radius + tight * tight * kObstacleGap;
    if (offset.norm() > wanted + kHorizon * std::max(wanted_speed, 0.3)) continue;
    discs[count++] = {offset, Vec2::Zero(), wanted};
  }
  // The walker's effective start is p + (v - c) lag; what depends on v goes in here, c in cost_of.
  for (std::size_t i = 0; i < count; ++i) discs[i].offset -= self.velocity * lag;

  // A walker that has been held up for a while stops waiting: detours cost less, slowness more.
  const double progress =
      wanted_speed > 0.05 ? self.velocity.dot(preferred) / (wanted_speed * wanted_speed) : 1;
  impatience_ = std::clamp(
      impatience_ + kDecisionInterval * (progress < 0.6 ? kImpatienceRise : -kImpatienceFall), 0.0,
      1.0);
  const double eager = 1 - 0.6 * impatience_;

  const double unit = std::max(wanted_speed, 0.2);
  const auto cost = [&](const Vec2& c, double turn) {
    double worst = 0;
    for (std::size_t i = 0; i < count; ++i) {
      worst = std::max(worst, cost_of(discs[i], c, lag));
    }
    const double slow = std::max(0.0, wanted_speed - c.norm());
    return worst + (turn > 0 ? kRight : 0) +
           (eager * (c - preferred).norm() + kKeep * (c - chosen_).norm() +
            kSlow * impatience_ * slow) /
               unit;
  };

  Vec2 best = preferred;
  double best_cost = cost(preferred, 0);
  if (best_cost > kKeep * (preferred - chosen_).norm() / unit) {  // something is in the way
    const double idle = cost(Vec2::Zero(), 0);
    if (idle < best_cost) {
      best_cost = idle;
      best.setZero();
    }
    for (const double speed : kSpeeds) {
      for (const double turn : kTurns) {
        const Vec2 c = rotated(preferred * speed, turn * kRadFromDeg);
        const double candidate = cost(c, turn);
        if (candidate < best_cost) {
          best_cost = candidate;
          best = c;
        }
      }
    }
  }
  chosen_ = best;
  return chosen_;
}

}  // namespace promenade::behaviour
