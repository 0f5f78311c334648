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
    : own_style_(std::move(style)),
      plain_style_(std::move(plain)),
      style_(own_style_),
      p_(std::move(parameters)) {
  measure(std::move(body));
}

void Gbwc::measure(std::shared_ptr<const Creature> body) {
  body_.creature = std::move(body);
  body_.biped = biped_of(*body_.creature).value();
  body_.mass_scale = body_.creature->total_mass / kHumanMass;
  body_.length_scale = body_.creature->leg_scale();
  body_.time_scale = std::sqrt(body_.length_scale);
  for (int side : {kLeft, kRight})
    body_.foot_reach[side] = foot_reach(*body_.creature, body_.biped, side);
  body_.sight = sight_of(*p_, body_.length_scale, body_.foot_reach);
  body_.clear_width = clear_width(*body_.creature, body_.biped);
  body_.stature = stature(*body_.creature, body_.biped);
  body_.stoops = stoop_table_of(body_.creature, body_.biped, p_,
                                (plain_style_ ? plain_style_ : own_style_)->lean, stooped_rest());
  body_.deepest_knee = deepest_crouch();
  body_.duck_drop = duck_drop();
}

const std::shared_ptr<const Style>& Gbwc::wanted_style() const {
  return (plain_ || set_aside_ > 0) && plain_style_ ? plain_style_ : own_style_;
}

void Gbwc::put_on_style() {
  const auto& wanted = wanted_style();
  if (style_ == wanted) return;
  style_ = wanted;
  trunk_.clock = 0;
}

/// Obstacles, stairs and what hangs low ask for balance: one meets them in the plain style.
void Gbwc::put_style_aside() {
  const bool meets = meets_steps() || duck_.amount > duck_.asked;
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
  measure(std::move(creature));
  const double longer = body_.length_scale / before;
  features_.clear();
  over_ = -1;
  places_ = false;
  swing_.lift_off *= longer;
  swing_.lift_height *= longer;
  learnt_.correction *= longer;
  const Vec3 com = observe(body_.biped, state).com;
  learnt_.step_com += com - report_.com;
  step_.pushing = false;
  step_.anchor = observe(body_.biped, state).ankle[step_.stance];
  report_.com = com;
  // The new body has no drives yet, so both clocks are due at once; its feet carry nothing yet.
  trunk_.clock = due_clock_ = 0;
  since_ = {};
}

void Gbwc::reset(const physics::ArticulatedBody& body, const Goal& goal) {
  const BipedState s = observe(body_.biped, body);
  step_.standing = true;
  stand_.shifting = resumes_ = false;
  step_.stance = kLeft;
  step_.phase = step_.clock = stand_.shift_clock = idle_.clock = idle_.breath = trunk_.clock = 0;
  due_clock_ = fine_clock_ = 0;
  since_ = {};
  course_.sharp = false;
  course_.sharpness = 0;
  course_.heading = swing_.lift_heading = s.heading;
  course_.final_heading = goal.heading;
  course_.velocity = rotated(s.com_velocity.head<2>(), -course_.heading);
  learnt_.correction.setZero();
  step_.usual_end = 1;
  learnt_.step_com = s.com;
  learnt_.last_velocity.setZero();
  swing_.lift_off.setZero();
  swing_.lift_height = step_.knee_at_strike = step_.lift_phase = swing_.push_pitch = 0;
  step_.pushing = step_.airborne = false;
  swing_.taken_over = TakenOver{};
  swing_.ball = s.ankle[kRight];
  step_.anchor = s.ankle[kLeft];
  ground_.felt = 0;
  swing_.goal.setZero();
  swing_.shift = 0;
  ground_.grip = ground_.stood_grip = 1;
  stumble_.wary = 0;
  stumble_.stubbed = stumble_.lowers = false;
  stumble_.rough = stumble_.top = stand_.hangs_clock = 0;
  stumble_.at.setZero();
  ground_.safe_speed = kMostSpeed;
  ground_.wall_ahead = kFarOff;
  ground_.wall_way.setZero();
  stoop_.depth = stoop_.rate = stretch_.tilt = load_.share = 0;
  arms_.trim.fill(Vec3::Zero());
  load_.hand_force.fill(Vec3::Zero());
  features_.begin(Vec2::UnitX());
  resume_style();
  over_ = -1;
  places_ = nears_stairs_ = false;
  over_drop_ = step_.descended = descend_ = 0;
  over_height_ = climb_ = step_.climbed = placed_ = over_speed_ = duck_.amount = duck_.asked = 0;
  swing_.lift_ankle = s.ankle[kRight];
  trunk_.target.fill(Quat::Identity());
  report_ = ControlReport{};
  report_.com = s.com;
  report_.com_velocity = s.com_velocity;
  report_.capture_point = s.com.head<2>();
  report_.heading = s.heading;
}

void Gbwc::resume(const GaitMoment& moment) {
  if (!moment.walking) return;
  resumes_ = true;
  step_.stance = moment.left_stance ? kLeft : kRight;
  step_.phase = std::clamp(moment.phase, 0.0, kLatestResumed);
  course_.velocity = moment.velocity;
  course_.heading = moment.heading;
  report_.mean_velocity = moment.mean;
}

GaitMoment Gbwc::moment() const {
  GaitMoment out;
  out.walking = !step_.standing || resumes_;
  out.left_stance = step_.stance == kLeft;
  out.phase = step_.phase;
  out.velocity = course_.velocity;
  out.mean = report_.mean_velocity;
  out.heading = course_.heading;
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
  Frame f{.state = body,
          .ground_now = ground,
          .links = body.links(),
          .drives = body.drives(),
          .s = observe(body_.biped, body, loads),
          .branch = {}};
  f.view.now = &ground;
  f.view.hanging_from = std::min(f.s.ankle[kLeft].z() - body_.biped.ankle_height[kLeft],
                                 f.s.ankle[kRight].z() - body_.biped.ankle_height[kRight]) +
                        lowest_underside();
  // Over a pit without a floor the ground is taken to be as high as the lower foot.
  f.view.missing = std::min(f.s.ankle[kLeft].z(), f.s.ankle[kRight].z());
  branches(body, f.branch);
  if (goal.plain != plain_) {
    plain_ = goal.plain;
    put_on_style();
  }
  f.own_com = f.s.com;
  f.mass = body_.creature->total_mass;
  feel_load(goal, dt);
  take_load(f);
  load_.share += (heavier(f) - 1 - load_.share) * dt / (kLoadLeanIn * body_.time_scale + dt);
  for (int side : {kLeft, kRight}) {
    f.load[side] = std::max(0.0, f.s.foot_force[side].z()) / (physics::kGravity * f.mass);
  }
  const double felt_before = ground_.felt;
  feel_ground(f, dt);
  f.view.felt = ground_.felt;
  const Vec3 support =
      step_.standing ? Vec3(0.5 * (f.s.ankle[0] + f.s.ankle[1])) : f.s.ankle[step_.stance];
  if (ground.ground->has_motion()) ride(f, support, dt);
  follow_heading(f, goal, dt);
  follow_velocity(f, goal, dt);
  f.turn_to(course_.heading);
  f.pelvis = f.heading * rotation_y(0.5 * style_->lean + body_.stoops->pose(stoop_.depth).pelvis +
                                    duck_pitch(kPelvis));
  if (!step_.standing) {
    f.pelvis = f.pelvis * rotation_z(style_offset(StyleJoint::kPelvis, 2)) *
               rotation_x(style_offset(StyleJoint::kPelvis, 0)) *
               rotation_y(style_offset(StyleJoint::kPelvis, 1));
  }
  f.velocity = f.in_heading(f.s.com_velocity - f.carried);
  // Fast walking takes quicker steps: otherwise they would become longer than the legs reach.
  const double fast = std::max(0.0, course_.velocity.norm() / body_.time_scale - 0.8);
  f.step_time = style_->step_time * body_.time_scale / (1 + p_->brisk() * fast);
  // Steps become longer and quicker together.
  const double over_usual = std::max(kSlowest, course_.velocity.norm() / body_.time_scale) / 0.8;
  f.step_time *= std::pow(over_usual, -p_->cadence_exponent());
  f.step_time *= std::lerp(1.0, kSharpStepTime, course_.sharpness);
  f.step_time *= std::lerp(kIceStepTime, 1.0, ramp01(ground_.grip, 0.2, 0.8));
  f.step_time *= obstacle_step_time() * duck_step_time() * loaded_step_time();
  // Quicker steps sway less: who is to stand for work comes to rest from them.
  if (goal.stand && goal.width > style_->step_width && !step_.standing) f.step_time *= kToStandTime;
  const double widest =
      std::max(style_->step_width, p_->turn_sharp_width_m() + kCrouchWidth * crouch());
  const double asked =
      std::max(std::lerp(style_->step_width, widest, course_.sharpness), goal.width);
  f.width = std::max(asked * body_.length_scale, body_.clear_width);
  // On ice feet stand on nearly one line: what is beside the middle pushes them apart.
  const double narrowest = body_.clear_width - kBetweenLegs * body_.length_scale;
  f.width = std::lerp(std::min(f.width, narrowest), f.width, ramp01(ground_.grip, 0.2, 0.6));
  f.ground = f.ground_at(support);
  f.height = std::max(0.3 * body_.creature->standing_com_height, f.s.com.z() - f.ground);
  f.omega = std::sqrt(physics::kGravity / f.height);
  f.pendulum = Pendulum(f.omega, f.step_time);
  f.pendulum.go_to(step_.phase);
  // A deviation at the beginning of a step grows more until the end of a longer one.
  const double more = std::exp(f.omega * (f.step_time - kUsualStepTime * body_.time_scale));
  f.longer = std::clamp(more, 1.0, kMostLonger);
  takes_over_ = resumes_;
  if (takes_over_) go_on(f);
  f.trouble = trouble_of(f);
  fine_clock_ = f.trouble > kFineTrouble ? kFineTime : std::max(0.0, fine_clock_ - dt);
  grow_wary(f, felt_before, dt);
  feel_stub(f);
  body.set_fine(fine_clock_ > 0.5 * dt);
  f.unrest = unrest();
  if (!step_.standing) {
    f.firm = (1 - f.trouble) * (1 - f.unrest) * (f.longer - 1) / (kMostLonger - 1);
  }
  f.phase_rate = phase_rate_of(f);

  stand_or_go(f, goal, dt);
  if (!step_.standing) advance_phase(f, dt);
  plan_step_over(f);
  plan_climb(f);
  plan_descent(f);
  f.pendulum.go_to(step_.phase);

  for (physics::JointDrive& drive : f.drives) drive.feedforward.setZero();
  trunk_.clock -= dt;
  if (trunk_.clock < 0.5 * dt) {
    trunk_.clock = kPoseTime;
    watch_way(f, goal.velocity);
    watch_ground(f, goal.velocity);
    watch_ceiling(f);
    bend(goal.bend, kPoseTime);
    plan_step_over(f);
    plan_climb(f);
    plan_descent(f);
    idle_.breath = wrap_angle(idle_.breath + kBreath * kPoseTime / body_.time_scale);
    stoop(f, goal, kPoseTime);
    stretch(f, goal, kPoseTime);
    pose_trunk();
    drive_arms(f, goal);
  }
  drive_trunk(f);
  if (step_.standing) {
    const double left = left_share(f);
    balance_.share = {left, 1 - left};
    drive_stance_leg(f, kLeft);
    drive_stance_leg(f, kRight);
  } else {
    // The pelvis is held by the legs that carry: a foot that has just touched takes over from the
    // other as the load moves to it.
    balance_.share = {};
    balance_.share[step_.stance] = std::min(1.0, f.load[step_.stance] / p_->full_load());
    if (step_.phase < 0.3) {
      balance_.share[1 - step_.stance] =
          std::min(1 - balance_.share[step_.stance], f.load[1 - step_.stance] / p_->full_load());
    }
    if (f.load[step_.stance] > 0.1) step_.anchor = f.s.ankle[step_.stance];
    drive_stance_leg(f, step_.stance);
    choose_foothold(f, dt);
    if (takes_over_ && !step_.pushing) go_on_swinging(f);
    if (step_.pushing) {
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
  step_.anchor += f.carried * dt;
  learnt_.step_com += f.carried * dt;
  swing_.ball += f.carried * dt;
  swing_.lift_ankle += f.carried * dt;
  course_.heading = wrap_angle(course_.heading + under.spin * dt);
  swing_.lift_heading = wrap_angle(swing_.lift_heading + under.spin * dt);
}

void Gbwc::write_report(const Frame& f) {
  ControlReport& r = report_;
  r.com = f.own_com;
  r.com_velocity = f.s.com_velocity;
  const Vec2 reach(capture_distance(f.velocity.x(), f.height),
                   capture_distance(f.velocity.y(), f.height));
  r.capture_point = f.s.com.head<2>() + f.in_world(reach);
  r.left_stance = step_.stance == kLeft;
  r.standing = step_.standing;
  r.phase = step_.standing ? 0 : step_.phase;
  r.heading = f.s.heading;
  r.foot_force = f.s.foot_force;
  r.foot_on_ground = f.s.on_ground;
  r.stoop = stoop_.depth;
}

double Gbwc::style_offset(StyleJoint joint, int axis) const {
  return style_->offset(joint, axis, step_.phase, course_.velocity.x(), step_.stance == kLeft);
}

/// Share of a stand on the toes that is left: who turns sharply comes down on the soles, as on the
/// toes nobody holds the twist, and so does who pushes or pulls hard. 1 in styles that land on the
/// sole or the heel.
double Gbwc::tiptoe_share() const {
  const Vec2 pull = (load_.hand_force[kLeft] + load_.hand_force[kRight]).head<2>();
  if (pull.norm() > kHardPull * physics::kGravity * body_.creature->total_mass) return 0;
  return style_->foot_height_at(1, step_.stance == kLeft) > 0 ? 1 - course_.sharpness : 1;
}

/// By how much lower than its style asks a foot swings, m: it lands no higher above the ground than
/// toes reach that point down as far as they do at this speed.
double Gbwc::soles_down() const {
  const bool on_left = step_.stance == kLeft;
  const double asked = style_->foot_height_at(1, on_left) * body_.length_scale;
  if (asked <= 0) return 0;
  const double down =
      tiptoe_share() * style_->offset(StyleJoint::kSwingAnkle, 1, 1, course_.velocity.x(), on_left);
  return std::max(0.0,
                  asked - body_.foot_reach[1 - step_.stance].x() * std::sin(std::max(0.0, down)));
}

double Gbwc::style_rate(const Frame& f, StyleJoint joint, int axis) const {
  if (p_->curve_rates() <= 0) return 0;
  const auto at = [&](double phase) {
    return style_->offset(joint, axis, phase, course_.velocity.x(), step_.stance == kLeft);
  };
  return p_->curve_rates() * f.phase_rate * (at(step_.phase + kRateOver) - at(step_.phase)) /
         kRateOver;
}

void Gbwc::visit(StateVisitor& state) {
  constexpr double kLongest = 1;  // s between decisions, far more than there ever is
  state.within(due_clock_, -kLongest, kLongest);
  state(fine_clock_);
  state.within(since_.seconds, 0, kLongest);
  state.choice(since_.steps, 1000);
  for (FootLoad& load : since_.loads) state(load.force, load.moment, load.weight);
  state(step_.standing, resumes_, plain_, load_.pulls);
  state.choice(set_aside_, kStepsAside + 1);
  if (state.reading()) style_ = wanted_style();
  state.choice(step_.stance, 2);
  state.within(step_.lift_phase, 0, kLatestLift);
  state.within(swing_.taken_over.phase, 0, kLatestLift);
  features_.visit(state);
  state(over_drop_, step_.descended, descend_, nears_stairs_);
  state.optional_index(over_, ahead::capacity(FeatureKind::kBoard));
  state(limit_, climb_, step_.climbed, over_height_, placed_, places_, over_speed_,
        swing_.lift_ankle, duck_.amount, duck_.asked);
  state(step_.phase, step_.clock, trunk_.clock, trunk_.target, swing_.goal, swing_.shift,
        ground_.grip, ground_.stood_grip, stumble_.wary, stumble_.stubbed, stumble_.lowers,
        stumble_.rough, stumble_.top, stumble_.at, ground_.safe_speed, ground_.wall_ahead,
        ground_.wall_way, step_.usual_end, course_.heading, course_.final_heading, course_.sharp,
        course_.sharpness, swing_.lift_heading, course_.velocity, swing_.lift_off,
        swing_.lift_height, step_.pushing, step_.airborne, swing_.taken_over.ankle,
        swing_.taken_over.knee, swing_.taken_over.foot, swing_.push_pitch, swing_.ball,
        ground_.felt, step_.anchor, step_.knee_at_strike, stoop_.depth, stoop_.rate, stretch_.tilt,
        load_.share, arms_.trim, load_.hand_force, learnt_.correction, learnt_.step_com,
        learnt_.last_velocity, idle_.clock, stand_.hangs_clock, idle_.breath, stand_.shift_clock,
        stand_.shifting, balance_.share, balance_.brace);
  report_.visit(state);
}

}  // namespace promenade::control
