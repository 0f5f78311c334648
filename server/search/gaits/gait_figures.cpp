#include "search/gaits/gait_figures.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "physics/gravity.h"
#include "schema/refusal.h"

namespace promenade::search {
namespace {

// What trials of figures do besides going on.
constexpr const char* kSteering = "trials that are told to head here and there";
constexpr const char* kLeaping = "trials with a leap";

std::vector<GaitFigure> make_figures() {
  std::vector<GaitFigure> out = {
      {"speed", "m/s", "forward, along the heading at the start",
       [](const GaitRun& run) { return run.measures.speed; }},
      {"pace", "", "forward speed over sqrt(g h), h height of the mass centre at rest",
       [](const GaitRun& run) {
         return run.measures.speed / std::sqrt(physics::kGravity * run.size);
       }},
      {"going", "", "speed along the heading of the moment over sqrt(g h)",
       [](const GaitRun& run) {
         return run.measures.forward / std::sqrt(physics::kGravity * run.size);
       }},
      {"straying", "m/s", "speed to either side",
       [](const GaitRun& run) { return std::abs(run.measures.sideways); }},
      {"turning", "rad/s", "to the left", [](const GaitRun& run) { return run.measures.turning; }},
      {"off_course", "rad",
       "mean distance of the heading from the one asked for, of a variant that turns while it is "
       "told to head here and there",
       [](const GaitRun& run) { return run.measures.off_course; }, nullptr, kSteering},
      {"wavering", "rad/s", "turning to either side",
       [](const GaitRun& run) { return std::abs(run.measures.turning); }},
      {"rock", "rad^2/s^2", "lateral rock: mean square of the turning about the trunk's long axis",
       [](const GaitRun& run) { return run.measures.rock; }},
      {"leap", "m", "length of the longest flight",
       [](const GaitRun& run) { return run.measures.flight.length; }},
      {"leap_height", "m", "rise of the mass centre in the longest flight",
       [](const GaitRun& run) { return run.measures.flight.rise; }},
      {"clearing", "m",
       "ground that a leap passes over, by the square of the height over 1.25 times that of the "
       "hurdle, and in full from there",
       [](const GaitRun& run) { return run.measures.span.worth; }, nullptr, kLeaping},
      {"cleared", "m", "ground that a leap passes over higher than the hurdle",
       [](const GaitRun& run) { return run.measures.span.length(); }, nullptr, kLeaping},
      {"airborne", "", "share of the time in the air",
       [](const GaitRun& run) { return run.measures.footfalls.airborne; }},
      {"duty", "", "mean duty factor of the legs",
       [](const GaitRun& run) { return run.phases.duty; }},
      {"effort", "m/s", "mean power of the servos over weight",
       [](const GaitRun& run) { return run.measures.effort; }},
      {"cost", "", "effort over speed: cost of transport, 100 at most",
       [](const GaitRun& run) {
         return std::min(100.0, run.measures.effort / std::max(1e-3, std::abs(run.measures.speed)));
       }},
      {"height", "m", "mean height of the mass centre",
       [](const GaitRun& run) { return run.measures.height; }},
      {"bounce", "m", "greatest height of the mass centre less its least",
       [](const GaitRun& run) { return run.measures.bounce; }},
      {"unevenness", "", "by which one stride differs from the next; 0: it can go on for ever",
       [](const GaitRun& run) { return run.measures.unevenness; }},
  };
  for (const trial::GaitKind& kind : trial::gait_kinds()) {
    out.push_back(
        {std::string(kind.name), "",
         "how near the footfalls are to this gait, 0 to 1: " + std::string(kind.description),
         nullptr, &kind});
  }
  return out;
}

}  // namespace

GaitRun run_of(const trial::GaitTrial& trial, const trial::GaitMeasures& measures) {
  const trial::Legs& legs = trial.legs();
  return {measures, trial::phases_of(legs, measures.footfalls), legs.limbs.size(),
          legs.pairs.size(), std::max(1e-4, trial.creature().standing_com_height)};
}

std::span<const GaitFigure> gait_figures() {
  static const std::vector<GaitFigure> figures = make_figures();
  return figures;
}

const GaitFigure* find_gait_figure(std::string_view name) {
  const auto all = gait_figures();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const GaitFigure& f) { return f.name == name; });
  return found == all.end() ? nullptr : &*found;
}

std::vector<std::string> gait_figure_names() {
  std::vector<std::string> names;
  for (const GaitFigure& figure : gait_figures()) names.push_back(figure.name);
  return names;
}

schema::Result<const GaitFigure*> plain_figure(std::string_view name) {
  const GaitFigure* figure = find_gait_figure(name);
  if (figure && !figure->trials) return figure;
  std::string value = schema::in_quotes(std::string(name));
  if (figure) value += ", which is of " + std::string(figure->trials);
  std::vector<std::string> names;
  for (const GaitFigure& one : gait_figures()) {
    if (!one.trials) names.push_back(one.name);
  }
  return schema::FileError{"", 0, "figure", std::move(value), schema::listed_names(names), ""};
}

}  // namespace promenade::search
