#pragma once

#include <filesystem>

namespace promenade::store {

/// Makes a file of one page in a directory and removes it again.
/// @param directory empty: the working directory
/// @return the errno of what failed, 0: nothing
int error_of_writing(const std::filesystem::path& directory);

}  // namespace promenade::store
