#pragma once

#include <array>
#include <span>
#include <vector>

#include "physics/constraints/touched_links.h"
#include "physics/tie.h"

// Private to physics/: bilateral rows, those of a tie solved together.
namespace promenade::physics {

inline constexpr int kMaxTieRows = 6;

/// One side of a tie.
struct TieSide {
  int at = -1;  // touched link; -1 where nothing moves: the world or a sleeping body
  std::array<Spatial, kMaxTieRows> along;  // velocity along each row
};

/// A tie in a step: as many rows as it holds directions.
struct TieBlock {
  Tie* tie = nullptr;
  int group = 0;                        // the first body of the group
  int count = 0;                        // rows
  int linear = 0;                       // of them: the first ones
  std::array<int, kMaxTieRows> slot{};  // where in Tie::impulse
  TieSide a, b;
  std::array<double, kMaxTieRows> impulse{};
  std::array<double, kMaxTieRows> give{};    // velocity for a unit impulse, by softness
  std::array<double, kMaxTieRows> wanted{};  // velocity without an impulse
  // Velocities of all rows for a unit impulse of each, softness included, as L D L^T: below the
  // diagonal L, on it 1 / D.
  std::array<std::array<double, kMaxTieRows>, kMaxTieRows> factor{};
  double gyration = 0;                      // m, converts angular rates to speeds
  double limit = 0;                         // N s, of the linear impulse; 0: none
  double turn_limit = 0;                    // N m s, of the angular one; 0: none
  std::array<Vec3, kMaxTieRows> direction;  // world, of forces and torques on a
};

struct TieRows {
  std::vector<TieBlock> blocks;  // by group

  void make_room(std::size_t ties) { blocks.reserve(ties); }
  /// Groups bodies that are tied.
  static void join(std::span<Tie* const> ties, TouchedLinks& links);
  void make(std::span<Tie* const> ties, const StepSettings& settings, TouchedLinks& links);
  /// The impulses of the last step.
  static void start_warm(const TieBlock& block, TouchedLinks& links);
  /// One step of Gauss-Seidel. @return the greatest change of a velocity, m/s
  static double solve(TieBlock& block, TouchedLinks& links);
  /// Adds to the links' impulses and writes into the ties their forces and whether they broke.
  void finish(const StepSettings& settings, TouchedLinks& links);
};

}  // namespace promenade::physics
