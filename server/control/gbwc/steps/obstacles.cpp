// Steps over the boards that lie ahead: where feet are placed before and behind them.
// Source: Coros2010 §5.4. How steps are counted is ours.
#include "control/gbwc/steps/obstacles.h"

#include <algorithm>
#include <cmath>

#include "control/gbwc/frame.h"

namespace promenade::control::gbwc {
namespace {

constexpr double kNoLimit = 1e9;       // m
constexpr double kBehindFeet = 0.05;   // m, behind the heel of the rear foot, from where it looks
constexpr double kNearEnough = 0.08;   // m, from the place before it, from where one steps over
constexpr double kKept = 0.05;         // m, more, of a step that has begun
constexpr double kDecided = 0.15;      // of a step, after which it is not begun
constexpr double kSlowestOver = 0.2;   // m/s, at which one is stepped over
constexpr double kBeforeHigh = 0.3;    // of its height: the stance knee moves on as the body does
constexpr double kBehindHigh = 0.163;  // likewise: the shank of the leading leg leans back
constexpr double kPaceOver = 0.5;      // m/s, at which one nears an obstacle
constexpr double kTrailSlower = 2;     // times over_slow: the trailing foot takes its time
constexpr double kTrailPace = 0.9;     // of the speed of approach, behind it
constexpr double kTrailStep = 0.7;  // of a usual step, that the trailing foot lands ahead at least
constexpr double kStepsAhead = 6;   // from where on steps are counted
constexpr double kStretched = 0.293;   // of a step: what is left over makes the others longer
constexpr double kLongestStay = 1.3;   // of the speed of approach, in such steps
constexpr double kStairsSlack = 0.02;  // m, that a step before stairs is lengthened or shortened
constexpr double kMostBack = 0.2;      // m, that a step lands short because of an obstacle

/// Divides the way to a place before an obstacle into equal steps.
void approach(const Frame& f, double place, StepPlan& plan) {
  const double from = f.features.along(f.s.ankle[f.step.stance]), left = place - from;
  const double brisk = kPaceOver * f.body.time_scale;
  const double usual = brisk * f.step_time;
  plan.limit = place;
  if (left >= kStepsAhead * usual) return;
  const double steps = std::max(1.0, std::ceil(left / usual - kStretched));
  plan.place = from + std::max(0.0, left) / steps;
  plan.given = true;
  plan.speed = std::min(std::max(0.0, plan.place - from) / f.step_time, kLongestStay * brisk);
}

}  // namespace

bool trailing(const Frame& f) {
  const Feature* o = stepped_over(f);
  return o && f.features.along(f.step.anchor) > o->near;
}

bool meets_steps(const Frame& f) {
  return f.features.count(FeatureKind::kBoard) > 0 || f.features.count(FeatureKind::kRiser) > 0 ||
         f.features.count(FeatureKind::kDrop) > 0;
}

double place_before(const Frame& f, const Feature& board, int side) {
  return board.near - f.body.foot_reach[side].x() - f.p.over_margin_m() * f.body.length_scale -
         kBeforeHigh * board.height();
}

double place_behind(const Frame& f, const Feature& board, int side) {
  return board.far + f.body.foot_reach[side].y() + f.p.over_margin_m() * f.body.length_scale +
         kBehindHigh * board.height();
}

void watch_way(const Frame& f, const Vec2& asked, ahead::Features& features, StepPlan& plan) {
  const bool forward = asked.x() > -kNoSpeed && asked.x() >= std::abs(asked.y());
  if (!f.view.has_relief() || f.p.over_most_m() <= 0 || f.step.standing ||
      (!forward && plan.over < 0)) {
    features.clear();
    plan.over = -1;
    plan.given = false;
    return;
  }
  const auto along = [&](const Vec3& at) { return f.ahead.dot(at.head<2>()); };
  double feet = std::min(along(f.s.ankle[0]), along(f.s.ankle[1]));
  // What the swing foot is over begins behind it.
  if (plan.over >= 0) feet = std::min(feet, along(f.swing.lift_ankle));
  ahead::find_features(f.view, ahead::Way::through(f.s.com.head<2>(), f.ahead, f.body.sight.lane),
                       feet - f.body.foot_reach[0].y() - kBehindFeet * f.body.length_scale,
                       along(f.s.com) + f.body.sight.far + 2 * f.course.velocity.norm(),
                       f.body.sight.limits, features);
}

void plan_step_over(const Frame& f, StepPlan& plan) {
  // A foot that is on its way over goes on, and one that is on its way elsewhere does not begin.
  const bool leads = plan.over >= 0 && !trailing(f);
  plan.given = plan.near_stairs = false;
  plan.over = -1;
  const auto boards = f.features.of(FeatureKind::kBoard);
  if (f.step.standing || boards.size() == 0) return;
  const double l = f.body.length_scale;
  const int swing = 1 - f.step.stance;
  const double from = f.features.along(f.s.ankle[f.step.stance]),
               lifted = f.features.along(f.swing.lift_ankle);
  const double brisk = kPaceOver * f.body.time_scale;
  const double usual = brisk * f.step_time;
  const double kept = leads ? kKept * l : 0;
  const Feature* next = nullptr;
  plan.limit = kNoLimit;
  for (int i = 0; i < boards.size(); ++i) {
    const Feature& o = boards[i];
    const double middle = o.middle();
    if (lifted > middle) continue;
    if (from > middle) {  // the trailing foot
      plan.over = i;
      plan.place = std::max(place_behind(f, o, swing), from + kTrailStep * usual);
      plan.given = true;
      continue;
    }
    next = &o;
    if (plan.over < 0 && (leads || f.step.phase < kDecided) &&
        place_before(f, o, f.step.stance) - from < kNearEnough * l + kept &&
        place_behind(f, o, swing) - from <
            f.p.over_stride() * f.body.biped.leg_length[swing] + kept) {
      plan.over = i;
      plan.place = place_behind(f, o, swing);
      plan.given = true;
      next = nullptr;
      continue;
    }
    break;
  }
  if (next && plan.given) {
    plan.limit = place_before(f, *next, swing);
    plan.place = std::min(plan.place, plan.limit);
  } else if (next) {
    approach(f, place_before(f, *next, swing), plan);
  }
  if (plan.over >= 0) plan.height = boards[plan.over].height();
  if (plan.over >= 0) plan.speed = std::max(0.0, plan.place - from) / f.step_time;
  if (plan.over >= 0)
    plan.speed = trailing(f) ? std::max(plan.speed, kTrailPace * brisk) : plan.speed;
}

const Feature* stepped_over(const Frame& f) {
  const auto boards = f.features.of(FeatureKind::kBoard);
  return f.plan.over >= 0 && f.plan.over < boards.size() ? &boards[f.plan.over] : nullptr;
}

double obstacle_step_time(const Frame& f) {
  if (f.plan.climb > 0) return 1 + f.p.climb_slow() * f.plan.climb / (0.2 * f.body.length_scale);
  if (f.plan.over < 0) return 1;
  return 1 + (trailing(f) ? kTrailSlower : 1) * f.p.over_slow() * f.plan.height /
                 (0.6 * f.body.length_scale);
}

double speed_over(const Frame& f, double asked) {
  if (!f.plan.given) return asked;
  if (f.plan.over < 0 && asked <= kNoSpeed) return asked;
  const double least = f.plan.over < 0 ? 0 : kSlowestOver * f.body.time_scale;
  return std::clamp(f.plan.speed, least, f.p.over_speed_mps() * f.body.time_scale);
}

double placed_ahead(const Frame& f, const Vec2& end) {
  if (!f.plan.given) return 0;
  const double planned = f.features.direction().dot(end), l = f.body.length_scale;
  const double slack = (f.plan.near_stairs ? kStairsSlack : f.p.over_slack_m()) * l;
  const double shift = std::clamp(f.plan.place - planned, -slack, slack);
  if (f.plan.climb > 0 || f.plan.descend > 0) return f.plan.place - planned;
  if (f.plan.over >= 0)
    return std::max(f.plan.place - planned, std::min(0.0, f.plan.limit - planned));
  return std::max(std::min(shift, f.plan.limit - planned), -kMostBack * l);
}

}  // namespace promenade::control::gbwc
