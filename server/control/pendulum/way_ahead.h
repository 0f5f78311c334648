#pragma once

#include <array>

#include "control/pendulum/footholds.h"
#include "control/pendulum/parameters.h"
#include "math/state.h"

namespace promenade::control::pendulum {

/// Where the next feet come down on ground with holes. World frame.
struct WayAhead {
  static constexpr int kSteps = 3;  // steps looked ahead: a fast walker comes to rest in them
  std::array<Vec3, kSteps> foothold{Vec3::Zero(), Vec3::Zero(), Vec3::Zero()};  // m, of the centre
  int count = 0;  // footholds that were found; 0: there are none, or the ground has no holes
  // How far they lead where it wants to go, of as many steady steps; little: the ground ends.
  double share = 1;
  double cost = 0;  // as of find_ways()

  void visit(StateVisitor& state) {
    state(foothold, share);
    state.choice(count, kSteps + 1);
  }
};

/// The way that is looked for.
struct WaySearch {
  explicit WaySearch(const WayTuning& tuning_in) : tuning(&tuning_in) {}

  const WayTuning* tuning;     // never null
  Vec3 stand = Vec3::Zero();   // m, the foot that stands, world
  double side = 1;             // of the foot that comes down next: 1 left, -1 right
  Vec2 first = Vec2::Zero();   // m, where the law of the step wants it, from `stand`
  Vec2 stride = Vec2::Zero();  // m, of a steady step; this and `first` in the heading's frame
  Vec2 ahead = Vec2::UnitX();  // the heading, world, unit length
  double width = 0.16;         // m, between the feet
  double longest = 0.7;        // m, of a step
  double step_up = 0.3, step_down = 0.3;  // m, at most, from one foothold to the next
  double radius = 0.1;                    // m, of a foot's circle
};

/// Whether a steady walk would put one of its next feet where there is no ground, nor anywhere
/// within `tuning.near`. ahead::find_gaps() asks for what lies across one line; here the ground
/// under the circles of feet counts, which step to either side of it, and things bear them too.
bool meets_hole(const physics::GroundNow& ground, const WaySearch& search);

/// Ways over ground with holes, the best first by their costs.
struct WaysAhead {
  static constexpr int kMost =
      24;  // ways of each length that go on; more find rarer ways, and cost more
  std::array<WayAhead, kMost> ways;
  int count = 0;
};

/// Ways of the next footholds, among places 5 cm apart. Best is that whose steps differ least from
/// steady ones and that stays behind them least.
/// Law: cost = sum of (dx / along)^2 + (dy / across)^2, and (b / along)^2; dx and dy: m, how
///      far each step is off a steady one; b: m, how far the last one stays behind as many
///      steady steps
/// Looks at some hundred places: about 0.2 ms. Allocates nothing.
void find_ways(const physics::GroundNow& ground, const WaySearch& search, WaysAhead& out);

/// The rest of a way whose first foothold has become `search.stand`. Its next ones are sure: others
/// may lie between the places that are looked at.
WayAhead rest_of(const WayAhead& way, const WaySearch& search);

}  // namespace promenade::control::pendulum
