#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "behaviour/crowd/half_planes.h"

namespace promenade::behaviour::crowd {

/// Laws of a crowd's avoidance.
struct AvoidanceLaw {
  float range = 5;          // m, others further away do not matter
  int neighbours = 10;      // at most, the nearest; up to 32
  float horizon = 3;        // s, ahead, for others
  float wall_horizon = 1;   // s, for walls
  float step = 0.05f;       // s, between decisions
};

/// A wall: a line from a to b, m.
struct Wall {
  Vec2f a, b;
};

/// A crowd on the ground: discs that choose their velocities together. Arrays of one entry a
/// walker; positions and velocities are the caller's to move on.
class Walkers {
 public:
  struct Disc {
    Vec2f position = Vec2f::Zero();   // m
    Vec2f velocity = Vec2f::Zero();   // m/s, now
    Vec2f preferred = Vec2f::Zero();  // m/s
    float radius = 0.25f;             // m
    float fastest = 1.6f;             // m/s
    float share = 0.5f;               // of an evasion; 0: goes its way, 1: the others' way
  };

  explicit Walkers(const AvoidanceLaw& law) : law_(law) {}

  std::vector<Disc>& discs() { return discs_; }
  const std::vector<Disc>& discs() const { return discs_; }
  void set_walls(std::vector<Wall> walls);

  /// Sorts the crowd by place. Allocates nothing once it has been as large.
  void sort();
  /// Chooses new velocities for some, in any order and by several threads at once. @pre sort()
  /// @param first, count  of the places that sort() gave
  /// @param out           [crowd] m/s, by index in discs()
  void choose(std::size_t first, std::size_t count, std::span<Vec2f> out) const;

 private:
  struct Near {
    float distance2;
    std::uint32_t place;
  };
  int find_near(std::uint32_t place, std::span<Near> near) const;
  std::size_t walls_near(const Disc& self, std::span<HalfPlane> planes) const;

  AvoidanceLaw law_;
  std::vector<Disc> discs_;
  std::vector<Disc> sorted_;           // by cell
  std::vector<std::uint32_t> index_;   // [crowd] of sorted_ in discs_
  std::vector<std::uint32_t> cell_;    // [crowd] of discs_
  std::vector<std::uint32_t> begin_;   // [cells + 1] into sorted_
  Vec2f corner_ = Vec2f::Zero();       // of the grid, m
  float size_ = 1;                     // m, of a cell
  int columns_ = 1, rows_ = 1;
  std::vector<Wall> walls_;
};

}  // namespace promenade::behaviour::crowd
