#pragma once

#include <memory>

#include "control/posegraph/gait.h"
#include "study/trial/gait/gait_trial.h"

namespace promenade::search {

/// A moment at which one gait becomes another, and what came of it.
struct FoundEntry {
  control::posegraph::Gait::Entry entry;
  int up = 0;    // of the starts
  int held = 0;  // of the eight moments about it, those whose starts are all up
};

/// Tries to leave a gait at the end of each of its states and to enter another with each of its:
/// the moment after which most starts are up, and of equals the one among most others that hold.
/// @param seconds  for which a trial goes on after the change is asked for
/// @param starts   trials of each moment, at least 1, each asked for at another phase
/// @param seed     of the first start
/// @param threads  0: one for each processor
FoundEntry find_entry(const trial::GaitTrial& trial,
                      const std::shared_ptr<const control::posegraph::Gait>& from,
                      const std::shared_ptr<const control::posegraph::Gait>& to, double seconds,
                      int starts, std::uint64_t seed, int threads);

}  // namespace promenade::search
