#pragma once

#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "schema/error.h"
#include "schema/message.h"
#include "search/gaits/gait_figures.h"
#include "search/gaits/gait_space.h"
#include "search/problem.h"
#include "study/trial/gait/gait_trial.h"
#include "world/library/library.h"

namespace promenade::search {

/// The search for a gait: which creature, which graph, what is wanted, how it is tried.
/// Source: Panne1996, "Optimization"
class GaitProblem final : public Problem {
 public:
  /// @param source  of the search's message, for errors
  static schema::Result<GaitProblem> make(const v1::GaitSearch& search, const Library& library,
                                          const schema::Source& source);

  int dimension() const override { return space_.dimension(); }
  Vector start() const override { return space_.start(); }
  std::vector<double> values(const Vector& places) const override { return space_.values(places); }
  std::vector<bool> held() const override { return space_.is_duration(); }
  std::vector<Outcome> evaluate(std::span<const Vector> points, GenerationId generation,
                                int threads,
                                const std::function<void(int, int)>& progress) const override;
  std::vector<v1::SearchTerm> describe(const Outcome& outcome) const override;
  std::span<const Axis> axes() const override { return axes_; }
  std::span<const char* const> ends() const override { return trial::kGaitEnds; }

  const GaitSpace& space() const { return space_; }
  const trial::GaitTrial& trial() const { return trial_; }
  /// The trial of a point from one of its starts, from 0.
  /// @param weight  of a variant
  trial::GaitMeasures run(const Vector& places, int start, double weight = 1) const;
  /// The name of a point's gait by its footfalls.
  std::string_view name_of(const trial::GaitMeasures& measures) const;

  static constexpr double kFallen = -10, kWrong = -20;  // scores, see GaitObjective

 private:
  struct Term {
    const GaitFigure* figure = nullptr;
    double weight = 1;
    std::optional<double> target;  // in the figure's unit
    bool steered = false;          // of the trial that steers, not of the others
    double base = 0;               // the figure of the gait whose variant is searched

    /// @param mixed  weight of the variant, 0 to 1
    double worth(double value, double mixed) const {
      return weight * (target ? -std::abs(value - std::lerp(base, *target, mixed)) : value);
    }
  };

  GaitProblem(GaitSpace space, trial::GaitTrial trial)
      : space_(std::move(space)), trial_(std::move(trial)) {}
  class Candidate;  // whose trials are under way
  /// What is done in the trial of a gait from a start, and for how long.
  struct Plan {
    std::shared_ptr<const control::posegraph::Gait> gait;
    trial::GaitTime time;
    trial::GaitDeeds deeds;
  };
  Plan plan_of(std::shared_ptr<const control::posegraph::Gait> gait, int start) const;
  Plan steered_plan(const Vector& places) const;
  trial::GaitMeasures tried(std::shared_ptr<const control::posegraph::Gait> gait, int start) const;
  GaitRun seen(const trial::GaitMeasures& measures) const;
  void read_objective(const v1::GaitObjective& objective, schema::Checker& check);
  void read_weights(const v1::GaitSearch& search, schema::Checker& check);
  void measure_base();
  double score_of(const trial::GaitMeasures& measures, bool steered, double weight,
                  Outcome& out) const;
  /// Trials of a candidate from one start: with a variant one for each weight, and the one that
  /// steers.
  std::size_t trials_of_start() const { return weights_.size() + (steers_ ? 1 : 0); }
  void place_on_map(const trial::GaitMeasures& measures, Outcome& out) const;
  void lay_out_map();

  GaitSpace space_;
  trial::GaitTrial trial_;
  std::vector<Term> terms_;
  std::vector<Axis> axes_;
  bool steers_ = false;                // there is a term that asks for it
  std::vector<double> weights_ = {1};  // of a variant, at which it is tried; the last is greatest
  double shove_ = 0;                   // of the weight
  double hurdle_ = 0.1;                // m, that leaps are to pass over
  double strides_ = 6;
  int starts_ = 2;
};

}  // namespace promenade::search
