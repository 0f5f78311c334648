#pragma once

#include "control/ahead/features.h"
#include "control/ahead/ground_view.h"

namespace promenade::control::ahead {

/// The ground that feet go by on a way: where a board lies, which is stepped over, the ground
/// before it.
struct PathGround {
  const GroundView& view;
  const Features& features;
  double margin = 0;  // m, before and behind a board, that count as a part of it

  /// The board at a point; null: none.
  const Feature* board_at(const Vec2& at) const {
    for (const Feature& board : features.of(FeatureKind::kBoard)) {
      if (board.holds(features.along(at), margin)) return &board;
    }
    return nullptr;
  }
  /// m
  double height(const Vec2& at) const {
    const Feature* board = board_at(at);
    return board ? board->base : view.height(at);
  }
};

}  // namespace promenade::control::ahead
