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

std::vector<v1::SearchTerm> terms_of(const Objective& objective, const Score& score) {
  std::vector<v1::SearchTerm> terms;
  std::size_t next = 0;
  for (const Trial& trial : objective.trials) {
    for (const Term& term : trial.terms) {
      const TermResult& result = score.terms[next++];
      v1::SearchTerm& out = terms.emplace_back();
      out.set_trial(trial.name);
      out.set_figure(term.figure->name);
      out.set_value(result.value);
      out.set_penalty(result.penalty);
    }
  }
  return terms;
}

/// A search while it runs.
class Course {
 public:
  Course(const Problem& problem, const v1::SearchStart& start, const RunOptions& options)
      : problem_(problem), start_(start), options_(options) {
    OptimiserSetup setup;
    setup.start = problem.parameters.start();
    setup.sigma = start.sigma();
    setup.population = static_cast<int>(start.population());
    setup.seed = start.seed();
    optimiser_ = find_method(start.method())->make(setup);
  }

  std::optional<schema::FileError> replay(std::span<const v1::SearchGeneration> past);
  std::optional<schema::FileError> go_on();
  SearchResult take_result() {
    result_.centre = optimiser_->centre();
    return std::move(result_);
  }

 private:
  void begin();
  std::vector<Score> score(std::span<const Vector> points);
  /// Notes the scores of a generation. @return whether one of them is the best so far
  bool take(std::span<const Vector> points, std::span<const double> scores);
  std::optional<schema::FileError> write(std::span<const double> scores) const;

  const Problem& problem_;
  const v1::SearchStart& start_;
  const RunOptions& options_;
  std::unique_ptr<Optimiser> optimiser_;
  std::uint32_t generation_ = 0;  // the one that is run next
  std::size_t best_point_ = 0;    // of its generation
  SearchResult result_;
};

bool Course::take(std::span<const Vector> points, std::span<const double> scores) {
  const auto least = std::min_element(scores.begin(), scores.end());
  const bool better = generation_ == 0 || *least < result_.best_score;
  if (better) {
    best_point_ = static_cast<std::size_t>(least - scores.begin());
    result_.best_score = *least;
    result_.best = points[best_point_];
  }
  result_.evaluations += scores.size();
  if (generation_ > 0) optimiser_->tell(scores);
  result_.generations = generation_++;
  return better;
}

std::vector<Score> Course::score(std::span<const Vector> points) {
  Progress progress{generation_, result_.evaluations, 0,
                    0,           result_.best_score,  optimiser_->sigma()};
  const Seeds seeds = seeds_of(problem_.objective, start_.seed(), generation_);
  return evaluate(problem_.objective, problem_.parameters, points, seeds, options_.threads,
                  [&](int done, int all) {
                    progress.runs_done = done;
                    progress.runs = all;
                    if (options_.progress) options_.progress(progress);
                  });
}

std::optional<schema::FileError> Course::write(std::span<const double> scores) const {
  if (!options_.log) return std::nullopt;
  v1::SearchLogLine line;
  v1::SearchGeneration& out = *line.mutable_generation();
  out.set_generation(result_.generations);
  out.set_evaluations(result_.evaluations);
  out.set_sigma(optimiser_->sigma());
  out.mutable_scores()->Add(scores.begin(), scores.end());
  out.set_best_score(result_.best_score);
  out.mutable_best()->Add(result_.best.begin(), result_.best.end());
  const std::vector<double> values = problem_.parameters.values(result_.best);
  out.mutable_best_values()->Add(values.begin(), values.end());
  const Vector centre = optimiser_->centre();
  out.mutable_centre()->Add(centre.begin(), centre.end());
  for (const v1::SearchTerm& term : result_.best_terms) *out.add_terms() = term;
  return options_.log(line);
}

// The present parameters, which are generation 0.
void Course::begin() {
  const std::vector<Vector> points{problem_.parameters.start()};
  const std::vector<Score> scores = score(points);
  result_.start_score = scores[0].total;
  result_.start_terms = result_.best_terms = terms_of(problem_.objective, scores[0]);
  const std::vector<double> totals{scores[0].total};
  take(points, totals);
}

std::optional<schema::FileError> Course::replay(std::span<const v1::SearchGeneration> past) {
  begin();
  if (past.empty()) return write(std::vector<double>{result_.start_score});
  if (past[0].scores(0) != result_.start_score) {
    return wrong_log("the program or its data have changed: the score of the start is now " +
                     std::to_string(result_.start_score) + " and was " +
                     std::to_string(past[0].scores(0)));
  }
  for (const v1::SearchGeneration& generation : past.subspan(1)) {
    const std::vector<Vector> points = optimiser_->ask();
    const std::string name = "generation " + std::to_string(generation.generation());
    if (static_cast<std::size_t>(generation.scores_size()) != points.size()) {
      return wrong_log(name + " has " + std::to_string(generation.scores_size()) + " scores, not " +
                       std::to_string(points.size()));
    }
    const std::vector<double> scores(generation.scores().begin(), generation.scores().end());
    if (take(points, scores)) {
      result_.best_terms.assign(generation.terms().begin(), generation.terms().end());
    }
    if (vector_of(generation.best()) != result_.best) {
      return wrong_log(name + " has another best point than the program now comes to");
    }
  }
  return std::nullopt;
}

std::optional<schema::FileError> Course::go_on() {
  while (result_.evaluations < options_.budget && !(options_.stop && options_.stop())) {
    // A copy: the method may draw others when it is told the scores.
    const std::vector<Vector> points = optimiser_->ask();
    const std::vector<Score> scores = score(points);
    std::vector<double> totals;
    totals.reserve(scores.size());
    for (const Score& one : scores) totals.push_back(one.total);
    if (take(points, totals)) {
      result_.best_terms = terms_of(problem_.objective, scores[best_point_]);
    }
    if (auto error = write(totals)) return error;
  }
  return std::nullopt;
}

}  // namespace

Vector vector_of(const google::protobuf::RepeatedField<double>& places) {
  return Eigen::Map<const Vector>(places.data(), places.size());
}

std::optional<schema::FileError> check_past(const ParameterVector& parameters,
                                            std::span<const v1::SearchGeneration> past) {
  for (const v1::SearchGeneration& generation : past) {
    const bool fits = generation.best_size() == parameters.size() &&
                      generation.centre_size() == parameters.size() && generation.scores_size() > 0;
    if (!fits) {
      return wrong_log("generation " + std::to_string(generation.generation()) +
                       " is not of a search for " + std::to_string(parameters.size()) +
                       " parameters");
    }
  }
  return std::nullopt;
}

schema::Result<SearchResult> run_search(const Problem& problem, const v1::SearchStart& start,
                                        std::span<const v1::SearchGeneration> past,
                                        const RunOptions& options) {
  assert(find_method(start.method()));
  if (auto error = check_past(problem.parameters, past)) return *std::move(error);
  Course course(problem, start, options);
  if (auto error = course.replay(past)) return *std::move(error);
  if (auto error = course.go_on()) return *std::move(error);
  return course.take_result();
}

}  // namespace promenade::search
