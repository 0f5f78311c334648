#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace promenade::command {

/// The name that somebody who wrote `text` most likely meant: the one that the fewest letters set
/// apart from it (put in, left out, exchanged). @return empty where none is near
std::string nearest(std::string_view text, const std::vector<std::string>& names);

/// For the end of a message: " (did you mean NAME?)", or nothing where no name is near.
std::string meant(std::string_view text, const std::vector<std::string>& names);

}  // namespace promenade::command
