#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

namespace promenade::app {

/// The first option that was given to `search gait` and that what is asked of it would ignore, in a
/// sentence that says what it goes with; nothing: there is none.
/// @param leaps  whether the variant that is searched is a leap
/// @pre one of the options that ask for something was given
std::optional<std::string> ignored_option(const CLI::App& command, bool leaps);

}  // namespace promenade::app
