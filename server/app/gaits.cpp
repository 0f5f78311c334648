#include "world/crowd/gaits.h"

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "app/subcommands.h"
#include "command/complain.h"
#include "command/ranges.h"
#include "world/library/library.h"

namespace promenade::app {
namespace {

struct GaitOptions {
  std::filesystem::path out;
  int threads = 1;
};

int make(const GaitOptions& options, const command::CommonOptions& common) {
  const auto library = Library::load(common.data_dir);
  if (!library) return command::complain("gaits", library.error().text());
  using Store = control::pendulum::GaitStore;
  const Store store({}, options.out, Store::For::kInstallation);
  world::keep_gaits(**library, store);
  const std::vector<world::GaitPair> pairs = world::all_gaits(**library);
  world::know_gaits(**library, pairs, options.threads);
  std::vector<std::string> names;
  for (const world::GaitPair& pair : pairs) {
    names.push_back(world::name_of(**library, pair));
    if (names.back().empty()) {
      return command::complain("gaits", "this program has no build id, by which tables are kept");
    }
    if (store.find(names.back(), pair.body->link_names.size())) continue;
    return command::complain("gaits", "the table of " + pair.body->name + " in the style " +
                                          pair.style->name + " could not be written to " +
                                          options.out.string());
  }
  store.remove_others(names);
  std::printf("%zu gaits in %s, %zu of them measured now\n", pairs.size(),
              options.out.string().c_str(), world::gaits_measured(**library));
  return 0;
}

}  // namespace

command::Run add_gaits(CLI::App& command, const command::CommonOptions& common) {
  auto options = std::make_shared<GaitOptions>();
  command
      .add_option("--out", options->out,
                  "Directory for the tables. `serve` looks in gaits/ beside the program and in "
                  "share/promenade/gaits/ of the installation.")
      ->required()
      ->type_name("DIR");
  command.add_option("--threads", options->threads, "Threads that measure.")
      ->check(command::whole_number(1, 64))
      ->capture_default_str();
  command.footer(
      "Tables that are there already stay, those of other programs go. They are good for this very "
      "program and data\ndirectory; where others find them they measure for themselves what they "
      "need.");
  return [options, &common] { return make(*options, common); };
}

}  // namespace promenade::app
