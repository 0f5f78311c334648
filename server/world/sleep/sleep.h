#pragma once

#include <Eigen/Geometry>
#include <cstdint>
#include <vector>

#include "world/entity/occupants.h"
#include "world/room/tick_view.h"
#include "world/sleep/sleepers.h"
#include "world/step/islands.h"

namespace promenade::world {

struct RoomTie;

/// Which things of a room sleep. Each falls asleep by itself once it and all that it lies on are at
/// rest, so that a heap comes to rest from below; it wakes when it is disturbed or when a thing
/// that it lies on wakes. It changes nothing but the sleep of the things that it was made for.
class Sleep {
 public:
  explicit Sleep(Occupants& occupants) : occupants_(occupants) {}

  /// Something has touched or moved it: a thing that sleeps wakes, and what lies on it.
  void wake(Occupant& one);
  /// It goes away at once: things that it may have touched wake.
  void wake_around(const Occupant& one);
  /// Bodies have come or gone, so that others have other places, or a sleeper was put elsewhere.
  void places_changed() { changed_ = true; }

  /// Joins sleepers to the islands of bodies near them, which touch them as they touch the ground.
  /// Things wake before it that lie on moving ground or that a fast body is about to hit.
  /// @param boxes   [places] of the bodies that move, inflated by how far they may; empty for
  ///                others. Those of things that wake are filled in.
  /// @param joined  pairs of places are added, of a body and a sleeper
  void join(const TickView& now, std::vector<Eigen::AlignedBox3d>& boxes,
            std::vector<Islands::Pair>& joined);

  // After the physics of a tick.
  /// @param islands  of this tick
  void wake_the_disturbed(const Islands& islands);
  /// Things that characters or hands hold may not sleep.
  void put_to_sleep(const Islands& islands, const IdList<RoomTie>& ties, std::uint64_t tick);

 private:
  /// The first thing stays where it is only while the second does.
  struct Support {
    std::uint32_t thing, on;  // indices of props
  };

  void build_sleepers();
  void wake_on_moving_ground(const TickView& now);
  void gather_awakened(std::vector<Eigen::AlignedBox3d>& boxes, std::vector<Islands::Pair>& joined);
  bool somebody_broke() const;
  void find_supports(const Islands& islands);
  void find_tied(const IdList<RoomTie>& ties);

  Occupants& occupants_;
  Sleepers sleepers_;
  bool changed_ = true;  // since the sleepers were built
  std::vector<Support> supports_;
  std::vector<std::uint8_t> may_sleep_, touched_by_;  // [props]
};

}  // namespace promenade::world
