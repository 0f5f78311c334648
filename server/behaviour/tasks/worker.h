#pragma once

#include <optional>
#include <vector>

#include "behaviour/behaviour.h"
#include "behaviour/tasks/approach.h"
#include "behaviour/tasks/box_sides.h"
#include "behaviour/tasks/hand_path.h"
#include "behaviour/tasks/task.h"
#include "behaviour/tasks/workplace.h"

namespace promenade::behaviour::tasks {

inline constexpr int kMostTries = 3;  // of one task, before it is given up
inline constexpr int kMostDrops = 3;  // of what one task is to carry, likewise

/// What is carried between both hands.
struct Carried {
  ThingId thing = 0;                                      // 0: nothing
  std::array<Vec3, 2> grip{Vec3::Zero(), Vec3::Zero()};   // where, frame of its first link
  std::array<Vec3, 2> place{Vec3::Zero(), Vec3::Zero()};  // of the palms, from the chest
  double mass = 0;                                        // kg
  double yaw = 0;                                         // rad, of the thing against the carrier
  double ahead = 0;     // m, that the carrier needs more room because of it
  bool handed = false;  // taken over from somebody, not held by its middle: it hangs askew

  void visit(StateVisitor& state) { state(thing, grip, place, mass, yaw, ahead, handed); }
};

/// What was put down, until it is seen to rest there.
struct PutThing {
  ThingId thing = 0, on = 0;    // on: what it was put on, if that was named
  Vec3 place = Vec3::Zero();    // m, world, of the middle of its underside
  Vec3 support = Vec3::Zero();  // m, where the first link of `on` was then

  void visit(StateVisitor& state) { state(thing, on, place, support); }
};

/// Does one task after another: walks to things, reaches, grips, lifts, carries, pushes. Each skill
/// is the walk plus places for the hands, so that none depends on body or style.
/// Source: Coros2010 §5.4
class Worker final : public Behaviour {
 public:
  /// @pre at most kMostTasks
  explicit Worker(std::vector<Task> tasks = {}, bool repeat = false, double stagger = 0);

  void append(const std::vector<Task>& tasks);
  /// Replaces the list, of which `first` is begun; where that one is under way, it goes on. What is
  /// carried stays in the hands; what is pushed or pulled by another task is let go.
  /// @pre first <= tasks.size()
  void replace(std::vector<Task> tasks, bool repeat, std::size_t first = 0);

  /// Takes part in a list that several share: it does what it is given, one task at a time.
  void share();
  bool shares() const { return shares_; }
  /// Gives it one task of such a list; none: what it has there is taken from it.
  void take(const Task* task);
  /// It stays out of the way of others, at about that place, until it may set to work; none: it may
  /// now. What it has begun with its hands it goes on with.
  void wait_at(const std::optional<Vec2>& place);
  bool has_work() const { return current_ < tasks_.size(); }
  /// It has what it is to carry, and is about to bring it to its place.
  bool places() const {
    return has_work() && tasks_[current_].kind == TaskKind::kCarry && placing_;
  }
  /// It has come to where it works.
  bool at_work() const { return has_work() && stage_ > 1; }

  control::Goal update(const Self& self, const Surroundings& around, double dt) override;
  void relocated(const Self& self) override;
  Vec2 wish() const override { return approach_.wish(); }
  void append_path(std::vector<Vec2>& out) const override;
  void visit(StateVisitor& state) override;

  /// Orders of the last update, for whoever can grip. They are taken once.
  std::array<HandOrder, 2> take_orders();
  /// News of the last update, likewise.
  TaskNews take_news();
  /// What it is at work on, as of the last update: carries, or has set about taking hold of.
  const Claim& claim() const { return claim_; }
  /// How far it is with handing over or taking over, as of the last update.
  const Handing& handing() const { return handing_; }
  /// Who is to take something from it, and should be told if there is nothing else to do; 0:
  /// nobody.
  ThingId asks() const;
  Takes takes_from(ThingId giver) const;
  /// What it has between both hands; 0: nothing.
  ThingId carries() const { return carried_.thing; }
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
  /// What is reached for, of one hand or of both.
  struct Reached {
    std::array<Vec3, 2> at{Vec3::Zero(), Vec3::Zero()};     // m, of the palms
    std::array<Vec3, 2> moves{Vec3::Zero(), Vec3::Zero()};  // m/s
    Vec3 middle = Vec3::Zero();                             // of the hands that reach
    Vec2 velocity = Vec2::Zero();                           // m/s, of that, level
    bool follows = false;                                   // it moves
  };
  bool uses_hands() const;
  control::Goal rest(const Now& now);
  control::Goal work(const Now& now, const Task& task);
  control::Goal go_to(const Now& now, const Task& task);
  control::Goal reach(const Now& now, const Task& task);
  control::Goal pick_up(const Now& now, const Task& task);
  control::Goal put_down(const Now& now, const Task& task);
  const char* choose_place(const Now& now, const Task& task, const ThingSeen& thing);
  control::Goal lower(const Now& now, const Task& task, const ThingSeen& thing);
  control::Goal see_it_rest(const Now& now);
  double in_step(const Now& now, const std::array<Vec3, 2>& ends);
  bool too_low(const Now& now, const Vec3& middle, double apart) const;
  control::Goal withdraw(const Now& now);
  bool free_ahead(const Now& now, ThingId except) const;
  control::Goal step_back(const Now& now) const;
  bool stepped_back(const Now& now) const;
  control::Goal carry_there(const Now& now, const Task& task);
  control::Goal wait(const Now& now);
  void pick_up_again();
  control::Goal hand_over(const Now& now, const Task& task);
  control::Goal take_over(const Now& now, const Task& task);
  control::Goal wait_for_giver(const Now& now, const Task& task);
  const char* why_not_handed(const Now& now, const SomebodySeen& taker) const;
  void place_before(const Now& now, const SomebodySeen& taker);
  void choose_grips_opposite(const Now& now, const ThingSeen& thing);
  void draw_near(const Now& now, double dt, control::Goal* goal);
  bool bring_hands(const Now& now, const ThingSeen& thing, ThingId id, bool beside,
                   control::Goal* goal);
  control::Goal move_thing(const Now& now, const Task& task);
  control::Goal drive(const Now& now, const ThingSeen& thing, const Task& task);
  control::Goal come_to_rest(const Now& now, const ThingSeen& thing, const Task& task);
  std::array<Vec3, 2> haul(const Now& now, const ThingSeen& thing, const Vec2& velocity,
                           double rate, double pull_up);
  void hold_on(const Now& now, const ThingSeen& thing, int side, double share,
               control::HandGoal* hand);
  bool is_there(const ThingSeen& thing, const Task& task, double near, double turned) const;
  bool slipped(const Now& now, const Task& task) const;
  Vec3 before_chest(const Now& now, int side) const;
  const char* why_not_taken(const Now& now, const ThingSeen& thing, ThingId id, double force) const;
  void note_claim(double dt);
  control::Goal sit_out(const Now& now, const Task& task);
  void set_out(const Now& now, Approach::Manner manner = Approach::Manner::kExactly);
  bool takes_too_long(const Now& now, const Task& task) const;
  control::Goal approach(const Now& now, double speed, ThingId except);
  bool turns_before_something(const Now& now) const;
  bool crosses(const Now& now, double heading) const;
  bool go_round(const Now& now, const Neighbour& thing, Stand* stand) const;
  control::Goal stand_here(const Now& now) const;
  void carry(const Now& now, control::Goal* goal) const;
  bool choose_side(const Now& now, const ThingSeen& thing, Stand* stand,
                   std::array<Vec3, 2>* grip) const;
  bool choose_hold(const Now& now, const ThingSeen& thing, const Task& task);
  void hold_before(const Now& now, const ThingSeen& thing, double least);
  HandOrder grip_here(const Now& now, int side, ThingId id, const ThingSeen& thing) const;
  void choose_hand(const Now& now, const Task& task, const ThingSeen& thing);
  void choose_points(const Now& now, const Task& task, const ThingSeen& thing);
  void choose_two_sides(const Now& now, const ThingSeen& thing);
  bool free_to_stand(const Now& now, const Vec2& feet, const Vec2& ahead) const;
  double distance_before(const Now& now, const ThingSeen& thing, const BoxSide& side,
                         double aside) const;
  const char* why_not_reached(const Now& now, const Task& task, const Vec3& at) const;
  void stand_for_reach(const Now& now, const Reached& reached);
  Reached reached(const Task& task, const ThingSeen& thing) const;
  control::Goal come_to_reach(const Now& now, const Task& task, const ThingSeen& thing,
                              const Reached& to);
  control::Goal follow(const Now& now, const Reached& reached);
  void next_stage() {
    ++stage_;
    clock_ = 0;
  }
  void let_go();
  void again();
  void begin_task();
  void done(double error);
  void failed(const char* why);
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
  PutThing put_;
  Claim claim_;
  Handing handing_;
  bool placing_ = false;  // kCarry: it is picked up
  int drops_ = 0;         // kCarry: so many times it was lost on the way
  bool shares_ = false, waits_ = false, waiting_ = false;
  Vec2 wait_place_ = Vec2::Zero(), waits_near_ = Vec2::Zero();
  Vec2 seen_ = Vec2::Zero();   // m, where a thing stood when the place before it was chosen
  Vec2 drift_ = Vec2::Zero();  // m/s, of what is reached for, without the swing of single steps
  double way_ = 0;             // m, that there was to go
  // s, that a palm has been at its point, or that a thing has rested; m, that one is drawn near
  double settled_ = 0;
  double missed_ = 0;  // m, by which what was moved or reached for is beside its place
  double least_ = 0;   // m, that a thing that is moved has been from its goal
  double stuck_ = 0;   // s, since it came no nearer; that it has gone after something
  double reach_ = 0;   // m, from who moves it, or has it between both palms, to its middle
  double askew_ = 0;   // rad, by which who moves it was turned from the way
  double beside_ = 0;  // m, to the left of the way on which it goes
  double lifted_ = 0;  // N, of its weight, that the hands hold up
  std::array<Vec3, 2> exerts_{Vec3::Zero(), Vec3::Zero()};  // N, of the hands, world
  double yaw_ = 0;            // rad, of the way towards the side that is held, against the thing
  double cross_heading_ = 0;  // rad, in which it steps over something or onto it
  bool crossing_ = false;
  double rest_heading_ = 0;
  bool turning_ = false, rests_ = false;
  std::array<HandOrder, 2> orders_;
  TaskNews news_;
};

}  // namespace promenade::behaviour::tasks
