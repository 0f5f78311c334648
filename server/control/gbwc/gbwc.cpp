#include "control/gbwc/gbwc.h"

#include <algorithm>
#include <cmath>

#include "control/gbwc/frame.h"

namespace promenade::control {
namespace {

constexpr double kHumanMass = 70.4;
constexpr double kMostLonger = 2.5;     // limit of Frame::longer
constexpr double kCrouchWidth = 0.1;    // m/rad, of steps in sharp turns: bent knees take room
constexpr double kBetweenLegs = 0.015;  // m, from one leg to the other that it passes
constexpr double kSlowest = 0.5;        // m/s, of a human: slower walks take no longer steps
constexpr double kRateOver = 0.02;    // of a step, over which rates of the style's curves are taken
constexpr double kBreath = 1.6;       // rad/s: a breath in four seconds
constexpr double kIceStepTime = 0.8;  // on the smoothest ground, of the usual one
constexpr double kToStandTime = 0.75;   // of the usual
constexpr double kSharpStepTime = 0.8;  // in sharp turns, of the usual one
constexpr double kLoadLeanIn = 0.5;     // s, in which the trunk answers to a load
constexpr double kHardPull = 0.1;       // of the own weight, at the hands
constexpr int kStepsAside = 2;          // behind what was in the way, until the own style is back

/// How far the foot reaches from the ankle in its own frame: forward, backward, half width.
Vec3 foot_reach(const Creature& body, const Biped& biped, int side) {
  const auto& links = body.model->links;
  const int foot = biped.link[kLeftFoot + side], toes = biped.link[kLeftToes + side];
  const Vec3 ankle = links[foot].at_child;
  const Vec3 toes_in_foot = links[toes].at_parent - links[toes].at_child;
  Vec3 reach(0.05, 0.05, 0.03);
  auto extend = [&](int link, const Vec3& offset) {
    for (const physics::Shape& shape : links[link].shapes) {
      if (shape.kind != physics::Shape::Kind::kBox) continue;
      const Vec3 center = shape.a + offset - ankle;
      reach.x() = std::max(reach.x(), center.x() + shape.b.x());
      reach.y() = std::max(reach.y(), -(center.x() - shape.b.x()));
      reach.z() = std::max(reach.z(), shape.b.y());
    }
  };
  extend(foot, Vec3::Zero());
  extend(toes, toes_in_foot);
  return reach;
}

/// Height of the top of the head above the soles in the rest pose, m.
double stature(const Creature& body, const Biped& biped) {
  const physics::ArticulationModel& model = *body.model;
  physics::ArticulatedBody rest(body.model);
  Pose root;
  root.position.z() = body.standing_height;
  rest.set_state(physics::ArticulatedBody::zero_state(model, root));
  const int head = biped.link[kHead];
  double top = 0;
  for (const physics::Shape& shape : model.links[head].shapes) {
    const double z = rest.links()[head].position.z();
    const bool box = shape.kind == physics::Shape::Kind::kBox;
    const double high =
        box ? shape.a.z() + shape.b.z() : std::max(shape.a.z(), shape.b.z()) + shape.radius;
    top = std::max(top, z + high);
  }
  return top;
}

/// Distance of the ankles, m, at which one leg passes the other with a finger's breadth between.
double clear_width(const Creature& body, const Biped& biped) {
  double both = 0;
  for (const int side : {kLeft, kRight}) {
    double half = 0;
    for (const int part : {kLeftShank + side, kLeftFoot + side}) {
      for (const physics::Shape& shape : body.model->links[biped.link[part]].shapes) {
        const bool box = shape.kind == physics::Shape::Kind::kBox;
        half = std::max(half, box ? shape.b.y() : shape.radius);
      }
    }
    both += half;
  }
  return both + kBetweenLegs * body.leg_scale();
}

}  // namespace

Gbwc::Gbwc(std::shared_ptr<const Creature> body, std::shared_ptr<const Style> style,
           std::shared_ptr<const GbwcParameters> parameters, std::shared_ptr<const Style> plain)
    : body_(std::move(body)),
      biped_(biped_of(*body_).value()),
      own_style_(std::move(style)),
      plain_style_(std::move(plain)),
      style_(own_style_),
      p_(std::move(parameters)) {
  mass_scale_ = body_->total_mass / kHumanMass;
  length_scale_ = body_->leg_scale();
  time_scale_ = std::sqrt(length_scale_);
  for (int side : {kLeft, kRight}) foot_reach_[side] = foot_reach(*body_, biped_, side);
  sight_ = sight_of(*p_, length_scale_, foot_reach_);
  clear_width_ = clear_width(*body_, biped_);
  stature_ = stature(*body_, biped_);
  stoops_ = stoop_table_of(body_, biped_, p_, (plain_style_ ? plain_style_ : own_style_)->lean,
                           stooped_rest());
  crouch_ = deepest_crouch();
  duck_drop_ = duck_drop();
}

const std::shared_ptr<const Style>& Gbwc::wanted_style() const {
  return (plain_ || set_aside_ > 0) && plain_style_ ? plain_style_ : own_style_;
}

void Gbwc::put_on_style() {
  const auto& wanted = wanted_style();
  if (style_ == wanted) return;
  style_ = wanted;
  pose_clock_ = 0;
}

/// Obstacles, stairs and what hangs low ask for balance: one meets them in the plain style.
void Gbwc::put_style_aside() {
  const bool meets = meets_steps() || duck_ > bend_;
  set_aside_ = meets ? kStepsAside : std::max(0, set_aside_ - 1);
  put_on_style();
}

/// Who stands has nothing in the way.
void Gbwc::resume_style() {
  set_aside_ = 0;
  put_on_style();
}

Manner Gbwc::manner() const {
  return {own_style_->speed * time_scale_, own_style_->step_time * time_scale_,
          own_style_->step_width * length_scale_, stoops_->shoulder(1)};
}

void Gbwc::set_creature(std::shared_ptr<const Creature> creature,
                        const physics::ArticulatedBody& state) {
  const Gbwc measured(std::move(creature), own_style_, p_, plain_style_);
  const double longer = measured.length_scale_ / length_scale_;
  body_ = measured.body_;
  biped_ = measured.biped_;
  mass_scale_ = measured.mass_scale_;
  length_scale_ = measured.length_scale_;
  time_scale_ = measured.time_scale_;
  foot_reach_ = measured.foot_reach_;
  sight_ = measured.sight_;
  clear_width_ = measured.clear_width_;
  stature_ = measured.stature_;
  stoops_ = measured.stoops_;
  crouch_ = measured.crouch_;
  duck_drop_ = measured.duck_drop_;
  features_.clear();
  over_ = -1;
  places_ = false;
  lift_off_ *= longer;
  lift_off_height_ *= longer;
  speed_correction_ *= longer;
  const Vec3 com = observe(biped_, state).com;
  step_com_ += com - report_.com;
  pushing_ = false;
  anchor_ = observe(biped_, state).ankle[stance_];
  report_.com = com;
  // The new body has no drives yet, so both clocks are due at once; its feet carry nothing yet.
  pose_clock_ = due_clock_ = 0;
  since_ = {};
}

void Gbwc::reset(const physics::ArticulatedBody& body, const Goal& goal) {
  const BipedState s = observe(biped_, body);
  standing_ = true;
  shifting_ = resumes_ = false;
  stance_ = kLeft;
  phase_ = step_clock_ = shift_clock_ = idle_clock_ = breath_phase_ = pose_clock_ = 0;
  due_clock_ = fine_clock_ = 0;
  since_ = {};
  sharp_ = false;
  sharpness_ = 0;
  heading_ = lift_off_heading_ = s.heading;
  final_heading_ = goal.heading;
  velocity_ = rotated(s.com_velocity.head<2>(), -heading_);
  speed_correction_.setZero();
  usual_end_ = 1;
  step_com_ = s.com;
  last_step_velocity_.setZero();
  lift_off_.setZero();
  lift_off_height_ = knee_at_strike_ = lift_phase_ = push_pitch_ = 0;
  pushing_ = airborne_ = false;
  taken_over_ = TakenOver{};
  ball_ = s.ankle[kRight];
  anchor_ = s.ankle[kLeft];
  felt_ = 0;
  ankle_goal_.setZero();
  foothold_shift_ = 0;
  grip_ = stood_grip_ = 1;
  wary_ = 0;
  stubbed_ = lowers_ = false;
  rough_ = stub_top_ = hangs_clock_ = 0;
  stub_at_.setZero();
  safe_speed_ = kMostSpeed;
  wall_ahead_ = kFarOff;
  wall_way_.setZero();
  stoop_ = stoop_rate_ = stretch_ = load_ = 0;
  hand_trim_.fill(Vec3::Zero());
  hand_force_.fill(Vec3::Zero());
  features_.begin(Vec2::UnitX());
  resume_style();
  over_ = -1;
  places_ = nears_stairs_ = false;
  over_drop_ = descended_ = descend_ = 0;
  over_height_ = climb_ = climbed_ = placed_ = over_speed_ = duck_ = bend_ = 0;
  lift_ankle_ = s.ankle[kRight];
  trunk_.fill(Quat::Identity());
  report_ = ControlReport{};
  report_.com = s.com;
  report_.com_velocity = s.com_velocity;
  report_.capture_point = s.com.head<2>();
  report_.heading = s.heading;
}

void Gbwc::resume(const GaitMoment& moment) {
  if (!moment.walking) return;
  resumes_ = true;
  stance_ = moment.left_stance ? kLeft : kRight;
  phase_ = std::clamp(moment.phase, 0.0, kLatestResumed);
  velocity_ = moment.velocity;
  heading_ = moment.heading;
  report_.mean_velocity = moment.mean;
}

GaitMoment Gbwc::moment() const {
  GaitMoment out;
  out.walking = !standing_ || resumes_;
  out.left_stance = stance_ == kLeft;
  out.phase = phase_;
  out.velocity = velocity_;
  out.mean = report_.mean_velocity;
  out.heading = heading_;
  return out;
}

void Gbwc::update(physics::ArticulatedBody& body, const physics::GroundNow& ground,
                  const Goal& goal, double dt) {
  const std::array<FootLoad, 2> loads = foot_loads(biped_, body);
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
  Frame f{.state = body,
          .ground_now = ground,
          .links = body.links(),
          .drives = body.drives(),
          .s = observe(biped_, body, loads),
          .branch = {}};
  f.view.now = &ground;
  f.view.hanging_from = std::min(f.s.ankle[kLeft].z() - biped_.ankle_height[kLeft],
                                 f.s.ankle[kRight].z() - biped_.ankle_height[kRight]) +
                        lowest_underside();
  // Over a pit without a floor the ground is taken to be as high as the lower foot.
  f.view.missing = std::min(f.s.ankle[kLeft].z(), f.s.ankle[kRight].z());
  branches(body, f.branch);
  if (goal.plain != plain_) {
    plain_ = goal.plain;
    put_on_style();
  }
  f.own_com = f.s.com;
  f.mass = body_->total_mass;
  feel_load(goal, dt);
  take_load(f);
  load_ += (heavier(f) - 1 - load_) * dt / (kLoadLeanIn * time_scale_ + dt);
  for (int side : {kLeft, kRight}) {
    f.load[side] = std::max(0.0, f.s.foot_force[side].z()) / (physics::kGravity * f.mass);
  }
  const double felt_before = felt_;
  feel_ground(f, dt);
  f.view.felt = felt_;
  const Vec3 support = standing_ ? Vec3(0.5 * (f.s.ankle[0] + f.s.ankle[1])) : f.s.ankle[stance_];
  if (ground.ground->has_motion()) ride(f, support, dt);
  follow_heading(f, goal, dt);
  follow_velocity(f, goal, dt);
  f.turn_to(heading_);
  f.pelvis = f.heading *
             rotation_y(0.5 * style_->lean + stoops_->pose(stoop_).pelvis + duck_pitch(kPelvis));
  if (!standing_) {
    f.pelvis = f.pelvis * rotation_z(style_offset(StyleJoint::kPelvis, 2)) *
               rotation_x(style_offset(StyleJoint::kPelvis, 0)) *
               rotation_y(style_offset(StyleJoint::kPelvis, 1));
  }
  f.velocity = f.in_heading(f.s.com_velocity - f.carried);
  // Fast walking takes quicker steps: otherwise they would become longer than the legs reach.
  const double fast = std::max(0.0, velocity_.norm() / time_scale_ - 0.8);
  f.step_time = style_->step_time * time_scale_ / (1 + p_->brisk() * fast);
  // Steps become longer and quicker together.
  const double over_usual = std::max(kSlowest, velocity_.norm() / time_scale_) / 0.8;
  f.step_time *= std::pow(over_usual, -p_->cadence_exponent());
  f.step_time *= std::lerp(1.0, kSharpStepTime, sharpness_);
  f.step_time *= std::lerp(kIceStepTime, 1.0, ramp01(grip_, 0.2, 0.8));
  f.step_time *= obstacle_step_time() * duck_step_time() * loaded_step_time();
  // Quicker steps sway less: who is to stand for work comes to rest from them.
  if (goal.stand && goal.width > style_->step_width && !standing_) f.step_time *= kToStandTime;
  const double widest =
      std::max(style_->step_width, p_->turn_sharp_width_m() + kCrouchWidth * crouch());
  const double asked = std::max(std::lerp(style_->step_width, widest, sharpness_), goal.width);
  f.width = std::max(asked * length_scale_, clear_width_);
  // On ice feet stand on nearly one line: what is beside the middle pushes them apart.
  const double narrowest = clear_width_ - kBetweenLegs * length_scale_;
  f.width = std::lerp(std::min(f.width, narrowest), f.width, ramp01(grip_, 0.2, 0.6));
  f.ground = f.ground_at(support);
  f.height = std::max(0.3 * body_->standing_com_height, f.s.com.z() - f.ground);
  f.omega = std::sqrt(physics::kGravity / f.height);
  f.pendulum = Pendulum(f.omega, f.step_time);
  f.pendulum.go_to(phase_);
  // A deviation at the beginning of a step grows more until the end of a longer one.
  const double more = std::exp(f.omega * (f.step_time - kUsualStepTime * time_scale_));
  f.longer = std::clamp(more, 1.0, kMostLonger);
  takes_over_ = resumes_;
  if (takes_over_) go_on(f);
  f.trouble = trouble_of(f);
  fine_clock_ = f.trouble > kFineTrouble ? kFineTime : std::max(0.0, fine_clock_ - dt);
  grow_wary(f, felt_before, dt);
  feel_stub(f);
  body.set_fine(fine_clock_ > 0.5 * dt);
  f.unrest = unrest();
  if (!standing_) {
    f.firm = (1 - f.trouble) * (1 - f.unrest) * (f.longer - 1) / (kMostLonger - 1);
  }
  f.phase_rate = phase_rate_of(f);

  stand_or_go(f, goal, dt);
  if (!standing_) advance_phase(f, dt);
  plan_step_over(f);
  plan_climb(f);
  plan_descent(f);
  f.pendulum.go_to(phase_);

  for (physics::JointDrive& drive : f.drives) drive.feedforward.setZero();
  pose_clock_ -= dt;
  if (pose_clock_ < 0.5 * dt) {
    pose_clock_ = kPoseTime;
    watch_way(f, goal.velocity);
    watch_ground(f, goal.velocity);
    watch_ceiling(f);
    bend(goal.bend, kPoseTime);
    plan_step_over(f);
    plan_climb(f);
    plan_descent(f);
    breath_phase_ = wrap_angle(breath_phase_ + kBreath * kPoseTime / time_scale_);
    stoop(f, goal, kPoseTime);
    stretch(f, goal, kPoseTime);
    pose_trunk();
    drive_arms(f, goal);
  }
  drive_trunk(f);
  if (standing_) {
    const double left = left_share(f);
    stance_share_ = {left, 1 - left};
    drive_stance_leg(f, kLeft);
    drive_stance_leg(f, kRight);
  } else {
    // The pelvis is held by the legs that carry: a foot that has just touched takes over from the
    // other as the load moves to it.
    stance_share_ = {};
    stance_share_[stance_] = std::min(1.0, f.load[stance_] / p_->full_load());
    if (phase_ < 0.3) {
      stance_share_[1 - stance_] =
          std::min(1 - stance_share_[stance_], f.load[1 - stance_] / p_->full_load());
    }
    if (f.load[stance_] > 0.1) anchor_ = f.s.ankle[stance_];
    drive_stance_leg(f, stance_);
    choose_foothold(f, dt);
    if (takes_over_ && !pushing_) go_on_swinging(f);
    if (pushing_) {
      drive_push_off(f);
    } else {
      drive_swing_leg(f);
    }
  }
  compensate_gravity(f);
  hold_up(f, goal);
  const Vec3 force = virtual_force(f);
  tune_velocity(f, force);
  hold_pelvis(f, force);
  write_report(f);
}

void Gbwc::ride(Frame& f, const Vec3& support, double dt) {
  const physics::GroundPoint under = f.ground_now.at(support.x(), support.y(), support.z());
  f.carried = under.velocity;
  // What is remembered of the world moves along with the ground.
  anchor_ += f.carried * dt;
  step_com_ += f.carried * dt;
  ball_ += f.carried * dt;
  lift_ankle_ += f.carried * dt;
  heading_ = wrap_angle(heading_ + under.spin * dt);
  lift_off_heading_ = wrap_angle(lift_off_heading_ + under.spin * dt);
}

void Gbwc::write_report(const Frame& f) {
  ControlReport& r = report_;
  r.com = f.own_com;
  r.com_velocity = f.s.com_velocity;
  const Vec2 reach(capture_distance(f.velocity.x(), f.height),
                   capture_distance(f.velocity.y(), f.height));
  r.capture_point = f.s.com.head<2>() + f.in_world(reach);
  r.left_stance = stance_ == kLeft;
  r.standing = standing_;
  r.phase = standing_ ? 0 : phase_;
  r.heading = f.s.heading;
  r.foot_force = f.s.foot_force;
  r.foot_on_ground = f.s.on_ground;
  r.stoop = stoop_;
}

double Gbwc::style_offset(StyleJoint joint, int axis) const {
  return style_->offset(joint, axis, phase_, velocity_.x(), stance_ == kLeft);
}

/// Share of a stand on the toes that is left: who turns sharply comes down on the soles, as on the
/// toes nobody holds the twist, and so does who pushes or pulls hard. 1 in styles that land on the
/// sole or the heel.
double Gbwc::tiptoe_share() const {
  const Vec2 pull = (hand_force_[kLeft] + hand_force_[kRight]).head<2>();
  if (pull.norm() > kHardPull * physics::kGravity * body_->total_mass) return 0;
  return style_->foot_height_at(1, stance_ == kLeft) > 0 ? 1 - sharpness_ : 1;
}

/// By how much lower than its style asks a foot swings, m: it lands no higher above the ground than
/// toes reach that point down as far as they do at this speed.
double Gbwc::soles_down() const {
  const bool on_left = stance_ == kLeft;
  const double asked = style_->foot_height_at(1, on_left) * length_scale_;
  if (asked <= 0) return 0;
  const double down =
      tiptoe_share() * style_->offset(StyleJoint::kSwingAnkle, 1, 1, velocity_.x(), on_left);
  return std::max(0.0, asked - foot_reach_[1 - stance_].x() * std::sin(std::max(0.0, down)));
}

double Gbwc::style_rate(const Frame& f, StyleJoint joint, int axis) const {
  if (p_->curve_rates() <= 0) return 0;
  const auto at = [&](double phase) {
    return style_->offset(joint, axis, phase, velocity_.x(), stance_ == kLeft);
  };
  return p_->curve_rates() * f.phase_rate * (at(phase_ + kRateOver) - at(phase_)) / kRateOver;
}

void Gbwc::visit(StateVisitor& state) {
  constexpr double kLongest = 1;  // s between decisions, far more than there ever is
  state.within(due_clock_, -kLongest, kLongest);
  state(fine_clock_);
  state.within(since_.seconds, 0, kLongest);
  state.choice(since_.steps, 1000);
  for (FootLoad& load : since_.loads) state(load.force, load.moment, load.weight);
  state(standing_, resumes_, plain_, pulls_);
  state.choice(set_aside_, kStepsAside + 1);
  if (state.reading()) style_ = wanted_style();
  state.choice(stance_, 2);
  state.within(lift_phase_, 0, kLatestLift);
  state.within(taken_over_.phase, 0, kLatestLift);
  features_.visit(state);
  state(over_drop_, descended_, descend_, nears_stairs_);
  state.optional_index(over_, ahead::capacity(FeatureKind::kBoard));
  state(limit_, climb_, climbed_, over_height_, placed_, places_, over_speed_, lift_ankle_, duck_,
        bend_);
  state(phase_, step_clock_, pose_clock_, trunk_, ankle_goal_, foothold_shift_, grip_, stood_grip_,
        wary_, stubbed_, lowers_, rough_, stub_top_, stub_at_, safe_speed_, wall_ahead_, wall_way_,
        usual_end_, heading_, final_heading_, sharp_, sharpness_, lift_off_heading_, velocity_,
        lift_off_, lift_off_height_, pushing_, airborne_, taken_over_.ankle, taken_over_.knee,
        taken_over_.foot, push_pitch_, ball_, felt_, anchor_, knee_at_strike_, stoop_, stoop_rate_,
        stretch_, load_, hand_trim_, hand_force_, speed_correction_, step_com_, last_step_velocity_,
        idle_clock_, hangs_clock_, breath_phase_, shift_clock_, shifting_, stance_share_, brace_);
  report_.visit(state);
}

}  // namespace promenade::control
