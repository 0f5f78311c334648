#include "app/stored_files.h"

#include "service/serve/config.h"

namespace promenade::app {

void add_stored_files(CLI::App& command, service::ServerFiles& files) {
  command
      .add_option("--store", files.store,
                  "File with the saved styles and bodies, rooms, invitations and bans. Left out: "
                  "promenade/promenade.db in $XDG_DATA_HOME or ~/.local/share.")
      ->type_name("FILE");
  command
      .add_option("--state-dir", files.state_dir, "Directory in which rooms record what happens.")
      ->type_name("DIR");
  command.add_option("--token-file", files.token_file, "File of tokens.")->type_name("FILE");
}

std::filesystem::path store_or_default(const std::filesystem::path& store) {
  service::ServeConfig config;
  config.store = store;
  return service::store_file_of(config);
}

}  // namespace promenade::app
