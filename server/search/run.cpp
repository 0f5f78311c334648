#include "search/run.h"

#include <cassert>
#include <string>
#include <utility>

namespace promenade::search {
namespace {

/// Runs the trials of a course.
class Run {
 public:
  Run(const Problem& problem, const v1::SearchStart& start, const RunOptions& options)
      : problem_(problem), start_(start), options_(options), course_(problem, start) {}

  std::optional<schema::FileError> replay(std::span<const v1::SearchGeneration> past);
  std::optional<schema::FileError> go_on();
  SearchResult take_result() {
    course_.result().centre = course_.centre();
    return std::move(course_.result());
  }

 private:
  std::vector<Outcome> score(std::span<const Vector> points);
  std::optional<schema::FileError> write(std::span<const Outcome> outcomes) const;

  const Problem& problem_;
  const v1::SearchStart& start_;
  const RunOptions& options_;
  Course course_;
};

std::vector<Outcome> Run::score(std::span<const Vector> points) {
  const SearchResult& so_far = course_.result();
  Progress progress{
      course_.generation(),          so_far.evaluations, 0, 0, so_far.best_score, course_.sigma(),
      so_far.archive.elites().size()};
  return problem_.evaluate(points, {start_.seed(), course_.generation()}, options_.threads,
                           [&](int done, int all) {
                             progress.runs_done = done;
                             progress.runs = all;
                             if (options_.progress) options_.progress(progress);
                           });
}

std::optional<schema::FileError> Run::write(std::span<const Outcome> outcomes) const {
  if (!options_.log) return std::nullopt;
  v1::SearchLogLine line;
  *line.mutable_generation() = course_.last(outcomes);
  return options_.log(line);
}

std::optional<schema::FileError> Run::replay(std::span<const v1::SearchGeneration> past) {
  const std::vector<Vector> points = course_.ask();
  const std::vector<Outcome> outcomes = score(points);
  const double now = outcomes[0].score;
  if (!past.empty() && past[0].scores(0) != now) {
    return wrong_log("the program or its data have changed: the score of the start is now " +
                     std::to_string(now) + " and was " + std::to_string(past[0].scores(0)));
  }
  SearchResult& result = course_.result();
  result.start_score = now;
  result.start_terms = result.best_terms = problem_.describe(outcomes[0]);
  course_.take(points, outcomes);
  if (past.empty()) return write(outcomes);
  for (const v1::SearchGeneration& generation : past.subspan(1)) {
    if (auto error = course_.take(generation)) return error;
  }
  return std::nullopt;
}

std::optional<schema::FileError> Run::go_on() {
  while (course_.result().evaluations < options_.budget && !(options_.stop && options_.stop())) {
    const std::vector<Vector> points = course_.ask();
    const std::vector<Outcome> outcomes = score(points);
    if (course_.take(points, outcomes)) {
      course_.result().best_terms = problem_.describe(outcomes[course_.best_point()]);
    }
    if (auto error = write(outcomes)) return error;
  }
  return std::nullopt;
}

}  // namespace

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
  Run run(problem, start, options);
  if (auto error = run.replay(past)) return *std::move(error);
  if (auto error = run.go_on()) return *std::move(error);
  return run.take_result();
}

}  // namespace promenade::search
