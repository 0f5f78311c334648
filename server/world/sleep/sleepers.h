#pragma once

#include <Eigen/Geometry>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace promenade::world {

/// The boxes of sleeping things, in a grid on the ground. It is rebuilt only when a thing falls
/// asleep, wakes or leaves, so thousands of sleepers cost nothing.
class Sleepers {
 public:
  struct Sleeper {
    std::uint32_t index;  // of the occupant
    Eigen::AlignedBox3d box;
  };
  void build(std::vector<Sleeper> sleepers);

  /// Appends (index, sleeper's index) for each sleeper whose box meets `box`, each once.
  void find(std::uint32_t index, const Eigen::AlignedBox3d& box,
            std::vector<std::pair<std::uint32_t, std::uint32_t>>& pairs) const;

 private:
  struct Entry {
    std::uint64_t cell;
    std::uint32_t sleeper;
  };
  std::vector<Sleeper> sleepers_;
  std::vector<Entry> entries_;       // by cell
  std::vector<std::uint32_t> wide_;  // sleepers that cover too many cells: tested each time
};

}  // namespace promenade::world
