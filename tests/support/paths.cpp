#include "support/paths.h"

namespace promenade::test {

const std::filesystem::path& data_dir() {
  static const std::filesystem::path path = PROMENADE_DATA_DIR;
  return path;
}

}  // namespace promenade::test
