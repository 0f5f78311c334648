#include <chrono>
#include <cstdio>
#include <stdexcept>

#include "app/commands.h"
#include "app/progress_bar.h"
#include "app/report_plan.h"
#include "synthesis/parallel.h"

namespace promenade::app {
namespace {

struct Options {
  std::string source = "coros2010";
  ReportOptions amounts;
  int threads = 0;
  bool json = false;
  std::filesystem::path film;  // a directory; empty: experiments, not films
  std::string film_body = "human";
};

int complain(const std::string& message) {
  std::fprintf(stderr, "promenade report: %s\n", message.c_str());
  return 1;
}

int report(std::shared_ptr<const Library> library, const Options& options) {
  ReportPlan plan(std::move(library), options.amounts);
  plan_speeds(plan);
  plan_turns(plan);
  plan_stops(plan);
  plan_pushes(plan);
  plan_bodies_and_styles(plan);
  plan_crowd(plan);
  if (options.amounts.full) {
    plan_wide_speeds(plan);
    plan_strong_pushes(plan);
    plan_ablations(plan);
    plan_long_walks(plan);
    plan_random_bodies(plan);
    plan_ground(plan);
  }

  const auto start = std::chrono::steady_clock::now();
  {
    ProgressBar bar(options.source, false);
    const double count = double(plan.jobs.size() + plan.alone.size());
    bar.show(0, count);
    synthesis::run_parallel(
        int(plan.jobs.size()), options.threads, [&](int i) { plan.jobs[std::size_t(i)](); },
        [&](int done) { bar.show(done, count, formatted("%d of %.0f experiments", done, count)); });
    double done = double(plan.jobs.size());
    for (const ReportPlan::Alone& alone : plan.alone) {
      bar.show(done++, count, alone.what);
      alone.job();
    }
  }
  std::vector<ReportRow> rows;
  std::string notes;
  for (const ReportPlan::Finish& finish : plan.finishes) finish(rows, notes);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  notes += formatted("Took %.0f s on %d cores.\n", took.count(), synthesis::core_count());

  if (options.json) {
    std::fputs(rows_as_json(rows).c_str(), stdout);
  } else {
    std::printf("%s\n%s", rows_as_text(rows).c_str(), notes.c_str());
  }
  return all_hold(rows) ? 0 : 1;
}

int film(const Library& library, const Options& options) {
  const auto& styles = library.styles().names();
  synthesis::run_parallel(int(styles.size()), options.threads, [&](int i) {
    const std::string& style = styles[std::size_t(i)];
    write_film(library, options.film_body, style, options.film / (style + ".csv"));
  });
  return 0;
}

}  // namespace

Run add_report(CLI::App& command, const CommonOptions& common) {
  auto options = std::make_shared<Options>();
  command.add_option("source", options->source, "Whose experiments: coros2010")
      ->required()
      ->check(CLI::IsMember({"coros2010"}));
  command.add_flag("--json", options->json,
                   "Prints {\"rows\": [{\"id\", \"claim\", \"source\", \"asked\", \"got\", "
                   "\"unit\", \"holds\"}]}");
  command
      .add_option("--seeds", options->amounts.seeds,
                  "Rollouts of each walk, turn and stop; the worst counts")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  command.add_option("--seed", options->amounts.seed, "The first seed")
      ->check(CLI::Range(1, 1000000))
      ->capture_default_str();
  command
      .add_option("--threads", options->threads,
                  "Rollouts at the same time, 0: one a core; no effect on results")
      ->check(CLI::Range(0, 256))
      ->capture_default_str();
  command.add_flag("--quick", options->amounts.quick,
                   "Shorter walks and fewer pushes; says so in the claims");
  command.add_flag("--full", options->amounts.full,
                   "Also what goes beyond: pushes to 1200 N, ablations, random bodies, uneven "
                   "ground, long walks at random commands");
  command
      .add_option("--film", options->film,
                  "Instead of the report: writes STYLE.csv for each style into this directory, "
                  "joint positions over a few steps")
      ->check(CLI::ExistingDirectory);
  command.add_option("--film-body", options->film_body, "Body of the films")->capture_default_str();
  command.footer("Exit code 0 only where every row holds.");
  return [options, &common] {
    auto library = Library::load(common.data_dir);
    if (!library) return complain(library.error().text());
    try {
      if (!options->film.empty()) return film(**library, *options);
      return report(*library, *options);
    } catch (const std::invalid_argument& error) {  // a body or style that is not in the library
      return complain(error.what());
    } catch (const std::runtime_error& error) {
      return complain(error.what());
    }
  };
}

}  // namespace promenade::app
