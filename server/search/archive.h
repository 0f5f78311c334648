#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "search/optimise/optimiser.h"

namespace promenade::search {

/// A number by which the points of a search differ besides their score, cut into cells.
struct Axis {
  const char* name;
  const char* unit;  // "" of ratios
  double low, high;  // what is beyond belongs to the first or last cell
  int cells;
  bool round = false;  // the last cell is next to the first
};

/// A map of a search: the best point of each cell of its traits.
/// Source: Mouret and Clune, "Illuminating search spaces by mapping elites", 2015
class Archive {
 public:
  struct Elite {
    Vector point;             // [dimension] 0 to 1
    double score = 0;         // less is better
    Vector traits;            // [axes] in their units
    std::uint64_t trial = 0;  // number of the candidate, from 0
    std::string label = {};   // its name, for people
  };

  explicit Archive(std::span<const Axis> axes) : axes_(axes.begin(), axes.end()) {}

  /// Puts a point where its cell is empty or has a worse one. @return whether it did
  bool offer(const Elite& one);
  std::span<const Axis> axes() const { return axes_; }
  /// By the numbers of their cells, ascending.
  const std::map<std::size_t, Elite>& elites() const { return elites_; }
  /// Cells that there are.
  std::size_t size() const;
  /// Number of the cell of traits.
  std::size_t cell_of(const Vector& traits) const;
  /// Place along each axis of a cell.
  std::vector<int> place_of(std::size_t cell) const;

 private:
  std::vector<Axis> axes_;
  std::map<std::size_t, Elite> elites_;
};

}  // namespace promenade::search
