#pragma once

#include <vector>

#include "behaviour/behaviour.h"
#include "behaviour/tasks/approach.h"
#include "behaviour/tasks/hand_path.h"
#include "behaviour/tasks/task.h"
#include "behaviour/tasks/workplace.h"

namespace promenade::behaviour::tasks {

inline constexpr int kMostTries = 3;  // of one task, before it is given up

/// What is carried between both hands.
struct Carried {
  ThingId thing = 0;                                      // 0: nothing
  std::array<Vec3, 2> grip{Vec3::Zero(), Vec3::Zero()};   // where, frame of its first link
  std::array<Vec3, 2> place{Vec3::Zero(), Vec3::Zero()};  // of the palms, from the chest
  double mass = 0;                                        // kg
  double yaw = 0;                                         // rad, of the thing against the carrier

  void visit(StateVisitor& state) { state(thing, grip, place, mass, yaw); }
};

/// Does one task after another: walks to things, reaches, grips, lifts, carries, pushes. Each skill
/// is the walk plus places for the hands, so that none depends on body or style.
/// Source: Coros2010 §5.4
class Worker final : public Behaviour {
 public:
  /// @pre at most kMostTasks
  Worker(std::vector<Task> tasks, bool repeat, double stagger = 0);

  void append(const std::vector<Task>& tasks);
  /// Replaces the list, of which `first` is begun; where that one is under way, it goes on. What is
  /// carried stays in the hands; what is pushed or pulled by another task is let go.
  /// @pre first <= tasks.size()
  void replace(std::vector<Task> tasks, bool repeat, std::size_t first = 0);

  control::Goal update(const Self& self, const Surroundings& around, double dt) override;
  void relocated(const Self& self) override;
  Vec2 wish() const override { return approach_.wish(); }
  void append_path(std::vector<Vec2>& out) const override;
  BehaviourKind kind() const override { return BehaviourKind::kTasks; }
  void visit(StateVisitor& state) override;

  /// Orders of the last update, for whoever can grip. They are taken once.
  std::array<HandOrder, 2> take_orders();
  /// News of the last update, likewise.
  TaskNews take_news();
  /// What it is at work on, as of the last update: carries, or has set about taking hold of.
  const Claim& claim() const { return claim_; }
  const std::vector<Task>& tasks() const { return tasks_; }
  std::size_t current() const { return current_; }
  bool repeats() const { return repeat_; }

 private:
  struct Now {
    const Self& self;
    const Surroundings& around;
    const Workplace& place;
    BodySeen body;
    double dt;
  };
  control::Goal rest(const Now& now);
  control::Goal work(const Now& now, const Task& task);
  control::Goal go_to(const Now& now, const Task& task);
  control::Goal reach(const Now& now, const Task& task);
  control::Goal pick_up(const Now& now, const Task& task);
  control::Goal put_down(const Now& now, const Task& task);
  control::Goal withdraw(const Now& now, const Task& task);
  control::Goal move_thing(const Now& now, const Task& task);
  std::array<Vec2, 2> haul(const Now& now, const ThingSeen& thing, const Vec2& velocity,
                           double rate, double pull_up);
  const char* why_not_taken(const Now& now, const ThingSeen& thing, ThingId id, double force) const;
  void note_claim(double dt);
  control::Goal sit_out(const Now& now, const Task& task);
  void set_out(const Now& now, bool passes = false);
  bool takes_too_long(const Now& now, const Task& task) const;
  control::Goal approach(const Now& now, double speed, ThingId except);
  control::Goal stand_here(const Now& now) const;
  void carry(const Now& now, control::Goal* goal) const;
  bool choose_side(const Now& now, const ThingSeen& thing, Stand* stand,
                   std::array<Vec3, 2>* grip) const;
  bool choose_hold(const Now& now, const ThingSeen& thing, const Task& task);
  void hold_before(const Now& now, const ThingSeen& thing, double least);
  HandOrder grip_here(const Now& now, int side, ThingId id, const ThingSeen& thing) const;
  void choose_hand(const Now& now, const Task& task, const Vec3& at);
  void next_stage() {
    ++stage_;
    clock_ = 0;
  }
  void let_go();
  void again();
  void done(const Task& task, double error);
  void failed(const Task& task, const char* why);
  void next_task();

  std::vector<Task> tasks_;
  bool repeat_ = false;
  std::size_t current_ = 0;
  int stage_ = 0;     // of the task
  double clock_ = 0;  // s, in that stage
  int tries_ = 0;
  Stand stand_;
  Approach approach_;
  std::array<HandPath, 2> path_;
  std::array<Vec3, 2> grip_{Vec3::Zero(), Vec3::Zero()};  // where the hands go: frame of the thing
  std::array<bool, 2> uses_{false, false};                // which hands
  Carried carried_;
  Claim claim_;
  Vec2 seen_ = Vec2::Zero();  // m, where a thing stood when the place before it was chosen
  double way_ = 0;            // m, that there was to go
  double settled_ = 0;        // s, that a palm has been at its point; m, that a thing is drawn near
  double missed_ = 0;         // m, by which something was put down beside its place
  double least_ = 0;          // m, that a thing that is moved has been from its goal
  double stuck_ = 0;          // s, since it came no nearer
  double reach_ = 0;          // m, from who moves it to its middle
  double askew_ = 0;          // rad, by which who moves it was turned from the way
  double beside_ = 0;         // m, to the left of the way on which it goes
  double yaw_ = 0;            // rad, of the way towards the side that is held, against the thing
  double rest_heading_ = 0;
  bool turning_ = false, rests_ = false;
  std::array<HandOrder, 2> orders_;
  TaskNews news_;
};

}  // namespace promenade::behaviour::tasks
