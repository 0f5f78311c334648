// The swing foot over an obstacle. Source: Coros2010 §5.4: a spline of four Catmull-Rom segments
// guides the ankle until the heel is past the obstacle; then the pendulum places it.
#include "control/gbwc/swing/clearance.h"

#include <algorithm>
#include <cmath>

#include "control/gbwc/frame.h"
#include "control/gbwc/steps/climb.h"
#include "control/gbwc/steps/descend.h"
#include "control/gbwc/steps/planning.h"
#include "control/gbwc/swing/five_points.h"
#include "control/gbwc/swing/foot_placement.h"
#include "control/leg_ik.h"
#include "control/steps/boards.h"

namespace promenade::control::gbwc {
namespace {

constexpr int kBisections = 7;

/// An obstacle in the plane of the way, m.
struct Profile {
  double near, far, top;
  /// Whether a bar from p to q of a thickness of twice `room` is above or beside it.
  bool frees(const Vec2& p, const Vec2& q, double room) const {
    const double from = near - room, to = far + room, low = std::min(p.x(), q.x());
    const double width = std::abs(q.x() - p.x());
    if (low > to || low + width < from) return true;
    const auto height = [&](double x) {
      return p.y() + (width < 1e-6 ? 0 : (x - p.x()) / (q.x() - p.x())) * (q.y() - p.y());
    };
    return std::min(height(std::max(from, low)), height(std::min(to, low + width))) > top + room;
  }
};

/// The knee of a leg that is bent forward, in that plane; `ankle` is moved to within its reach.
Vec2 knee_of(const Vec2& hip, double upper, double lower, Vec2* ankle) {
  Vec2 way = *ankle - hip;
  const double far = way.norm(), length = std::min(far, 0.999 * (upper + lower));
  way /= far;
  *ankle = hip + length * way;
  const double cosine = std::clamp(
      (upper * upper + length * length - lower * lower) / (2 * upper * length), -1.0, 1.0);
  const double sine = std::sqrt(1 - cosine * cosine);
  return hip + upper * Vec2(cosine * way.x() - sine * way.y(), cosine * way.y() + sine * way.x());
}

/// The value nearest to `wrong` for which `good` holds, of those between it and `right`.
template <typename Test>
double nearest(double wrong, double right, const Test& good) {
  for (int i = 0; i < kBisections; ++i) {
    const double middle = 0.5 * (wrong + right);
    (good(middle) ? right : wrong) = middle;
  }
  return right;
}

/// Moves the ankle's target to where the leg touches no obstacle: a leading foot stays up until its
/// shank is past the far edge; a trailing one waits before the near edge until it is high enough.
/// @param ahead  s, by which the target is later than now
Vec3 clear_of(const Frame& f, const Feature& o, double ahead, double done, double high,
              const Vec3& ankle) {
  const v1::GbwcClearance& p = f.p.clearance();
  const int side = 1 - f.step.stance;
  const double l = f.body.length_scale;
  const bool trails = trailing(f);
  const auto& links = f.body.creature->model->links;
  const int thigh = f.body.biped.link[kLeftThigh + side],
            shank = f.body.biped.link[kLeftShank + side];
  const int foot = f.body.biped.link[kLeftFoot + side];
  const double upper = (links[shank].at_parent - links[thigh].at_child).norm();
  const double lower = (links[foot].at_parent - links[shank].at_child).norm();
  const physics::LinkMotion& pelvis = f.links[0];
  const Vec3 hip_at = f.s.hip[side] + ahead * (pelvis.velocity +
                                               pelvis.omega.cross(f.s.hip[side] - pelvis.position));
  const Vec2 hip(f.features.along(hip_at), hip_at.z());
  const Vec3 sole = f.links[foot].rotation.col(0);
  const Vec2 forward(std::hypot(sole.x(), sole.y()), sole.z());
  const Profile profile{o.near, o.far, o.top};
  const auto clears = [&](double x, double z) {
    Vec2 at(x, z);
    const Vec2 knee = knee_of(hip, upper, lower, &at);
    if (!profile.frees(knee, at, p.leg_room_m() * l)) return false;
    // The toes of a trailing foot hang.
    return !trails || profile.frees(at - f.body.foot_reach[side].y() * forward,
                                    at + f.body.foot_reach[side].x() * forward,
                                    f.body.biped.ankle_height[side] + p.sole_room_m() * l);
  };
  Vec3 out = ankle;
  const double x = f.features.along(out);
  const auto clears_at = [&](double z) { return clears(x, z); };
  if (!trails || f.features.along(f.s.ankle[side]) >= o.near) {
    if (x > o.near && !clears_at(out.z()))
      out.z() = nearest(out.z(), std::max(high, out.z()), clears_at);
    return out;
  }
  if (done > p.raised_from() && !clears_at(out.z()))
    out.z() = nearest(out.z(), out.z() + p.raised_m() * l, clears_at);
  const double now = f.s.ankle[side].z() + ahead * f.s.ankle_velocity[side].z();
  const double z = std::min(out.z(), now + p.waits_below_m() * l);
  if (clears_at(z)) return out;
  double back = x - p.waits_back_m() * l;
  if (clears(back, z)) back = nearest(x, back, [&](double at) { return clears(at, z); });
  out.head<2>() += (back - x) * f.features.direction();
  return out;
}

}  // namespace

double clearing_done(const Frame& f, double phase) {
  return std::clamp((phase - f.step.lift_phase) / (1 - f.step.lift_phase), 0.0, 1.0);
}

Vec3 clearing_ankle(const Frame& f, double phase, double ahead, const Vec3& usual) {
  const v1::GbwcClearance& p = f.p.clearance();
  const Feature* o = stepped_over(f);
  if (!o && f.plan.is(StepKind::kDown)) return descending_ankle(f, phase, usual);
  if (!o) return f.plan.is(StepKind::kUp) ? climbing_ankle(f, phase, usual) : off_tread(f, usual);
  const int side = 1 - f.step.stance;
  const double l = f.body.length_scale, flat = f.body.biped.ankle_height[side];
  const double from = f.features.along(f.swing.lift_ankle);
  const steps::Situation now = situation_of(f);
  const bool trails = trailing(f);
  const double high = o->top + flat + (p.sole_m() + (trails ? p.trails_higher_m() : 0)) * l;
  const double near = trails ? from + p.trails_ahead() * f.plan.height
                             : std::max(from, steps::place_before(now, *o, side));
  const double far = steps::place_behind(now, *o, side);
  const double end = std::max(far, f.features.direction().dot(landing(f)));
  const double ground = f.way_height(landing(f)) + flat;
  // Each part takes a share of the time by its length.
  const double up = std::hypot(near - from, high - f.swing.lift_ankle.z()), across = far - near;
  const double down =
      (trails ? p.trail_down() : p.lead_down()) * std::hypot(end - far, high - ground);
  const double all = up + across + down;
  const double first = std::lerp(p.up_at(), up / all, p.by_length());
  const double last = std::lerp(p.past_at(), (up + across) / all, p.by_length());
  const std::array<double, 5> at{0, first, 0.5 * (first + last), last, 1};
  const FivePoints along{at, {from, near, 0.5 * (near + far), far, end}};
  const FivePoints height{at, {f.swing.lift_ankle.z(), high, high + p.arch_m() * l, high, ground}};
  const double done = clearing_done(f, phase);
  Vec3 out = usual;
  out.head<2>() +=
      (along(done) - f.features.direction().dot(usual.head<2>())) * f.features.direction();
  out.z() = height(done);
  return clear_of(f, *o, ahead, done, high, out);
}

double turned_over(const Frame& f, const Vec3& hip, const Vec3& ankle, const Vec3& axis,
                   double upper, double lower) {
  const v1::GbwcKneeOut& p = f.p.knee_out();
  const Feature* o = stepped_over(f);
  if (!o) return 0;
  const double l = f.body.length_scale;
  const Vec3 knee = hip - upper * solve_leg(hip, ankle, upper, lower, axis, 0).thigh.col(2);
  const Vec3 line = (ankle - hip).normalized();
  const double middle = hip.z() + line.z() * line.dot(knee - hip);  // about which it turns
  const double needed = o->top + p.room_m() * l, hangs = middle - knee.z();
  if (hangs <= 0 || knee.z() >= needed) return 0;
  const double x = f.features.along(knee);
  const double above = ramp01(x, o->near - p.way_m() * l, o->near - p.room_m() * l) *
                       (1 - ramp01(x, o->far + p.room_m() * l, o->far + p.way_m() * l));
  return above *
         std::acos(std::clamp((middle - needed) / hangs, std::cos(p.most_turned_rad()), 1.0));
}

double clearing_twist(const Frame& f) {
  const v1::GbwcKneeOut& p = f.p.knee_out();
  const Feature* o = stepped_over(f);
  if (!o || f.step.pushing) return 0;
  const double done = clearing_done(f, f.step.phase);
  const double shape =
      ramp01(done, 0.0, p.out_until()) * (1 - ramp01(done, p.in_from(), p.in_until()));
  return p.twist_rad() * shape *
         ramp01(f.plan.height / f.body.length_scale, p.twist_from_m(), p.twist_full_m()) *
         (trailing(f) ? 1 : p.lead_twist());
}

double clearing_pitch(const Frame& f, double usual) {
  const v1::GbwcDownSwing& down_swing = f.p.down_swing();
  const v1::GbwcClearance& clearance = f.p.clearance();
  const double done = clearing_done(f, f.step.phase);
  if (f.plan.is(StepKind::kUp)) return 0;
  if (f.plan.is(StepKind::kDown))
    return down_swing.toes_down_rad() *
           ramp01(done, down_swing.toes_from(), down_swing.toes_until());
  if (comes_off(f) >= 0) return usual * ramp01(done, down_swing.off_from(), down_swing.off_until());
  if (!stepped_over(f)) return usual;
  return std::lerp(-clearance.toes_up_rad(), usual,
                   ramp01(done, clearance.toes_from(), clearance.toes_until()));
}

}  // namespace promenade::control::gbwc
