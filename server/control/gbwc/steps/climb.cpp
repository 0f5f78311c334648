// How the body goes up a flight: the swing foot over the risers, and the leg that lifts the body.
// Source: Coros2010 §5.4 shows stairs and tells nothing of them.
#include "control/gbwc/steps/climb.h"

#include <algorithm>
#include <cmath>

#include "control/gbwc/frame.h"
#include "control/gbwc/swing/clearance.h"
#include "control/gbwc/swing/five_points.h"

namespace promenade::control::gbwc {
namespace {

/// Whether a riser is one of a flight: single steps and wide ones are walked onto.
bool of_flight(const Frame& f, int riser) {
  return f.step.climbed > 0 ||
         f.features.of(FeatureKind::kRiser).has_neighbour(riser, f.body.sight.up_treads);
}

}  // namespace

Vec3 climbing_ankle(const Frame& f, double phase, const Vec3& usual) {
  const v1::GbwcUpSwing& p = f.p.up_swing();
  const double l = f.body.length_scale;
  const int side = 1 - f.step.stance;
  const double from = f.features.along(f.swing.lift_ankle), flat = f.body.biped.ankle_height[side];
  const auto risers = f.features.of(FeatureKind::kRiser);
  int first = -1, last = -1;
  for (int i = 0; i < risers.size(); ++i) {
    if (risers[i].near < from || risers[i].near > f.plan.place) continue;
    if (first < 0) first = i;
    last = i;
  }
  if (first < 0) return usual;
  const double clear = p.clear_m() * l;
  const auto toes_at = [&](int i) {
    return risers[i].near - f.body.foot_reach[side].x() - p.toes_before_m() * l;
  };
  const double end = f.plan.place, ground = risers[last].top + flat;
  const double high = ground + clear;
  std::array<double, 5> x{from, 0, 0, end - p.down_from_m() * l, end};
  std::array<double, 5> z{f.swing.lift_ankle.z(), 0, 0, high, ground};
  x[2] = std::max(from, toes_at(last));
  z[2] = high;
  if (first == last) {
    x[1] = std::lerp(from, x[2], p.rise_along());
    z[1] = std::lerp(z[0], high, p.rise_height());
  } else {
    x[1] = std::max(from, toes_at(first) + p.toes_past_m() * l);
    z[1] = risers[first].top + flat + clear - p.lower_first_m() * l;
  }
  std::array<double, 5> at{};
  for (int i = 1; i < 5; ++i)
    at[i] = at[i - 1] + p.part_m() * l + std::hypot(x[i] - x[i - 1], z[i] - z[i - 1]);
  for (double& t : at) t /= at[4];
  const FivePoints along{at, x}, height{at, z};
  const double done = clearing_done(f, phase / p.there_at());
  Vec3 out = usual;
  out.head<2>() +=
      (along(done) - f.features.direction().dot(usual.head<2>())) * f.features.direction();
  out.z() = height(done);
  return out;
}

double climbing_knee(const Frame& f, int side, double ahead) {
  const v1::GbwcUpBody& p = f.p.up_body();
  const auto& links = f.body.creature->model->links;
  const int thigh = f.body.biped.link[kLeftThigh + side],
            shank = f.body.biped.link[kLeftShank + side];
  const double upper = (links[shank].at_parent - links[thigh].at_child).norm();
  const double lower =
      (links[f.body.biped.link[kLeftFoot + side]].at_parent - links[shank].at_child).norm();
  const Vec3 apart = f.s.hip[side] - f.s.ankle[side];
  Vec2 at = f.in_heading(apart) + ahead * f.velocity;
  const double l = f.body.length_scale, full = p.straight() * (upper + lower);
  const double end = p.hip_ends_m() * l;
  at.x() = std::max(at.x(),
                    std::lerp(-p.hip_begins_m() * l, end,
                              std::min(1.0, (f.step.phase + ahead * f.phase_rate) / p.risen_at())));
  const double top = std::sqrt(std::max(0.0, full * full - end * end - at.y() * at.y()));
  const double slope = p.steeper() * f.step.climbed / (p.usual_tread_m() * l);
  const double height = top - slope * std::clamp(end - at.x(), 0.0, p.hip_way_m() * l);
  const double length = std::clamp(std::hypot(height, at.norm()), 0.5 * full, full);
  const double cosine = (upper * upper + lower * lower - length * length) / (2 * upper * lower);
  return kPi - std::acos(std::clamp(cosine, -1.0, 1.0));
}

double climbs_by(const Frame& f) {
  const double rear = f.features.along(f.s.ankle[1 - f.step.stance]),
               lead = f.features.along(f.s.ankle[f.step.stance]);
  const auto risers = f.features.of(FeatureKind::kRiser);
  for (int i = 0; i < risers.size(); ++i) {
    if (risers[i].near > rear && risers[i].near < lead && of_flight(f, i))
      return f.ground_at(f.s.ankle[f.step.stance]) - f.ground_at(f.s.ankle[1 - f.step.stance]);
  }
  return 0;
}

}  // namespace promenade::control::gbwc
