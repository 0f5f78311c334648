#pragma once

#include <filesystem>

namespace promenade::test {

/// server/data of the checkout. It is known to one file alone: compilers' caches then serve every
/// checkout.
const std::filesystem::path& data_dir();

}  // namespace promenade::test
