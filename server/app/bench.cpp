#include <algorithm>
#include <cstdio>
#include <stdexcept>

#include "app/bench_plan.h"
#include "app/bench_rig.h"
#include "app/commands.h"
#include "app/progress_bar.h"
#include "app/report_plan.h"
#include "synthesis/parallel.h"

namespace promenade::app {
namespace {

struct Options {
  bool json = false;
  bool quick = false;
  bool progress = false;
  int threads = 0;
  std::vector<std::string> only;
};

int complain(const std::string& message) {
  std::fprintf(stderr, "promenade bench: %s\n", message.c_str());
  return 1;
}

int bench(std::shared_ptr<const Library> library, const Options& options) {
  BenchPlan plan;
  plan.library = std::move(library);
  plan.quick = options.quick;
  plan.threads = options.threads > 0 ? options.threads : synthesis::core_count();
  plan.only = options.only;
  using Part = void (*)(BenchPlan&);
  // Memory first, while nothing has grown yet.
  constexpr Part kParts[] = {bench_memory, bench_walkers, bench_dancers,     bench_ratios,
                             bench_one,    bench_square,  bench_allocations, bench_hashes,
                             bench_table,  bench_steps,   bench_cells};
  {
    ProgressBar bar("bench", options.progress);
    double done = 0;
    plan.now = [&](const std::string& what) { bar.show(done, double(std::size(kParts)), what); };
    for (const Part part : kParts) {
      part(plan);
      ++done;
    }
  }
  std::erase_if(plan.rows, [&](const ReportRow& row) { return !plan.wants(row.id); });
  if (plan.rows.empty()) {
    return complain("no row is named by --only; allowed: ids as in docs/benchmarks.md");
  }
  if (options.json) {
    std::fputs(rows_as_json(plan.rows).c_str(), stdout);
    std::fputs(plan.notes.c_str(), stderr);
  } else {
    std::printf("%s\n\n%s\n%s", machine_name().c_str(), rows_as_text(plan.rows).c_str(),
                plan.notes.c_str());
  }
  return all_hold(plan.rows) ? 0 : 1;
}

}  // namespace

bool BenchPlan::wants(const std::string& id) const { return wanted(id, only); }

bool BenchPlan::wants_any(std::initializer_list<const char*> ids) const {
  return std::any_of(ids.begin(), ids.end(), [this](const char* id) { return wants(id); });
}

void BenchPlan::at_least(std::string id, std::string claim, std::string source, double asked,
                         double got, std::string unit) {
  rows.push_back({std::move(id), std::move(claim), std::move(source), asked, got, std::move(unit),
                  got >= asked});
}

void BenchPlan::at_most(std::string id, std::string claim, std::string source, double asked,
                        double got, std::string unit) {
  rows.push_back({std::move(id), std::move(claim) + ", at most", std::move(source), asked, got,
                  std::move(unit), got <= asked});
}

void BenchPlan::measured(std::string id, std::string claim, double got, std::string unit) {
  rows.push_back(
      {std::move(id), std::move(claim), "", std::string("measured"), got, std::move(unit), true});
}

Run add_bench(CLI::App& command, const CommonOptions& common) {
  auto options = std::make_shared<Options>();
  command.add_flag("--json", options->json,
                   "Prints {\"rows\": [{\"id\", \"claim\", \"source\", \"asked\", \"got\", "
                   "\"unit\", \"holds\"}]}; tables go to standard error");
  command.add_flag("--quick", options->quick, "Shorter, for a first look");
  command
      .add_option("--threads", options->threads,
                  "Workers of the rooms of the square and the crowds; 0: one a core")
      ->check(CLI::Range(0, 64))
      ->capture_default_str();
  command
      .add_option("--only", options->only,
                  "Only rows whose id matches, as file names do in a shell: 'cost-*'; may be given "
                  "more than once")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command.add_flag("--progress", options->progress,
                   "Shows progress where there is no terminal too");
  command.footer("Exit code 0 only where every row holds.");
  return [options, &common] {
    auto library = Library::load(common.data_dir);
    if (!library) return complain(library.error().text());
    try {
      return bench(*library, *options);
    } catch (const std::runtime_error& error) {
      return complain(error.what());
    }
  };
}

}  // namespace promenade::app
