#include <algorithm>
#include <cstdio>
#include <functional>
#include <stdexcept>

#include "app/bench_served.h"
#include "app/bench_viewers.h"
#include "app/load_library.h"
#include "app/subcommands.h"
#include "command/complain.h"
#include "command/processors.h"
#include "command/progress_bar.h"
#include "command/ranges.h"
#include "study/bench/plan.h"
#include "study/bench/rig.h"
#include "study/report/plan.h"

namespace promenade::app {
namespace {

using study::BenchPlan;

struct BenchFlags {
  bool json = false;
  bool quick = false;
  bool progress = false;
  int threads = 0;
  std::vector<std::string> only;
};

int bench(std::shared_ptr<const Library> library, const std::filesystem::path& data_dir,
          const BenchFlags& options) {
  BenchPlan plan;
  plan.library = std::move(library);
  plan.quick = options.quick;
  plan.threads = command::threads_or_processors(options.threads);
  plan.only = options.only;
  using Part = std::function<void(BenchPlan&)>;
  const auto served = [&data_dir](BenchPlan& p) { bench_served(p, data_dir); };
  const auto tasks = [&data_dir](BenchPlan& p) { study::bench_tasks(p, data_dir); };
  // Memory first: later parts leave memory that they have used with the process.
  const Part parts[] = {study::bench_memory,
                        study::bench_walkers,
                        served,
                        study::bench_dancers,
                        study::bench_ratios,
                        study::bench_one,
                        study::bench_restart,
                        study::bench_bursts,
                        study::bench_square,
                        study::bench_allocations,
                        study::bench_hashes,
                        study::bench_table,
                        study::bench_heaps,
                        study::bench_steps,
                        study::bench_cells,
                        study::bench_avoidance,
                        study::bench_coded,
                        bench_viewers,
                        study::bench_light,
                        tasks};
  {
    command::ProgressBar bar("bench", options.progress);
    double done = 0;
    plan.now = [&](const std::string& what) { bar.show(done, double(std::size(parts)), what); };
    for (const Part& part : parts) {
      part(plan);
      ++done;
    }
  }
  std::erase_if(plan.rows, [&](const study::ReportRow& row) { return !plan.wants(row.id); });
  if (plan.rows.empty()) {
    return command::complain("bench",
                             "no row matches --only; allowed: ids as in docs/benchmarks.md");
  }
  if (options.json) {
    std::fputs(study::rows_as_json(plan.rows).c_str(), stdout);
    std::fputs(plan.notes.c_str(), stderr);
  } else {
    std::printf("%s\n\n%s\n%s", study::machine_name().c_str(),
                study::rows_as_text(plan.rows).c_str(), plan.notes.c_str());
  }
  return study::all_hold(plan.rows) ? 0 : 1;
}

}  // namespace

command::Run add_bench(CLI::App& command, const command::CommonOptions& common) {
  auto options = std::make_shared<BenchFlags>();
  command.add_flag("--json", options->json,
                   "Prints JSON instead of a table: {\"rows\": [{\"id\", \"claim\", \"source\", "
                   "\"asked\", \"got\", \"unit\", \"holds\"}]}. Further tables go to standard "
                   "error.");
  command.add_flag("--quick", options->quick, "Measures for a shorter time, for a first look.");
  command
      .add_option(
          "--threads", options->threads,
          "Threads of the rooms with the square and the crowds; 0: one per processor that may be "
          "used.")
      ->check(command::whole_number(0, 64))
      ->capture_default_str();
  command
      .add_option("--only", options->only,
                  "Only rows whose id matches this shell pattern, as in 'cost-*'. Can be given "
                  "more than once. docs/benchmarks.md lists the ids.")
      ->type_name("PATTERN")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command.add_flag("--progress", options->progress,
                   "Shows the progress bar even if standard error is not a terminal.");
  command.footer(
      "Example: promenade bench --quick --only 'walkers-*'\n"
      "The exit code is 0 only if every row holds.");
  return [options, &common] {
    auto library = load_library(common);
    if (!library) return command::complain("bench", library.error().text());
    try {
      return bench(*library, common.data_dir, *options);
    } catch (const std::runtime_error& error) {
      return command::complain("bench", error.what());
    }
  };
}

}  // namespace promenade::app
