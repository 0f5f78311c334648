#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "schema/error.h"
#include "study/trial/gait/gait_name.h"
#include "study/trial/gait/gait_trial.h"

namespace promenade::search {

/// A trial of a gait as figures see it.
struct GaitRun {
  const trial::GaitMeasures& measures;
  trial::GaitPhases phases;
  std::size_t legs = 0, pairs = 0;
  double size = 1;  // m, height of the creature's mass centre at rest
};

/// @param measures  of a trial of `trial`; must outlive the result
GaitRun run_of(const trial::GaitTrial& trial, const trial::GaitMeasures& measures);

/// A number that says how a gait went.
struct GaitFigure {
  std::string name;
  const char* unit;  // "" of ratios
  std::string meaning;
  double (*value)(const GaitRun& run) = nullptr;
  const trial::GaitKind* kind =
      nullptr;                   // instead of `value`: how near the gait is to one of a name
  const char* trials = nullptr;  // that alone have it, in words; null: all
  double of(const GaitRun& run) const {
    if (!kind) return value(run);
    return run.measures.footfalls.steps() ? kind->likeness(run.phases, run.legs, run.pairs) : 0;
  }
};

/// All figures: those of gait_figures.cpp, and one of each kind of gait that has a name.
std::span<const GaitFigure> gait_figures();
/// nullptr if there is none of that name.
const GaitFigure* find_gait_figure(std::string_view name);
std::vector<std::string> gait_figure_names();
/// A figure that trials have in which nothing but the gait is done, as those of a landscape.
/// @return an error with the key `figure` that lists them where the name is of no such figure
schema::Result<const GaitFigure*> plain_figure(std::string_view name);

}  // namespace promenade::search
