#pragma once

#include "behaviour/behaviour.h"

namespace promenade::behaviour {

/// Does what it was told last: a velocity, a heading, or to stand. The visitor who steers the
/// character decides where it goes; it only stops short of other characters. Things are pushed.
class Direct final : public Behaviour {
 public:
  struct Order {
    double speed = 0;  // m/s, forward; 0: it stands
    void visit(StateVisitor& state) { state(speed); }
  };

  /// Stands, facing `heading`.
  explicit Direct(double heading) : heading_(heading) {}
  /// Stands or walks, facing as it starts.
  Direct(const Order& order, const Start& start);

  /// Walks at `velocity` in the frame of the desired heading, which stays.
  void walk_in_character_frame(const Vec2& velocity);
  /// Walks at `velocity` in the world; faces the way it goes until set_heading.
  void walk_in_world(const Vec2& velocity);
  /// Faces `heading` from now on, whatever way it goes; a world velocity stays one.
  void set_heading(double heading);
  void stand();
  bool stands() const { return stand_; }

  control::Goal update(const Self& self, const Surroundings& around, double dt) override;
  void relocated(const Self& self) override;
  void visit(StateVisitor& state) override;

 private:
  Vec2 short_of_others(const Self& self, const Surroundings& around, const Vec2& velocity) const;

  Vec2 velocity_ = Vec2::Zero();
  double heading_;
  bool in_world_ = false;
  bool face_travel_ = false;
  bool stand_ = true;
  bool turning_ = false;
};

}  // namespace promenade::behaviour
