// How the body goes down a flight: the swing foot past the edge, and the leg that lets the body
// down. Source: not in Coros2010.
#include "control/gbwc/steps/descend.h"

#include <algorithm>
#include <cmath>

#include "control/gbwc/frame.h"
#include "control/gbwc/swing/clearance.h"
#include "control/gbwc/swing/five_points.h"

namespace promenade::control::gbwc {
namespace {

/// Whether a drop is one of a flight: single steps and wide ones are walked down.
bool of_descent(const Frame& f, int drop) {
  return f.step.descended > 0 ||
         f.features.of(FeatureKind::kDrop).has_neighbour(drop, f.body.sight.down_treads);
}

}  // namespace

Vec3 descending_ankle(const Frame& f, double phase, const Vec3& usual) {
  const v1::GbwcDownSwing& p = f.p.down_swing();
  const double l = f.body.length_scale;
  const int side = 1 - f.step.stance;
  const double from = f.features.along(f.swing.lift_ankle), flat = f.body.biped.ankle_height[side];
  const double end = f.plan.place, ground = f.ground - f.plan.height + flat - p.pressed_m() * l;
  const double past = std::max(from, std::min(end, f.plan.edge + f.body.foot_reach[side].y()));
  const double high = f.ground + flat + p.past_edge_m() * l;
  const std::array<double, 5> x{from, 0.5 * (from + past), past,
                                std::lerp(past, end, p.last_along()), end};
  const std::array<double, 5> z{f.swing.lift_ankle.z(),
                                std::max(f.swing.lift_ankle.z() + p.lifts_m() * l, high), high,
                                std::lerp(high, ground, p.last_down()), ground};
  std::array<double, 5> at{};
  for (std::size_t i = 1; i < 5; ++i)
    at[i] = at[i - 1] + p.part_m() * l + std::hypot(x[i] - x[i - 1], z[i] - z[i - 1]);
  for (double& t : at) t /= at[4];
  const FivePoints along{at, x}, height{at, z};
  const double done = clearing_done(f, phase);
  Vec3 out = usual;
  out.head<2>() +=
      (along(done) - f.features.direction().dot(usual.head<2>())) * f.features.direction();
  out.z() = height(done);
  return out;
}

int comes_off(const Frame& f) {
  if (f.step.standing || f.plan.is(StepKind::kDown)) return -1;
  const double from = f.features.along(f.swing.lift_ankle), to = f.features.along(f.step.anchor);
  const auto drops = f.features.of(FeatureKind::kDrop);
  for (int i = 0; i < drops.size(); ++i) {
    if (drops[i].near > from && drops[i].near < to && of_descent(f, i)) return i;
  }
  return -1;
}

Vec3 off_tread(const Frame& f, const Vec3& usual) {
  const int last = comes_off(f);
  if (last < 0) return usual;
  const Feature& drop = f.features.of(FeatureKind::kDrop)[last];
  const int side = 1 - f.step.stance;
  const double x = f.features.along(usual), flat = f.body.biped.ankle_height[side];
  const Vec3 sole = f.links[f.body.biped.link[kLeftFoot + side]].rotation.col(0);
  const Vec2 ahead(std::hypot(sole.x(), sole.y()), sole.z());
  const double heel = -f.body.foot_reach[side].y();
  const double to_edge = (drop.near - x) / std::max(0.1, ahead.x());
  const double until = std::min(f.body.foot_reach[side].x(), to_edge);
  if (until <= heel) return usual;
  const double hangs = std::min(heel * ahead.y(), until * ahead.y());
  Vec3 out = usual;
  out.z() = std::max(out.z(),
                     drop.top + flat + f.p.down_swing().off_room_m() * f.body.length_scale - hangs);
  return out;
}

double descending_knee(const Frame& f, int side, double usual) {
  const v1::GbwcDownBody& p = f.p.down_body();
  const double most =
      std::min(p.most_shorter(), p.share() * f.plan.height / f.body.biped.leg_length[side]);
  const double shorter = 1 - most * ramp01(f.step.phase, p.from(), p.until());
  return std::max(usual, 2 * std::acos(shorter * std::cos(0.5 * usual)));
}

double descends_by(const Frame& f) {
  const double rear = f.features.along(f.s.ankle[1 - f.step.stance]),
               lead = f.features.along(f.s.ankle[f.step.stance]);
  const auto drops = f.features.of(FeatureKind::kDrop);
  for (int i = 0; i < drops.size(); ++i) {
    if (drops[i].near > rear && drops[i].near < lead && of_descent(f, i))
      return f.ground_at(f.s.ankle[1 - f.step.stance]) - f.ground_at(f.s.ankle[f.step.stance]);
  }
  return 0;
}

}  // namespace promenade::control::gbwc
