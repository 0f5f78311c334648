#pragma once

#include <memory>
#include <optional>

#include "control/controller.h"
#include "control/gbwc/parameters.h"
#include "control/gbwc/states.h"
#include "control/gbwc/style.h"
#include "control/gbwc/walker_body.h"
#include "creature/biped/biped_state.h"

namespace promenade::control {

/// Generalized biped walking control: a motion generator over the phase of a step, pendulum foot
/// placement, velocity tuning and gravity compensation by Jacobian transposes, a pelvis servo
/// through the stance hip. Source: Coros2010 §3; docs/control.md tells where we depart from it.
class Gbwc final : public Controller, public Styled {
 public:
  /// @param plain  the style in which it does what Goal::plain asks for, and meets obstacles and
  ///               stairs; null: its own
  /// @pre biped_of(*body) is ok
  Gbwc(std::shared_ptr<const Creature> body, std::shared_ptr<const Style> style,
       std::shared_ptr<const GbwcParameters> parameters,
       std::shared_ptr<const Style> plain = nullptr);

  void set_style(std::shared_ptr<const Style> style) override {
    own_style_ = std::move(style);
    put_on_style();
  }
  Styled* styled() override { return this; }
  Manner manner() const override;
  /// Goes on in the same step: remembered lengths are scaled to the new body, and remembered places
  /// move with the centre of mass.
  /// @pre biped_of(*creature) is ok
  void set_creature(std::shared_ptr<const Creature> creature,
                    const physics::ArticulatedBody& state) override;

  void reset(const physics::ArticulatedBody& body, const Goal& goal) override;
  void resume(const GaitMoment& moment) override;
  GaitMoment moment() const override;
  /// Decides every 1/480 s, or in each step where steps are longer. In between it sums the loads of
  /// the feet and leaves the drives, so that its behaviour does not depend on how fine the steps
  /// are.
  void update(physics::ArticulatedBody& body, const physics::GroundNow& ground, const Goal& goal,
              double dt) override;
  const ControlReport& report() const override { return report_; }
  void visit(StateVisitor& state) override;

 private:
  struct Frame;  // what one decision computes once and its parts share

  struct Since {  // sums since the last decision
    double seconds = 0;
    int steps = 0;                  // of physics
    std::array<FootLoad, 2> loads;  // the sum over those steps
  };

  /// @param loads the mean of the time since the last decision
  /// @param dt    s, that time
  void decide(physics::ArticulatedBody& body, const physics::GroundNow& ground, const Goal& goal,
              const std::array<FootLoad, 2>& loads, double dt);

  void measure(std::shared_ptr<const Creature> body);
  const std::shared_ptr<const Style>& wanted_style() const;
  void put_on_style();
  void put_style_aside();
  void resume_style();
  // gait.cpp: when steps begin and end, commands smoothed.
  void follow_velocity(const Frame& f, const Goal& goal, double dt);
  void advance_phase(const Frame& f, double dt);
  void begin_step(const Frame& f, int stance);
  void go_on(Frame& f);
  void stand_or_go(const Frame& f, const Goal& goal, double dt);
  bool balanced(const Frame& f, double margin) const;
  double trouble_of(const Frame& f) const;
  double aside() const;  // share, 0 to 1, of a walk to the side
  double unrest() const;
  void feel_ground(const Frame& f, double dt);
  /// Moves along with ground that moves under `support`, m.
  void ride(Frame& f, const Vec3& support, double dt);
  double phase_rate_of(const Frame& f) const;
  Vec2 sway(const Frame& f) const;
  // turning.cpp
  void follow_heading(const Frame& f, const Goal& goal, double dt);
  double turn_share() const;
  double hip_freedom(const Frame& f, double left) const;
  double sharp_freedom(const Frame& f) const;
  double swing_heading(const Frame& f, double phase) const;
  // foot_placement.cpp
  Vec2 foot_goal(const Frame& f) const;
  Vec2 velocity_at_strike(const Frame& f) const;
  double lift_off_share(const Frame& f, double phase) const;
  void go_on_swinging(const Frame& f);
  Vec3 swing_ankle_at(const Frame& f, double phase, double ahead) const;
  // terrain.cpp
  double speed_on(double friction) const;
  void watch_ground(const Frame& f, const Vec2& asked);
  std::optional<double> way_to_wall(const Frame& f, const Vec2& way, double far) const;
  bool near_wall() const;
  bool behind_wall(const Frame& f, int side, const Vec2& at) const;
  double softness() const;
  double stood_ahead() const;
  Vec2 landing(const Frame& f) const;
  double bump_at(const Frame& f, int side, const Vec2& at) const;
  void choose_foothold(const Frame& f, double dt);
  double ground_on_way(const Frame& f, const Vec2& now, const Vec2& at, const Vec2& end) const;
  // stumble.cpp
  bool met_unknown(const Frame& f) const;
  void grow_wary(const Frame& f, double felt_before, double dt);
  double wary_height(double phase) const;
  void met_rough(double height);
  void feel_stub(const Frame& f);
  double wary_search(double phase) const;
  bool stands_early(const Frame& f) const;
  Vec3 stubbed_ankle(const Frame& f, double phase, const Vec3& usual) const;
  // obstacles.cpp: what is stepped over, and where feet are placed before and behind it.
  using Feature = ahead::Feature;
  using FeatureKind = ahead::FeatureKind;
  void watch_way(const Frame& f, const Vec2& asked);
  bool meets_steps() const;
  double along_way(const Vec3& at) const { return features_.along(at); }
  ahead::PathGround path(const Frame& f) const;
  double way_height(const Frame& f, const Vec2& at) const;
  double before(const Feature& board, int side) const;
  double behind(const Feature& board, int side) const;
  void approach(const Frame& f, double place);
  void plan_step_over(const Frame& f);
  const Feature* stepped_over() const;
  double obstacle_step_time() const;
  double speed_over(const Frame& f, double asked);
  double placed_ahead(const Frame& f, const Vec2& end) const;
  // climb.cpp: steps up, one foot on each tread.
  bool of_flight(int riser) const;
  void plan_climb(const Frame& f);
  double tread_place(int riser, int side) const;
  Vec3 climbing_ankle(const Frame& f, double phase, const Vec3& usual) const;
  double climbing_knee(const Frame& f, int side, double ahead) const;
  double climbs_by(const Frame& f) const;
  // descend.cpp: steps down, likewise.
  bool of_descent(int drop) const;
  void plan_descent(const Frame& f);
  double lower_place(int drop, int side) const;
  int comes_off() const;
  Vec3 off_tread(const Frame& f, const Vec3& usual) const;
  Vec3 descending_ankle(const Frame& f, double phase, const Vec3& usual) const;
  double descending_knee(int side, double usual) const;
  double descends_by(const Frame& f) const;
  // given_steps.cpp: steps whose footholds are given.
  double given_share() const;
  double given_capture(const Frame& f) const;  // m
  Vec2 given_pressure(const Frame& f) const;   // m
  double rate_over(const Frame& f, double capture, double to_go, double regular) const;

  // stairs.cpp: what going up and going down share.
  bool on_stairs(const Frame& f) const;
  bool board_between(double from, double to) const;
  void approach_stairs(const Frame& f, double stop, double first, double longest);
  double beyond_tread(const Frame& f) const;  // m
  double stairs_rate(const Frame& f, double capture, double to_go, double regular) const;
  bool stairs_ready(const Frame& f) const;
  // clearance.cpp: the swing foot over them.
  double clearing_done(double phase) const;
  Vec3 clearing_ankle(const Frame& f, double phase, double ahead, const Vec3& usual) const;
  Vec3 clear_of(const Frame& f, const Feature& o, double ahead, double done, double high,
                const Vec3& ankle) const;
  double turned_over(const Vec3& hip, const Vec3& ankle, const Vec3& axis, double upper,
                     double lower) const;
  bool trailing() const;
  double clearing_twist() const;
  double clearing_pitch(double usual) const;
  // duck.cpp
  void watch_ceiling(const Frame& f);
  void bend(double wanted, double dt);
  double deepest_crouch() const;
  double duck_drop() const;
  double lowest_underside() const;
  double duck_step_time() const;
  double knee_over() const;
  double duck_pitch(Part part) const;
  double crouch() const;
  // push_off.cpp: the trailing leg in double support.
  void begin_push_off(const Frame& f);
  void push_off(const Frame& f);
  void end_push_off(const Frame& f);
  void lift_off(const Frame& f);
  bool straddles(const Frame& f) const;
  double push_off_done(double phase) const;
  double push_off_pitch(double phase) const;
  Vec3 push_off_ankle(const Frame& f, double phase) const;
  void drive_push_off(const Frame& f);
  double ball_ahead(int side) const;
  double roll_over_torque(const Frame& f, int side, double load) const;
  // servos.cpp: drives of the joints.
  double idle_look() const;
  void pose_trunk();
  void drive_trunk(const Frame& f);
  void drive_swing_leg(const Frame& f);
  void drive_stance_leg(const Frame& f, int side);
  void reach_for(const Frame& f, int side, const Vec3& now, const Vec3& next, double ahead,
                 const Vec3& axis, const Vec3& next_axis, double strength);
  void drive_foot(const Frame& f, int side, double pitch, double rate, double strength);
  void drive_to_world(const Frame& f, int link, const Quat& target, const Vec3& omega,
                      double strength);
  void set_gains(physics::JointDrive& drive, int link, double strength);
  static void add_servo(physics::JointDrive* drive, const Vec3& kp, const Vec3& kd,
                        const Quat& target, const Vec3& target_velocity);
  // arms.cpp
  void drive_arms(const Frame& f, const Goal& goal);
  void swing_arm(const Frame& f, int side);
  void drive_hand(const Frame& f, int side, const HandGoal& hand);
  void hand_target(const Frame& f, int side, const HandGoal& hand, Vec3* at, Vec3* velocity) const;
  void chest(const Frame& f, Vec3* at, Vec3* velocity) const;
  Vec3 palm(const Frame& f, int side) const;
  void stoop(const Frame& f, const Goal& goal, double dt);
  double stoop_for(const Frame& f, int side, const HandGoal& hand) const;
  double stooped_knee(int side) const;
  void stretch(const Frame& f, const Goal& goal, double dt);
  // load.cpp: what the hands hold.
  void feel_load(const Goal& goal, double dt);
  void take_load(Frame& f) const;
  double held_up(int side) const;
  double heavier(const Frame& f) const;
  double loaded() const;
  double loaded_step_time() const;
  double loaded_rest() const;
  double load_damping(const Frame& f, int link) const;
  double load_lean() const;
  void hold_up(const Frame& f, const Goal& goal);
  // balance.cpp: feedforward torques.
  void compensate_gravity(const Frame& f);
  double idle_shift() const;
  Vec3 virtual_force(const Frame& f) const;
  double left_share(const Frame& f) const;
  double stooped_rest() const;
  double at_work(const Frame& f) const;
  void tune_velocity(const Frame& f, const Vec3& force);
  void hold_pelvis(const Frame& f, const Vec3& force);
  void add_torque(const Frame& f, int link, const Vec3& torque);

  struct ArmPitch {
    double shoulder, elbow;  // rad
  };
  ArmPitch arm_pitch(const Frame& f, int side, double ahead) const;
  double style_offset(StyleJoint joint, int axis) const;  // rad
  double tiptoe_share() const;
  double soles_down() const;
  double style_rate(const Frame& f, StyleJoint joint, int axis) const;  // rad/s
  void write_report(const Frame& f);

  WalkerBody body_;
  std::shared_ptr<const Style> own_style_, plain_style_;
  std::shared_ptr<const Style> style_;  // of these two, the one in which it walks now
  std::shared_ptr<const GbwcParameters> p_;
  // Of the decision under way.
  double tread_ = 0;         // m, the height of the tread that it goes up to or nears, 0: none
  bool takes_over_ = false;  // a step that is under way

  // State that decides the future, all of it in visit().
  double due_clock_ = 0;   // s until the next decision
  double fine_clock_ = 0;  // s for which the body is still stepped finely
  Since since_;
  bool resumes_ = false;  // the next decision goes on with a step that is under way, at its phase
  bool plain_ = false;    // its own style is put aside, for work
  int set_aside_ = 0;     // steps for which it is put aside, for what is in the way
  StepState step_;
  StandState stand_;
  CourseState course_;
  LearntState learnt_;
  SwingState swing_;
  UnderfootState ground_;
  StumbleState stumble_;
  DuckState duck_;
  StoopState stoop_;
  StretchState stretch_;
  LoadState load_;
  IdleState idle_;
  TrunkState trunk_;
  ArmsState arms_;
  BalanceState balance_;
  ahead::Features features_;  // on the way, from those between the feet on
  double over_drop_ = 0;  // m along the way: the edge past which the foot goes down in this step
  // m, by which this step's foothold is lower than the stance foot, and higher.
  double descend_ = 0, climb_ = 0;
  int over_ = -1;              // the board over which the foot swings in this step; -1: none
  double over_height_ = 0;     // m, of it above the ground
  double placed_ = 0;          // m along the way: where this step's ankle is to land
  bool places_ = false;        // whether that is so
  bool nears_stairs_ = false;  // in equal steps before a flight
  double limit_ = 0;           // m along the way, beyond which it is not to land
  double over_speed_ = 0;      // m/s, which takes it there

  ControlReport report_;
};

}  // namespace promenade::control
