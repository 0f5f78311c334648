#pragma once

#include <memory>
#include <string>

#include "control/registry.h"
#include "schema/error.h"
#include "search/objective.h"
#include "search/parameter_vector.h"
#include "world/library/library.h"

namespace promenade::search {

/// An objective and the numbers that it searches.
struct Problem {
  Objective objective;
  ParameterVector parameters;

  /// The problem in the text of an objective's file.
  /// @param file    its name, for errors
  /// @param family  of controllers, one that walks
  /// @param read    the files that the parameters stand in
  /// @param people  how people walk, not null
  static schema::Result<Problem> make(const std::string& text, const std::string& file,
                                      const control::Family& family, const Library& library,
                                      const ReadFile& read,
                                      std::shared_ptr<const trial::GaitReference> people);
};

}  // namespace promenade::search
