#pragma once

#include <span>
#include <string>
#include <vector>

#include "study/trial/walk/gait_reference.h"
#include "study/trial/walk/pushes.h"
#include "study/trial/walk/walking.h"

namespace promenade::search {

/// The result of one run of a trial.
struct RunResult {
  bool up = false;
  double share = 0;  // of its time that it was up, 0 to 1
  // One of the two, by the kind of trial.
  const trial::SteadyWalk* walk = nullptr;
  const trial::PushOutcome* push = nullptr;
  Vec2 asked = Vec2::Zero();  // m/s, velocity of the walk
  // Only runs of walks have these:
  const trial::GaitReference* people = nullptr;
  double leg_length = 0;  // m, hip to ankle

  const trial::GaitQuality& quality() const { return walk ? walk->quality : push->quality; }
};

/// The kinds of trials, which differ in their figures.
enum class TrialKind : unsigned { kWalk = 1, kPush = 2 };

/// A number that says how a run went.
struct Figure {
  const char* name;
  const char* unit;  // "" of ratios and counts
  const char* meaning;
  unsigned kinds;      // of TrialKind, those that have it
  bool of_looks;       // from the quality of the steps, which a push observes only when asked to
  bool of_the_fallen;  // also means something of a run that fell
  double (*value)(const RunResult& run);
  bool of_cycle = false;  // from the gait cycle, which a walk observes only when asked to

  bool has(TrialKind kind) const { return (kinds & static_cast<unsigned>(kind)) != 0; }
};

/// All figures. A new one is a line in figures.cpp.
std::span<const Figure> figures();
/// nullptr if there is none of that name.
const Figure* find_figure(const std::string& name);
/// The names of the figures that a kind of trial has.
std::vector<std::string> figure_names(TrialKind kind);

}  // namespace promenade::search
