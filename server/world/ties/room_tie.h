#pragma once

#include <cstdint>
#include <string>

#include "math/state.h"
#include "physics/tie.h"
#include "world/command/command.h"

namespace promenade::world {

/// A tie, grip or drag of a room. The ends of `tie` point to bodies of the room.
struct RoomTie {
  // kOwn: of the file of a body, whose loops it closes. kHand: a hand of `a`, doing a task, has
  // gripped `b`.
  enum class Source : std::uint8_t { kTie, kGrip, kDrag, kOwn, kHand };

  TieId id = 0;
  Source source = Source::kTie;
  std::string name;
  TieType type = TieType::kBall;
  CharacterId a = 0, b = 0;  // 0: the world
  bool of_scene = false;
  physics::Tie tie;
  bool over = false;          // of a scene: it broke or was released, and is back at the next reset
  std::uint64_t ends_at = 0;  // tick at which a drag ends; 0: it does not by itself

  /// It holds no more: one of the scene is kept. @return false: it is to be removed
  bool lay_aside();
  /// A hash of all that decides its future.
  std::uint64_t digest() const;
  /// Visits the same, except its name and the bodies that it holds.
  void visit(StateVisitor& state);
};

}  // namespace promenade::world
