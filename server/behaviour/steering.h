#pragma once

#include "behaviour/avoidance.h"
#include "behaviour/behaviour.h"
#include "math/state.h"

namespace promenade::behaviour {

/// Turns a wanted velocity, which may jump, into a goal that a walker can follow. The course turns
/// into the direction of travel at a limited rate, more slowly where that is far round. The speed
/// changes at a limited rate and is lower while the walker faces elsewhere, so that it walks curves
/// instead of braking, turning and starting again.
/// Law: speed = |velocity| max(kTurningShare, cos(0.7 e)), e the angle from the heading to the
///      direction of travel
class Course {
 public:
  /// Starts afresh: from where the walker faces and how fast it goes.
  void reset() { started_ = false; }
  /// @param velocity  m/s, world; where it is too slow to have a direction the course stays
  /// @param distance  m, to what is aimed at
  control::Goal follow(const Vec2& velocity, const Self& self, double dt, double distance);
  void visit(StateVisitor& state) { state(started_, heading_, speed_); }

 private:
  bool started_ = false;
  double heading_ = 0;  // rad
  double speed_ = 0;    // m/s
};

/// Turns the velocity that a crowd has chosen into a goal. Unlike Course it keeps that velocity, so
/// that the crowd can rely on it: the walker steps aside at once and turns into the way it goes
/// meanwhile.
class CrowdCourse {
 public:
  void reset() { started_ = false; }
  /// @param velocity  m/s, world
  control::Goal follow(const CrowdChoice& choice, const Self& self, double dt);
  void visit(StateVisitor& state) { state(started_, heading_); }

 private:
  bool started_ = false;
  double heading_ = 0;  // rad
};

/// Walks at a wished velocity and keeps clear of others: by its own choice, or by its crowd's.
class Steering {
 public:
  /// @param stagger  0 to 1, see Avoidance
  explicit Steering(double stagger = 0) : avoidance_(stagger) {}
  /// @param wish      m/s, world
  /// @param distance  m, to what is aimed at
  control::Goal steer(const Vec2& wish, const Self& self, const Surroundings& around, double dt,
                      double distance);
  const Vec2& wish() const { return wish_; }
  void reset();
  void visit(StateVisitor& state);

 private:
  Vec2 wish_ = Vec2::Zero();
  Avoidance avoidance_;
  Course course_;
  CrowdCourse crowd_course_;
};

/// Goal to stand facing `heading`. Far off it the character first turns on the spot, stepping.
/// @param turning  in and out: whether a turn is under way (starts at 12 degrees, ends at 5)
control::Goal goal_to_stand(double present_heading, double heading, bool& turning);

}  // namespace promenade::behaviour
