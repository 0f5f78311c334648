// What a walker looks for on its way, and how it walks by the plan of its steps.
// Source: Coros2010 §5.4. How steps are counted is ours: control/steps.
#include "control/gbwc/steps/planning.h"

#include <algorithm>
#include <cmath>

#include "control/gbwc/frame.h"
#include "control/gbwc/posture/load.h"
#include "control/steps/planners.h"

namespace promenade::control::gbwc {
bool trailing(const Frame& f) {
  const Feature* o = stepped_over(f);
  return o && f.features.along(f.step.anchor) > o->near;
}

bool meets_steps(const Frame& f) {
  return f.features.count(FeatureKind::kBoard) > 0 || f.features.count(FeatureKind::kRiser) > 0 ||
         f.features.count(FeatureKind::kDrop) > 0;
}

steps::Situation situation_of(const Frame& f) {
  const WalkerBody& body = f.body;
  return {.features = f.features,
          .p = f.p,
          .length_scale = body.length_scale,
          .time_scale = body.time_scale,
          .foot_reach = body.foot_reach,
          .leg_length = body.biped.leg_length,
          .up_treads = body.sight.up_treads,
          .down_treads = body.sight.down_treads,
          .stance = f.step.stance,
          .from = f.features.along(f.s.ankle[f.step.stance]),
          .held = f.features.along(f.step.anchor),
          .lifted = f.features.along(f.swing.lift_ankle),
          .phase = f.step.phase,
          .step_time = f.step_time,
          .load = heavier(f) - 1,
          .climbs = f.step.climbed > 0,
          .descends = f.step.descended > 0};
}

void plan_step(const Frame& f, StepPlan& plan) {
  plan =
      f.step.standing || !meets_steps(f) ? StepPlan{} : steps::plan_step(situation_of(f), f.plan);
}

void watch_way(const Frame& f, const Vec2& asked, ahead::Features& features) {
  const bool forward = asked.x() > -kNoSpeed && asked.x() >= std::abs(asked.y());
  if (!f.view.has_relief() || f.p.over().most_m() <= 0 || f.step.standing ||
      (!forward && !f.plan.is(StepKind::kOver))) {
    features.clear();
    return;
  }
  const auto along = [&](const Vec3& at) { return f.ahead.dot(at.head<2>()); };
  double feet = std::min(along(f.s.ankle[0]), along(f.s.ankle[1]));
  // What the swing foot is over begins behind it.
  if (f.plan.is(StepKind::kOver)) feet = std::min(feet, along(f.swing.lift_ankle));
  ahead::find_features(
      f.view, ahead::Way::through(f.s.com.head<2>(), f.ahead, f.body.sight.lane),
      feet - f.body.foot_reach[0].y() - f.p.sight().behind_feet_m() * f.body.length_scale,
      along(f.s.com) + f.body.sight.far + f.p.sight().foreseen_s() * f.course.velocity.norm(),
      f.body.sight.limits, features);
}

const Feature* stepped_over(const Frame& f) {
  const auto boards = f.features.of(FeatureKind::kBoard);
  return f.plan.is(StepKind::kOver) && f.plan.board < boards.size() ? &boards[f.plan.board]
                                                                    : nullptr;
}

double obstacle_step_time(const Frame& f) {
  const v1::GbwcOver& p = f.p.over();
  if (f.plan.is(StepKind::kUp))
    return 1 + f.p.up().slow() * f.plan.height / (f.p.up().usual_rise_m() * f.body.length_scale);
  if (!f.plan.is(StepKind::kOver)) return 1;
  return 1 + (trailing(f) ? p.trail_slower() : 1) * p.slow() * f.plan.height /
                 (p.slow_height_m() * f.body.length_scale);
}

double speed_over(const Frame& f, double asked) {
  if (!f.plan.given()) return asked;
  if (!f.plan.is(StepKind::kOver) && asked <= kNoSpeed) return asked;
  const double least =
      !f.plan.is(StepKind::kOver) ? 0 : f.p.over().slowest_mps() * f.body.time_scale;
  return std::clamp(f.plan.speed, least, f.p.over().speed_mps() * f.body.time_scale);
}

double placed_ahead(const Frame& f, const Vec2& end) {
  const v1::GbwcNear& p = f.p.near();
  if (!f.plan.given()) return 0;
  const double planned = f.features.direction().dot(end), l = f.body.length_scale;
  const double slack = (f.plan.is(StepKind::kNearFlight) ? p.stairs_slack_m() : p.slack_m()) * l;
  const double shift = std::clamp(f.plan.place - planned, -slack, slack);
  if (f.plan.on_flight()) return f.plan.place - planned;
  if (f.plan.is(StepKind::kOver))
    return std::max(f.plan.place - planned, std::min(0.0, f.plan.limit - planned));
  return std::max(std::min(shift, f.plan.limit - planned), -p.most_back_m() * l);
}

}  // namespace promenade::control::gbwc
