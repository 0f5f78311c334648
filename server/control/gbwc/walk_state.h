#pragma once

#include <array>

#include "control/ahead/features.h"
#include "control/controller.h"
#include "control/steps/step_plan.h"
#include "creature/biped/biped.h"
#include "math/state.h"
#include "math/types.h"

// Private to gbwc/. What the parts of the walk remember from one decision to the next.
namespace promenade::control::gbwc {

inline constexpr double kMostSpeed = 100;  // m/s: no limit
inline constexpr double kFarOff = 100;     // m: nothing is there
/// No swing begins later, nor is one taken over later: what is left of it is a divisor.
inline constexpr double kLastPhase = 0.99;

/// Of the step under way: which foot stands, and how far the other is.
struct StepState {
  bool standing = true;
  int stance = kLeft;
  double phase = 0;
  double clock = 0;            // s since the step began
  double usual_end = 1;        // phase at which steps on course end, learnt step by step
  bool pushing = false;        // the trailing leg pushes off; it swings afterwards
  bool airborne = false;       // the swing foot has left the ground in this step
  double lift_phase = 0;       // at which the swing began
  Vec3 anchor = Vec3::Zero();  // stance ankle where the ground last held it, world
  double knee_at_strike = 0;   // rad, of the stance leg when the step began
  // m, by which the stance foot stands lower than the other did when it landed, and higher.
  double descended = 0, climbed = 0;

  void visit(StateVisitor& state);
};

/// Of who stands and sets out.
struct StandState {
  double hangs_clock = 0;  // s standing with a foot in the air
  double shift_clock = 0;  // s spent shifting weight before a first step
  bool shifting = false;

  void visit(StateVisitor& state) { state(hangs_clock, shift_clock, shifting); }
};

/// Where the walk goes, ramped towards what is asked for.
struct CourseState {
  double heading = 0;            // rad, the ramped desired heading
  double final_heading = 0;      // rad, the heading asked for
  bool sharp = false;            // in a sharp turn: braked, then turned with wide, low, short steps
  double sharpness = 0;          // 0 to 1, how far the steps have changed to that
  Vec2 velocity = Vec2::Zero();  // m/s, the ramped desired velocity, heading frame

  void visit(StateVisitor& state) { state(heading, final_heading, sharp, sharpness, velocity); }
};

/// What is learnt from step to step of the speed.
struct LearntState {
  Vec2 correction = Vec2::Zero();  // m, of the foothold
  Vec3 step_com = Vec3::Zero();    // COM when the step began
  Vec2 last_velocity = Vec2::Zero();

  void visit(StateVisitor& state) { state(correction, step_com, last_velocity); }
};

/// What a step that was taken over in its middle did otherwise; dies away until its end.
struct TakenOver {
  double phase = 0;           // at which it was
  Vec3 ankle = Vec3::Zero();  // m a step, of the swing leg
  double knee = 0, foot = 0;  // rad, of the stance knee, of the swing foot's pitch
  /// Share of what was otherwise that is left, 1 to 0.
  double left(double at_phase) const;

  void visit(StateVisitor& state);
};

/// Where the swing foot began and where it goes.
struct SwingState {
  Vec2 goal = Vec2::Zero();        // m, swing ankle's goal from the COM, heading frame
  double shift = 0;                // m, of that goal along the heading to where a sole can stand
  Vec3 lift_ankle = Vec3::Zero();  // m, swing ankle when the swing began, world
  Vec2 lift_off = Vec2::Zero();    // m, swing ankle from the COM when it began, heading frame
  double lift_height = 0;          // m above the ground
  double lift_heading = 0;         // rad, of the swing foot when the step began
  TakenOver taken_over;
  double push_pitch = 0;     // rad, of the trailing foot when the step began, heel up positive
  Vec3 ball = Vec3::Zero();  // m, the trailing foot's toe joint when the step began, world

  void visit(StateVisitor& state);
};

/// What is felt of the ground under the feet, and seen of it ahead.
struct UnderfootState {
  double felt = 0;        // m, ground under the stance foot above what was expected
  double grip = 1;        // share of the usual horizontal forces that the ground can answer
  double stood_grip = 1;  // likewise, on the ground that the feet are on
  double safe_speed = kMostSpeed;  // m/s, on the ground ahead; negative: back from a wall
  double wall_ahead = kFarOff;     // m, from the COM to a wall on the way
  Vec2 wall_way = Vec2::Zero();    // in the world: the way on which it is

  void visit(StateVisitor& state) {
    state(felt, grip, stood_grip, safe_speed, wall_ahead, wall_way);
  }
};

/// What feet have met that was not known.
struct StumbleState {
  double wary = 0;   // 1: the ground has just been another than was known
  double rough = 0;  // m, of unevenness that was met while wary
  // In this step the swing foot has met something that it has to be lifted over.
  bool stubbed = false;
  bool lowers = false;     // it is put down before that instead
  double top = 0;          // m, world, the height of that
  Vec2 at = Vec2::Zero();  // m, world: where the ankle is lifted before it

  void visit(StateVisitor& state) { state(wary, rough, stubbed, lowers, top, at); }
};

struct DuckState {
  double amount = 0;  // 0 upright to 1 bent as far as it goes, below what hangs low
  double asked = 0;   // likewise, as far as is asked for

  void visit(StateVisitor& state) { state(amount, asked); }
};

struct StoopState {
  double depth = 0;  // 0 upright, 1 as deep as it goes
  double rate = 0;   // 1/s

  void visit(StateVisitor& state) { state(depth, rate); }
};

struct StretchState {
  double tilt = 0;  // rad: the chest tilts sideways, positive raises the left shoulder

  void visit(StateVisitor& state) { state(tilt); }
};

struct LoadState {
  double share = 0;    // what the hands hold up, over the own mass, smoothed
  bool pulls = false;  // the hands pull or push
  std::array<Vec3, 2> hand_force{Vec3::Zero(), Vec3::Zero()};  // N, on the hands, smoothed, world

  void visit(StateVisitor& state) { state(share, pulls, hand_force); }
};

struct IdleState {
  double clock = 0;   // s standing with nothing to do
  double breath = 0;  // rad, phase

  void visit(StateVisitor& state) { state(clock, breath); }
};

struct TrunkState {
  double clock = 0;  // s until trunk and arms get new targets
  // Where lower back, torso and head should be, heading frame.
  std::array<Quat, 3> target{Quat::Identity(), Quat::Identity(), Quat::Identity()};

  void visit(StateVisitor& state) { state(clock, target); }
};

struct ArmsState {
  std::array<Vec3, 2> trim{Vec3::Zero(), Vec3::Zero()};  // m, heading frame: see drive_hand()

  void visit(StateVisitor& state) { state(trim); }
};

struct BalanceState {
  std::array<double, 2> share{};                          // of the weight, on each leg
  std::array<Vec3, 2> brace{Vec3::Zero(), Vec3::Zero()};  // N m, on the thighs in standing, world

  void visit(StateVisitor& state) { state(share, brace); }
};

using ahead::Feature;
using ahead::FeatureKind;
using steps::StepKind;
using steps::StepPlan;

/// All that decides how the walk goes on. Each part of the walk changes its own, and reads the
/// others'.
struct WalkState {
  StepState step;
  StandState stand;
  CourseState course;
  LearntState learnt;
  SwingState swing;
  UnderfootState underfoot;
  StumbleState stumble;
  DuckState duck;
  StoopState stoop;
  StretchState stretch;
  LoadState hands;
  IdleState idle;
  TrunkState trunk;
  ArmsState arms;
  BalanceState balance;
  ahead::Features features;  // on the way, from those between the feet on
  StepPlan plan;
  ControlReport report;
  double fine_clock = 0;  // s for which the body is still stepped finely
  bool plain = false;     // its own style is put aside, for work

  void visit(StateVisitor& state);
};

}  // namespace promenade::control::gbwc
