#pragma once

#include "behaviour/tasks/parts/approach.h"
#include "behaviour/tasks/parts/carried.h"

namespace promenade::behaviour::tasks {

/// The way to where somebody is to stand: round things that are between, straight on over edges of
/// the ground, and slower with a load.
class Walk {
 public:
  /// @param stagger  0 to 1, see Avoidance
  explicit Walk(double stagger) : approach_(stagger) {}

  /// Where it is to stand.
  Stand& stand() { return stand_; }
  const Stand& stand() const { return stand_; }
  /// Another task begins.
  void begin_task();
  /// The task begins again.
  void begin_again() { approach_.begin(); }
  /// Begins the way to `stand()`.
  void set_out(const Now& now, Approach::Manner manner = Approach::Manner::kExactly);
  /// Walks to `stand()`. The thing that it is about does not stand in the way, but it is not walked
  /// into either: who has to get to its other side goes round it, as round all things.
  /// @param speed   m/s, asked for; 0: one that suits
  /// @param except  that thing; 0: none
  control::Goal update(const Now& now, const Carried& carried, double speed, ThingId except);
  /// It has been on its way for longer than anybody would need who can get there.
  /// @param speed  m/s, asked for; 0: one that suits
  /// @param since  s, since it set out
  bool takes_too_long(const Now& now, double speed, double since) const;

  bool arrived() const { return approach_.arrived(); }
  bool near() const { return approach_.near(); }
  /// m, from the feet to the place, as of the last update.
  double missing() const { return approach_.missing(); }
  const Vec2& wish() const { return approach_.wish(); }
  void visit(StateVisitor& state);

 private:
  control::Goal walk_among(const Now& now, const Carried& carried, const Stand& stand, double speed,
                           std::span<const Neighbour> neighbours);
  void cross_edges(const Now& now, double speed, control::Goal* goal);
  bool turns_before_something(const Now& now, const Carried& carried) const;
  bool crosses(const Now& now, double heading) const;
  bool go_round(const Now& now, const Carried& carried, const Neighbour& thing, Stand* stand) const;

  Stand stand_;
  Approach approach_;
  double way_ = 0;            // m, that there was to go
  double cross_heading_ = 0;  // rad, in which it steps over something or onto it
  bool crossing_ = false;
};

}  // namespace promenade::behaviour::tasks
