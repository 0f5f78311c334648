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
/// @return [hurdles.count]. A hurdle is kNotPassed if the creature fell before it, went past its
/// side, or did not reach it within three times the time that it needs at its own speed.
std::vector<HurdleEnd> run_hurdles(const GaitTrial& trial,
                                   std::shared_ptr<const control::posegraph::Gait> gait,
                                   const Hurdles& hurdles, std::uint64_t seed);

}  // namespace promenade::trial
