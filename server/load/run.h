#pragma once

#include <functional>

#include "load/figures.h"
#include "load/plan.h"

namespace promenade::load {

/// Connects the clients of a plan, measures for its seconds and ends. Throws std::runtime_error
/// where the server cannot be found.
/// @param progress  called now and then with the seconds that are over and those that it takes
Figures run(const Plan& plan, const std::function<void(double, double)>& progress);

}  // namespace promenade::load
