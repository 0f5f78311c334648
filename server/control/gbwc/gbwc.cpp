#include "control/gbwc/gbwc.h"

#include <algorithm>
#include <cmath>

#include "control/gbwc/course.h"
#include "control/gbwc/drive/arms.h"
#include "control/gbwc/drive/balance.h"
#include "control/gbwc/drive/legs.h"
#include "control/gbwc/drive/trunk.h"
#include "control/gbwc/frame.h"
#include "control/gbwc/ground/stumble.h"
#include "control/gbwc/ground/underfoot.h"
#include "control/gbwc/learning.h"
#include "control/gbwc/posture/duck.h"
#include "control/gbwc/posture/idle.h"
#include "control/gbwc/posture/load.h"
#include "control/gbwc/posture/stoop.h"
#include "control/gbwc/standing.h"
#include "control/gbwc/steps/climb.h"
#include "control/gbwc/steps/descend.h"
#include "control/gbwc/steps/planning.h"
#include "control/gbwc/style_now.h"
#include "control/gbwc/swing/foot_placement.h"
#include "control/gbwc/swing/push_off.h"
#include "control/gbwc/swing/swing.h"
#include "control/gbwc/tempo.h"
#include "control/gbwc/timing.h"

namespace promenade::control {

using namespace gbwc;

namespace {

constexpr int kStepsAside = 2;  // behind what was in the way, until the own style is back

/// What overlays, panels and studies are told of a decision.
void write_report(const Frame& f, ControlReport& r) {
  r.com = f.own_com;
  r.com_velocity = f.s.com_velocity;
  const Vec2 reach(capture_distance(f.velocity.x(), f.height),
                   capture_distance(f.velocity.y(), f.height));
  r.capture_point = f.s.com.head<2>() + f.in_world(reach);
  r.left_stance = f.step.stance == kLeft;
  r.standing = f.step.standing;
  r.phase = f.step.standing ? 0 : f.step.phase;
  r.heading = f.s.heading;
  r.foot_force = f.s.foot_force;
  r.foot_on_ground = f.s.on_ground;
  r.stoop = f.stoop.depth;
}

}  // namespace

Gbwc::Gbwc(std::shared_ptr<const Creature> body, std::shared_ptr<const Style> style,
           std::shared_ptr<const GbwcParameters> parameters, std::shared_ptr<const Style> plain)
    : own_style_(std::move(style)),
      plain_style_(std::move(plain)),
      style_(own_style_),
      p_(std::move(parameters)),
      body_(std::move(body), p_, work_lean()) {}

double Gbwc::work_lean() const { return (plain_style_ ? plain_style_ : own_style_)->lean; }

const std::shared_ptr<const Style>& Gbwc::wanted_style() const {
  return (w_.plain || set_aside_ > 0) && plain_style_ ? plain_style_ : own_style_;
}

void Gbwc::put_on_style() {
  const auto& wanted = wanted_style();
  if (style_ == wanted) return;
  style_ = wanted;
  w_.trunk.clock = 0;
}

/// Obstacles, stairs and what hangs low ask for balance: one meets them in the plain style.
void Gbwc::put_style_aside(const Frame& f) {
  const bool meets = meets_steps(f) || w_.duck.amount > w_.duck.asked;
  set_aside_ = meets ? kStepsAside : std::max(0, set_aside_ - 1);
  put_on_style();
}

/// Who stands has nothing in the way.
void Gbwc::resume_style() {
  set_aside_ = 0;
  put_on_style();
}

Manner Gbwc::manner() const {
  return {own_style_->speed * body_.time_scale, own_style_->step_time * body_.time_scale,
          own_style_->step_width * body_.length_scale, body_.stoops->shoulder(1)};
}

void Gbwc::set_creature(std::shared_ptr<const Creature> creature,
                        const physics::ArticulatedBody& state) {
  const double before = body_.length_scale;
  body_ = WalkerBody(std::move(creature), p_, work_lean());
  const double longer = body_.length_scale / before;
  w_.features.clear();
  w_.plan = {};
  w_.swing.lift_off *= longer;
  w_.swing.lift_height *= longer;
  w_.learnt.correction *= longer;
  const Vec3 com = observe(body_.biped, state).com;
  w_.learnt.step_com += com - w_.report.com;
  w_.step.pushing = false;
  w_.step.anchor = observe(body_.biped, state).ankle[w_.step.stance];
  w_.report.com = com;
  // The new body has no drives yet, so both clocks are due at once; its feet carry nothing yet.
  w_.trunk.clock = due_clock_ = 0;
  since_ = {};
}

void Gbwc::reset(const physics::ArticulatedBody& body, const Goal& goal) {
  const BipedState s = observe(body_.biped, body);
  const bool plain = w_.plain;
  w_ = WalkState{};
  w_.plain = plain;
  due_clock_ = 0;
  since_ = {};
  resumes_ = false;
  w_.course.heading = w_.swing.lift_heading = s.heading;
  w_.course.final_heading = goal.heading;
  w_.course.velocity = rotated(s.com_velocity.head<2>(), -s.heading);
  w_.learnt.step_com = s.com;
  w_.swing.ball = w_.swing.lift_ankle = s.ankle[kRight];
  w_.step.anchor = s.ankle[kLeft];
  resume_style();
  w_.report.com = s.com;
  w_.report.com_velocity = s.com_velocity;
  w_.report.capture_point = s.com.head<2>();
  w_.report.heading = s.heading;
}

void Gbwc::resume(const GaitMoment& moment) {
  if (!moment.walking) return;
  resumes_ = true;
  w_.step.stance = moment.left_stance ? kLeft : kRight;
  w_.step.phase = std::clamp(moment.phase, 0.0, p_->strike().latest_lift());
  w_.course.velocity = moment.velocity;
  w_.course.heading = moment.heading;
  w_.report.mean_velocity = moment.mean;
}

GaitMoment Gbwc::moment() const {
  GaitMoment out;
  out.walking = !w_.step.standing || resumes_;
  out.left_stance = w_.step.stance == kLeft;
  out.phase = w_.step.phase;
  out.velocity = w_.course.velocity;
  out.mean = w_.report.mean_velocity;
  out.heading = w_.course.heading;
  return out;
}

void Gbwc::update(physics::ArticulatedBody& body, const physics::GroundNow& ground,
                  const Goal& goal, double dt) {
  const std::array<FootLoad, 2> loads = foot_loads(body_.biped, body);
  for (int side : {kLeft, kRight}) since_.loads[side] += loads[side];
  ++since_.steps;
  since_.seconds += dt;
  if (due_clock_ > 0.5 * dt) {
    due_clock_ -= dt;
    return;
  }
  // Where steps of physics are longer than kControlTime, missed decisions are not made up for.
  due_clock_ = std::max(due_clock_ + kControlTime - dt, -0.5 * dt);
  std::array<FootLoad, 2> mean = since_.loads;
  for (FootLoad& load : mean) load /= since_.steps;
  decide(body, ground, goal, mean, since_.seconds);
  since_ = {};
}

void Gbwc::decide(physics::ArticulatedBody& body, const physics::GroundNow& ground,
                  const Goal& goal, const std::array<FootLoad, 2>& loads, double dt) {
  Frame f{.body = body_,
          .p = *p_,
          .style = style_,
          .now = w_,
          .state = body,
          .ground_now = ground,
          .links = body.links(),
          .drives = body.drives(),
          .s = observe(body_.biped, body, loads),
          .branch = {}};
  if (goal.plain != w_.plain) {
    w_.plain = goal.plain;
    put_on_style();
  }
  const double felt_before = w_.underfoot.felt;
  perceive(f, goal, dt);
  follow_heading(f, goal, dt, w_.course);
  follow_velocity(f, goal, dt, w_.course);
  foresee(f, goal);
  f.takes_over = resumes_;
  if (f.takes_over) go_on(f);
  f.trouble = trouble_of(f);
  w_.fine_clock = f.trouble > f.p.trouble().fine() ? kFineTime : std::max(0.0, w_.fine_clock - dt);
  body.set_fine(w_.fine_clock > 0.5 * dt);
  grow_wary(f, felt_before, dt, w_.stumble);
  feel_stub(f, w_.stumble);
  f.unrest = unrest(f);
  if (!w_.step.standing) {
    f.firm = (1 - f.trouble) * (1 - f.unrest) * (f.longer - 1) / (f.p.hurry().most_longer() - 1);
  }
  f.phase_rate = phase_rate_of(f);
  step_on(f, goal, dt);
  plan_step(f, w_.plan);
  f.pendulum.go_to(w_.step.phase);
  for (physics::JointDrive& drive : f.drives) drive.feedforward.setZero();
  w_.trunk.clock -= dt;
  if (w_.trunk.clock < 0.5 * dt) {
    w_.trunk.clock = kPoseTime;
    look_and_pose(f, goal);
  }
  drive_trunk(f);
  drive_legs(f, dt);
  compensate_gravity(f);
  hold_up(f, goal);
  const Vec3 force = virtual_force(f);
  tune_velocity(f, force, w_.balance);
  hold_pelvis(f, force);
  write_report(f, w_.report);
}

/// What is felt and known of body, load and ground.
void Gbwc::perceive(Frame& f, const Goal& goal, double dt) {
  f.view.now = &f.ground_now;
  f.view.hanging_from = std::min(f.s.ankle[kLeft].z() - body_.biped.ankle_height[kLeft],
                                 f.s.ankle[kRight].z() - body_.biped.ankle_height[kRight]) +
                        lowest_underside(f);
  // Over a pit without a floor the ground is taken to be as high as the lower foot.
  f.view.missing = std::min(f.s.ankle[kLeft].z(), f.s.ankle[kRight].z());
  branches(f.state, f.branch);
  f.own_com = f.s.com;
  f.mass = body_.creature->total_mass;
  feel_load(f, goal, dt, w_.hands, w_.learnt);
  take_load(f);
  lean_on_load(f, dt, w_.hands);
  for (int side : {kLeft, kRight}) {
    f.load[side] = std::max(0.0, f.s.foot_force[side].z()) / (physics::kGravity * f.mass);
  }
  feel_ground(f, dt, w_.underfoot);
  f.view.felt = w_.underfoot.felt;
  f.support =
      w_.step.standing ? Vec3(0.5 * (f.s.ankle[0] + f.s.ankle[1])) : f.s.ankle[w_.step.stance];
  if (f.ground_now.ground->has_motion()) ride(f, dt);
}

/// How the body would move on in a step on course, by the pendulum over its feet.
void Gbwc::foresee(Frame& f, const Goal& goal) {
  f.turn_to(w_.course.heading);
  f.pelvis = pelvis_target(f);
  f.velocity = f.in_heading(f.s.com_velocity - f.carried);
  f.step_time = step_time_of(f, goal);
  f.width = step_width_of(f, goal);
  f.ground = f.ground_at(f.support);
  f.height = std::max(0.3 * body_.creature->standing_com_height, f.s.com.z() - f.ground);
  f.omega = std::sqrt(physics::kGravity / f.height);
  f.pendulum = Pendulum(f.omega, f.step_time);
  f.pendulum.go_to(w_.step.phase);
  // A deviation at the beginning of a step grows more until the end of a longer one.
  const double more =
      std::exp(f.omega * (f.step_time - f.p.timing().usual_step_s() * body_.time_scale));
  f.longer = std::clamp(more, 1.0, f.p.hurry().most_longer());
}

/// The clock of steps: stands, sets out, goes on in a step, begins the next one.
void Gbwc::step_on(const Frame& f, const Goal& goal, double dt) {
  if (w_.step.standing) {
    if (const auto stance = sets_out(f, goal, dt, w_.step, w_.stand, w_.idle))
      begin_step(f, *stance);
  } else if (comes_to_rest(f, goal)) {
    w_.step.standing = true;
    w_.stand.shifting = false;
    resume_style();
  }
  if (w_.step.standing) return;
  advance_phase(f, dt, w_.step);
  if (step_ends(f)) begin_step(f, 1 - w_.step.stance);
  if (w_.step.pushing) end_push_off(f, w_.step, w_.swing);
}

/// What changes slowly: what is seen ahead, and how trunk and arms are held.
void Gbwc::look_and_pose(const Frame& f, const Goal& goal) {
  watch_way(f, goal.velocity, w_.features);
  watch_ground(f, goal.velocity, w_.underfoot);
  watch_ceiling(f, w_.duck);
  bend_as_asked(f, goal.bend, kPoseTime, w_.duck);
  plan_step(f, w_.plan);
  breathe(f, kPoseTime, w_.idle);
  update_stoop(f, goal, kPoseTime, w_.stoop);
  update_stretch(f, goal, kPoseTime, w_.stretch);
  pose_trunk(f, w_.trunk);
  drive_arms(f, goal, w_.arms);
}

void Gbwc::drive_legs(const Frame& f, double dt) {
  w_.balance.share = stance_shares(f);
  if (w_.step.standing) {
    drive_stance_leg(f, kLeft, w_.swing);
    drive_stance_leg(f, kRight, w_.swing);
    return;
  }
  if (f.load[w_.step.stance] > f.p.servos().anchor_load())
    w_.step.anchor = f.s.ankle[w_.step.stance];
  drive_stance_leg(f, w_.step.stance, w_.swing);
  choose_foothold(f, dt, w_.swing);
  if (f.takes_over && !w_.step.pushing) go_on_swinging(f, w_.step, w_.swing);
  if (w_.step.pushing) {
    drive_push_off(f, w_.swing, w_.report);
  } else {
    drive_swing_leg(f, w_.swing, w_.report);
  }
}

void Gbwc::begin_step(const Frame& f, int stance) {
  const bool walking = !w_.step.standing;
  learn_from_step(f, stance, w_.step, w_.course, w_.learnt, w_.report);
  ++w_.report.steps;
  put_style_aside(f);
  w_.step.stance = stance;
  w_.step.standing = false;
  w_.stand.shifting = false;
  w_.idle.clock = w_.stand.hangs_clock = 0;
  w_.step.phase = 0;
  w_.stumble.stubbed = false;
  w_.step.clock = 0;
  w_.trunk.clock = 0;
  w_.learnt.step_com = f.s.com;
  lift_off(f, w_.step, w_.swing);
  w_.step.descended = walking ? std::max(0.0, descends_by(f)) : 0;
  if (walking) begin_push_off(f, w_.step, w_.swing);
  w_.step.anchor = f.s.ankle[stance];
  w_.step.climbed = walking ? std::max(0.0, climbs_by(f)) : 0;
  w_.step.knee_at_strike = f.state.state().angle[body_.biped.link[kLeftShank + stance]].x();
}

/// Goes on with the step that resume() has told of. Loads of the feet are not known yet: it is as
/// if the stance foot bore all.
void Gbwc::go_on(Frame& f) {
  const double phase = w_.step.phase;
  resumes_ = false;
  begin_step(f, w_.step.stance);
  w_.step.phase = phase;
  w_.step.clock = phase * f.step_time;
  w_.learnt.step_com = f.s.com;
  w_.learnt.step_com.head<2>() -= w_.step.clock * f.in_world(w_.report.mean_velocity);
  w_.step.lift_phase = std::min(phase, f.p.strike().latest_lift());
  if (phase < f.p.push_off().double_support()) {
    push_off(f, w_.step, w_.swing);
  } else {
    f.load[w_.step.stance] = 1;
  }
}

/// Moves along with ground that moves under the feet.
void Gbwc::ride(Frame& f, double dt) {
  const physics::GroundPoint under = f.ground_now.at(f.support.x(), f.support.y(), f.support.z());
  f.carried = under.velocity;
  // What is remembered of the world moves along with the ground.
  w_.step.anchor += f.carried * dt;
  w_.learnt.step_com += f.carried * dt;
  w_.swing.ball += f.carried * dt;
  w_.swing.lift_ankle += f.carried * dt;
  w_.course.heading = wrap_angle(w_.course.heading + under.spin * dt);
  w_.swing.lift_heading = wrap_angle(w_.swing.lift_heading + under.spin * dt);
}

void Gbwc::visit(StateVisitor& state) {
  constexpr double kLongest = 1;  // s between decisions, far more than there ever is
  state.within(due_clock_, -kLongest, kLongest);
  state.within(since_.seconds, 0, kLongest);
  state.choice(since_.steps, 1000);
  for (FootLoad& load : since_.loads) state(load.force, load.moment, load.weight);
  state(resumes_);
  state.choice(set_aside_, kStepsAside + 1);
  w_.visit(state);
  if (state.reading()) style_ = wanted_style();
}

}  // namespace promenade::control
