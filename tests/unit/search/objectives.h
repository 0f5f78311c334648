#pragma once

#include <memory>
#include <string>

#include "search/walking/walking_problem.h"
#include "support/paths.h"
#include "world/library/library.h"

namespace promenade::search {

inline const Library& shipped() {
  static const auto library = Library::load(test::data_dir());
  return **library;
}

inline schema::Result<WalkingProblem> problem_of(const std::string& text) {
  static const auto people =
      std::make_shared<const trial::GaitReference>(*trial::GaitReference::load(test::data_dir()));
  return WalkingProblem::make(text, "o.json", *control::find_family("gbwc"), shipped(),
                              files_of(test::data_dir()), people);
}

/// An objective with these parameters, and one trial with a term.
inline std::string with_parameters(const std::string& parameters) {
  return "{\"seeds\": 1,\n \"parameters\": [\n  " + parameters +
         "],\n \"trials\": [{\"name\": \"walk\", \"walk\": {\"forward_mps\": 0.6},\n"
         "  \"terms\": [{\"figure\": \"speed\", \"target\": 0.6, \"scale\": 0.1}]}]}";
}

/// An objective with this trial.
inline std::string with_trial(const std::string& trial) {
  return "{\"seeds\": 1,\n \"parameters\": [{\"path\": \"gbwc.speed.sagittal_gain\"}],\n "
         "\"trials\": [\n "
         " " +
         trial + "]}";
}

/// The text of the error, without one "no error".
inline std::string fault_of_objective(const std::string& text) {
  const auto problem = problem_of(text);
  return problem.ok() ? "no error" : problem.error().text();
}

}  // namespace promenade::search
