#pragma once

#include "behaviour/behaviour.h"
#include "math/state.h"

namespace promenade::behaviour {

/// Chooses a velocity near the preferred one that keeps clear of others and of obstacles.
///
/// Law: among candidates c (directions about the preferred one, times a few speeds), the least of
///   |c - preferred| + kKeep |c - last| + kRight [c turns left] + the worst over others of
///   kCollide (1 - t / T)^2 (the more the more central), where it comes within the wanted distance,
///   or within the body's, in t < T seconds, and kCrowd, kTouch times how deep inside these it will
///   be in a moment, and what being slower than preferred costs the impatient,
/// where the way ahead is p(t) = p + (v - c) tau + c t: a walker answers with a lag of tau (about
/// the length of a step), and the others keep their velocity.
/// Source: sampled velocity obstacles (Fiorini and Shiller 1998; van den Berg et al. 2008). Instead
/// of the reciprocal half, everyone passes on the right and holds on to what it chose, which keeps
/// slow-answering walkers from dancing in front of each other.
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
  static constexpr double kDecisionInterval = 0.1;  // s

  Vec2 chosen_ = Vec2::Zero();  // m/s, world
  double wait_;                 // s until the next decision
  double impatience_ = 0;       // 0 to 1, grows while held up: detours cost less, slowness more
};

}  // namespace promenade::behaviour
