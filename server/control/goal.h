#pragma once

#include <array>
#include <cstdint>

#include "math/state.h"
#include "math/types.h"

namespace promenade::control {

/// The aim of a hand, and the force that it feels. SI.
struct HandGoal {
  enum class Frame : std::uint8_t {
    kFree,   // the arm swings as the style says
    kWorld,  // the palm is to be at `at` in the world
    kChest,  // at `at` from the middle of the shoulders: x along the heading, y left, z up
    kHolds,  // where the held thing has it, moving with `velocity`: it only exerts its effort
  };
  Frame frame = Frame::kFree;
  Vec3 at = Vec3::Zero();        // m, of the palm
  Vec3 velocity = Vec3::Zero();  // m/s, of the palm, in that frame
  Vec3 effort = Vec3::Zero();    // N, force that the hand is to exert, world frame
  double expected = 0;           // N, weight that it is going to take: the body makes ready for it
  double strength = 1;           // factor on the arm's gains
  // The pull of the thing in the hand, world frame; written by the code that steps the body.
  Vec3 force = Vec3::Zero();  // N; zero of an empty hand

  void visit(StateVisitor& state) {
    state.choice(frame, 4);
    state(at, velocity, effort, expected, strength, force);
  }
};

/// The wish of a behaviour to a controller. A family reads the parts that it can follow and ignores
/// the rest.
struct Goal {
  Vec2 velocity = Vec2::Zero();  // m/s, in the frame of the desired heading: x forward, y left
  double heading = 0;            // rad, world
  bool stand = true;             // come to rest and stand once slow
  bool plain = false;            // puts its style aside: for work, which asks for balance
  double bend = 0;               // share of the deepest bend under bars, 0 to 1: for heavy work
  double width = 0;              // m, of steps at least, for a human; the style may want more
  std::array<HandGoal, 2> hand;  // left, right

  void visit(StateVisitor& state) {
    state(velocity, heading, stand, plain, bend, width);
    for (HandGoal& one : hand) one.visit(state);
  }
};

}  // namespace promenade::control
