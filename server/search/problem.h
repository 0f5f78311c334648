#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "promenade/v1/search.pb.h"
#include "search/archive.h"
#include "search/optimise/optimiser.h"

namespace promenade::search {

/// What a term of an objective came to at a point.
struct TermResult {
  int runs = 0;        // that have a value
  double value = 0;    // mean over these, in the figure's unit
  double penalty = 0;  // mean over all runs, without weight
};

/// What a point came to.
struct Outcome {
  double score = 0;               // less is better, finite
  std::vector<TermResult> terms;  // in the order of Problem::describe()
  Vector traits;                  // [axes] its place on the problem's map; empty: it has none
  int end = 0;                    // how its trials ended, index of Problem::ends()
  std::string label = {};         // its name on the map, for people
};

/// A generation of a search: its runs depend on these two numbers besides the points.
struct GenerationId {
  std::uint64_t seed = 1, number = 0;
};

/// What is searched: numbers, each in 0 to 1 here, and what they are worth. A new kind is a folder
/// beside this file.
class Problem {
 public:
  virtual ~Problem() = default;
  virtual int dimension() const = 0;
  /// [dimension] where searches begin.
  virtual Vector start() const = 0;
  /// [dimension] the numbers of a point in their units.
  virtual std::vector<double> values(const Vector& places) const = 0;
  /// Tries points. The result does not depend on `threads`.
  /// @param points    [dimension] each, 0 to 1
  /// @param threads   0: one for each core
  /// @param progress  given the runs that are done and all of them, one call at a time, on any
  /// thread; may be empty
  virtual std::vector<Outcome> evaluate(std::span<const Vector> points, GenerationId generation,
                                        int threads,
                                        const std::function<void(int, int)>& progress) const = 0;
  /// The terms of an outcome by their names.
  virtual std::vector<v1::SearchTerm> describe(const Outcome& outcome) const = 0;

  /// [dimension] coordinates that points drawn anywhere leave at the start; empty: none.
  virtual std::vector<bool> held() const { return {}; }
  /// The axes of the map; none: it has no map.
  virtual std::span<const Axis> axes() const { return {}; }
  /// The ways in which trials end, for people; none: they are not told apart.
  virtual std::span<const char* const> ends() const { return {}; }
};

}  // namespace promenade::search
