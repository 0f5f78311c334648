#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <stdexcept>

#include "app/load_library.h"
#include "app/subcommands.h"
#include "command/complain.h"
#include "command/processors.h"
#include "command/progress_bar.h"
#include "command/ranges.h"
#include "search/report/found_gaits.h"
#include "study/report/plan.h"
#include "study/report/walk/film.h"
#include "study/trial/rig/parallel.h"

namespace promenade::app {
namespace {

struct ReportFlags {
  std::string source = "coros2010";
  study::ReportOptions amounts;
  int threads = 0;
  bool json = false;
  bool progress = false;
  study::FilmOrder film;  // without a directory: experiments, not films
};

void plan_coros2010(study::ReportPlan& plan) {
  if (plan.options.tasks) {
    plan.begin_section("Over and under obstacles");
    study::plan_over_and_under(plan);
    plan.begin_section("Bad ground");
    study::plan_bad_ground(plan);
    study::plan_work(plan);
    study::plan_everybody(plan);
    study::plan_chains(plan);
    study::plan_removals(plan);
    plan.begin_section("Falling and getting up");
    study::plan_rises(plan);
    return;
  }
  study::plan_speeds(plan);
  study::plan_turns(plan);
  study::plan_stops(plan);
  study::plan_pushes(plan);
  study::plan_bodies_and_styles(plan);
  study::plan_crowd(plan);
  if (!plan.options.full) return;
  plan.begin_section("Beyond its source");
  study::plan_wide_speeds(plan);
  study::plan_step_times(plan);
  study::plan_strong_pushes(plan);
  study::plan_standing_push(plan);
  study::plan_any_turns(plan);
  study::plan_errands(plan);
  study::plan_idling(plan);
  study::plan_obedience(plan);
  study::plan_random_bodies(plan);
  study::plan_ground(plan);
  study::plan_dancers(plan);
  study::plan_ablations(plan);
  plan.begin_section("How it looks");
  study::plan_looks(plan);
  study::plan_legs(plan);
}

void plan_walk(study::ReportPlan& plan) {
  plan.begin_section("The gait of the normal walk beside that of real people");
  study::plan_gait(plan);
  plan.begin_section("Speeds");
  study::plan_kept_speeds(plan);
  plan.begin_section("Pushes");
  study::plan_walk_pushes(plan);
  study::plan_pushed_bodies(plan);
  plan.begin_section("Bodies, styles and commands");
  study::plan_bodies(plan);
  study::plan_styles(plan);
  study::plan_storms(plan);
  plan.begin_section("Ground");
  study::plan_walk_ground(plan);
  study::plan_friction(plan);
  plan.begin_section("Obstacles");
  study::plan_obstacles(plan);
  plan.begin_section("Strength");
  study::plan_torques(plan);
}

void plan_kenwright2014(study::ReportPlan& plan) {
  plan.begin_section("Walking and standing");
  study::plan_pendulum_walking(plan);
  plan.begin_section("Curves of the pendulum alone");
  study::plan_pendulum_curves(plan);
  plan.begin_section("The trunk, with the virtual pivot point and without");
  study::plan_pendulum_pivot(plan);
  plan.begin_section("The body as it is drawn");
  study::plan_pendulum_poses(plan);
  plan.begin_section("Pushes");
  study::plan_pendulum_pushes(plan);
  plan.begin_section("Ground");
  study::plan_pendulum_ground(plan);
  study::plan_pendulum_bridge(plan);
  plan.begin_section("Changes of level");
  study::plan_pendulum_levels(plan);
}

void plan_panne1996(study::ReportPlan& plan) {
  plan.begin_section("Gaits found from nothing");
  search::plan_found_gaits(plan);
  search::plan_trials_that_move(plan);
  search::plan_resumed(plan);
  search::plan_map_names(plan);
  plan.begin_section("The gaits that ship");
  study::plan_toy_names(plan);
  study::plan_toy_endurance(plan);
  study::plan_toy_bits(plan);
  plan.begin_section("Shoves");
  study::plan_toy_shoves(plan);
  plan.begin_section("Variants, leaps and transitions");
  study::plan_toy_curves(plan);
  study::plan_toy_ways(plan);
  study::plan_toy_leaps(plan);
  study::plan_toy_transitions(plan);
  plan.begin_section("Cost");
  study::plan_toy_cost(plan);
}

void plan_crowds(study::ReportPlan& plan) {
  study::plan_crowds(plan);
  study::plan_crowd_falls(plan);
  study::plan_passages(plan);
}

// The sources that `report` can be asked for.
struct Source {
  const char* name;
  void (*plan)(study::ReportPlan& plan);
};
constexpr Source kSources[] = {
    {"coros2010", plan_coros2010},          {"walk", plan_walk},
    {"encounters", study::plan_encounters}, {"crowds", plan_crowds},
    {"kenwright2014", plan_kenwright2014},  {"panne1996", plan_panne1996}};

// Long jobs first: if one began last, the other cores would wait for it.
void run_jobs(study::ReportPlan& plan, const ReportFlags& options) {
  std::stable_sort(plan.jobs.begin(), plan.jobs.end(),
                   [](const auto& a, const auto& b) { return a.seconds > b.seconds; });
  double all = 0;
  for (const study::ReportPlan::Timed& job : plan.jobs) all += job.seconds;
  command::ProgressBar bar(options.source, options.progress);
  bar.show(0, all);
  std::atomic<double> simulated{0};
  trial::run_parallel(
      int(plan.jobs.size()), options.threads,
      [&](int i) {
        const study::ReportPlan::Timed& job = plan.jobs[std::size_t(i)];
        job.job();
        simulated += job.seconds;
      },
      [&](int done) {
        bar.show(simulated, all, study::formatted("%d of %zu experiments", done, plan.jobs.size()));
      });
  for (std::size_t i = 0; i < plan.alone.size(); ++i) {
    bar.show(double(i), double(plan.alone.size()), plan.alone[i].what);
    plan.alone[i].job();
  }
}

int report(std::shared_ptr<const Library> library, const ReportFlags& options) {
  study::ReportPlan plan(std::move(library), options.amounts);
  for (const Source& source : kSources) {
    if (options.source == source.name) source.plan(plan);
  }
  const auto start = std::chrono::steady_clock::now();
  run_jobs(plan, options);
  std::vector<study::ReportRow> rows;
  std::string notes;
  for (const study::ReportPlan::Shown& shown : plan.finishes) {
    std::vector<study::ReportRow> some;
    shown.finish(some, notes);
    for (study::ReportRow& row : some) {
      if (!plan.wants(row.id)) continue;
      row.section = shown.section;
      rows.push_back(std::move(row));
    }
  }
  if (rows.empty()) {
    return command::complain("report",
                             "no row matches --only; without it, the report shows all names");
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  const auto holding = std::count_if(rows.begin(), rows.end(), [](auto& row) { return row.holds; });
  notes +=
      study::formatted("%d of %zu rows hold. Took %.0f s with %d threads on %s.\n", int(holding),
                       rows.size(), took.count(), command::threads_or_processors(options.threads),
                       command::usable_processors().text().c_str());

  if (options.json) {
    std::fputs(study::rows_as_json(rows).c_str(), stdout);
  } else {
    std::printf("%s\n%s", study::rows_as_text(rows).c_str(), notes.c_str());
  }
  return study::all_hold(rows) ? 0 : 1;
}

int films_or_report(const command::CommonOptions& common, ReportFlags& options) {
  auto library = load_library(common);
  if (!library) return command::complain("report", library.error().text());
  options.amounts.data_dir = common.data_dir;
  try {
    if (options.film.directory.empty()) return report(*library, options);
    if (options.source != "walk") {
      return command::complain("report", "--film needs the source walk");
    }
    options.film.styles = options.amounts.only;
    study::write_films(**library, options.film, options.threads);
    return 0;
  } catch (const std::invalid_argument& error) {  // a body or style that is not in the library
    return command::complain("report", error.what());
  } catch (const std::runtime_error& error) {
    return command::complain("report", error.what());
  }
}

void add_source(CLI::App& command, std::string& chosen) {
  std::vector<std::string> names;
  for (const Source& source : kSources) names.emplace_back(source.name);
  command
      .add_option(
          "source", chosen,
          "Which experiments. coros2010: the claims of Coros, Beaudoin and van de Panne, "
          "2010, with --full also what goes beyond them. walk: the normal walk of the "
          "human compared with that of real people, the speeds it keeps, and what it "
          "withstands: pushes, commands, ground, little friction, obstacles, also in other "
          "bodies and styles. encounters: a person on ice, at a pit, a swing door, a "
          "seesaw and a ball, 20 seeds each. crowds: discs that avoid each other: speed "
          "against density, lanes, doors, touches. kenwright2014: the light bipeds of "
          "crowds against the claims of Kenwright, 2014. panne1996: gaits of wind-up toys against "
          "those of van de Panne, 1996; its rows found-* search for gaits and take hours.")
      ->required()
      ->check(CLI::IsMember(names));
}

/// With how many seeds each experiment runs, and with which.
void add_seeds(CLI::App& command, study::ReportOptions& amounts) {
  command
      .add_option("--seeds", amounts.seeds,
                  "Seeds that each walk, turn and stop is run with; the worst result counts.")
      ->check(command::whole_number(1, 1000))
      ->capture_default_str();
  command.add_option("--seed", amounts.seed, "The first of these seeds.")
      ->check(command::whole_number(1, 1000000))
      ->capture_default_str();
}

/// Which experiments of the source run.
void add_choice(CLI::App& command, study::ReportOptions& amounts) {
  command.add_flag(
      "--quick", amounts.quick,
      "Shorter walks and fewer pushes. walk: an eighth of the trials and a third of the long "
      "times; --full: an eighth and a sixth; panne1996: the same, and one search of each gait "
      "instead "
      "of ten. Each row says how many trials it comes from.");
  command.add_flag(
      "--full", amounts.full,
      "Also what goes beyond the source: -0.8 to 1.8 m/s, step times, pushes up to 1200 N, any "
      "turn, "
      "errands, idling, orders, random bodies, bad ground, dancers, ablations, and how each style "
      "looks.");
  command.add_flag(
      "--tasks", amounts.tasks,
      "coros2010: its skills on the way instead: over and under obstacles, stairs, hands, "
      "falling and getting up.");
  command
      .add_option("--only", amounts.only,
                  "Only rows whose id matches this shell pattern, as in 'push-*'. Can be given "
                  "more than once. docs/benchmarks.md lists the ids.")
      ->type_name("PATTERN")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

void add_film(CLI::App& command, study::FilmOrder& film) {
  command
      .add_option("--film", film.directory,
                  "With walk: runs no experiments, but writes the positions of the joints over a "
                  "few steps of each style to STYLE-SPEED.csv in this directory, for "
                  "scripts/film-strip. --only then picks styles.")
      ->check(CLI::ExistingDirectory);
  command.add_option("--film-body", film.body, "Creature that walks for --film; must be a biped.")
      ->type_name("CREATURE")
      ->capture_default_str();
  command
      .add_option("--film-controller", film.controller,
                  "Family of controllers that drives it for --film. Left out: the body's own.")
      ->type_name("FAMILY")
      ->check(CLI::IsMember({"gbwc", "pendulum"}));
  command
      .add_option("--film-speed", film.speeds,
                  "Speed of the walk for --film, m/s. Can be given more than once. Left out: two "
                  "thirds of the style's own speed, that speed, and four thirds of it.")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->check(command::finite_range(0.1, 2));
}

}  // namespace

command::Run add_report(CLI::App& command, const command::CommonOptions& common) {
  auto options = std::make_shared<ReportFlags>();
  add_source(command, options->source);
  command.add_flag("--json", options->json,
                   "Prints JSON instead of a table: {\"rows\": [{\"id\", \"claim\", \"source\", "
                   "\"asked\", \"got\", \"unit\", \"holds\"}]}.");
  add_seeds(command, options->amounts);
  command
      .add_option("--threads", options->threads,
                  "Experiments that run at the same time; 0: one per processor that may be used. "
                  "Results do "
                  "not depend on it.")
      ->check(command::whole_number(0, 256))
      ->capture_default_str();
  add_choice(command, options->amounts);
  command.add_flag("--progress", options->progress,
                   "Shows the progress bar even if standard error is not a terminal.");
  command
      .add_option("--curves", options->amounts.curves_dir,
                  "With kenwright2014: also writes the points of its curves to CURVE.csv in this "
                  "directory, for scripts/curves.")
      ->check(CLI::ExistingDirectory);
  add_film(command, options->film);
  command.footer(
      "Example: promenade report coros2010 --quick --only 'push-*'\n"
      "The exit code is 0 only if every row holds.");
  return [options, &common] { return films_or_report(common, *options); };
}

}  // namespace promenade::app
