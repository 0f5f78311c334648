// Steps over the boards that lie ahead: where feet are placed before and behind them.
// Source: Coros2010 §5.4. How steps are counted is ours.
#include "control/gbwc/steps/obstacles.h"

#include <algorithm>
#include <cmath>

#include "control/gbwc/frame.h"

namespace promenade::control::gbwc {
namespace {

constexpr double kNoLimit = 1e9;  // m

/// Divides the way to a place before an obstacle into equal steps.
void approach(const Frame& f, double place, StepPlan& plan) {
  const v1::GbwcNear& p = f.p.near();
  const double from = f.features.along(f.s.ankle[f.step.stance]), left = place - from;
  const double brisk = p.pace_mps() * f.body.time_scale;
  const double usual = brisk * f.step_time;
  plan.limit = place;
  if (left >= p.steps_ahead() * usual) return;
  const double steps = std::max(1.0, std::ceil(left / usual - p.stretched()));
  plan.place = from + std::max(0.0, left) / steps;
  plan.given = true;
  plan.speed = std::min(std::max(0.0, plan.place - from) / f.step_time, p.fastest_pace() * brisk);
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
  return board.near - f.body.foot_reach[side].x() - f.p.over().margin_m() * f.body.length_scale -
         f.p.over().before_high() * board.height();
}

double place_behind(const Frame& f, const Feature& board, int side) {
  return board.far + f.body.foot_reach[side].y() + f.p.over().margin_m() * f.body.length_scale +
         f.p.over().behind_high() * board.height();
}

void watch_way(const Frame& f, const Vec2& asked, ahead::Features& features, StepPlan& plan) {
  const bool forward = asked.x() > -kNoSpeed && asked.x() >= std::abs(asked.y());
  if (!f.view.has_relief() || f.p.over().most_m() <= 0 || f.step.standing ||
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
  ahead::find_features(
      f.view, ahead::Way::through(f.s.com.head<2>(), f.ahead, f.body.sight.lane),
      feet - f.body.foot_reach[0].y() - f.p.sight().behind_feet_m() * f.body.length_scale,
      along(f.s.com) + f.body.sight.far + f.p.sight().foreseen_s() * f.course.velocity.norm(),
      f.body.sight.limits, features);
}

void plan_step_over(const Frame& f, StepPlan& plan) {
  const v1::GbwcOver& p = f.p.over();
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
  const double brisk = f.p.near().pace_mps() * f.body.time_scale;
  const double usual = brisk * f.step_time;
  const double kept = leads ? p.kept_m() * l : 0;
  const Feature* next = nullptr;
  plan.limit = kNoLimit;
  for (int i = 0; i < boards.size(); ++i) {
    const Feature& o = boards[i];
    const double middle = o.middle();
    if (lifted > middle) continue;
    if (from > middle) {  // the trailing foot
      plan.over = i;
      plan.place = std::max(place_behind(f, o, swing), from + p.trail_step() * usual);
      plan.given = true;
      continue;
    }
    next = &o;
    if (plan.over < 0 && (leads || f.step.phase < p.decided()) &&
        place_before(f, o, f.step.stance) - from < p.near_enough_m() * l + kept &&
        place_behind(f, o, swing) - from < p.stride() * f.body.biped.leg_length[swing] + kept) {
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
    plan.speed = trailing(f) ? std::max(plan.speed, p.trail_pace() * brisk) : plan.speed;
}

const Feature* stepped_over(const Frame& f) {
  const auto boards = f.features.of(FeatureKind::kBoard);
  return f.plan.over >= 0 && f.plan.over < boards.size() ? &boards[f.plan.over] : nullptr;
}

double obstacle_step_time(const Frame& f) {
  const v1::GbwcOver& p = f.p.over();
  if (f.plan.climb > 0)
    return 1 + f.p.up().slow() * f.plan.climb / (f.p.up().usual_rise_m() * f.body.length_scale);
  if (f.plan.over < 0) return 1;
  return 1 + (trailing(f) ? p.trail_slower() : 1) * p.slow() * f.plan.height /
                 (p.slow_height_m() * f.body.length_scale);
}

double speed_over(const Frame& f, double asked) {
  if (!f.plan.given) return asked;
  if (f.plan.over < 0 && asked <= kNoSpeed) return asked;
  const double least = f.plan.over < 0 ? 0 : f.p.over().slowest_mps() * f.body.time_scale;
  return std::clamp(f.plan.speed, least, f.p.over().speed_mps() * f.body.time_scale);
}

double placed_ahead(const Frame& f, const Vec2& end) {
  const v1::GbwcNear& p = f.p.near();
  if (!f.plan.given) return 0;
  const double planned = f.features.direction().dot(end), l = f.body.length_scale;
  const double slack = (f.plan.near_stairs ? p.stairs_slack_m() : p.slack_m()) * l;
  const double shift = std::clamp(f.plan.place - planned, -slack, slack);
  if (f.plan.climb > 0 || f.plan.descend > 0) return f.plan.place - planned;
  if (f.plan.over >= 0)
    return std::max(f.plan.place - planned, std::min(0.0, f.plan.limit - planned));
  return std::max(std::min(shift, f.plan.limit - planned), -p.most_back_m() * l);
}

}  // namespace promenade::control::gbwc
