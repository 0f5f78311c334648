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

constexpr double kScatter = 41;  // places by which the look for a wall moves on in a step

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
  const v1::GbwcFriction& p = f.p.friction();
  return std::max(p.on_ice_mps(), p.speed_mps() * (friction - p.least())) * f.body.time_scale;
}

}  // namespace

void feel_ground(const Frame& f, double dt, UnderfootState& underfoot) {
  const v1::GbwcGround& p = f.p.ground();
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
    if (std::abs(off) > p.felt_least_m()) {
      const double beside = p.felt_beside_m();
      // A point at the edge of a block may stand on the ground beside that point.
      for (const Vec2& aside :
           {Vec2(beside, 0), Vec2(-beside, 0), Vec2(0, beside), Vec2(0, -beside)}) {
        const Vec2 at = c.position.head<2>() + aside;
        const double other = above(at.x(), at.y());
        if (std::abs(other) < std::abs(off)) off = other;
      }
    }
    load += force;
    higher += force * off;
  }
  if (load < p.felt_load() * physics::kGravity * f.mass) return;
  underfoot.felt = std::lerp(underfoot.felt, higher / load, dt / (dt + p.felt_in_s()));
}

bool near_wall(const Frame& f) {
  return f.underfoot.wall_ahead < f.p.ground().wall_near_m() * f.body.length_scale;
}

void watch_ground(const Frame& f, const Vec2& asked, UnderfootState& underfoot) {
  const v1::GbwcFriction& smooth = f.p.friction();
  const v1::GbwcGround& ground = f.p.ground();
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
  const double slowing = smooth.slowing_mps2() * l;  // m/s^2 scale with the length
  const double ice_sight = smooth.ice_near_m() * l + speed * speed / (2 * slowing) +
                           smooth.lag_s() * f.body.time_scale * speed;
  const auto slippery = ahead::slippery_ahead(f.ground_now, way, ice_sight, smooth.firm(), below);
  for (const auto& [distance, friction] : slippery.all()) {
    if (distance < smooth.ice_near_m() * l) mu = std::min(mu, friction);
    const double dared = speed_on(f, friction),
                 left = std::max(0.0, distance - smooth.ice_near_m() * l);
    fastest_to_ice = std::min(fastest_to_ice, std::sqrt(dared * dared + 2 * slowing * left));
  }
  double rough = 0, steep = 0;
  if (f.view.has_relief()) {
    rough = ahead::unevenness(f.path(), way, ground.look_ahead_m() * l + speed);
    steep = ahead::steepness_at(f.ground_now, com, below);
  }
  underfoot.stood_grip = std::clamp(stood / smooth.firm(), smooth.least_force(), 1.0);
  underfoot.grip = std::clamp(mu / smooth.firm(), smooth.least_force(), 1.0);
  double care = std::max(ramp01(rough, ground.step_up_m() * l, 2 * ground.step_up_m() * l),
                         ramp01(steep, ground.steep(), ground.steepest()));
  care = std::max(care, std::min(1.0, 2 * f.stumble.wary));
  underfoot.safe_speed = std::lerp(kMostSpeed, ground.careful_mps() * f.body.time_scale, care);
  underfoot.safe_speed = std::min(underfoot.safe_speed, fastest_to_ice);
  if (mu < smooth.firm()) underfoot.safe_speed = std::min(underfoot.safe_speed, speed_on(f, mu));
  if (!f.view.has_relief()) return;
  // Stop before a wall, and step back from one that is too near: who only stands there on the spot
  // creeps on until the shins are at it, and falls over what is lower than the hips.
  // A wall thinner than the way between two places is seen now and then: it is remembered.
  const double braking = underfoot.grip * kBraking, lag = kAnswerLag * f.body.time_scale;
  const double fastest = std::max(speed, std::min(asked.norm(), underfoot.safe_speed));
  const double sight =
      stopping_way(std::min(fastest, f.p.course().most_forward_mps() * f.body.time_scale), braking,
                   lag) +
      ground.wall_near_m() * l;
  if (direction.dot(underfoot.wall_way) < 0) underfoot.wall_ahead = kFarOff;  // that of another way
  underfoot.wall_way = direction;
  underfoot.wall_ahead = std::min(way_to_wall(f, direction, sight).value_or(kFarOff),
                                  underfoot.wall_ahead + ground.forget_mps() * kPoseTime);
  const double gap = underfoot.wall_ahead - ground.wall_gap_m() * l;
  underfoot.safe_speed = std::min(
      underfoot.safe_speed, gap > 0 ? speed_to_stop_within(gap, braking, lag)
                                    : std::max(-ground.back_off_mps() * f.body.time_scale,
                                               gap / (ground.back_in_s() * f.body.time_scale)));
}

double softness(const Frame& f) {
  return std::clamp(f.underfoot.grip, f.p.friction().softest(), 1.0);
}

double stood_ahead(const Frame& f) {
  const v1::GbwcFriction& p = f.p.friction();
  return std::lerp(p.ice_stood_ahead(), f.p.placement().stood_ahead(),
                   ramp01(f.underfoot.grip, p.ice_grip(), p.flat_grip()));
}

}  // namespace promenade::control::gbwc
