#include "search/gaits/gait_problem.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>

#include "control/registry.h"
#include "creature/creature_builder.h"
#include "physics/gravity.h"
#include "schema/refusal.h"
#include "study/trial/gait/starts.h"
#include "study/trial/rig/parallel.h"

namespace promenade::search {
namespace {

constexpr std::string_view kSteered = "off_course";  // the figure of the trial that steers
constexpr double kLeapStrides = 3, kLeapAbout = 12;  // before a leap, and more at random
constexpr double kStridesOfLeap = 24;                // of a trial
constexpr double kShoveStrides = 5.3;  // from one shove to the next: they come in all phases
constexpr double kMostScore = 1e6;     // of terms that have run away

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
  const bool leaps = out.space_.leaps();
  out.strides_ = search.strides() ? double(search.strides()) : leaps ? kStridesOfLeap : 6;
  // After the latest moment of a leap it has to go on for some.
  check.range("strides", out.strides_, leaps ? kLeapStrides + kLeapAbout + 5 : 2, 100);
  out.starts_ = search.starts() ? int(search.starts()) : 2;
  check.range("starts", out.starts_, 1, 50);
  out.read_objective(search.objective(), check);
  out.read_weights(search, check);
  out.shove_ = search.shove();
  check.range("shove", out.shove_, 0, 10);
  out.hurdle_ = search.hurdle_m() != 0 ? search.hurdle_m() : trial::usual_hurdle(*creature);
  if (leaps) check.range("hurdle_m", out.hurdle_, 0.001, 10, " m");
  if (!check.ok()) return check.error();
  out.measure_base();
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
      term.target = m.target() * (space_.leaps() ? space_.size() : 1);
    }
    terms_.push_back(term);
  }
}

void GaitProblem::read_weights(const v1::GaitSearch& search, schema::Checker& check) {
  if (!space_.is_variant()) return;
  weights_.assign(search.weights().begin(), search.weights().end());
  if (space_.leaps()) {
    const bool full = weights_.empty() || weights_ == std::vector<double>{1};
    if (!full) check.fail("weights", "others", "1 alone, as a leap is gone through in full");
    weights_ = {1};
  }
  if (weights_.empty()) weights_ = {0.5, 1};
  check.range("weights", double(weights_.size()), 1, 20);
  for (std::size_t i = 0; i < weights_.size(); ++i) {
    check.range(schema::indexed("weights", i), weights_[i], 0.01, 1);
  }
  std::sort(weights_.begin(), weights_.end());
  const bool turns =
      search.use() == v1::GaitVariant::LEFT || search.use() == v1::GaitVariant::RIGHT;
  for (Term& term : terms_) {
    term.steered = turns && term.figure->name == kSteered;
    steers_ = steers_ || term.steered;
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
  return run_of(trial_, measures);
}

std::string_view GaitProblem::name_of(const trial::GaitMeasures& measures) const {
  return trial::gait_name(trial_.legs(), measures.footfalls);
}

trial::GaitMeasures GaitProblem::run(const Vector& places, int start, double weight) const {
  auto gait = space_.gait(places, weight);
  return tried(std::move(gait), start);
}

GaitProblem::Plan GaitProblem::plan_of(std::shared_ptr<const control::posegraph::Gait> gait,
                                       int start) const {
  const double period = gait->graph.period();
  Plan plan{std::move(gait), trial::time_for(period, strides_), {}};
  if (space_.leaps()) {
    // After any stride: a gait that is even to the eye may still differ from one to the next.
    const double more = start == 0 ? 0 : trial::leap_moment(std::uint64_t(start));
    plan.deeds.leap_at = plan.time.settle + (kLeapStrides + more * kLeapAbout) * period;
    plan.deeds.leap_over = hurdle_;
  }
  plan.deeds.shove = shove_;
  plan.deeds.shove_every = kShoveStrides * period;
  return plan;
}

// Of a variant and its mirror image, which the controller mixes in.
GaitProblem::Plan GaitProblem::steered_plan(const Vector& places) const {
  auto gait = *control::posegraph::build_gait(space_.message(places), space_.creature(), {});
  const trial::GaitTime time = trial::time_for(gait->graph.period(), strides_);
  Plan plan{std::move(gait), time, {}};
  plan.deeds.steers = true;
  return plan;
}

trial::GaitMeasures GaitProblem::tried(std::shared_ptr<const control::posegraph::Gait> gait,
                                       int start) const {
  Plan plan = plan_of(std::move(gait), start);
  return trial_.run(std::move(plan.gait), plan.time, std::uint64_t(start), plan.deeds);
}

// What the terms are without the variant.
void GaitProblem::measure_base() {
  if (!space_.is_variant()) return;
  auto base = std::make_shared<control::posegraph::Gait>(*space_.from());
  base->variants.clear();  // else the controller mixes them in
  const trial::GaitMeasures measures = tried(std::move(base), 0);
  const GaitRun of = seen(measures);
  for (Term& term : terms_) term.base = term.figure->of(of);
}

// Of one trial. Adds to the terms of a candidate.
double GaitProblem::score_of(const trial::GaitMeasures& measures, bool steered, double weight,
                             Outcome& out) const {
  if (measures.end == trial::GaitEnd::kFell) return kFallen + measures.share;
  if (measures.end != trial::GaitEnd::kWentOn) return kWrong;
  const GaitRun of = seen(measures);
  double score = 0;
  for (std::size_t t = 0; t < terms_.size(); ++t) {
    if (terms_[t].steered != steered) continue;
    const double value = terms_[t].figure->of(of);
    const double worth = terms_[t].worth(value, weight);
    score += worth;
    TermResult& term = out.terms[t];
    ++term.runs;
    term.value += (value - term.value) / term.runs;
    term.penalty += (-worth - term.penalty) / term.runs;
  }
  return std::clamp(score, kFallen + 1, kMostScore);
}

void GaitProblem::place_on_map(const trial::GaitMeasures& measures, Outcome& out) const {
  if (measures.end != trial::GaitEnd::kWentOn || !measures.footfalls.steps()) return;
  const GaitRun of = seen(measures);
  out.label = name_of(measures);
  out.traits.resize(Eigen::Index(axes_.size()));
  Eigen::Index next = 0;
  out.traits[next++] = measures.speed / std::sqrt(physics::kGravity * of.size);
  out.traits[next++] = of.phases.duty;
  if (of.pairs > 1) out.traits[next++] = of.phases.lag;
  if (next < out.traits.size()) out.traits[next++] = of.phases.sides;
}

// A candidate whose trials are under way, one after the other. The worst of its starts counts.
class GaitProblem::Candidate {
 public:
  Candidate(const GaitProblem& problem, const Vector& places, Outcome& out)
      : problem_(problem), places_(places), out_(out) {
    out_.terms.resize(problem_.terms_.size());
    begin();
  }

  /// The trial under way. None: the outcome is written.
  std::optional<trial::GaitTrialRun>& run() { return run_; }

  /// Counts the trial, which has ended, and begins the next one.
  void next() {
    const trial::GaitMeasures measures = run_->measures();
    const double score = problem_.score_of(measures, steers(), weight(), out_);
    if (measures.end != trial::GaitEnd::kWentOn) {
      out_.end = int(measures.end);
      out_.traits.resize(0);
      const bool fell = measures.end == trial::GaitEnd::kFell;
      const auto trials = double(problem_.trials_of_start());
      sum_ = fell ? kFallen + (double(trial_) + measures.share) / trials : score;
      end_start();
      return finish();
    }
    sum_ += steers() ? score : score / double(problem_.weights_.size());
    const bool whole = !steers() && trial_ + 1 == problem_.weights_.size();
    if (start_ == 0 && whole) problem_.place_on_map(measures, out_);
    if (++trial_ == problem_.trials_of_start()) end_start();
    if (start_ == problem_.starts_) return finish();
    begin();
  }

 private:
  bool steers() const { return trial_ == problem_.weights_.size(); }
  double weight() const { return steers() ? 1 : problem_.weights_[trial_]; }

  void begin() {
    Plan plan = steers() ? problem_.steered_plan(places_)
                         : problem_.plan_of(problem_.space_.gait(places_, weight()), start_);
    run_ =
        problem_.trial_.begin(std::move(plan.gait), plan.time, std::uint64_t(start_), plan.deeds);
  }
  void end_start() {
    worst_ = std::min(worst_, sum_);
    sum_ = 0;
    trial_ = 0;
    ++start_;
  }
  void finish() {
    out_.score = -worst_;
    run_.reset();
  }

  const GaitProblem& problem_;
  const Vector& places_;
  Outcome& out_;
  std::optional<trial::GaitTrialRun> run_;
  int start_ = 0;
  std::size_t trial_ = 0;  // of the start: one for each weight, then the one that steers
  double sum_ = 0;         // of the start's trials
  double worst_ = kMostScore;
};

std::vector<Outcome> GaitProblem::evaluate(std::span<const Vector> points, GenerationId,
                                           int threads,
                                           const std::function<void(int, int)>& progress) const {
  std::vector<Outcome> out(points.size());
  const int count = int(points.size());
  threads = std::min(threads > 0 ? threads : trial::core_count(), count);
  if (threads == 0) return out;
  // Each thread steps some candidates together, and takes the next one in the place of one that is
  // done.
  const int together = std::min(physics::kSideBySide, (count + threads - 1) / threads);
  std::atomic<int> next{0};
  std::mutex mutex;
  int done = 0;
  trial::run_parallel(
      threads, threads,
      [&](int) {
        trial::GaitTrialHerd herd;
        std::vector<std::unique_ptr<Candidate>> tried;
        std::vector<trial::GaitTrialRun*> runs;
        const auto take = [&] {
          for (int i; int(tried.size()) < together && (i = next++) < count;) {
            const auto at = std::size_t(i);
            tried.push_back(std::make_unique<Candidate>(*this, points[at], out[at]));
          }
        };
        for (take(); !tried.empty(); take()) {
          runs.clear();
          for (const auto& one : tried) runs.push_back(&*one->run());
          herd.step(runs);
          for (const auto& one : tried) {
            if (one->run()->done()) one->next();
          }
          const std::size_t ended =
              std::erase_if(tried, [](const auto& one) { return !one->run(); });
          if (ended == 0) continue;
          const std::lock_guard lock(mutex);
          for (std::size_t i = 0; i < ended; ++i) {
            ++done;
            if (progress) progress(done, count);
          }
        }
      },
      {});
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
