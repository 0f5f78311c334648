// Footholds, clearance and friction: what the ground ahead asks of a step.
// Source: not in Coros2010, whose walkers know level ground and slopes only.
#include <algorithm>
#include <array>
#include <cmath>

#include "control/ahead/surface.h"
#include "control/gbwc/frame.h"
#include "control/stopping.h"

namespace promenade::control {
namespace {

constexpr double kBump = 0.012;      // m, from which on a sole does not stand well on the ground
constexpr double kShift = 0.02;      // m, between places that are tried
constexpr double kShiftTime = 0.06;  // s, in which the goal moves to another place
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
constexpr double kNoPlace = 10;      // m, of unevenness: no foot lands there
constexpr double kStepBack = 0.6;    // m, most that a foot lands short because of a wall
constexpr double kTooLate = 0.5;  // of a step, from which on a foot is not lifted to a higher place
constexpr double kBeforeRiser = 0.015;  // m, that the toes keep from a step up

}  // namespace

/// How badly a sole stands with its ankle at `at` and the foot along the heading: the greatest
/// distance of the ground under it from a straight line, m. A step up right before the toes counts
/// too.
double Gbwc::bump_at(const Frame& f, int side, const Vec2& at) const {
  const Vec3& reach = body_.foot_reach[side];
  const double ball = ball_ahead(side), heel = -0.8 * reach.y();
  const auto height = [&](double x, double y) {
    return f.ground_at(Vec2(at + f.in_world(Vec2(x, y))));
  };
  double worst = 0;
  for (double y : {-0.6 * reach.z(), 0.6 * reach.z()}) {
    const double back = height(heel, y), front = height(ball, y);
    const double slope = (front - back) / (ball - heel);
    for (double share : {0.25, 0.5, 0.75}) {
      const double x = std::lerp(heel, ball, share);
      worst = std::max(worst, std::abs(height(x, y) - back - slope * (x - heel)));
    }
    const double tip = reach.x() + kBeforeRiser * body_.length_scale;
    worst = std::max(worst, height(tip, y) - front - std::max(0.0, slope) * (tip - ball));
  }
  return worst;
}

/// Way of the COM to what nobody steps onto, m, within `far`.
std::optional<double> Gbwc::way_to_wall(const Frame& f, const Vec2& way, double far) const {
  // From the stance foot on, so that a stair is compared with the one before it.
  const Vec2 com = f.s.com.head<2>(), foot = f.s.ankle[step_.stance].head<2>();
  // Other places at other times, so that what is thin is not missed for long.
  const double from = std::min(0.0, way.dot(foot - com)) +
                      std::fmod(kScatter * step_.phase, 1) * body_.sight.wall.spacing;
  return ahead::distance_to_wall(path(f), {com, way}, from, far, way_height(f, foot),
                                 body_.sight.wall);
}

/// Whether a wall is so near on the way that feet keep away from it.
bool Gbwc::near_wall() const { return ground_.wall_ahead < kWallNear * body_.length_scale; }

/// Whether a foot along the heading with its ankle at `at` would be on, in or behind a wall, from
/// heel to toes.
bool Gbwc::behind_wall(const Frame& f, int side, const Vec2& at) const {
  const double l = body_.length_scale;
  const Vec2 from = f.s.ankle[step_.stance].head<2>();
  const double most = f.ground + body_.sight.wall.rise;
  const Vec2 toes = at + f.in_world(Vec2(body_.foot_reach[side].x() + kBeforeRiser * l, 0));
  const Vec2 heel = at - f.in_world(Vec2(body_.foot_reach[side].y() + kBeforeRiser * l, 0));
  const int points = int(std::ceil((at - from).norm() / body_.sight.wall.spacing));
  for (int i = 1; i <= points; ++i) {
    if (way_height(f, Vec2(from + (double(i) / points) * (at - from))) > most) return true;
  }
  return way_height(f, Vec2(0.5 * (at + toes))) > most || way_height(f, toes) > most ||
         way_height(f, heel) > most;
}

/// m/s, dared on ground of this friction.
double Gbwc::speed_on(double friction) const {
  return std::max(kOnIce, p_->grip_speed_mps() * (friction - p_->grip_least())) * body_.time_scale;
}

/// Looks at the ground under the feet and on the way: sets ground_.grip and ground_.safe_speed.
/// Law:    grip = mu / 0.5 between 0.15 and 1, mu the least friction; horizontal forces and changes
///         of speed are that much weaker, turns by its square. Speed at most a (mu - mu0), a and
///         mu0 being grip_speed_mps and grip_least, and kCareful over steps and slopes. Before
///         smooth ground it falls by kSlowing, so that it is there kIceNear before it.
void Gbwc::watch_ground(const Frame& f, const Vec2& asked) {
  const Vec2 com = f.s.com.head<2>();
  const double below = f.s.com.z();
  const auto foot_friction = [&](int side) {
    return ahead::friction_at(f.ground_now, f.s.ankle[side].head<2>(), below);
  };
  const double stood = std::min(foot_friction(0), foot_friction(1));
  double mu = stood;
  const double speed = course_.velocity.norm();
  const Vec2 direction = asked.norm() > kNoSpeed ? Vec2(f.in_world(asked) / asked.norm()) : f.ahead;
  const ahead::Way way{com, direction};
  const double l = body_.length_scale;
  // Feet on firm ground can brake before smooth ground that is still ahead.
  double fastest_to_ice = kMostSpeed;
  const double slowing = kSlowing * l;  // m/s^2 scale with the length
  const double ice_sight =
      kIceNear * l + speed * speed / (2 * slowing) + kIceLag * body_.time_scale * speed;
  const auto slippery = ahead::slippery_ahead(f.ground_now, way, ice_sight, kFirm, below);
  for (const auto& [distance, friction] : slippery.all()) {
    if (distance < kIceNear * l) mu = std::min(mu, friction);
    const double dared = speed_on(friction), left = std::max(0.0, distance - kIceNear * l);
    fastest_to_ice = std::min(fastest_to_ice, std::sqrt(dared * dared + 2 * slowing * left));
  }
  double rough = 0, steep = 0;
  if (f.view.has_relief()) {
    rough = ahead::unevenness(path(f), way, kLookAhead * l + speed);
    steep = ahead::steepness_at(f.ground_now, com, below);
  }
  ground_.stood_grip = std::clamp(stood / kFirm, kLeastGrip, 1.0);
  ground_.grip = std::clamp(mu / kFirm, kLeastGrip, 1.0);
  double care =
      std::max(ramp01(rough, kStepUp * l, 2 * kStepUp * l), ramp01(steep, kSteep, 1.3 * kSteep));
  care = std::max(care, std::min(1.0, 2 * stumble_.wary));
  ground_.safe_speed = std::lerp(kMostSpeed, kCareful * body_.time_scale, care);
  ground_.safe_speed = std::min(ground_.safe_speed, fastest_to_ice);
  if (mu < kFirm) ground_.safe_speed = std::min(ground_.safe_speed, speed_on(mu));
  if (!f.view.has_relief()) return;
  // Stop before a wall, and step back from one that is too near: who only stands there on the spot
  // creeps on until the shins are at it, and falls over what is lower than the hips.
  // A wall thinner than the way between two places is seen now and then: it is remembered.
  const double braking = ground_.grip * kBraking, lag = kAnswerLag * body_.time_scale;
  const double fastest = std::max(speed, std::min(asked.norm(), ground_.safe_speed));
  const double sight =
      stopping_way(std::min(fastest, p_->most_forward_mps() * body_.time_scale), braking, lag) +
      kWallNear * l;
  if (direction.dot(ground_.wall_way) < 0) ground_.wall_ahead = kFarOff;  // that of another way
  ground_.wall_way = direction;
  ground_.wall_ahead = std::min(way_to_wall(f, direction, sight).value_or(kFarOff),
                                ground_.wall_ahead + kForget * kPoseTime);
  const double gap = ground_.wall_ahead - kWallGap * l;
  ground_.safe_speed = std::min(
      ground_.safe_speed,
      gap > 0 ? speed_to_stop_within(gap, braking, lag)
              : std::max(-kBackOff * body_.time_scale, gap / (kBackIn * body_.time_scale)));
}

/// Factor on the gains of swing leg and stance ankle: a leg that is swung hard pushes the other
/// foot away on smooth ground.
double Gbwc::softness() const { return std::clamp(ground_.grip, kSoftest, 1.0); }

/// Where a foot takes the load, ahead of the ankle, of the sole's reach. On ice feet stand flat.
double Gbwc::stood_ahead() const {
  return std::lerp(kStoodOnIce, p_->stood_ahead(), ramp01(ground_.grip, 0.2, 0.4));
}

/// Where the swing ankle will land if the COM goes on as it does, world.
Vec2 Gbwc::landing(const Frame& f) const {
  const double left = std::max(0.0, step_.usual_end - step_.phase) / f.phase_rate;
  return f.s.com.head<2>() + left * f.s.com_velocity.head<2>() + f.in_world(swing_.goal);
}

/// Moves the goal of the swing foot along the heading to where the whole sole finds ground, as
/// near as there is such a place.
void Gbwc::choose_foothold(const Frame& f, double dt) {
  swing_.goal = foot_goal(f);
  if (!f.view.has_relief() || p_->foothold_shift_m() <= 0) {
    swing_.shift = 0;
    return;
  }
  const int side = 1 - step_.stance;
  const double l = body_.length_scale, most = p_->foothold_shift_m() * l, bump = kBump * l;
  const Vec2 end = landing(f);
  const double sole = f.s.ankle[side].z() - body_.biped.ankle_height[side];
  if (places_) {  // the obstacle says where
    swing_.shift = std::lerp(swing_.shift, placed_ahead(f, landing(f)), dt / (dt + kShiftTime));
    swing_.goal.x() += swing_.shift;
    return;
  }
  const auto bump_of = [&](double shift) {
    const Vec2 at = end + f.in_world(Vec2(shift, 0));
    if (near_wall() && behind_wall(f, side, at)) return kNoPlace;
    const double above = step_.phase > kTooLate ? std::max(0.0, f.ground_at(at) - sole) : 0;
    return std::max(above, bump_at(f, side, at));
  };
  double best = 0, least = bump_of(0);
  for (double way = kShift * l; way <= most && least > bump; way += kShift * l) {
    // Of two places as near, the one towards which the goal has moved already: no dithering.
    const double first = swing_.shift < 0 ? -way : way;
    for (double shift : {first, -first}) {
      const double found = bump_of(shift);
      if (found < 0.7 * least) {
        least = found;
        best = shift;
      }
      if (least <= bump) break;
    }
  }
  // Short of a wall, whether one walks forward or backward.
  const double back = course_.velocity.x() < -kNoSpeed ? 1 : -1;
  for (double way = most + kShift * l; least >= kNoPlace && way <= kStepBack * l;
       way += kShift * l) {
    best = back * way;
    least = bump_of(best);
  }
  swing_.shift = std::lerp(swing_.shift, best, dt / (dt + kShiftTime));
  swing_.goal.x() += swing_.shift;
}

/// The highest ground that ankle and toes of the swing foot pass on the way from `now` to `end`.
double Gbwc::ground_on_way(const Frame& f, const Vec2& now, const Vec2& at, const Vec2& end) const {
  const ahead::PathGround ground = path(f);
  if (!f.view.has_relief()) return ground.height(at);
  // No foot is lifted over a wall: places count up to one. It is told from stairs by the place that
  // was looked at before it.
  double highest = ground.height(now), before = std::max(f.ground, highest);
  bool walled = false;
  const auto pass = [&](const Vec2& place) {
    const double height = ground.height(place);
    walled = walled || height - before > body_.sight.wall.rise;
    if (walled) return;
    before = height;
    highest = std::max(highest, height);
  };
  const Vec2 toes =
      f.in_world(Vec2(body_.foot_reach[1 - step_.stance].x() + 0.03 * body_.length_scale, 0));
  const double beyond = toes.dot(end - now);  // toes are not sent beyond where they land
  if (beyond > 0) {
    for (double share : {0.2, 0.4, 0.6, 0.8}) pass(now + share * (end - now));
  }
  pass(end);
  if (beyond > 0) {
    const double way = (end - now).norm();
    pass(now + std::min(1.0, toes.norm() / std::max(way, 1e-3)) * (end - now));
  }
  pass(at);
  return highest;
}

}  // namespace promenade::control
