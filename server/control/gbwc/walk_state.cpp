#include "control/gbwc/walk_state.h"

#include <algorithm>

namespace promenade::control::gbwc {

void StepState::visit(StateVisitor& state) {
  state(standing);
  state.choice(stance, 2);
  state(phase, clock, usual_end, pushing, airborne);
  state.within(lift_phase, 0, kLastPhase);
  state(anchor, knee_at_strike, descended, climbed);
}

void TakenOver::visit(StateVisitor& state) {
  state.within(phase, 0, kLastPhase);
  state(ankle, knee, foot);
}

void SwingState::visit(StateVisitor& state) {
  state(goal, shift, lift_ankle, lift_off, lift_height, lift_heading);
  taken_over.visit(state);
  state(push_pitch, ball);
}

void WalkState::visit(StateVisitor& state) {
  const auto all = [&](auto&... part) { (part.visit(state), ...); };
  all(step, stand, course, learnt, swing, underfoot, stumble, duck, stoop, stretch, hands, idle,
      trunk, arms, balance, features, plan, report);
  state(fine_clock, plain);
}

double TakenOver::left(double at_phase) const {
  const double over = std::clamp((at_phase - phase) / (1 - phase), 0.0, 1.0);
  return 1 - over * over * (3 - 2 * over);
}

}  // namespace promenade::control::gbwc
