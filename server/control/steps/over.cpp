// Steps over the boards that lie ahead: where feet are placed before and behind them.
// Source: Coros2010 §5.4. How steps are counted is ours.
#include <algorithm>
#include <cmath>

#include "control/steps/boards.h"

namespace promenade::control::steps {
namespace {

constexpr double kNoLimit = 1e9;  // m

}  // namespace

double place_before(const Situation& now, const ahead::Feature& board, int side) {
  return board.near - now.foot_reach[std::size_t(side)].x() -
         now.p.over().margin_m() * now.length_scale - now.p.over().before_high() * board.height();
}

double place_behind(const Situation& now, const ahead::Feature& board, int side) {
  return board.far + now.foot_reach[std::size_t(side)].y() +
         now.p.over().margin_m() * now.length_scale + now.p.over().behind_high() * board.height();
}

/// Behind a board, once the other foot stands right before it or behind it already.
bool plan_over(const Situation& now, const StepPlan& before, StepPlan& plan) {
  const v1::GbwcOver& p = now.p.over();
  // A foot that is on its way over goes on, and one that is on its way elsewhere does not begin.
  const bool leads = before.is(StepKind::kOver) && !now.trails(before.board);
  const double l = now.length_scale, kept = leads ? p.kept_m() * l : 0;
  const double brisk = now.p.near().pace_mps() * now.time_scale, usual = brisk * now.step_time;
  const int swing = now.swing();
  const auto boards = now.features.of(ahead::FeatureKind::kBoard);
  const ahead::Feature* next = nullptr;
  for (int i = 0; i < boards.size(); ++i) {
    const ahead::Feature& board = boards[i];
    if (now.lifted > board.middle()) continue;
    const double behind = place_behind(now, board, swing);
    if (now.from > board.middle()) {  // the trailing foot
      plan.board = i;
      plan.place = std::max(behind, now.from + p.trail_step() * usual);
      continue;
    }
    const bool begins =
        plan.board < 0 && (leads || now.phase < p.decided()) &&
        place_before(now, board, now.stance) - now.from < p.near_enough_m() * l + kept &&
        behind - now.from < p.stride() * now.leg_length[std::size_t(swing)] + kept;
    if (!begins) {
      next = &board;
      break;
    }
    plan.board = i;
    plan.place = behind;
  }
  if (plan.board < 0) return false;
  plan.kind = StepKind::kOver;
  plan.limit = next ? place_before(now, *next, swing) : kNoLimit;
  plan.place = std::min(plan.place, plan.limit);
  plan.height = boards[plan.board].height();
  plan.speed = std::max(0.0, plan.place - now.from) / now.step_time;
  if (now.trails(plan.board)) plan.speed = std::max(plan.speed, p.trail_pace() * brisk);
  return true;
}

}  // namespace promenade::control::steps
