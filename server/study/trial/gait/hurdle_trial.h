#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "control/posegraph/gait.h"
#include "study/trial/gait/gait_trial.h"

namespace promenade::trial {

/// Bars across the way of a creature that goes straight on.
struct Hurdles {
  int count = 5;
  double height = 0.2, depth = 0.05;  // m
  double near = 1.5, far = 4;         // m: gaps are drawn evenly between these
};

/// What came of each hurdle.
enum class HurdleEnd : std::uint8_t { kCleared, kTouched, kNotPassed };

/// Sends a creature over hurdles at random distances, which it must see by itself.
/// @param gait  with the reaches of its leaps
/// @return [hurdles.count] of those after a fall, and of those that it did not come to in thrice
/// the time that its speed lets expect: kNotPassed
std::vector<HurdleEnd> run_hurdles(const GaitTrial& trial,
                                   std::shared_ptr<const control::posegraph::Gait> gait,
                                   const Hurdles& hurdles, std::uint64_t seed);

}  // namespace promenade::trial
