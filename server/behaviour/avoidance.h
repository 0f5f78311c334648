#pragma once

#include "behaviour/behaviour.h"
#include "math/state.h"

namespace promenade::behaviour {

/// Chooses a velocity near the preferred one that keeps clear of others and of obstacles.
///
/// Law: of the candidate velocities c (directions about the preferred one, times a few speeds) it
///   takes the one of least cost. The cost is the sum of
///   - |c - preferred| + kKeep |c - last|, last the velocity chosen before;
///   - kRight where c turns left;
///   - the worst over all others of: kCollide (1 - t / T)^2 where c leads into the wanted distance,
///     or into the body, in t < T seconds, more for a central hit than for a graze; and kCrowd and
///     kTouch times how deep inside these two distances it will be a moment later;
///   - for a walker that has been held up, how much slower than preferred c is.
///   The way ahead is p(t) = p + (v - c) tau + c t, with position p and velocity v now: a walker
///   answers with a lag tau of about a step, and the others are taken to keep their velocity.
/// In a passage all wanted distances shrink with the room between its walls, so that two who meet
/// in 1.2 m pass instead of each waiting for more room.
/// Source: sampled velocity obstacles (Fiorini and Shiller 1998; van den Berg et al. 2008). Instead
/// of taking half of the evasion each, everyone passes on the right and holds on to its choice:
/// walkers answer slowly, and would otherwise step to the same side again and again.
class Avoidance {
 public:
  /// @param stagger  0 to 1, spreads the decisions of a crowd over time
  explicit Avoidance(double stagger = 0) : wait_(stagger * kDecisionInterval) {}

  /// @param preferred  m/s, world
  /// @return m/s, world; no faster than `preferred`. Decided anew every 0.1 s. Allocates nothing.
  Vec2 choose(const Self& self, const Surroundings& around, const Vec2& preferred, double dt);
  void reset() {
    chosen_.setZero();
    wait_ = impatience_ = 0;
  }
  void visit(StateVisitor& state) { state(chosen_, wait_, impatience_); }

 private:
  static constexpr double kDecisionInterval = 0.1;  // s, from one decision to the next

  Vec2 chosen_ = Vec2::Zero();  // m/s, world
  double wait_;                 // s until the next decision
  double impatience_ = 0;       // 0 to 1, grows while held up: detours cost less, slowness more
};

}  // namespace promenade::behaviour
