#include "search/run.h"

#include <algorithm>
#include <cassert>
#include <string>
#include <utility>

namespace promenade::search {
namespace {

schema::FileError wrong_log(std::string message) {
  return schema::FileError{"", 0, "", "", "", std::move(message)};
}

/// A search while it runs.
class Course {
 public:
  Course(const Problem& problem, const v1::SearchStart& start, const RunOptions& options)
      : problem_(problem), start_(start), options_(options) {
    result_.archive = Archive(problem.axes());
    result_.ends.assign(problem.ends().size(), 0);
    OptimiserSetup setup;
    setup.start = problem.start();
    setup.held = problem.held();
    setup.global = static_cast<int>(start.global());
    setup.sigma = start.sigma();
    setup.population = static_cast<int>(start.population());
    setup.seed = start.seed();
    if (!problem.axes().empty()) setup.archive = &result_.archive;
    optimiser_ = find_method(start.method())->make(setup);
  }

  std::optional<schema::FileError> replay(std::span<const v1::SearchGeneration> past);
  std::optional<schema::FileError> go_on();
  SearchResult take_result() {
    result_.centre = optimiser_->centre();
    return std::move(result_);
  }

 private:
  std::optional<schema::FileError> begin(std::span<const v1::SearchGeneration> past);
  std::optional<schema::FileError> repeat(const v1::SearchGeneration& generation);
  std::vector<Outcome> score(std::span<const Vector> points);
  /// Notes the outcomes of a generation. @return whether one of them is the best so far
  bool take(std::span<const Vector> points, std::span<const Outcome> outcomes);
  std::optional<schema::FileError> write(std::span<const Outcome> outcomes) const;

  const Problem& problem_;
  const v1::SearchStart& start_;
  const RunOptions& options_;
  SearchResult result_;
  std::unique_ptr<Optimiser> optimiser_;  // reads result_.archive
  std::uint32_t generation_ = 0;          // the one that is run next
  std::size_t best_point_ = 0;            // of its generation
};

bool Course::take(std::span<const Vector> points, std::span<const Outcome> outcomes) {
  std::vector<double> scores;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    const Outcome& one = outcomes[i];
    scores.push_back(one.score);
    result_.archive.offer({points[i], one.score, one.traits, result_.evaluations + i});
    if (std::size_t(one.end) < result_.ends.size()) ++result_.ends[std::size_t(one.end)];
  }
  const auto least = std::min_element(scores.begin(), scores.end());
  const bool better = generation_ == 0 || *least < result_.best_score;
  if (better) {
    best_point_ = static_cast<std::size_t>(least - scores.begin());
    result_.best_score = *least;
    result_.best = points[best_point_];
    result_.best_trial = result_.evaluations + best_point_;
  }
  result_.evaluations += scores.size();
  if (generation_ > 0) optimiser_->tell(scores);
  result_.generations = generation_++;
  return better;
}

std::vector<Outcome> Course::score(std::span<const Vector> points) {
  Progress progress{generation_,
                    result_.evaluations,
                    0,
                    0,
                    result_.best_score,
                    optimiser_->sigma(),
                    result_.archive.elites().size()};
  return problem_.evaluate(points, {start_.seed(), generation_}, options_.threads,
                           [&](int done, int all) {
                             progress.runs_done = done;
                             progress.runs = all;
                             if (options_.progress) options_.progress(progress);
                           });
}

std::optional<schema::FileError> Course::write(std::span<const Outcome> outcomes) const {
  if (!options_.log) return std::nullopt;
  v1::SearchLogLine line;
  v1::SearchGeneration& out = *line.mutable_generation();
  out.set_generation(result_.generations);
  out.set_evaluations(result_.evaluations);
  out.set_sigma(optimiser_->sigma());
  for (const Outcome& one : outcomes) {
    out.add_scores(one.score);
    if (!result_.ends.empty()) out.add_ends(std::uint32_t(one.end));
    if (problem_.axes().empty()) continue;
    out.add_on_map(one.traits.size() > 0);
    out.mutable_traits()->Add(one.traits.begin(), one.traits.end());
  }
  out.set_best_score(result_.best_score);
  out.mutable_best()->Add(result_.best.begin(), result_.best.end());
  const std::vector<double> values = problem_.values(result_.best);
  out.mutable_best_values()->Add(values.begin(), values.end());
  const Vector centre = optimiser_->centre();
  out.mutable_centre()->Add(centre.begin(), centre.end());
  for (const v1::SearchTerm& term : result_.best_terms) *out.add_terms() = term;
  return options_.log(line);
}

// The start, which is generation 0.
std::optional<schema::FileError> Course::begin(std::span<const v1::SearchGeneration> past) {
  const std::vector<Vector> points{problem_.start()};
  const std::vector<Outcome> outcomes = score(points);
  result_.start_score = outcomes[0].score;
  result_.start_terms = result_.best_terms = problem_.describe(outcomes[0]);
  take(points, outcomes);
  if (past.empty()) return write(outcomes);
  if (past[0].scores(0) == result_.start_score) return std::nullopt;
  return wrong_log("the program or its data have changed: the score of the start is now " +
                   std::to_string(result_.start_score) + " and was " +
                   std::to_string(past[0].scores(0)));
}

// Tells the method what a generation came to before.
std::optional<schema::FileError> Course::repeat(const v1::SearchGeneration& generation) {
  const std::vector<Vector> points = optimiser_->ask();
  const std::string name = "generation " + std::to_string(generation.generation());
  const auto count = static_cast<std::size_t>(generation.scores_size());
  if (count != points.size()) {
    return wrong_log(name + " has " + std::to_string(count) + " scores, not " +
                     std::to_string(points.size()));
  }
  const auto axes = static_cast<Eigen::Index>(problem_.axes().size());
  std::vector<Outcome> outcomes(count);
  int trait = 0;
  for (std::size_t i = 0; i < count; ++i) {
    Outcome& one = outcomes[i];
    one.score = generation.scores(int(i));
    if (int(i) < generation.ends_size()) one.end = int(generation.ends(int(i)));
    if (int(i) >= generation.on_map_size() || !generation.on_map(int(i))) continue;
    if (trait + axes > generation.traits_size()) {
      return wrong_log(name + " has " + std::to_string(generation.traits_size()) +
                       " traits, which are too few");
    }
    one.traits.resize(axes);
    for (double& value : one.traits) value = generation.traits(trait++);
  }
  if (take(points, outcomes)) {
    result_.best_terms.assign(generation.terms().begin(), generation.terms().end());
  }
  if (vector_of(generation.best()) == result_.best) return std::nullopt;
  return wrong_log(name + " has another best point than the program now comes to");
}

std::optional<schema::FileError> Course::replay(std::span<const v1::SearchGeneration> past) {
  if (auto error = begin(past)) return error;
  if (past.empty()) return std::nullopt;
  for (const v1::SearchGeneration& generation : past.subspan(1)) {
    if (auto error = repeat(generation)) return error;
  }
  return std::nullopt;
}

std::optional<schema::FileError> Course::go_on() {
  while (result_.evaluations < options_.budget && !(options_.stop && options_.stop())) {
    // A copy: the method may draw others when it is told the scores.
    const std::vector<Vector> points = optimiser_->ask();
    const std::vector<Outcome> outcomes = score(points);
    if (take(points, outcomes)) result_.best_terms = problem_.describe(outcomes[best_point_]);
    if (auto error = write(outcomes)) return error;
  }
  return std::nullopt;
}

}  // namespace

Vector vector_of(const google::protobuf::RepeatedField<double>& places) {
  return Eigen::Map<const Vector>(places.data(), places.size());
}

std::optional<schema::FileError> check_past(int dimension,
                                            std::span<const v1::SearchGeneration> past) {
  for (const v1::SearchGeneration& generation : past) {
    const bool fits = generation.best_size() == dimension &&
                      generation.centre_size() == dimension && generation.scores_size() > 0;
    if (!fits) {
      return wrong_log("generation " + std::to_string(generation.generation()) +
                       " is not of a search for " + std::to_string(dimension) + " parameters");
    }
  }
  return std::nullopt;
}

schema::Result<SearchResult> run_search(const Problem& problem, const v1::SearchStart& start,
                                        std::span<const v1::SearchGeneration> past,
                                        const RunOptions& options) {
  assert(find_method(start.method()));
  if (auto error = check_past(problem.dimension(), past)) return *std::move(error);
  Course course(problem, start, options);
  if (auto error = course.replay(past)) return *std::move(error);
  if (auto error = course.go_on()) return *std::move(error);
  return course.take_result();
}

}  // namespace promenade::search
