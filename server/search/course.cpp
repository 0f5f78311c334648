#include "search/course.h"

#include <algorithm>
#include <string>
#include <utility>

namespace promenade::search {

schema::FileError wrong_log(std::string message) {
  return schema::FileError{"", 0, "", "", "", std::move(message)};
}

Vector vector_of(const google::protobuf::RepeatedField<double>& places) {
  return Eigen::Map<const Vector>(places.data(), places.size());
}

Course::Course(const Problem& problem, const v1::SearchStart& start) : problem_(problem) {
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

// Copies: the method may draw others when it is told the scores.
std::vector<Vector> Course::ask() {
  return generation_ == 0 ? std::vector<Vector>{problem_.start()} : optimiser_->ask();
}

bool Course::take(std::span<const Vector> points, std::span<const Outcome> outcomes) {
  std::vector<double> scores;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    const Outcome& one = outcomes[i];
    scores.push_back(one.score);
    result_.archive.offer({points[i], one.score, one.traits, result_.evaluations + i, one.label});
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

v1::SearchGeneration Course::last(std::span<const Outcome> outcomes) const {
  v1::SearchGeneration out;
  out.set_generation(result_.generations);
  out.set_evaluations(result_.evaluations);
  out.set_sigma(optimiser_->sigma());
  for (const Outcome& one : outcomes) {
    out.add_scores(one.score);
    if (!result_.ends.empty()) out.add_ends(std::uint32_t(one.end));
    if (problem_.axes().empty()) continue;
    out.add_on_map(one.traits.size() > 0);
    out.mutable_traits()->Add(one.traits.begin(), one.traits.end());
    if (one.traits.size() > 0) out.add_labels(one.label);
  }
  out.set_best_score(result_.best_score);
  out.mutable_best()->Add(result_.best.begin(), result_.best.end());
  const std::vector<double> values = problem_.values(result_.best);
  out.mutable_best_values()->Add(values.begin(), values.end());
  const Vector centre = optimiser_->centre();
  out.mutable_centre()->Add(centre.begin(), centre.end());
  for (const v1::SearchTerm& term : result_.best_terms) *out.add_terms() = term;
  return out;
}

std::optional<schema::FileError> Course::take(const v1::SearchGeneration& generation) {
  const std::vector<Vector> points = ask();
  const std::string name = "generation " + std::to_string(generation.generation());
  const auto count = static_cast<std::size_t>(generation.scores_size());
  if (count != points.size()) {
    return wrong_log(name + " has " + std::to_string(count) + " scores, not " +
                     std::to_string(points.size()));
  }
  const auto axes = static_cast<Eigen::Index>(problem_.axes().size());
  std::vector<Outcome> outcomes(count);
  int trait = 0, label = 0;
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
    if (label < generation.labels_size()) one.label = generation.labels(label++);
  }
  if (generation_ == 0) result_.start_score = outcomes[0].score;
  if (take(points, outcomes)) {
    result_.best_terms.assign(generation.terms().begin(), generation.terms().end());
  }
  if (vector_of(generation.best()) == result_.best) return std::nullopt;
  return wrong_log(name + " has another best point than the program now comes to");
}

}  // namespace promenade::search
