#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "behaviour/route/route_tree.h"

namespace promenade::behaviour::route {

/// The routes of a scene: a map for each class of radii, a tree for each goal, made when first
/// asked for. One thread at a time may ask it; the trees that it gives may be used from any. A copy
/// shares what was made so far.
class Routes {
 public:
  static constexpr double kClass = 0.05;          // m between two classes of radii
  static constexpr std::size_t kMostTrees = 512;  // trees; the one unused for longest goes

  Routes(std::span<const Obstacle> obstacles, std::span<const Wall> walls);

  /// For walkers of up to this radius: that of the class above it.
  std::shared_ptr<const RouteMap> map(double radius);
  std::shared_ptr<const RouteTree> to(const Vec2& goal, double radius);
  std::size_t tree_count() const { return trees_.size(); }

 private:
  struct Kept {
    Vec2 goal;
    std::uint32_t radius_class;
    std::uint64_t asked;  // the number of the last question
    std::shared_ptr<const RouteTree> tree;
  };
  static std::uint32_t class_of(double radius);

  std::vector<Obstacle> obstacles_;
  std::vector<std::pair<std::uint32_t, std::shared_ptr<const RouteMap>>> maps_;
  std::vector<Kept> trees_;
  std::uint64_t questions_ = 0;
};

}  // namespace promenade::behaviour::route
