#include "search/walking/walking_problem.h"

#include <algorithm>
#include <utility>

#include "schema/message.h"
#include "schema/refusal.h"
#include "search/walking/evaluation.h"

namespace promenade::search {

schema::Result<WalkingProblem> WalkingProblem::make(
    const std::string& text, const std::string& file, const control::Family& family,
    const Library& library, const ReadFile& read,
    std::shared_ptr<const trial::GaitReference> people) {
  v1::Objective message;
  schema::Source source;
  source.file = file;
  if (auto error = schema::message_from_json(text, &message, &source)) return *std::move(error);
  auto objective = Objective::make(message, source, library, std::move(people));
  if (!objective) return objective.error();
  auto parameters = ParameterVector::make(message, source, family, read);
  if (!parameters) return parameters.error();
  // A style that nobody walks in would be searched in vain.
  for (int i = 0; i < parameters->size(); ++i) {
    const std::string& path = parameters->path(i);
    const auto& trials = objective->trials;
    const bool used = !path.starts_with("style.") ||
                      std::any_of(trials.begin(), trials.end(), [&](const Trial& trial) {
                        return path.starts_with("style." + trial.style + ".");
                      });
    if (used) continue;
    const std::string key = schema::indexed("parameters", std::size_t(i)) + ".path";
    return schema::FileError{file,
                             source.line(key),
                             key,
                             schema::in_quotes(path),
                             "a number of a style that a trial has",
                             "no trial has this style"};
  }
  return WalkingProblem(*std::move(objective), *std::move(parameters));
}

std::vector<Outcome> WalkingProblem::evaluate(std::span<const Vector> points,
                                              GenerationId generation, int threads,
                                              const std::function<void(int, int)>& progress) const {
  const Seeds seeds = seeds_of(objective, generation.seed, generation.number);
  return search::evaluate(objective, parameters, points, seeds, threads, progress);
}

std::vector<v1::SearchTerm> WalkingProblem::describe(const Outcome& outcome) const {
  std::vector<v1::SearchTerm> terms;
  std::size_t next = 0;
  for (const Trial& trial : objective.trials) {
    for (const Term& term : trial.terms) {
      const TermResult& result = outcome.terms[next++];
      v1::SearchTerm& out = terms.emplace_back();
      out.set_trial(trial.name);
      out.set_figure(term.figure->name);
      out.set_value(result.value);
      out.set_penalty(result.penalty);
    }
  }
  return terms;
}

}  // namespace promenade::search
