#include "search/report/found_gaits.h"

#include <algorithm>
#include <map>
#include <stdexcept>

#include "math/thread_clock.h"
#include "search/run.h"
#include "study/trial/gait/starts.h"

namespace promenade::search {
namespace {

// Table 2 of Panne1996, the gait of each row as it is named here, and one more.
constexpr const char* kTable2[] = {"luxo_hop", "monster_hop", "monster_walk", "cat_trot",
                                   "cat_rack", "cat_walk",    "cat_bound",    "ant_tripod",
                                   "ant_wave", "dog_bound"};

constexpr std::uint64_t kBudget = 2500;  // candidates: that of the searches of gaits that ship
constexpr double kLimit = 120;           // s of processor time: a minute of two cores
constexpr double kMinute = 60;           // s, for which what was found has to go on

v1::SearchStart start_of(const v1::GaitOrigin& origin) {
  v1::SearchStart start;
  start.set_method(origin.method());
  start.set_population(origin.population());
  start.set_global(origin.global());
  start.set_sigma(origin.sigma());
  *start.mutable_gait() = origin.search();
  return start;
}

// The monster's hop: its walk with both legs doing the same.
std::optional<WantedGait> hop_of(const WantedGait& walk) {
  WantedGait hop = walk;
  hop.name = "monster_hop";
  hop.kind = "hop";
  v1::GaitSearch& search = *hop.start.mutable_gait();
  search.set_symmetry(v1::Gait::IN_PHASE);
  for (v1::GaitTerm& term : *search.mutable_objective()->mutable_terms()) {
    if (term.figure() == walk.kind) term.set_figure(hop.kind);
  }
  return hop;
}

std::optional<WantedGait> wanted_gait(const Library& library, const std::string& name) {
  const GaitLibrary::Entry* entry = library.gaits().find(name);
  if (!entry && name == "monster_hop") {
    const auto walk = wanted_gait(library, "monster_walk");
    return walk ? hop_of(*walk) : std::nullopt;
  }
  if (!entry || !find_method(entry->message.origin().method())) return std::nullopt;
  const v1::GaitOrigin& origin = entry->message.origin();
  return WantedGait{name, origin.kind(), start_of(origin)};
}

study::ReportRow row_of(const WantedGait& gait, const std::vector<FoundGait>& found) {
  int right = 0;
  double cpu = 0, candidates = 0;
  std::map<std::string, int> others;
  for (const FoundGait& one : found) {
    const bool good = one.went_on && one.kind == gait.kind;
    right += good;
    if (!good) ++others[one.kind];
    cpu = std::max(cpu, one.cpu);
    candidates += double(one.candidates) / double(found.size());
  }
  study::ReportRow row;
  row.id = "found-" + gait.name;
  row.claim = study::formatted(
      "searches from nothing with other seeds, %.0f candidates each, %.0f s of processor time at "
      "most, whose best goes on for a minute as a %s",
      candidates, cpu, gait.kind.c_str());
  for (const auto& [kind, count] : others) {
    row.claim += study::formatted("; %d: %s", count, kind.c_str());
  }
  row.source = "found";
  row.asked = double(found.size());
  row.got = double(right);
  row.unit = "searches";
  row.holds = right == int(found.size());
  return row;
}

void plan_found(study::ReportPlan& plan, const WantedGait& gait) {
  const std::string id = "found-" + gait.name;
  if (!plan.wants(id)) return;
  const auto problem = problem_for(gait, *plan.library);
  auto found = std::make_shared<std::vector<FoundGait>>(std::size_t(plan.amount(10, 1)));
  constexpr double kAbout = 5000;  // s that one simulates
  for (std::size_t i = 0; i < found->size(); ++i) {
    v1::SearchStart start = gait.start;
    start.set_seed(plan.seed_of(id, int(i)));
    plan.job([=] { (*found)[i] = find_gait(*problem, start, kBudget, kLimit); }, kAbout);
  }
  plan.finish([=](std::vector<study::ReportRow>& rows, std::string&) {
    rows.push_back(row_of(gait, *found));
  });
}

}  // namespace

std::vector<WantedGait> wanted_gaits(const Library& library) {
  std::vector<WantedGait> out;
  for (const char* name : kTable2) {
    if (auto gait = wanted_gait(library, name)) out.push_back(*std::move(gait));
  }
  return out;
}

std::shared_ptr<const GaitProblem> problem_for(const WantedGait& gait, const Library& library) {
  schema::Source source;
  source.file = gait.name;
  auto problem = GaitProblem::make(gait.start.gait(), library, source);
  if (!problem) throw std::runtime_error(problem.error().text());
  return std::make_shared<const GaitProblem>(*std::move(problem));
}

FoundGait find_gait(const GaitProblem& problem, const v1::SearchStart& start, std::uint64_t budget,
                    double limit) {
  const double begun = thread_cpu_s();
  RunOptions options;
  options.budget = budget;
  options.threads = 1;  // the clock is this thread's
  options.stop = [&] { return thread_cpu_s() - begun > limit; };
  const auto result = run_search(problem, start, {}, options);
  if (!result) throw std::runtime_error(result.error().text());
  FoundGait out;
  out.candidates = result->evaluations;
  out.cpu = thread_cpu_s() - begun;
  const trial::GaitMeasures minute =
      problem.trial().run(problem.space().gait(result->best), {kMinute, 2}, trial::kOtherStarts);
  out.went_on = minute.end == trial::GaitEnd::kWentOn;
  out.kind = out.went_on ? std::string(problem.name_of(minute))
                         : trial::kGaitEnds[std::size_t(minute.end)];
  return out;
}

void plan_found_gaits(study::ReportPlan& plan) {
  const std::vector<WantedGait> wanted = wanted_gaits(*plan.library);
  for (const WantedGait& gait : wanted) plan_found(plan, gait);
  for (const char* name : kTable2) {
    if (std::any_of(wanted.begin(), wanted.end(),
                    [&](const WantedGait& gait) { return gait.name == name; })) {
      continue;
    }
    plan.finish(
        [id = std::string("found-") + name](std::vector<study::ReportRow>& rows, std::string&) {
          study::ReportRow row;
          row.id = id;
          row.claim = "searches from nothing with other seeds";
          row.asked = "all";
          row.claim += "; no gait ships whose search is known";
          row.got = "none";
          rows.push_back(std::move(row));
        });
  }
}

}  // namespace promenade::search
