#pragma once

#include <string>

namespace promenade::control::pendulum {

/// The build id of this program, which is another one wherever its code is.
/// @return bytes; empty where the program has none
std::string program_id();

/// All that decides the bits of a computation besides input and program: the build ids of the
/// loaded libraries, and the instructions of this processor among which libraries choose.
/// @return bytes for a digest
std::string what_computes();

}  // namespace promenade::control::pendulum
