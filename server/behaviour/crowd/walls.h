#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "behaviour/behaviour.h"
#include "behaviour/crowd/half_planes.h"

namespace promenade::behaviour::crowd {

/// Obstacles that stand and cannot be walked through: convex outlines, walls without thickness,
/// posts. A grid finds the ones near a place in time that does not grow with their number. Part of
/// the scene, not of the state.
class Walls {
 public:
  /// Adds the convex hull of some points: two are a wall without thickness, one is a post. A
  /// concave outline is added in convex parts, which may touch or overlap. Points that are not
  /// finite are left out.
  void add(std::span<const Vec2f> points);
  void add(const Vec2f& from, const Vec2f& to);
  void add(const Obstacle& obstacle);
  /// Makes the grid. @pre called after the last add() and before near()
  /// @param reach  m, the greatest that near() will be asked for
  void build(float reach);

  /// An outline beside a place.
  struct Beside {
    std::uint32_t outline = 0;
    float distance = 0;  // m, from the nearest point of the outline; negative within it
    Vec2f away;          // unit vector from there to the place; out of it from within
  };
  /// Outlines within `reach`, nearest first, at most out.size(). Allocates nothing.
  std::size_t near(const Vec2f& place, float reach, std::span<Beside> out) const;
  /// Vertices of an outline, counter-clockwise.
  std::span<const Vec2f> vertices(std::uint32_t outline) const;
  std::size_t size() const { return outlines_.size(); }

 private:
  struct Outline {
    std::uint32_t first, count;
    Vec2f low, high;  // m, bounds
  };
  Beside beside(std::uint32_t outline, const Vec2f& place) const;

  std::vector<Vec2f> vertices_;
  std::vector<Outline> outlines_;
  Vec2f corner_ = Vec2f::Zero();  // of the grid, m
  float size_ = 1;                // m, of a cell
  int columns_ = 0, rows_ = 0;
  std::vector<std::uint32_t> begin_;  // [cells + 1] into listed_
  std::vector<std::uint32_t> listed_;
};

/// The velocities with which a disc does not reach a convex outline within `horizon` s at a
/// constant velocity: the half-plane at the edge of the velocity obstacle, nearest to the present
/// velocity. Standing still is always allowed.
/// Source: van den Berg et al. 2011, §4.3. An outline's velocity obstacle is convex, so every line
///   that supports it is a fair border; of these it is the one of least change. They treat each
///   edge by itself.
/// @param outline  [1 or more] m, counter-clockwise, convex; the disc's centre is at least `radius`
///                 away from it
HalfPlane avoid_outline(std::span<const Vec2f> outline, const Vec2f& place, float radius,
                        const Vec2f& velocity, float horizon);

}  // namespace promenade::behaviour::crowd
