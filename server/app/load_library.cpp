#include "app/load_library.h"

#include "command/files.h"
#include "world/crowd/gaits.h"

namespace promenade::app {

schema::Result<std::shared_ptr<const Library>> load_library(const command::CommonOptions& common) {
  auto library = Library::load(common.data_dir);
  if (library) world::keep_gaits(**library, {command::gaits_made_beforehand(), {}});
  return library;
}

}  // namespace promenade::app
