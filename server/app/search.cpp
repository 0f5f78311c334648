#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <optional>

#include "app/gaits/search_gait.h"
#include "app/load_library.h"
#include "app/search_rig.h"
#include "app/search_tables.h"
#include "app/subcommands.h"
#include "command/complain.h"
#include "command/ranges.h"
#include "schema/refusal.h"
#include "search/log.h"
#include "search/run.h"
#include "search/walking/walking_problem.h"

namespace promenade::app {
namespace {

using schema::FileError;
using schema::Result;

struct SearchFlags {
  std::string family = "gbwc";
  std::filesystem::path objective, resume, from;  // one of them; empty: not given
  bool figures = false;
  std::filesystem::path out, log;
  std::string take = "best";
  std::uint64_t budget = 1000, seed = 1;
  std::string method = search::methods().front().name;
  int population = 0, threads = 0, check_seeds = 20;
  double sigma = 0.2;
  bool progress = false;
  std::vector<const CLI::Option*> of_a_new_search;  // options that a log has already given
};

// "gbwc.json", "normal.json"
std::string file_name_of(const search::ParameterVector& parameters, int file) {
  const std::string& name = parameters.file_name(file);
  const std::size_t dot = name.find('.');
  return (dot == std::string::npos ? name : name.substr(dot + 1)) + ".json";
}

std::optional<std::string> fault_of_out(const search::ParameterVector& parameters,
                                        const std::filesystem::path& out) {
  std::error_code code;
  if (out.empty() || std::filesystem::is_directory(out, code)) return std::nullopt;
  if (parameters.file_count() > 1) {
    return "--out: " + out.string() + " is no directory, and the numbers of " +
           std::to_string(parameters.file_count()) +
           " files are searched; allowed: a directory that is there";
  }
  const std::filesystem::path folder = std::filesystem::absolute(out, code).parent_path();
  if (std::filesystem::is_directory(folder, code)) return std::nullopt;
  return "--out: " + folder.string() + " is not there; allowed: a file in a directory that is";
}

// Writes the searched files with the values of a point. @return the exit code
int write_files(const search::ParameterVector& parameters, const search::Vector& places,
                const std::filesystem::path& out) {
  std::error_code code;
  const bool folder = std::filesystem::is_directory(out, code);
  for (int i = 0; i < parameters.file_count(); ++i) {
    const auto path = folder ? out / file_name_of(parameters, i) : out;
    std::ofstream file(path, std::ios::binary);
    file << parameters.file_text(i, places) << std::flush;
    if (!file) return command::complain("search", path.string() + ": cannot be written");
    std::printf("wrote %s\n", path.string().c_str());
  }
  std::fflush(stdout);
  return 0;
}

Result<std::shared_ptr<const trial::GaitReference>> people_of(
    const std::filesystem::path& data_dir) {
  auto people = trial::GaitReference::load(data_dir);
  if (!people) return people.error();
  return std::make_shared<const trial::GaitReference>(*std::move(people));
}

Result<v1::SearchStart> new_start(const Library& library, const std::filesystem::path& data_dir,
                                  const SearchFlags& flags) {
  const auto text = schema::read_file(flags.objective);
  if (!text) return text.error();
  const auto people = people_of(data_dir);
  if (!people) return people.error();
  const auto problem = search::WalkingProblem::make(*text, flags.objective.string(),
                                                    *control::find_family(flags.family), library,
                                                    search::files_of(data_dir), *people);
  if (!problem) return problem.error();
  v1::SearchStart start;
  start.set_program(PROMENADE_VERSION);
  char digest[17];
  std::snprintf(digest, sizeof digest, "%016llx",
                static_cast<unsigned long long>(library.digest()));
  start.set_data_digest(digest);
  start.set_family(flags.family);
  start.set_objective_file(flags.objective.string());
  start.set_objective(*text);
  for (int i = 0; i < problem->parameters.file_count(); ++i) {
    v1::SearchFile& file = *start.add_files();
    file.set_name(problem->parameters.file_name(i));
    file.set_text(problem->parameters.file_text(i));
  }
  start.set_seed(flags.seed);
  start.set_method(flags.method);
  const int usual = search::find_method(flags.method)->population(problem->parameters.size());
  start.set_population(std::uint32_t(flags.population ? flags.population : usual));
  start.set_sigma(flags.sigma);
  return start;
}

// The error of a log that asks for something that this program cannot do.
std::optional<FileError> fault_of(const v1::SearchStart& start, const std::filesystem::path& log) {
  const auto refuse = [&](const char* key, std::string value, std::string allowed) {
    return FileError{log.string(), 1, key, std::move(value), std::move(allowed), ""};
  };
  const control::Family* family = control::find_family(start.family());
  if (!family || !family->walks || !family->styled) {
    return refuse("start.family", schema::in_quotes(start.family()), control::styled_families());
  }
  const search::Method* method = search::find_method(start.method());
  if (!method || method->needs_map) {
    return refuse("start.method", schema::in_quotes(start.method()),
                  schema::listed_names(search::method_names()) + ", without those that need a map");
  }
  if (start.population() < search::kLeastPopulation || start.population() > 100000) {
    return refuse("start.population", std::to_string(start.population()), "from 4 to 100000");
  }
  if (!(start.sigma() > 0 && start.sigma() <= 1)) {
    return refuse("start.sigma", schema::number(start.sigma()), "> 0 and at most 1");
  }
  return std::nullopt;
}

// The file that a log tells of. It needs no data directory: the log has the files' texts.
int write_from_log(const SearchFlags& flags) {
  const auto log = search::read_log(flags.from);
  if (!log) return command::complain("search", log.error().text());
  if (const auto fault = fault_of(log->start, flags.from)) {
    return command::complain("search", fault->text());
  }
  if (flags.out.empty()) {
    return command::complain("search", "--out is needed with --from: the file to write");
  }
  v1::Objective objective;
  schema::Source source;
  source.file = log->start.objective_file();
  if (auto error = schema::message_from_json(log->start.objective(), &objective, &source)) {
    return command::complain("search", error->text());
  }
  const auto parameters = search::ParameterVector::make(
      objective, source, *control::find_family(log->start.family()), search::files_of(log->start));
  if (!parameters) return command::complain("search", parameters.error().text());
  if (const auto fault = search::check_past(parameters->size(), log->generations)) {
    return command::complain("search", flags.from.string() + ": " + fault->text());
  }
  if (log->generations.empty()) {
    return command::complain("search", flags.from.string() + ": has no generation yet");
  }
  if (const auto fault = fault_of_out(*parameters, flags.out)) {
    return command::complain("search", *fault);
  }
  const v1::SearchGeneration& last = log->generations.back();
  return write_files(*parameters,
                     search::vector_of(flags.take == "best" ? last.best() : last.centre()),
                     flags.out);
}

Result<Beginning> begin_search(const Library& library, const std::filesystem::path& data_dir,
                               const SearchFlags& flags) {
  if (!flags.resume.empty()) return read_beginning(flags.resume);
  Beginning beginning;
  auto start = new_start(library, data_dir, flags);
  if (!start) return start.error();
  beginning.start = *std::move(start);
  return beginning;
}

int run(const Library& library, const std::filesystem::path& data_dir, const SearchFlags& flags) {
  auto beginning = begin_search(library, data_dir, flags);
  if (!beginning) return command::complain("search", beginning.error().text());
  const v1::SearchStart& start = beginning->start;
  if (!flags.resume.empty()) {
    if (const auto fault = fault_of(start, flags.resume)) {
      return command::complain("search", fault->text());
    }
  }
  const auto people = people_of(data_dir);
  if (!people) return command::complain("search", people.error().text());
  const auto problem = search::WalkingProblem::make(start.objective(), start.objective_file(),
                                                    *control::find_family(start.family()), library,
                                                    search::files_of(start), *people);
  if (!problem) return command::complain("search", problem.error().text());
  if (const auto fault = fault_of_out(problem->parameters, flags.out)) {
    return command::complain("search", *fault);
  }
  if (const auto fault = open_log(*beginning, flags.resume, flags.log)) {
    return command::complain("search", fault->text());
  }
  const auto begun = std::chrono::steady_clock::now();
  const auto result =
      run_with_bar(*problem, *beginning, {flags.budget, flags.threads, flags.progress});
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begun;
  if (!result) {
    const std::string of_log = flags.resume.empty() ? "" : flags.resume.string() + ": ";
    return command::complain("search", of_log + result.error().text());
  }
  std::uint64_t before = 0;
  for (const v1::SearchGeneration& past : beginning->past) {
    before += std::uint64_t(past.scores_size());
  }
  const double scored = double(result->evaluations - before);
  std::printf("%u generations, %llu candidates; %.0f of them now, in %.1f s: %.2f a second\n\n",
              result->generations, static_cast<unsigned long long>(result->evaluations), scored,
              took.count(), scored / std::max(1e-9, took.count()));
  print_parameters(problem->parameters, *result);
  print_terms(*problem, *result);
  if (!flags.out.empty()) {
    const int code = write_files(problem->parameters,
                                 flags.take == "best" ? result->best : result->centre, flags.out);
    if (code != 0) return code;
  }
  if (flags.check_seeds > 0) {
    print_check(*problem, *result, start.seed(), flags.check_seeds, flags.threads);
  }
  return 0;
}

int search_or_show(const command::CommonOptions& common, const SearchFlags& flags) {
  const int asked = !flags.objective.empty() + !flags.resume.empty() + !flags.from.empty() +
                    static_cast<int>(flags.figures);
  if (asked != 1) {
    return command::complain("search",
                             "one of --objective, --resume, --from and --figures is needed" +
                                 std::string(asked ? ", and no more than one" : ""));
  }
  if (flags.figures) {
    print_figures();
    return 0;
  }
  if (flags.objective.empty()) {
    for (const CLI::Option* option : flags.of_a_new_search) {
      if (option->count() > 0) {
        return command::complain(
            "search",
            option->get_name() + " cannot be given with --resume or --from: the log has it");
      }
    }
  }
  if (!flags.from.empty()) return write_from_log(flags);
  const auto library = load_library(common);
  if (!library) return command::complain("search", library.error().text());
  return run(**library, common.data_dir, flags);
}

void add_files(CLI::App& command, SearchFlags& flags) {
  command
      .add_option("--objective", flags.objective,
                  "What to search and what to aim for: a file as in server/data/objectives, "
                  "described in docs/search.md.")
      ->type_name("FILE");
  command
      .add_option("--resume", flags.resume,
                  "Continues the search of this log, as if it had never stopped, until it has "
                  "--budget candidates in all.")
      ->type_name("LOG");
  command
      .add_option("--from", flags.from,
                  "Runs nothing, but writes --out from the results in this log.")
      ->type_name("LOG");
  command.add_flag("--figures", flags.figures, "Lists the figures that objectives can ask for.");
  flags.of_a_new_search.push_back(
      command
          .add_option("--log", flags.log, "New file that gets a line of JSON for each generation.")
          ->type_name("FILE"));
  command
      .add_option("--out", flags.out,
                  "File for the parameters found, laid out like the file that they come from; a "
                  "directory if numbers of several files are searched.")
      ->type_name("FILE");
  command
      .add_option("--take", flags.take,
                  "What --out gets: the candidate with the best score, or the centre of the last "
                  "candidates, which owes less to luck.")
      ->check(CLI::IsMember({"best", "centre"}))
      ->capture_default_str();
}

void add_amounts(CLI::App& command, SearchFlags& flags) {
  command
      .add_option("--budget", flags.budget,
                  "Candidates to score. The generation that reaches it is the last.")
      ->check(command::whole_number(1, 1000000000))
      ->capture_default_str();
  command
      .add_option("--threads", flags.threads,
                  "Runs at the same time; 0: one per processor that may be used. Results do not "
                  "depend on it.")
      ->check(command::whole_number(0, 256))
      ->capture_default_str();
  command
      .add_option(
          "--check-seeds", flags.check_seeds,
          "Number of fresh seeds with which start and result are compared at the end; 0: none.")
      ->check(command::whole_number(0, 1000))
      ->capture_default_str();
  std::string methods = "How to search.";
  std::vector<std::string> names;
  for (const search::Method& method : search::methods()) {
    if (method.needs_map) continue;
    names.emplace_back(method.name);
    methods += std::string(" ") + method.name + ": " + method.description + ".";
  }
  auto& fixed = flags.of_a_new_search;
  fixed.push_back(command.add_option("--method", flags.method, methods)
                      ->check(CLI::IsMember(names))
                      ->capture_default_str());
  fixed.push_back(
      command.add_option("--seed", flags.seed, "Seed of the candidates and of their runs.")
          ->check(command::whole_number(0))
          ->capture_default_str());
  fixed.push_back(command
                      .add_option("--population", flags.population,
                                  "Candidates per generation. Left out: chosen by the method and "
                                  "the number of parameters.")
                      ->check(command::whole_number(search::kLeastPopulation, 10000)));
  fixed.push_back(
      command
          .add_option("--sigma", flags.sigma,
                      "Spread of the first candidates, as a share of each parameter's range.")
          ->check(command::finite_range(0.001, 1))
          ->capture_default_str());
}

}  // namespace

command::Run add_search(CLI::App& command, const command::CommonOptions& common) {
  auto flags = std::make_shared<SearchFlags>();
  std::vector<std::string> families;
  for (const control::Family& family : control::families()) {
    if (family.walks && family.styled) families.emplace_back(family.name);
  }
  command.add_option("family", flags->family, "Family of controllers.")
      ->check(CLI::IsMember(families))
      ->capture_default_str();
  add_files(command, *flags);
  add_amounts(command, *flags);
  command.add_flag("--progress", flags->progress,
                   "Shows the progress bar even if standard error is not a terminal.");
  command.footer(
      "Example: promenade search gbwc --objective server/data/objectives/speed.json \\\n           "
      "  --budget 500 --log speed.log --out gbwc.json\nCtrl-C ends the search after the current "
      "generation and writes the result.");
  CLI::App* gait = command.add_subcommand(
      "gait",
      "Searches for gaits: poses that a creature repeats to move, whatever creature it is.");
  gait->fallthrough();
  const command::Run run_gait = add_search_gait(*gait, common);
  return [flags, &common, gait, run_gait] {
    return gait->parsed() ? run_gait() : search_or_show(common, *flags);
  };
}

}  // namespace promenade::app
