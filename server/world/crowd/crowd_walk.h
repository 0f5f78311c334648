#pragma once

#include <cmath>

#include "behaviour/behaviour.h"
#include "math/state.h"
#include "math/types.h"

namespace promenade::world {

/// One character in its crowd. The crowd moves an ideal walker, whose velocity follows the choices
/// with a lag, and the character walks after it. So choices are made from motions without the sway
/// of steps, and characters keep clear of the same obstacles as their ideal walkers, but for the
/// distance between the two.
///
/// Only light characters can follow so closely. The ideal walker of one in full physics is where
/// the character is, each time that the crowd chooses.
struct CrowdWalk {
  bool known = false;                                  // whether there is an ideal walker
  Vec2 place = Vec2::Zero(), velocity = Vec2::Zero();  // of the ideal walker; m, m/s, world
  Vec2 chosen = Vec2::Zero();                          // m/s, world
  double held_up = 0, news = 0;                        // s; 0 to 1: see behaviour/crowd/walkers.h

  /// To be called before a choice. @param position, smooth_velocity  of the character
  void meet(const Vec2& position, const Vec2& smooth_velocity, bool light) {
    const Vec2 off = position - place;
    if (!known || !light) {
      known = true;
      place = position;
      velocity = smooth_velocity;
    } else if (const double far = off.norm(); far > kLost) {
      place += off * ((far - kLost) / far);
    }
  }
  /// To be called after the choice.
  /// @param lag   s
  /// @param step  s, until the next one
  void move(const Vec2& choice, double lag, double step) {
    chosen = choice;
    Vec2 next = (lag * velocity + step * choice) / (lag + step);
    // No faster than a character gets under way. This is allowed, as allowed velocities are convex.
    const double gain = next.norm() - velocity.norm();
    if (gain > kQuickest * step) next = velocity + (next - velocity) * (kQuickest * step / gain);
    velocity = next;
    place += step * velocity;
  }
  /// The aim of the character, which is at `position`. @param heading  rad
  behaviour::CrowdChoice choice(const Vec2& position, double heading, bool light) const {
    if (!light) return {chosen, Vec2::Zero()};
    const Vec2 ahead(std::cos(heading), std::sin(heading)), left(-ahead.y(), ahead.x());
    const Vec2 off = place - position;
    Vec2 back = kGainAlong * off.dot(ahead) * ahead + kGainAside * off.dot(left) * left;
    if (const double fast = back.norm(); fast > kMostBack) back *= kMostBack / fast;
    return {chosen, back};
  }
  void visit(StateVisitor& state) { state(known, place, velocity, chosen, held_up, news); }

 private:
  static constexpr double kLost = 0.45;     // m, between the two: then the ideal one gives in
  static constexpr double kQuickest = 0.8;  // m/s^2, of the ideal walker
  // 1/s, of the correction of a distance; to the side more would sway, as a step does not go there
  // at once.
  static constexpr double kGainAlong = 2, kGainAside = 1;
  static constexpr double kMostBack = 0.5;  // m/s, of a correction
};

}  // namespace promenade::world
