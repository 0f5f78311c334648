#include "search/gaits/gait_problem.h"

#include <algorithm>
#include <cmath>

#include "control/registry.h"
#include "creature/creature_builder.h"
#include "physics/gravity.h"
#include "schema/refusal.h"
#include "study/trial/rig/parallel.h"

namespace promenade::search {
namespace {

constexpr double kMostScore = 1e6;  // of terms that have run away

}  // namespace

schema::Result<GaitProblem> GaitProblem::make(const v1::GaitSearch& search, const Library& library,
                                              const schema::Source& source) {
  schema::Checker check(source);
  std::shared_ptr<const Creature> creature;
  if (search.has_body()) {
    auto built = build_creature(search.body(), source);
    if (!built) return built.error();
    creature = std::make_shared<const Creature>(*std::move(built));
  } else if (const auto* entry = library.bodies().find(search.creature())) {
    creature = entry->body;
  } else {
    check.fail("creature", schema::in_quotes(search.creature()),
               schema::listed_names(library.bodies().names()));
    return check.error();
  }
  GaitSpace space = GaitSpace::make(search, creature, check);
  if (!check.ok()) return check.error();
  const control::Family& family = *control::find_family("posegraph");
  GaitProblem out(std::move(space),
                  trial::GaitTrial(creature, library.controllers().parameters(family)));
  out.strides_ = search.strides() ? double(search.strides()) : 6;
  check.range("strides", out.strides_, 2, 100);
  out.starts_ = search.starts() ? int(search.starts()) : 2;
  check.range("starts", out.starts_, 1, 50);
  out.read_objective(search.objective(), check);
  if (!check.ok()) return check.error();
  out.lay_out_map();
  return out;
}

void GaitProblem::read_objective(const v1::GaitObjective& objective, schema::Checker& check) {
  if (objective.terms_size() < 1 || objective.terms_size() > 20) {
    check.fail("objective.terms", std::to_string(objective.terms_size()), "1 to 20");
    return;
  }
  for (int i = 0; i < objective.terms_size(); ++i) {
    const v1::GaitTerm& m = objective.terms(i);
    const std::string key = schema::indexed("objective.terms", std::size_t(i));
    Term term;
    term.figure = find_gait_figure(m.figure());
    if (!term.figure) {
      check.fail(key + ".figure", schema::in_quotes(m.figure()),
                 schema::listed_names(gait_figure_names()));
      return;
    }
    check.range(key + ".weight", m.weight(), -1000, 1000);
    if (m.weight() == 0) check.fail(key + ".weight", "0", "not 0");
    term.weight = m.weight();
    if (m.has_target()) {
      check.range(key + ".target", m.target(), -1000, 1000);
      term.target = m.target();
    }
    terms_.push_back(term);
  }
}

// Speed, duty factor and the phases that the symmetry leaves open.
void GaitProblem::lay_out_map() {
  axes_ = {{"pace", "", 0, 1.6, 8}, {"duty", "", 0.1, 0.9, 4}};
  const std::size_t pairs = trial_.legs().pairs.size();
  if (pairs > 1) axes_.push_back({"lag", "", 0, 1, 8, true});
  if (pairs > 0 && space_.symmetry() == control::posegraph::Symmetry::kNone) {
    axes_.push_back({"sides", "", 0, 0.5, 3});
  }
}

GaitRun GaitProblem::seen(const trial::GaitMeasures& measures) const {
  const trial::Legs& legs = trial_.legs();
  return {measures, trial::phases_of(legs, measures.footfalls), legs.limbs.size(),
          legs.pairs.size(), std::max(1e-4, space_.creature().standing_com_height)};
}

std::string_view GaitProblem::name_of(const trial::GaitMeasures& measures) const {
  return trial::gait_name(trial_.legs(), measures.footfalls);
}

trial::GaitMeasures GaitProblem::run(const Vector& places, int start) const {
  auto gait = space_.gait(places);
  const trial::GaitTime time = trial::time_for(gait->graph.period(), strides_);
  return trial_.run(std::move(gait), time, std::uint64_t(start));
}

Outcome GaitProblem::outcome_of(const Vector& places) const {
  Outcome out;
  out.terms.resize(terms_.size());
  double worst = kMostScore;
  for (int start = 0; start < starts_; ++start) {
    const trial::GaitMeasures measures = run(places, start);
    double score = 0;
    if (measures.end == trial::GaitEnd::kFell) {
      score = kFallen + measures.share;
    } else if (measures.end != trial::GaitEnd::kWentOn) {
      score = kWrong;
    } else {
      const GaitRun of = seen(measures);
      for (std::size_t t = 0; t < terms_.size(); ++t) {
        const double value = terms_[t].figure->of(of);
        const double worth = terms_[t].worth(value);
        score += worth;
        out.terms[t].value += (value - out.terms[t].value) / (start + 1);
        out.terms[t].penalty += (-worth - out.terms[t].penalty) / (start + 1);
        out.terms[t].runs = start + 1;
      }
      score = std::clamp(score, kFallen + 1, kMostScore);
      if (start == 0 && measures.footfalls.steps()) {
        const double pace = measures.speed / std::sqrt(physics::kGravity * of.size);
        out.traits.resize(Eigen::Index(axes_.size()));
        out.label = name_of(measures);
        Eigen::Index next = 0;
        out.traits[next++] = pace;
        out.traits[next++] = of.phases.duty;
        if (of.pairs > 1) out.traits[next++] = of.phases.lag;
        if (next < out.traits.size()) out.traits[next++] = of.phases.sides;
      }
    }
    worst = std::min(worst, score);
    if (measures.end != trial::GaitEnd::kWentOn) {
      out.end = int(measures.end);
      out.traits.resize(0);
      break;
    }
  }
  out.score = -worst;
  return out;
}

std::vector<Outcome> GaitProblem::evaluate(std::span<const Vector> points, GenerationId,
                                           int threads,
                                           const std::function<void(int, int)>& progress) const {
  std::vector<Outcome> out(points.size());
  const int count = int(points.size());
  trial::run_parallel(
      count, threads, [&](int i) { out[std::size_t(i)] = outcome_of(points[std::size_t(i)]); },
      [&](int done) {
        if (progress) progress(done, count);
      });
  return out;
}

std::vector<v1::SearchTerm> GaitProblem::describe(const Outcome& outcome) const {
  std::vector<v1::SearchTerm> out;
  for (std::size_t i = 0; i < terms_.size(); ++i) {
    v1::SearchTerm& term = out.emplace_back();
    term.set_trial("gait");
    term.set_figure(terms_[i].figure->name);
    term.set_value(outcome.terms[i].value);
    term.set_penalty(outcome.terms[i].penalty);
  }
  return out;
}

}  // namespace promenade::search
