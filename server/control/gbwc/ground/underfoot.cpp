// The ground under the feet and ahead: its height as it is felt, friction, roughness, walls.
// Source: not in Coros2010, whose walkers know level ground and slopes only.
#include "control/gbwc/ground/underfoot.h"

#include <algorithm>
#include <cmath>

#include "control/ahead/surface.h"
#include "control/gbwc/frame.h"
#include "control/stopping.h"

namespace promenade::control::gbwc {
namespace {

constexpr double kFeltAtAll = 0.005;  // m, the least difference of the ground's height that counts
constexpr double kFeltIn = 0.02;      // s, in which it is taken over

constexpr double kOnIce = 0.2;       // m/s, that is dared on any floor
constexpr double kIceNear = 1.2;     // m before it, where one walks as on it
constexpr double kSlowing = 0.25;    // m/s^2, before it
constexpr double kIceLag = 0.6;      // s, until it is slower
constexpr double kFirm = 0.5;        // friction that a walk needs at any speed
constexpr double kLeastGrip = 0.15;  // share of the usual forces that is left on the smoothest ice
constexpr double kSoftest = 0.4;     // of the usual gains of a swing leg, there
constexpr double kStoodOnIce = 0.3;  // of the sole's reach, where a foot takes the load there
constexpr double kLookAhead = 0.5;   // m, and the way of a second
constexpr double kStepUp = 0.03;     // m, of a step in the ground from which on it slows a walker
constexpr double kSteep = 0.2;       // slope likewise
constexpr double kCareful = 0.65;    // m/s, over steps and steep ground
constexpr double kScatter = 41;      // places by which the look for a wall moves on in a step
constexpr double kWallGap = 0.45;    // m, from the COM to a wall, where one stops
constexpr double kBackIn = 1;        // s, in which who is nearer goes back
constexpr double kBackOff = 0.2;     // m/s, by which he does at most
constexpr double kForget = 1;        // m/s, by which a wall that is seen no more moves away
constexpr double kWallNear = 1.2;    // m, from the COM, where feet keep away from a wall

/// Way of the COM to what nobody steps onto, m, within `far`.
std::optional<double> way_to_wall(const Frame& f, const Vec2& way, double far) {
  // From the stance foot on, so that a stair is compared with the one before it.
  const Vec2 com = f.s.com.head<2>(), foot = f.s.ankle[f.step.stance].head<2>();
  // Other places at other times, so that what is thin is not missed for long.
  const double from = std::min(0.0, way.dot(foot - com)) +
                      std::fmod(kScatter * f.step.phase, 1) * f.body.sight.wall.spacing;
  return ahead::distance_to_wall(f.path(), {com, way}, from, far, f.way_height(foot),
                                 f.body.sight.wall);
}

/// m/s, dared on ground of this friction.
double speed_on(const Frame& f, double friction) {
  return std::max(kOnIce, f.p.grip_speed_mps() * (friction - f.p.grip_least())) * f.body.time_scale;
}

}  // namespace

void feel_ground(const Frame& f, double dt, UnderfootState& underfoot) {
  double load = 0, higher = 0;
  for (const physics::ContactPoint& c : f.state.contacts()) {  // of the last step; smoothed below
    bool felt = false;
    for (int side : {kLeft, kRight}) {
      felt = felt || ((f.step.standing || side == f.step.stance) &&
                      (c.link == f.body.biped.link[kLeftFoot + side] ||
                       c.link == f.body.biped.link[kLeftToes + side]));
    }
    const double force = c.force.z();
    if (!felt || force <= 0) continue;
    const auto above = [&](double x, double y) {
      return c.position.z() -
             f.ground_now.clearance(x, y, f.view.hanging_from, c.position.z()).floor;
    };
    double off = above(c.position.x(), c.position.y());
    if (std::abs(off) > kFeltAtAll) {
      // A point at the edge of a block may stand on the ground beside that point.
      for (const Vec2& aside : {Vec2(0.01, 0), Vec2(-0.01, 0), Vec2(0, 0.01), Vec2(0, -0.01)}) {
        const Vec2 at = c.position.head<2>() + aside;
        const double other = above(at.x(), at.y());
        if (std::abs(other) < std::abs(off)) off = other;
      }
    }
    load += force;
    higher += force * off;
  }
  if (load < 0.1 * physics::kGravity * f.mass) return;
  underfoot.felt = std::lerp(underfoot.felt, higher / load, dt / (dt + kFeltIn));
}

bool near_wall(const Frame& f) { return f.underfoot.wall_ahead < kWallNear * f.body.length_scale; }

void watch_ground(const Frame& f, const Vec2& asked, UnderfootState& underfoot) {
  const Vec2 com = f.s.com.head<2>();
  const double below = f.s.com.z();
  const auto foot_friction = [&](int side) {
    return ahead::friction_at(f.ground_now, f.s.ankle[side].head<2>(), below);
  };
  const double stood = std::min(foot_friction(0), foot_friction(1));
  double mu = stood;
  const double speed = f.course.velocity.norm();
  const Vec2 direction = asked.norm() > kNoSpeed ? Vec2(f.in_world(asked) / asked.norm()) : f.ahead;
  const ahead::Way way{com, direction};
  const double l = f.body.length_scale;
  // Feet on firm ground can brake before smooth ground that is still ahead.
  double fastest_to_ice = kMostSpeed;
  const double slowing = kSlowing * l;  // m/s^2 scale with the length
  const double ice_sight =
      kIceNear * l + speed * speed / (2 * slowing) + kIceLag * f.body.time_scale * speed;
  const auto slippery = ahead::slippery_ahead(f.ground_now, way, ice_sight, kFirm, below);
  for (const auto& [distance, friction] : slippery.all()) {
    if (distance < kIceNear * l) mu = std::min(mu, friction);
    const double dared = speed_on(f, friction), left = std::max(0.0, distance - kIceNear * l);
    fastest_to_ice = std::min(fastest_to_ice, std::sqrt(dared * dared + 2 * slowing * left));
  }
  double rough = 0, steep = 0;
  if (f.view.has_relief()) {
    rough = ahead::unevenness(f.path(), way, kLookAhead * l + speed);
    steep = ahead::steepness_at(f.ground_now, com, below);
  }
  underfoot.stood_grip = std::clamp(stood / kFirm, kLeastGrip, 1.0);
  underfoot.grip = std::clamp(mu / kFirm, kLeastGrip, 1.0);
  double care =
      std::max(ramp01(rough, kStepUp * l, 2 * kStepUp * l), ramp01(steep, kSteep, 1.3 * kSteep));
  care = std::max(care, std::min(1.0, 2 * f.stumble.wary));
  underfoot.safe_speed = std::lerp(kMostSpeed, kCareful * f.body.time_scale, care);
  underfoot.safe_speed = std::min(underfoot.safe_speed, fastest_to_ice);
  if (mu < kFirm) underfoot.safe_speed = std::min(underfoot.safe_speed, speed_on(f, mu));
  if (!f.view.has_relief()) return;
  // Stop before a wall, and step back from one that is too near: who only stands there on the spot
  // creeps on until the shins are at it, and falls over what is lower than the hips.
  // A wall thinner than the way between two places is seen now and then: it is remembered.
  const double braking = underfoot.grip * kBraking, lag = kAnswerLag * f.body.time_scale;
  const double fastest = std::max(speed, std::min(asked.norm(), underfoot.safe_speed));
  const double sight =
      stopping_way(std::min(fastest, f.p.most_forward_mps() * f.body.time_scale), braking, lag) +
      kWallNear * l;
  if (direction.dot(underfoot.wall_way) < 0) underfoot.wall_ahead = kFarOff;  // that of another way
  underfoot.wall_way = direction;
  underfoot.wall_ahead = std::min(way_to_wall(f, direction, sight).value_or(kFarOff),
                                  underfoot.wall_ahead + kForget * kPoseTime);
  const double gap = underfoot.wall_ahead - kWallGap * l;
  underfoot.safe_speed = std::min(
      underfoot.safe_speed,
      gap > 0 ? speed_to_stop_within(gap, braking, lag)
              : std::max(-kBackOff * f.body.time_scale, gap / (kBackIn * f.body.time_scale)));
}

double softness(const Frame& f) { return std::clamp(f.underfoot.grip, kSoftest, 1.0); }

double stood_ahead(const Frame& f) {
  return std::lerp(kStoodOnIce, f.p.stood_ahead(), ramp01(f.underfoot.grip, 0.2, 0.4));
}

}  // namespace promenade::control::gbwc
