#pragma once

#include "behaviour/steering.h"
#include "promenade/v1/task_parameters.pb.h"

namespace promenade::behaviour::tasks {

/// Where somebody is to stand.
struct Stand {
  Vec2 place = Vec2::Zero();
  double heading = 0;
  double short_by = 0;  // m, of a human, by which the feet may stay behind it; 0: as usual
};

/// Walks to a place and stands there, facing a way. Far off it steers clear of others; near by it
/// steps to the very place, forward, sideways or back.
class Approach {
 public:
  /// @param stagger  0 to 1, see Avoidance
  explicit Approach(double stagger = 0) : steering_(stagger) {}
  enum class Manner : std::uint8_t {
    kExactly,
    kPasses,   // the place is only on the way: it need not stand there, nor exactly there
    kRoughly,  // it stands somewhere there, and keeps clear of others until then
  };
  void begin(Manner manner = Manner::kExactly);
  /// @param feet   where the feet are, m
  /// @param speed  m/s, far off; 0: the cruise speed
  control::Goal update(const v1::ApproachParameters& p, const Stand& stand, const Vec2& feet,
                       bool standing, double speed, const Self& self, const Surroundings& around,
                       double dt);
  /// Stands there: the feet as near as it can bring them.
  bool arrived() const { return arrived_; }
  /// Steps to the very place.
  bool near() const { return near_; }
  /// m, from the feet to the place, as of the last update.
  double missing() const { return missing_; }
  /// m/s, world, where it would walk if nobody were in the way.
  const Vec2& wish() const { return steering_.wish(); }
  void visit(StateVisitor& state);

 private:
  control::Goal step_to(const v1::ApproachParameters& p, const Stand& stand, const Vec2& feet,
                        bool standing, const Self& self, double dt);

  Steering steering_;
  Manner manner_ = Manner::kExactly;
  bool near_ = false, resting_ = false, arrived_ = false;
  Vec2 feet_ = Vec2::Zero();  // m, their middle without the swing of single steps
  double missing_ = 0;
  double rest_ = 0;      // s, since it stands
  double near_for_ = 0;  // s
};

}  // namespace promenade::behaviour::tasks
