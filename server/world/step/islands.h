#pragma once

#include <Eigen/Geometry>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace promenade::world {

/// Groups boxes that overlap, directly or through others, by sweep and prune along x and
/// union-find. Allocates only for more boxes than there ever were.
class Islands {
 public:
  /// @param boxes  world bounds, already inflated by how far things may move; an empty box is left
  ///               out
  /// @param joined pairs that are in one island whatever their boxes: tied bodies, or a
  ///               sleeper and a body that may touch it. They take part even if their box is
  ///               empty
  using Pair = std::pair<std::uint32_t, std::uint32_t>;
  void build(std::span<const Eigen::AlignedBox3d> boxes, std::span<const Pair> joined = {});

  int count() const { return int(start_.size()) - 1; }
  /// Members in ascending order. Islands are sorted by size, largest first, then by first member.
  std::span<const std::uint32_t> members(int island) const {
    const auto i = std::size_t(island);
    return {members_.data() + start_[i], start_[i + 1] - start_[i]};
  }

 private:
  std::uint32_t find(std::uint32_t i);
  void join(std::uint32_t a, std::uint32_t b);

  std::vector<std::uint8_t> in_;
  std::vector<std::uint32_t> by_x_, parent_, size_, root_order_, place_, members_;
  std::vector<std::uint32_t> start_{0};
};

}  // namespace promenade::world
