#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "study/trial/gait/footfalls.h"

// A second judgement of footfalls, by the spans in which feet bear. It shares nothing with the law
// of names but what bears: no mean over the stride, no harmonic.
namespace promenade::trial {

/// From when to when a leg bears, s.
struct Stance {
  double from = 0, to = 0;
};

/// Notes when each leg bears, step by step.
class StanceRecorder {
 public:
  explicit StanceRecorder(std::size_t legs) : stances_(legs) {}
  /// @param bears  [legs]; @param time  s, at the end of the step, which follows the last one
  void note(const std::vector<bool>& bears, double time, double dt);
  /// [legs] from the first to the last.
  const std::vector<std::vector<Stance>>& stances() const { return stances_; }

 private:
  std::vector<std::vector<Stance>> stances_;
  double last_ = 0;  // s, end of the step before
};

/// The name of a gait by its stances. A foot that lifts for less than a tenth of a stride has not
/// lifted, one that bears for less than a sixteenth has not stepped. Each stride has of each leg
/// its longest stance; the middle of that, median over the strides, is the leg's phase. All legs
/// step once a stride, or all step twice; where they differ, a leg's longest stance has to be more
/// than three fifths of all that it bears. Feet of a pair that are more than a third of a stride
/// apart take turns, those less than an eighth apart are together. Of pairs that take turns the lag
/// of a fore foot behind the hind foot of its side gives the name by quarters of a stride about 0,
/// a quarter, a half and three quarters; a walk bears for more than half of the stride, an amble
/// for less. Source: Hildebrand, "Symmetrical gaits of horses", 1965, and "Analysis of asymmetrical
/// gaits", 1977; these count from touchdown to touchdown, which is the same where all feet bear for
/// as long
/// @param stances  [legs]; @param period  s, of a stride; @param from, to  s: whole strides
/// @return as gait_name(); "shuffle" also where a pair takes turns beside one that comes down
/// together
std::string_view name_by_stances(const Legs& legs, const std::vector<std::vector<Stance>>& stances,
                                 double period, double from, double to);

/// Hildebrand's diagram as text: a line for each leg, `columns` wide, with # while it bears.
/// @param names  [legs]; @param from, to  s
std::string footfall_bars(const std::vector<std::string>& names,
                          const std::vector<std::vector<Stance>>& stances, double from, double to,
                          int columns);

}  // namespace promenade::trial
