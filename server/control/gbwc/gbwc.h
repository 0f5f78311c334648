#pragma once

#include <memory>
#include <optional>

#include "control/controller.h"
#include "control/gbwc/parameters.h"
#include "control/gbwc/sight.h"
#include "control/gbwc/stoop_table.h"
#include "control/gbwc/style.h"
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

  static constexpr double kMostSpeed = 100;  // m/s: no limit
  static constexpr double kFarOff = 100;     // m: nothing is there

  std::shared_ptr<const Creature> body_;
  Biped biped_;  // which of its links are which parts
  std::shared_ptr<const Style> own_style_, plain_style_;
  std::shared_ptr<const Style> style_;  // of these two, the one in which it walks now
  std::shared_ptr<const GbwcParameters> p_;
  double mass_scale_ = 1, length_scale_ = 1, time_scale_ = 1;  // of this body over the human
  std::array<Vec3, 2> foot_reach_;  // m, from the ankle: forward, backward, half width
  double stature_ = 0;              // m, of the head above the soles
  Sight sight_;                     // of what lies ahead
  double clear_width_ = 0;          // m: the ankles of legs that just pass each other
  std::shared_ptr<const StoopTable> stoops_;
  double crouch_ = 0;     // rad, of the knees in the greatest bend
  double duck_drop_ = 0;  // m, by which that lowers the head
  // Of the decision under way.
  double tread_ = 0;         // m, the height of the tread that it goes up to or nears, 0: none
  bool takes_over_ = false;  // a step that is under way
  std::array<double, 2> stance_share_{};                   // of the weight, on each leg
  std::array<Vec3, 2> brace_{Vec3::Zero(), Vec3::Zero()};  // N m, on the thighs in standing, world

  // State that decides the future, all of it in visit().
  double due_clock_ = 0;   // s until the next decision
  double fine_clock_ = 0;  // s for which the body is still stepped finely
  Since since_;
  bool resumes_ = false;  // the next decision goes on with a step that is under way, at `phase_`
  bool plain_ = false;    // its own style is put aside, for work
  int set_aside_ = 0;     // steps for which it is put aside, for what is in the way
  bool pulls_ = false;    // the hands pull or push
  bool standing_ = true;
  int stance_ = kLeft;
  double phase_ = 0;
  double step_clock_ = 0;  // s since the step began
  double pose_clock_ = 0;  // s until trunk and arms get new targets
  // Where lower back, torso and head should be, heading frame.
  std::array<Quat, 3> trunk_{Quat::Identity(), Quat::Identity(), Quat::Identity()};
  Vec2 ankle_goal_ = Vec2::Zero();  // m, swing ankle's goal from the COM, heading frame
  double foothold_shift_ = 0;       // m, of that goal along the heading to where a sole can stand
  double grip_ = 1;        // share of the usual horizontal forces that the ground can answer
  double stood_grip_ = 1;  // likewise, on the ground that the feet are on
  double wary_ = 0;        // 1: the ground has just been another than was known
  double rough_ = 0;       // m, of unevenness that was met while wary
  // In this step the swing foot has met something that it has to be lifted over.
  bool stubbed_ = false;
  bool lowers_ = false;             // it is put down before that instead
  double stub_top_ = 0;             // m, world, the height of that
  Vec2 stub_at_ = Vec2::Zero();     // m, world: where the ankle is lifted before it
  double safe_speed_ = kMostSpeed;  // m/s, on the ground ahead; negative: back from a wall
  double wall_ahead_ = kFarOff;     // m, from the COM to a wall on the way
  Vec2 wall_way_ = Vec2::Zero();    // in the world: the way on which it is
  ahead::Features features_;        // on the way, from those between the feet on
  double over_drop_ = 0;  // m along the way: the edge past which the foot goes down in this step
  // m, by which the stance foot stands lower than the other did when it landed, and by which this
  // step's foothold is lower than the stance foot.
  double descended_ = 0, descend_ = 0;
  // m, by which the stance foot stands higher than the other did when it landed, and by which this
  // step's foothold is higher than the stance foot.
  double climbed_ = 0, climb_ = 0;
  int over_ = -1;                   // the board over which the foot swings in this step; -1: none
  double over_height_ = 0;          // m, of it above the ground
  double placed_ = 0;               // m along the way: where this step's ankle is to land
  bool places_ = false;             // whether that is so
  bool nears_stairs_ = false;       // in equal steps before a flight
  double limit_ = 0;                // m along the way, beyond which it is not to land
  double over_speed_ = 0;           // m/s, which takes it there
  Vec3 lift_ankle_ = Vec3::Zero();  // m, swing ankle when the swing began, world
  double duck_ = 0;                 // 0 upright to 1 bent as far as it goes, below what hangs low
  double bend_ = 0;                 // likewise, as far as is asked for
  double usual_end_ = 1;            // phase at which steps on course end, learnt step by step
  double heading_ = 0;              // rad, the ramped desired heading
  double final_heading_ = 0;        // rad, the heading asked for
  bool sharp_ = false;           // in a sharp turn: braked, then turned with wide, low, short steps
  double sharpness_ = 0;         // 0 to 1, how far the steps have changed to that
  double lift_off_heading_ = 0;  // rad, of the swing foot when the step began
  Vec2 velocity_ = Vec2::Zero();  // m/s, the ramped desired velocity, heading frame
  Vec2 lift_off_ = Vec2::Zero();  // m, swing ankle from the COM when the step began, heading frame
  double lift_off_height_ = 0;    // m above the ground
  bool pushing_ = false;          // the trailing leg pushes off; it swings afterwards
  bool airborne_ = false;         // the swing foot has left the ground in this step
  double lift_phase_ = 0;         // at which the swing began
  // What a step that was taken over in its middle did otherwise; dies away until its end.
  struct TakenOver {
    double phase = 0;           // at which it was
    Vec3 ankle = Vec3::Zero();  // m a step, of the swing leg
    double knee = 0, foot = 0;  // rad, of the stance knee, of the swing foot's pitch
    double left(double at_phase) const;
  } taken_over_;
  double push_pitch_ = 0;       // rad, of the trailing foot when the step began, heel up positive
  Vec3 ball_ = Vec3::Zero();    // m, the trailing foot's toe joint when the step began, world
  double felt_ = 0;             // m, ground under the stance foot above what was expected
  Vec3 anchor_ = Vec3::Zero();  // stance ankle where the ground last held it, world
  double knee_at_strike_ = 0;   // rad, of the stance leg when the step began
  Vec2 speed_correction_ = Vec2::Zero();  // m, learnt step by step
  Vec3 step_com_ = Vec3::Zero();          // COM when the step began
  Vec2 last_step_velocity_ = Vec2::Zero();
  double stoop_ = 0;       // 0 upright, 1 as deep as it goes
  double stoop_rate_ = 0;  // 1/s
  double load_ = 0;        // what the hands hold up, over the own mass, smoothed
  double stretch_ = 0;     // rad: the chest tilts sideways, positive raises the left shoulder
  std::array<Vec3, 2> hand_trim_{Vec3::Zero(), Vec3::Zero()};  // m, heading frame: see drive_hand()
  std::array<Vec3, 2> hand_force_{Vec3::Zero(), Vec3::Zero()};  // N, on the hands, smoothed, world
  double idle_clock_ = 0;                                       // s standing with nothing to do
  double hangs_clock_ = 0;                                      // s standing with a foot in the air
  double breath_phase_ = 0;                                     // rad
  double shift_clock_ = 0;  // s spent shifting weight before a first step
  bool shifting_ = false;

  ControlReport report_;
};

}  // namespace promenade::control
