#include "app/gaits/search_gait.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

#include "app/gaits/explore_gait.h"
#include "app/gaits/find_entries.h"
#include "app/gaits/find_reaches.h"
#include "app/gaits/gait_file.h"
#include "app/gaits/option_uses.h"
#include "app/gaits/print_search.h"
#include "app/gaits/try_gait.h"
#include "app/load_library.h"
#include "app/search_rig.h"
#include "command/complain.h"
#include "command/ranges.h"
#include "schema/refusal.h"
#include "search/gaits/found_gait.h"
#include "search/gaits/gait_problem.h"
#include "search/gaits/variation_search.h"

namespace promenade::app {
namespace {

using schema::FileError;
using schema::Result;

constexpr const char* kWhat = "search gait";

struct GaitFlags {
  std::string creature, objective = "speed", symmetry = "none", method = "global-cma-es", name;
  std::filesystem::path resume, from, out, log, begin, again, variant_of, feedback_of, entries_of,
      reaches_of, tried;  // empty: not given
  std::string use = "LEFT";
  std::vector<double> weights;  // of the variant; empty: the usual ones
  bool figures = false, map = false, progress = false, background = false;
  std::uint32_t states = 4, chain = 0, strides = 0, starts = 2;  // strides 0: the usual ones
  double period = 0, reach = 0.6, seconds = 0;                   // s, rad, s
  double sigma = 0.2, shove = 0, hurdle = 0, size = 0;
  std::uint64_t budget = 3000, seed = 1;
  int population = 0, global = 0, threads = 0, check_starts = 20;
  ExploreFlags explore;
};

v1::Gait::Symmetry symmetry_of(const std::string& name) {
  return name == "180" ? v1::Gait::OUT_OF_PHASE : name == "0" ? v1::Gait::IN_PHASE : v1::Gait::NONE;
}

// Turns the search of a gait into that of one of its variants.
void make_variant(const GaitFlags& flags, v1::GaitSearch& gait) {
  v1::GaitVariant::Use use = v1::GaitVariant::MIX;
  v1::GaitVariant::Use_Parse(flags.use, &use);
  gait.set_part(v1::GaitSearch::VARIANT);
  gait.set_use(use);
  gait.clear_states();
  gait.clear_period_s();
  gait.mutable_weights()->Assign(flags.weights.begin(), flags.weights.end());
  const bool turns = use == v1::GaitVariant::LEFT || use == v1::GaitVariant::RIGHT;
  const bool leaps = use == v1::GaitVariant::LEAP && gait.symmetry() == v1::Gait::OUT_OF_PHASE;
  if (turns || leaps) gait.set_symmetry(v1::Gait::NONE);
  if (use == v1::GaitVariant::LEAP) {
    gait.set_states(flags.chain);
    gait.set_period_s(flags.period);
    gait.set_size(flags.size);
  }
}

Result<v1::SearchStart> new_start(const Library& library, const std::filesystem::path& data_dir,
                                  const GaitFlags& flags) {
  v1::SearchStart start;
  start.set_program(PROMENADE_VERSION);
  start.set_family("posegraph");
  start.set_objective_file(flags.objective);
  start.set_seed(flags.seed);
  start.set_method(flags.method);
  start.set_global(std::uint32_t(flags.global));
  start.set_sigma(flags.sigma);
  v1::GaitSearch& gait = *start.mutable_gait();
  gait.set_creature(flags.creature);
  if (const auto* definition = library.find_creature(flags.creature).get()) {
    *gait.mutable_body() = definition->whole;
  }
  gait.set_symmetry(symmetry_of(flags.symmetry));
  gait.set_states(flags.states);
  gait.set_period_s(flags.period);
  gait.set_reach_rad(flags.reach);
  gait.set_strides(flags.strides);
  gait.set_starts(flags.starts);
  auto objective = search::load_gait_objective(data_dir, flags.objective);
  if (!objective) return objective.error();
  *gait.mutable_objective() = *std::move(objective);
  gait.set_shove(flags.shove);
  gait.set_hurdle_m(flags.hurdle);
  const bool variant = !flags.variant_of.empty(), feels = !flags.feedback_of.empty();
  const std::filesystem::path& begin = variant ? flags.variant_of
                                       : feels ? flags.feedback_of
                                               : flags.begin;
  if (begin.empty()) return start;
  const auto text = schema::read_file(begin);
  if (!text) return text.error();
  schema::Source source;
  source.file = begin.string();
  if (auto error = schema::message_from_json(*text, gait.mutable_from(), &source)) {
    return *std::move(error);
  }
  if (!variant && !feels) gait.mutable_from()->clear_origin();
  // The graph that is begun with has these.
  gait.set_creature(gait.from().creature());
  gait.set_symmetry(gait.from().symmetry());
  gait.set_states(std::uint32_t(gait.from().states_size()));
  if (variant) make_variant(flags, gait);
  if (feels) gait.set_part(v1::GaitSearch::FEEDBACK);
  const auto definition = library.find_creature(gait.creature());
  if (definition) *gait.mutable_body() = definition->whole;
  return start;
}

// The fault of a log that is not of a search that this command can go on with.
std::optional<FileError> fault_of(const v1::SearchStart& start, const std::filesystem::path& log) {
  const auto refuse = [&](const char* key, std::string value, std::string allowed) {
    return FileError{log.string(), 1, key, std::move(value), std::move(allowed), ""};
  };
  if (!start.has_gait()) return refuse("start.gait", "none", "the log of a search of gaits");
  if (!search::find_method(start.method())) {
    return refuse("start.method", schema::in_quotes(start.method()),
                  schema::listed_names(search::method_names()));
  }
  if (start.population() < search::kLeastPopulation || start.population() > 100000) {
    return refuse("start.population", std::to_string(start.population()), "from 4 to 100000");
  }
  return std::nullopt;
}

Result<search::GaitProblem> problem_of(const Library& library, const v1::SearchStart& start,
                                       const std::string& file) {
  schema::Source source;
  source.file = file;
  return search::GaitProblem::make(start.gait(), library, source);
}

// The file of a point's gait.
v1::Gait gait_file(const search::GaitProblem& problem, const Library& library,
                   const search::Vector& places, const v1::SearchStart& start,
                   const std::string& name, std::uint64_t trial, double score) {
  const trial::GaitMeasures measures = problem.run(places, 0);
  const search::FoundFacts facts{std::string(problem.name_of(measures)),
                                 problem.space().is_variant() ? measures.forward : measures.speed,
                                 score, trial};
  return search::found_gait(problem.space(), places, start, facts, name,
                            library.find_creature(start.gait().creature()) != nullptr);
}

int write_from_log(const Library& library, const GaitFlags& flags) {
  const auto log = search::read_log(flags.from);
  if (!log) return command::complain(kWhat, log.error().text());
  if (const auto fault = fault_of(log->start, flags.from)) {
    return command::complain(kWhat, fault->text());
  }
  if (flags.out.empty()) {
    return command::complain(kWhat, "--out is needed with --from: the file to write");
  }
  const auto problem = problem_of(library, log->start, flags.from.string());
  if (!problem) return command::complain(kWhat, problem.error().text());
  if (const auto fault = search::check_past(problem->dimension(), log->generations)) {
    return command::complain(kWhat, flags.from.string() + ": " + fault->text());
  }
  if (log->generations.empty()) {
    return command::complain(kWhat, flags.from.string() + ": has no generation yet");
  }
  std::uint64_t trial = 0, before = 0;
  double best = 0;
  for (const v1::SearchGeneration& generation : log->generations) {
    for (const double score : generation.scores()) {
      if (before == 0 || score < best) {
        best = score;
        trial = before;
      }
      ++before;
    }
  }
  return write_gait_file(
      gait_file(*problem, library, search::vector_of(log->generations.back().best()), log->start,
                flags.name, trial, -best),
      flags.out);
}

int run(const Library& library, const std::filesystem::path& data_dir, const GaitFlags& flags) {
  Beginning beginning;
  const bool goes_on = !flags.resume.empty();
  if (goes_on) {
    auto read = read_beginning(flags.resume);
    if (!read) return command::complain(kWhat, read.error().text());
    beginning = *std::move(read);
    if (const auto fault = fault_of(beginning.start, flags.resume)) {
      return command::complain(kWhat, fault->text());
    }
  } else {
    auto start = new_start(library, data_dir, flags);
    if (!start) return command::complain(kWhat, start.error().text());
    beginning.start = *std::move(start);
  }
  const auto problem = problem_of(library, beginning.start, flags.resume.string());
  if (!problem) return command::complain(kWhat, problem.error().text());
  if (!goes_on) {
    const search::Method& method = *search::find_method(flags.method);
    const int usual = method.population(problem->dimension());
    beginning.start.set_population(std::uint32_t(flags.population ? flags.population : usual));
  }
  if (const auto fault = open_log(beginning, flags.resume, flags.log)) {
    return command::complain(kWhat, fault->text());
  }
  const auto begun = std::chrono::steady_clock::now();
  const auto result = run_with_bar(*problem, beginning,
                                   {flags.budget, flags.threads, flags.progress, flags.seconds});
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begun;
  if (!result) {
    const std::string of_log = goes_on ? flags.resume.string() + ": " : "";
    return command::complain(kWhat, of_log + result.error().text());
  }
  std::uint64_t before = 0;
  for (const auto& past : beginning.past) before += std::uint64_t(past.scores_size());
  const double tried = double(result->evaluations - before);
  std::printf("%s: %d numbers, %llu candidates; %.0f of them now, in %.1f s: %.0f a second\n",
              problem->space().creature().name.c_str(), problem->dimension(),
              static_cast<unsigned long long>(result->evaluations), tried, took.count(),
              tried / std::max(1e-9, took.count()));
  for (std::size_t i = 0; i < result->ends.size(); ++i) {
    if (result->ends[i] == 0) continue;
    std::printf("  %5.1f %% %s\n", 100 * double(result->ends[i]) / double(result->evaluations),
                problem->ends()[i]);
  }
  print_best(*problem, *result);
  if (flags.map) print_map(*problem, *result);
  if (flags.check_starts > 0) {
    print_check(*problem, *result, flags.check_starts, flags.threads);
  }
  // A variant or a feedback goes into its gait's file.
  const std::filesystem::path& out = !flags.out.empty()          ? flags.out
                                     : !flags.variant_of.empty() ? flags.variant_of
                                                                 : flags.feedback_of;
  if (out.empty()) return 0;
  return write_gait_file(gait_file(*problem, library, result->best, beginning.start, flags.name,
                                   result->best_trial, -result->best_score),
                         out);
}

// Whether two files have the same states; words and origins may differ.
bool same_states(const v1::Gait& a, const v1::Gait& b) {
  const auto bare = [](const v1::Gait& gait) {
    v1::Gait out;
    *out.mutable_states() = gait.states();
    *out.mutable_chain() = gait.chain();
    *out.mutable_variants() = gait.variants();
    *out.mutable_feedback()->mutable_joints() = gait.feedback().joints();
    for (v1::GaitVariant& variant : *out.mutable_variants()) {
      variant.clear_origin();
      variant.clear_reaches();  // measured, not found
      variant.clear_recovery();
    }
    return out.SerializeAsString();
  };
  return bare(a) == bare(b);
}

// Runs the search that found a gait or a variant of it up to the candidate that it was, and
// compares.
// @return the exit code
int run_again(const Library& library, const GaitFlags& flags, const v1::Gait& gait,
              const v1::GaitOrigin& origin) {
  const search::Method* method = search::find_method(origin.method());
  if (!method || origin.population() < search::kLeastPopulation) {
    return command::complain(kWhat, flags.again.string() + ": has no search that found it");
  }
  Beginning beginning;
  v1::SearchStart& start = beginning.start;
  start.set_method(origin.method());
  start.set_seed(origin.seed());
  start.set_population(origin.population());
  start.set_global(origin.global());
  start.set_sigma(origin.sigma());
  *start.mutable_gait() = origin.search();
  const bool variant = origin.search().part() == v1::GaitSearch::VARIANT;
  const bool feels = origin.search().part() == v1::GaitSearch::FEEDBACK;
  if (feels || variant) *start.mutable_gait()->mutable_from() = gait;
  const auto problem = problem_of(library, start, flags.again.string());
  if (!problem) return command::complain(kWhat, problem.error().text());
  const auto result =
      run_with_bar(*problem, beginning, {origin.trial() + 1, flags.threads, flags.progress});
  if (!result) return command::complain(kWhat, result.error().text());
  if (result->evaluations <= origin.trial()) {
    return command::complain(kWhat, flags.again.string() + ": stopped before candidate " +
                                        std::to_string(origin.trial()));
  }
  v1::Gait found = problem->space().message(result->best);
  if (!variant) {
    *found.mutable_variants() = gait.variants();
    *found.mutable_chain() = gait.chain();
  }
  if (!feels) *found.mutable_feedback() = gait.feedback();
  const std::string what =
      gait.name() + (variant ? ", variant " + problem->space().variant_in(found).name()
                     : feels ? ", feedback"
                             : "");
  if (same_states(found, gait)) {
    std::printf("%s: found again by candidate %llu\n", what.c_str(),
                static_cast<unsigned long long>(result->best_trial));
    return 0;
  }
  return command::complain(kWhat, flags.again.string() + ": the search of program " +
                                      origin.program() + " now comes to another " + what);
}

// Runs all searches again that a gait's file tells of.
int run_again(const Library& library, const GaitFlags& flags) {
  const auto file = schema::load_message<v1::Gait>(flags.again);
  if (!file) return command::complain(kWhat, file.error().text());
  const v1::Gait& gait = file->message;
  const bool parts = gait.feedback().has_origin() ||
                     std::any_of(gait.variants().begin(), gait.variants().end(),
                                 [](const auto& variant) { return variant.has_origin(); });
  int code = 0;
  // Another gait than one of a search may have variants that are found.
  if (gait.origin().has_search() || !parts) code = run_again(library, flags, gait, gait.origin());
  for (const v1::GaitVariant& variant : gait.variants()) {
    if (!variant.has_origin()) continue;
    const bool explored = variant.origin().method() == search::kVariationMethod;
    code = std::max(
        code, explored ? find_variation_again(library, flags.again, flags.explore.body, variant)
                       : run_again(library, flags, gait, variant.origin()));
  }
  if (gait.feedback().has_origin()) {
    code = std::max(code, run_again(library, flags, gait, gait.feedback().origin()));
  }
  return code;
}

void print_figures() {
  for (const search::GaitFigure& figure : search::gait_figures()) {
    std::printf("%-14s %-10s %s\n", figure.name.c_str(), figure.unit, figure.meaning.c_str());
  }
}

int search_or_show(const CLI::App& command, const command::CommonOptions& common,
                   const GaitFlags& flags) {
  if (flags.background) work_in_background();
  if (flags.figures) {
    print_figures();
    return 0;
  }
  const int asked = !flags.creature.empty() + !flags.begin.empty() + !flags.resume.empty() +
                    !flags.from.empty() + !flags.again.empty() + !flags.variant_of.empty() +
                    !flags.feedback_of.empty() + !flags.entries_of.empty() +
                    !flags.reaches_of.empty() + !flags.tried.empty() +
                    !flags.explore.variations_of.empty() + !flags.explore.landscape_of.empty();
  if (asked != 1) {
    return command::complain(
        kWhat,
        "one of --creature, --begin, --variant-of, --feedback-of, "
        "--entries-of, --reaches-of, --variations-of, --landscape-of, --resume, --from, "
        "--again, --try and --figures is "
        "needed" +
            std::string(asked ? ", and no more than one" : ""));
  }
  if (const auto ignored = ignored_option(command, flags.use == "LEAP")) {
    return command::complain(kWhat, *ignored);
  }
  const auto library = load_library(common);
  if (!library) return command::complain(kWhat, library.error().text());
  if (!flags.from.empty()) return write_from_log(**library, flags);
  if (!flags.again.empty()) return run_again(**library, flags);
  if (!flags.entries_of.empty()) {
    return find_entries(**library, flags.entries_of, flags.out, flags.check_starts, flags.threads);
  }
  if (!flags.reaches_of.empty()) {
    return find_reaches(**library, flags.reaches_of, flags.out, flags.hurdle, flags.check_starts,
                        flags.threads);
  }
  if (!flags.tried.empty()) {
    return try_gait(**library, flags.tried, flags.check_starts, flags.threads);
  }
  const ExploreSettings settings{flags.out, flags.seed, flags.strides, flags.starts, flags.threads};
  if (!flags.explore.variations_of.empty()) {
    return find_variations(**library, flags.explore, settings);
  }
  if (!flags.explore.landscape_of.empty()) {
    return map_landscape(**library, flags.explore, settings);
  }
  return run(**library, common.data_dir, flags);
}

void add_problem(CLI::App& command, GaitFlags& flags) {
  command.add_option("--creature", flags.creature, "The creature that is to move.")
      ->type_name("NAME");
  command
      .add_option("--begin", flags.begin,
                  "A gait's file to begin with, in place of --creature, --symmetry and --states.")
      ->type_name("FILE");
  command
      .add_option("--objective", flags.objective,
                  "What is wanted: the name of a file in server/data/objectives/gaits, or a file.")
      ->type_name("NAME")
      ->capture_default_str();
  command
      .add_option("--symmetry", flags.symmetry,
                  "Of left and right: none, 0 (they do the same) or 180 (half a stride later).")
      ->check(CLI::IsMember({"none", "0", "180"}))
      ->capture_default_str();
  command.add_option("--states", flags.states, "Poses of a stride.")
      ->check(command::whole_number(1, 16))
      ->capture_default_str();
  command
      .add_option("--period", flags.period,
                  "Time of a stride at first, s. Left out: what suits the creature's size.")
      ->check(command::finite_range(0.02, 20));
  command
      .add_option("--reach", flags.reach,
                  "How far poses may be from the rest pose, rad, within the joints' limits.")
      ->check(command::finite_range(0.05, 3.2))
      ->capture_default_str();
  command
      .add_option("--strides", flags.strides,
                  "Strides that a trial counts. Left out: 6, of variations 10.")
      ->check(command::whole_number(2, 100));
  command
      .add_option("--starts", flags.starts,
                  "Starts from which each candidate is tried; the worst counts.")
      ->check(command::whole_number(1, 50))
      ->capture_default_str();
}

void add_variant(CLI::App& command, GaitFlags& flags) {
  command
      .add_option("--variant-of", flags.variant_of,
                  "A gait's file: searches for a variant of it, which goes into this file unless "
                  "--out says otherwise. Best with --method cma-es --sigma 0.05.")
      ->type_name("FILE");
  command
      .add_option("--use", flags.use,
                  "What the variant is for. With a symmetry LEFT brings RIGHT as its mirror image.")
      ->check(CLI::IsMember({"LEFT", "RIGHT", "FAST", "LEAP", "MIX"}))
      ->capture_default_str();
  command
      .add_option("--weights", flags.weights,
                  "Shares of the variant at which each candidate is tried; their mean counts. Left "
                  "out: 0.5 and 1.")
      ->check(command::finite_range(0.01, 1))
      ->expected(1, 20);
}

void add_leap(CLI::App& command, GaitFlags& flags) {
  command
      .add_option(
          "--chain", flags.chain,
          "With --use LEAP: poses of the chain, to which the cycle is unwound. Left out: two "
          "cycles, or the chain that the file has. --period is then about how long it takes.")
      ->check(command::whole_number(1, 16));
  command
      .add_option("--size", flags.size,
                  "With --use LEAP: length of the leap over that of the gait's longest; targets of "
                  "the objective are for the longest. Leaps of other sizes stay in the file. Left "
                  "out: 1.")
      ->check(command::finite_range(0.01, 1));
  command
      .add_option("--hurdle", flags.hurdle,
                  "Height of what leaps are to pass over, m. Left out: a third of the creature's.")
      ->check(command::finite_range(0.001, 10));
  command
      .add_option(
          "--reaches-of", flags.reaches_of,
          "A gait's file: measures over what its leaps take the creature, from --check-starts "
          "starts each, and writes it into this file unless --out says otherwise. The creature "
          "then leaps by itself what lies ahead.")
      ->type_name("FILE");
}

void add_feedback(CLI::App& command, GaitFlags& flags) {
  command
      .add_option("--feedback-of", flags.feedback_of,
                  "A gait's file: searches for what its creature is to do about its balance, which "
                  "goes into this file unless --out says otherwise. Best with --shove, --method "
                  "cma-es --sigma 0.1.")
      ->type_name("FILE");
  command
      .add_option("--shove", flags.shove,
                  "Each trial shoves the trunk to a side for 0.1 s every five strides or so, with "
                  "this share of the weight.")
      ->check(command::finite_range(0, 10));
}

void add_amounts(CLI::App& command, GaitFlags& flags) {
  command.add_option("--budget", flags.budget, "Candidates to try.")
      ->check(command::whole_number(1, 1000000000))
      ->capture_default_str();
  command.add_option("--seconds", flags.seconds, "Ends the search after so long; 0: never.")
      ->check(command::finite_range(0, 1e6));
  command.add_option("--threads", flags.threads, "Trials at the same time; 0: one per processor.")
      ->check(command::whole_number(0, 256))
      ->capture_default_str();
  std::string methods = "How to search.";
  for (const search::Method& method : search::methods()) {
    methods += std::string(" ") + method.name + ": " + method.description + ".";
  }
  command.add_option("--method", flags.method, methods)
      ->check(CLI::IsMember(search::method_names()))
      ->capture_default_str();
  command.add_option("--seed", flags.seed, "Seed of the candidates.")
      ->check(command::whole_number(0))
      ->capture_default_str();
  command.add_option("--population", flags.population, "Candidates per generation.")
      ->check(command::whole_number(search::kLeastPopulation, 10000));
  command
      .add_option("--global", flags.global,
                  "Candidates anywhere to begin with. Left out: 20 for each number.")
      ->check(command::whole_number(1, 1000000));
  command
      .add_option("--sigma", flags.sigma,
                  "Spread of the first candidates of methods that begin at one, of each range.")
      ->check(command::finite_range(0.001, 1))
      ->capture_default_str();
  command
      .add_option("--check-starts", flags.check_starts,
                  "Other starts from which the result is tried for a minute; 0: none.")
      ->check(command::whole_number(0, 1000))
      ->capture_default_str();
}

void add_files(CLI::App& command, GaitFlags& flags) {
  command.add_option("--log", flags.log, "New file that gets a line for each generation.")
      ->type_name("FILE");
  command.add_option("--resume", flags.resume, "Goes on with the search of this log.")
      ->type_name("LOG");
  command.add_option("--from", flags.from, "Runs nothing, but writes --out from this log.")
      ->type_name("LOG");
  command
      .add_option(
          "--again", flags.again,
          "Runs the searches that found this gait and its variants once more and says whether they "
          "come to the same.")
      ->type_name("GAIT");
  command
      .add_option("--try", flags.tried,
                  "Searches nothing, but tells what a gait does: from --check-starts other starts, "
                  "over the weights of its variants, sent to way-points.")
      ->type_name("GAIT");
  command
      .add_option("--entries-of", flags.entries_of,
                  "A gait's file: searches the moments at which the creature's other gaits become "
                  "it, from --check-starts starts each, and writes them into this file unless "
                  "--out says otherwise.")
      ->type_name("FILE");
  command.add_option("--out", flags.out, "File for the best gait.")->type_name("FILE");
  command.add_option("--name", flags.name, "Name of the gait. Left out: creature and kind.");
  command.add_flag("--figures", flags.figures, "Lists the figures that objectives can ask for.");
  command.add_flag("--map", flags.map, "Prints the map of the gaits found, by their names.");
  command.add_flag("--background", flags.background,
                   "Takes only time of processors that nothing else wants, and ends with the "
                   "program that started it.");
  command.add_flag("--progress", flags.progress,
                   "Shows the progress bar even if standard error is not a terminal.");
}

}  // namespace

command::Run add_search_gait(CLI::App& command, const command::CommonOptions& common) {
  auto flags = std::make_shared<GaitFlags>();
  add_problem(command, *flags);
  add_variant(command, *flags);
  add_leap(command, *flags);
  add_feedback(command, *flags);
  add_exploration(command, flags->explore);
  add_amounts(command, *flags);
  add_files(command, *flags);
  command.footer(
      "Example: promenade search gait --creature cat --symmetry 180 --objective trot \\\n"
      "             --budget 3000 --log trot.log --out trot.json\nCtrl-C ends the search after "
      "the current generation and writes the result.");
  return [flags, &command, &common] { return search_or_show(command, common, *flags); };
}

}  // namespace promenade::app
