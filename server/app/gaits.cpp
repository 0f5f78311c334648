#include <atomic>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "app/subcommands.h"
#include "command/complain.h"
#include "command/ranges.h"
#include "world/gaits.h"
#include "world/library.h"

namespace promenade::app {
namespace {

struct GaitOptions {
  std::filesystem::path out;
  int threads = 1;
};

int make_gaits(const GaitOptions& options, const command::CommonOptions& common) {
  const auto library = Library::load(common.data_dir);
  if (!library) return command::complain("gaits", library.error().text());
  std::error_code failed;
  std::filesystem::create_directories(options.out, failed);
  if (failed) {
    return command::complain("gaits",
                             options.out.string() + " cannot be made: " + failed.message());
  }
  world::keep_gaits(**library, {{}, options.out});
  const std::vector<world::GaitPair> pairs = world::all_gaits(**library);
  std::atomic<std::size_t> next{0}, measured{0};
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < options.threads; ++i) {
      threads.emplace_back([&] {
        for (std::size_t k = next++; k < pairs.size(); k = next++) {
          if (world::know_gait(**library, pairs[k])) ++measured;
        }
      });
    }
  }
  std::set<std::string> names;
  for (const world::GaitPair& pair : pairs) {
    const std::string name = world::file_of(**library, pair);
    names.insert(name);
    if (std::filesystem::exists(options.out / name, failed)) continue;
    return command::complain("gaits", "the table of " + pair.body->name + " in the style " +
                                          pair.style->name + " could not be written to " +
                                          options.out.string());
  }
  // Those of earlier programs are of no use.
  for (const auto& file : std::filesystem::directory_iterator(options.out, failed)) {
    const std::string name = file.path().filename().string();
    if (file.path().extension() == ".gait" && !names.contains(name)) {
      std::filesystem::remove(file.path(), failed);
    }
  }
  std::printf("%zu gaits in %s, %zu of them measured now\n", pairs.size(),
              options.out.string().c_str(), measured.load());
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
      "program, its libraries and "
      "this\nkind of processor; others ignore them and measure for themselves when they need to.");
  return [options, &common] { return make_gaits(*options, common); };
}

}  // namespace promenade::app
