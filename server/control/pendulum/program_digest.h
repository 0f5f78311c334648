#pragma once

#include <string>

namespace promenade::control::pendulum {

/// What decides the bits of a computation besides its input: the build ids of the program and of
/// the libraries that it has loaded, and the instructions of this processor among which libraries
/// choose.
/// @return bytes for a digest; empty where the program has no build id, so that nothing is known
std::string program_digest();

}  // namespace promenade::control::pendulum
