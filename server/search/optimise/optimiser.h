#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "math/random.h"

namespace promenade::search {

class Archive;

using Vector = Eigen::VectorXd;

/// Finds the minimum of a function on the unit cube, of which it is told nothing but values:
/// generation by generation it asks for points and is told their scores. Its course depends on the
/// setup and the scores alone, so that telling it the same scores again leads to the same state.
class Optimiser {
 public:
  virtual ~Optimiser() = default;
  /// The points of the next generation, each [dimension] in 0 to 1.
  virtual const std::vector<Vector>& ask() = 0;
  /// @param scores  of these points, finite; less is better
  virtual void tell(std::span<const double> scores) = 0;
  /// Spread of the next generation, of the side of the cube.
  virtual double sigma() const = 0;
  /// Where the method takes the minimum to be, [dimension] in 0 to 1. It rests on many scores, so
  /// that one lucky score hardly moves it.
  virtual Vector centre() const = 0;
  /// Whether going on is of no use.
  virtual bool converged() const { return false; }
};

struct OptimiserSetup {
  Vector start;        // [dimension] in 0 to 1
  double sigma = 0.2;  // first spread about it, above 0
  int population = 0;  // points a generation, at least kLeastPopulation
  std::uint64_t seed = 1;
  /// Points anywhere that methods begin with which have such a stage; 0: what suits the dimension.
  int global = 0;
  /// [dimension] Coordinates that this stage leaves at `start`; empty: none.
  std::vector<bool> held = {};
  /// The best point of each cell of the problem's map, kept up to date before each tell(). Null:
  /// the problem has no map.
  const Archive* archive = nullptr;
};

inline constexpr int kLeastPopulation = 4;

/// A kind of optimiser. A new one is a file beside this one and an entry in optimiser.cpp.
struct Method {
  const char* name;
  const char* description;
  /// Points a generation that suit a dimension.
  int (*population)(int dimension);
  std::unique_ptr<Optimiser> (*make)(const OptimiserSetup& setup);
  bool needs_map = false;  // OptimiserSetup::archive
};

/// All methods; the first is the default.
std::span<const Method> methods();
/// nullptr if there is none of that name.
const Method* find_method(const std::string& name);
std::vector<std::string> method_names();

/// The random numbers of one point of one generation. They depend on nothing else, so that the
/// points can be drawn in any order.
inline Random random_of(std::uint64_t seed, std::uint64_t generation, std::uint64_t point) {
  return Random::stream(Random::stream(seed, generation).next(), point);
}

/// The nearest point of the unit cube.
inline Vector inside(const Vector& x) { return x.cwiseMax(0.0).cwiseMin(1.0); }

}  // namespace promenade::search
