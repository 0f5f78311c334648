#pragma once

#include <optional>
#include <string>
#include <vector>

#include "creature/creature.h"

// Footfalls: when each leg of a creature bears on the ground within its stride. They name gaits.
namespace promenade::trial {

/// The legs of a creature in the order in which footfall diagrams have them.
struct Legs {
  /// Two legs that are mirror images, indices of Creature::limbs.
  struct Pair {
    int left = 0, right = 0;
    double along = 0;  // m, where the hips are along x in the zero pose
  };
  std::vector<int> limbs;   // indices of Creature::limbs, all that are legs
  std::vector<Pair> pairs;  // front to back
  std::vector<int> leg_of;  // [links] index of `limbs` whose sole the link is; -1: of none

  static Legs of(const Creature& creature);
};

/// How one leg steps.
struct LegPhase {
  double duty = 0;  // duty factor: share of the stride in which it bears, 0 to 1
  /// Share of the stride at which the middle of its stance is, 0 to 1: by the first harmonic, or by
  /// the second where that is greater over all legs. Then half a stride is its whole circle.
  double phase = 0;
  double once = 0,
         twice = 0;  // the same by the first harmonic and by the second, whatever is greater
  /// Amplitude of the first harmonic of its contact: 0 where it never lifts or lands, or does so
  /// evenly; at most 1 / pi for one stance a stride.
  double first = 0,
         second = 0;  // `second`: of the second harmonic, great where it steps twice a stride
};

/// The footfalls of a whole creature.
struct Footfalls {
  std::vector<LegPhase> legs;  // as Legs::limbs
  double airborne = 0;         // share of the time in which no part of the creature bears
  /// Whether every leg steps, once or twice a stride, so that phases mean something.
  bool steps() const;
  /// The same with phases by one harmonic for all legs, by which names tell them. A leg whose
  /// second harmonic is 1.5 times the first steps twice a stride, and its first one says little of
  /// when: a leg with one stance has a first of sin(pi d) / pi, d duty factor, and a second of
  /// |cos(pi d)| times that. The second harmonic counts where all legs step twice, the first where
  /// fewer than half of them do; else nothing.
  std::optional<Footfalls> in_step() const;
  double mean_duty() const;  // 0 without legs
};

/// Gathers contacts of a creature that repeats a stride of known time.
class FootfallRecorder {
 public:
  /// @param period  s, of a stride
  FootfallRecorder(const Legs& legs, double period);
  /// @param bears     [legs] whether each leg bears in this step
  /// @param anything  whether any part of the creature touches anything
  /// @param time      s, at the end of the step
  void note(const std::vector<bool>& bears, bool anything, double time, double dt);
  /// What has been noted, over the whole strides.
  Footfalls result() const;

 private:
  struct Sums {
    double on = 0, cos1 = 0, sin1 = 0, cos2 = 0, sin2 = 0;  // s
  };
  double period_;
  double seconds_ = 0, airborne_ = 0;  // s
  std::vector<Sums> sums_;             // [legs]
};

/// Distance of two phases on the circle, 0 to 0.5.
double phase_distance(double a, double b);
/// `a` - `b` on the circle, 0 to 1.
double phase_lag(double a, double b);

}  // namespace promenade::trial
