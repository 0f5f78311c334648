// Steps down: one foot on each tread, the stance leg lets the body down onto the other.
// Source: not in Coros2010.
#include <algorithm>
#include <cmath>

#include "control/gbwc/five_points.h"
#include "control/gbwc/frame.h"

namespace promenade::control {
namespace {

constexpr double kHeelBehind = 0.015;  // m, from the edge behind to a heel, at least
constexpr double kFurtherOn = 0.08;    // m, more, at the most,
constexpr double kToesOver = 0.03;     // m, that toes are over the edge ahead, on narrower treads
constexpr double kDownFirst = 0.42, kDownNear = 0.42;  // m, steps onto the first tread, before it
constexpr double kPaceDown = 0.9;  // of the speed that a regular step of that length has
// The swing foot: m above the tread that the other is on, and above where it lifts; share of the
// way down over which it goes ahead; m below the tread, that it is pressed; m, that each part
// counts longer.
constexpr double kPastEdge = 0.05, kLiftsBy = 0.03, kSteepDown = 0.6, kPressed = 0.04,
                 kPartDown = 0.02;
constexpr double kOffRoom = 0.05;  // m, of a sole over the last tread
// Share of the drop by which the stance leg becomes shorter, in these phases; the most, of the leg.
constexpr double kLetDown = 0.97, kDownFromPhase = 0.4, kDownToPhase = 0.8, kMostShorter = 0.3;

}  // namespace

/// Whether a drop is one of a flight: single steps and wide ones are walked down.
bool Gbwc::of_descent(int drop) const {
  return step_.descended > 0 ||
         features_.of(FeatureKind::kDrop).has_neighbour(drop, body_.sight.down_treads);
}

/// Where the ankle is to be on the tread behind a drop, m along the way.
double Gbwc::lower_place(int drop, int side) const {
  const double l = body_.length_scale;
  const auto drops = features_.of(FeatureKind::kDrop);
  const double first = drops[drop].near + body_.foot_reach[side].y() + kHeelBehind * l;
  const double furthest = first + kFurtherOn * l;
  if (drop + 1 == drops.size()) return furthest;
  return std::clamp(drops[drop + 1].near - body_.foot_reach[side].x() + kToesOver * l, first,
                    furthest);
}

/// Places the swing foot on the next tread, or in equal steps before the first.
void Gbwc::plan_descent(const Frame& f) {
  descend_ = 0;
  const auto drops = features_.of(FeatureKind::kDrop);
  if (step_.standing || drops.size() == 0 || over_ >= 0 || climb_ > 0) return;
  const double l = body_.length_scale;
  const int swing = 1 - step_.stance;
  const double from = along_way(f.s.ankle[step_.stance]);
  int next = 0;
  while (next < drops.size() && drops[next].near < from) ++next;
  if (next == drops.size() || !of_descent(next)) return;
  if (board_between(from, drops[next].near)) return;
  tread_ = 0;
  const double first = lower_place(next, swing);
  if (first - from >= kDownFirst * l) {
    approach_stairs(f, drops[next].near - body_.foot_reach[swing].x(), first, kDownNear * l);
    return;
  }
  descend_ = drops[next].height();
  over_drop_ = drops[next].near;
  placed_ = first;
  places_ = true;
  over_speed_ = kPaceDown * (placed_ - from) / f.step_time;
}

/// The swing ankle past the edge of the tread that the other foot is on; aside it is as usual.
Vec3 Gbwc::descending_ankle(const Frame& f, double phase, const Vec3& usual) const {
  const double l = body_.length_scale;
  const int side = 1 - step_.stance;
  const double from = along_way(swing_.lift_ankle), flat = body_.biped.ankle_height[side];
  const double end = placed_, ground = f.ground - descend_ + flat - kPressed * l;
  const double past = std::max(from, std::min(end, over_drop_ + body_.foot_reach[side].y()));
  const double high = f.ground + flat + kPastEdge * l;
  const std::array<double, 5> x{from, 0.5 * (from + past), past, std::lerp(past, end, 0.9), end};
  const std::array<double, 5> z{swing_.lift_ankle.z(),
                                std::max(swing_.lift_ankle.z() + kLiftsBy * l, high), high,
                                std::lerp(high, ground, kSteepDown), ground};
  std::array<double, 5> at{};
  for (std::size_t i = 1; i < 5; ++i)
    at[i] = at[i - 1] + kPartDown * l + std::hypot(x[i] - x[i - 1], z[i] - z[i - 1]);
  for (double& t : at) t /= at[4];
  const FivePoints along{at, x}, height{at, z};
  const double done = clearing_done(phase);
  Vec3 out = usual;
  out.head<2>() +=
      (along(done) - features_.direction().dot(usual.head<2>())) * features_.direction();
  out.z() = height(done);
  return out;
}

/// The drop between where the swing foot lifted and where the other stands, or -1: of a foot that
/// comes off the last tread.
int Gbwc::comes_off() const {
  if (step_.standing || descend_ > 0) return -1;
  const double from = along_way(swing_.lift_ankle), to = along_way(step_.anchor);
  const auto drops = features_.of(FeatureKind::kDrop);
  for (int i = 0; i < drops.size(); ++i) {
    if (drops[i].near > from && drops[i].near < to && of_descent(i)) return i;
  }
  return -1;
}

/// The swing ankle of a foot that comes off the last tread: its sole, which hangs by then, has to
/// clear the edge.
Vec3 Gbwc::off_tread(const Frame& f, const Vec3& usual) const {
  const int last = comes_off();
  if (last < 0) return usual;
  const Feature& drop = features_.of(FeatureKind::kDrop)[last];
  const int side = 1 - step_.stance;
  const double x = along_way(usual), flat = body_.biped.ankle_height[side];
  const Vec3 sole = f.links[body_.biped.link[kLeftFoot + side]].rotation.col(0);
  const Vec2 ahead(std::hypot(sole.x(), sole.y()), sole.z());
  const double heel = -body_.foot_reach[side].y();
  const double to_edge = (drop.near - x) / std::max(0.1, ahead.x());
  const double until = std::min(body_.foot_reach[side].x(), to_edge);
  if (until <= heel) return usual;
  const double hangs = std::min(heel * ahead.y(), until * ahead.y());
  Vec3 out = usual;
  out.z() = std::max(out.z(), drop.top + flat + kOffRoom * body_.length_scale - hangs);
  return out;
}

/// The stance knee that lets the body down to the next tread, rad.
/// Law:    the leg becomes shorter by a share of the drop; angle = 2 acos(s cos(usual / 2)), s its
///         length over that with the usual angle, for thigh and shank of one length
double Gbwc::descending_knee(int side, double usual) const {
  const double most = std::min(kMostShorter, kLetDown * descend_ / body_.biped.leg_length[side]);
  const double shorter = 1 - most * ramp01(step_.phase, kDownFromPhase, kDownToPhase);
  return std::max(usual, 2 * std::acos(shorter * std::cos(0.5 * usual)));
}

/// How much lower the leading foot stands than the trailing one, behind a drop, m.
double Gbwc::descends_by(const Frame& f) const {
  const double rear = along_way(f.s.ankle[1 - step_.stance]),
               lead = along_way(f.s.ankle[step_.stance]);
  const auto drops = features_.of(FeatureKind::kDrop);
  for (int i = 0; i < drops.size(); ++i) {
    if (drops[i].near > rear && drops[i].near < lead && of_descent(i))
      return f.ground_at(f.s.ankle[1 - step_.stance]) - f.ground_at(f.s.ankle[step_.stance]);
  }
  return 0;
}

}  // namespace promenade::control
