#pragma once

#include <string>
#include <vector>

#include "creature/creature_library.h"

namespace promenade {

/// Names of a library's bodies that are bipeds, sorted.
std::vector<std::string> biped_names(const CreatureLibrary& library);

}  // namespace promenade
