#include "service/serve/serve.h"

#include <memory>

#include "app/subcommands.h"
#include "service/serve/config.h"

namespace promenade::app {

command::Run add_serve(CLI::App& command, const command::CommonOptions& common) {
  auto config = std::make_shared<service::ServeConfig>();
  service::add_serve_options(command, *config);
  return [config, &common] { return service::serve(*config, common); };
}

}  // namespace promenade::app
