#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "control/registry.h"
#include "schema/error.h"
#include "search/problem.h"
#include "search/walking/objective.h"
#include "search/walking/parameter_vector.h"
#include "world/library/library.h"

namespace promenade::search {

/// The search for parameters of controllers and styles of bipeds: an objective and the numbers that
/// it searches.
class WalkingProblem final : public Problem {
 public:
  Objective objective;
  ParameterVector parameters;

  int dimension() const override { return parameters.size(); }
  Vector start() const override { return parameters.start(); }
  std::vector<double> values(const Vector& places) const override {
    return parameters.values(places);
  }
  std::vector<Outcome> evaluate(std::span<const Vector> points, GenerationId generation,
                                int threads,
                                const std::function<void(int, int)>& progress) const override;
  std::vector<v1::SearchTerm> describe(const Outcome& outcome) const override;

  /// The problem in the text of an objective's file.
  /// @param file    its name, for errors
  /// @param family  of controllers, one that walks
  /// @param read    the files that the parameters stand in
  /// @param people  how people walk, not null
  static schema::Result<WalkingProblem> make(const std::string& text, const std::string& file,
                                             const control::Family& family, const Library& library,
                                             const ReadFile& read,
                                             std::shared_ptr<const trial::GaitReference> people);

 private:
  WalkingProblem(Objective for_what, ParameterVector numbers)
      : objective(std::move(for_what)), parameters(std::move(numbers)) {}
};

}  // namespace promenade::search
