#include "behaviour/tasks/parts/reach_place.h"

#include <algorithm>
#include <cmath>

#include "behaviour/tasks/parts/reach_points.h"
#include "math/rotation.h"

namespace promenade::behaviour::tasks {
namespace {

constexpr double kUsualReach =
    0.72;                            // of the arm's length, from shoulder to point, where one stops
constexpr double kLowAhead = 0.62;   // likewise for what is at the feet: level distance to the feet
constexpr double kFreeToes = 0.08;   // m, that stay free
constexpr double kStretched = 0.16;  // of the arm: level distance to what is as high as one reaches
constexpr double kPalmsOut = 0.85;   // of the arm, from the shoulders to palms at two sides
constexpr double kStandsEvery = 0.05;  // m, between places to stand that are tried
constexpr double kLargestStep = 0.25;  // m, of the ground where one would stand
constexpr double kHalfStance = 0.14;   // m, that stays free to both sides of the feet
constexpr double kTurnEvery = 0.25;    // rad, between ways to come that are tried
constexpr int kTurnsTried = 12;
constexpr double kBesideAhead = 0.4;  // of the level reach: point before the shoulder, beside it
constexpr double kBesideAside = 0.8;  // likewise, outside of it

}  // namespace

double half_shoulders(const BodySeen& body) {
  return 0.5 * (body.shoulder[0] - body.shoulder[1]).head<2>().norm();
}

double distance_for(const Now& now, double height) {
  const BodySeen& body = now.body;
  const double scale = now.scale();
  const double over = height - body.shoulder_height;
  const double usual = kUsualReach * body.arm;
  const double lowest = -usual;
  if (over < lowest) {
    // Stoops for it.
    const double low = std::clamp((lowest - over) / (body.shoulder_height - usual), 0.0, 1.0);
    return std::max(body.toes + kFreeToes * scale, std::lerp(0.3, kLowAhead, low) * body.arm);
  }
  const double level = std::sqrt(std::max(0.0, usual * usual - over * over));
  return std::max(over < 0 ? body.toes + kFreeToes * scale : kStretched * body.arm, level);
}

double distance_before(const Now& now, const ThingSeen& thing, const BoxSide& side, double aside) {
  const double scale = now.scale(), arm = kPalmsOut * now.body.arm;
  const double height = thing.middle().z() - now.body.sole;
  const double nearest =
      std::max(distance_for(now, height), side.depth + now.body.toes + kFreeToes * scale);
  const double over = std::max(0.0, height - now.body.shoulder_height);
  const double outwards = aside - half_shoulders(now.body);
  const double furthest = std::sqrt(std::max(0.0, arm * arm - over * over - outwards * outwards));
  const int places = 1 + int(std::max(0.0, furthest - nearest) / (kStandsEvery * scale));
  for (int k = 0; k < places; ++k) {
    const double far = nearest + k * kStandsEvery * scale;
    const Vec2 feet = thing.middle().head<2>() - far * side.way;
    if (free_to_stand(now, feet, side.way)) return far;
  }
  return 0;
}

bool free_to_stand(const Now& now, const Vec2& feet, const Vec2& ahead) {
  const double scale = now.scale();
  const Vec2 left(-ahead.y(), ahead.x());
  for (const double forwards : {0.0, now.body.toes}) {
    for (const double aside : {-kHalfStance * scale, kHalfStance * scale}) {
      const Vec2 at = feet + forwards * ahead + aside * left;
      if (std::abs(now.place.height(at, 0) - now.body.sole) > kLargestStep * scale) return false;
    }
  }
  return true;
}

void stand_beside(const Now& now, const ReachTarget& to, bool left, Stand& stand) {
  const double distance = distance_for(now, to.middle.z() - now.body.sole);
  const Vec2 ahead = to.velocity.normalized(), aside(-ahead.y(), ahead.x());
  const double hand = left ? 1 : -1;
  const double out = half_shoulders(now.body) * hand;
  stand.heading = std::atan2(ahead.y(), ahead.x());
  stand.place = to.middle.head<2>() - kBesideAhead * distance * ahead -
                (out + hand * kBesideAside * distance) * aside;
}

void stand_on_free_ground(const Now& now, const Vec2& to, const Vec2& ahead_and_left,
                          Stand& stand) {
  for (int i = 0; i <= 2 * kTurnsTried; ++i) {
    const int turns = (i + 1) / 2 * (i % 2 ? 1 : -1);
    const double heading = stand.heading + kTurnEvery * turns;
    const Vec2 place = to - rotated(ahead_and_left, heading);
    if (!free_to_stand(now, place, rotated(Vec2(1, 0), heading))) continue;
    stand.heading = wrap_angle(heading);
    stand.place = place;
    return;
  }
}

}  // namespace promenade::behaviour::tasks
