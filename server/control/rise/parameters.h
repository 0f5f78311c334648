#pragma once

#include <span>

#include "control/parameters.h"

namespace promenade::control {

std::span<const ParameterRange> rise_ranges();

}  // namespace promenade::control
