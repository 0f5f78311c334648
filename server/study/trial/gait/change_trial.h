#pragma once

#include <cstdint>
#include <memory>

#include "control/posegraph/gait.h"
#include "study/trial/gait/gait_trial.h"

namespace promenade::trial {

/// Changes from one gait of a creature to another while it goes on, at a random phase of the first.
/// The source has no such transitions ("nor has the problem of automatically synthesizing arbitrary
/// gait transitions" been addressed).
/// @param seconds  after the change
/// @return whether it is up then
bool goes_on_after_change(const GaitTrial& trial,
                          std::shared_ptr<const control::posegraph::Gait> from,
                          std::shared_ptr<const control::posegraph::Gait> to, double seconds,
                          std::uint64_t seed);

}  // namespace promenade::trial
