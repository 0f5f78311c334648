#pragma once

#include <Eigen/Geometry>
#include <algorithm>
#include <memory>
#include <span>
#include <vector>

#include "world/entity/occupants.h"
#include "world/room/tick_view.h"
#include "world/showing/kept_roster.h"
#include "world/sleep/sleep.h"
#include "world/step/islands.h"
#include "world/step/stepping.h"
#include "world/ties/room_tie.h"

namespace promenade::world {

/// The ties, grips and drags of a room. Those whom a tie holds wake when it begins or ends, and
/// come into the physics; the roster, which names ties, changes then, too.
class Ties {
 public:
  /// A hand that holds a thing.
  struct HandGrip {
    Anchor hand, thing;
    double stiffness;     // N/m
    double limit;         // N, of the force
    double turn_damping;  // N m s, of the wrist
    double turn_limit;    // N m, of its torque
  };

  /// @param occupants  those whom ties hold
  /// @param sleep      of these
  Ties(Occupants& occupants, Sleep& sleep, KeptRoster& roster)
      : occupants_(occupants), sleep_(sleep), roster_(roster) {}

  const IdList<RoomTie>& all() const { return all_; }
  bool empty() const { return all_.empty(); }
  std::size_t size() const { return all_.size(); }
  TieId next_id() const { return next_id_; }
  TieId first_id() const { return first_id_; }  // of the scene's own ties
  /// Whether any tie has an end at it.
  bool is_tied(CharacterId id) const;
  /// Whether a grip, tie or drag acts on it, besides those of its own body.
  bool is_held(CharacterId id) const;

  // A room begins anew.
  void clear() { all_.clear(); }
  /// The next tie gets this id. @pre it is above all others
  void number_from(TieId next) { next_id_ = next; }
  /// The scene's own ties come now.
  void begin_scene() { first_id_ = next_id_; }
  /// Takes over ties that were saved. Their ends point to the occupants already.
  void restore(IdList<RoomTie> saved, TieId first, TieId next);

  // A tie begins. @pre the bodies of its ends are there
  TieId add(const Grip& grip, const TickView& now);
  TieId add(const AddTie& wanted, bool of_scene, const TickView& now);
  /// Adds the ties by which the file of a body closes its loops.
  void add_own(const Occupant& one, const TickView& now);
  void drag(Occupant& one, int link, const Vec3& point, const Vec3& target, double max_force,
            const TickView& now);
  void grip(const HandGrip& wanted, const TickView& now);

  // A tie ends, or holds again.
  /// @return whether there was such a tie or grip
  bool release(TieId id);
  /// The scene's ties are laid aside; the others end.
  void release_all(CharacterId id);
  /// Releases as release_all() does, but the ties of the scene stay.
  void end_loose(CharacterId id);
  void end_drag(CharacterId id);
  /// Ends those of its own body, for another body to come.
  void end_own(CharacterId id);
  /// No tie of the scene to it is kept, either: it leaves for good.
  void forget(CharacterId id);
  /// What holds a character that has a new body goes on at the links of the same names. Where there
  /// is no such link it lets go, for good: a reset brings back no tie to a link that is not there.
  void carry_over(const Entity& e, const Creature& before);
  /// The own ties of a body that stands in its rest pose again hold again.
  void bring_back_own(CharacterId id);
  /// The scene's ties that are over hold again: those of a thing to itself and to the world; of
  /// id 0, all.
  void bring_back(CharacterId id);

  // Hands of those who do tasks.
  /// @param link  of the hand
  void let_go(CharacterId id, int link);
  /// Ends the grips of hands for which slipped(const RoomTie&) is true.
  template <typename Slipped>
  void let_slip(Slipped&& slipped) {
    end_and_wake(
        [&](const RoomTie& tie) { return tie.source == RoomTie::Source::kHand && slipped(tie); });
  }
  /// Sets the rates at which wrists turn.
  /// @param rate  rate(const RoomTie&), rad/s, of one hand's grip
  template <typename Rate>
  void turn_wrists(Rate&& rate) {
    for (RoomTie* tie : all_) {
      if (tie->source != RoomTie::Source::kHand || tie->over) continue;
      tie->tie.turn_rate = rate(std::as_const(*tie));
    }
  }

  // The physics of a tick.
  /// Adds the pairs of places that are tied, where one of the two moves.
  /// @param boxes  [places] of the bodies that move; empty for others
  void join(std::span<const Eigen::AlignedBox3d> boxes, std::vector<Islands::Pair>& joined) const;
  /// Finds the ties that act in this tick, once its islands are known.
  void share_out();
  /// As share_out() found them, by island.
  std::span<const ActiveTie> active() const { return active_; }
  /// Lays aside or removes those that broke in this tick, and ends drags that nobody goes on with.
  void look_after(std::uint64_t tick, std::vector<RoomEvent>& events);

 private:
  physics::TieEnd end_of(const Anchor& anchor);
  RoomTie& hold(const Anchor& a, const Anchor& b, const TickView& now);
  RoomTie& add_tie(const AddTie& wanted, bool of_scene, const TickView& now);
  void hold_again(RoomTie& tie);
  void wake_ends(const RoomTie& tie);
  /// Ends those for which ends(const RoomTie&) is true; the bodies at their ends wake.
  template <typename Ends>
  void end_and_wake(Ends&& ends) {
    for (const RoomTie* tie : all_) {
      if (ends(*tie)) wake_ends(*tie);
    }
    if (all_.erase_if([&](const RoomTie* tie) { return ends(*tie); }) > 0) roster_.changed();
  }

  Occupants& occupants_;
  Sleep& sleep_;
  KeptRoster& roster_;
  IdList<RoomTie> all_;
  TieId next_id_ = 1, first_id_ = 1;
  std::vector<ActiveTie> active_;
};

}  // namespace promenade::world
