#include "control/pendulum/pendulum.h"

#include <algorithm>
#include <cmath>

#include "control/pendulum/measure_gait.h"
#include "creature/biped/biped_state.h"
#include "math/rotation.h"

namespace promenade::control::pendulum {
namespace {

constexpr double kEditPause = 0.5;       // s without another edit, until the gait is measured anew
constexpr double kShownChange = 1.5;     // m/s^2, of the speed whose cycle is shown
constexpr double kPredicted = 1.0 / 60;  // s, over which the rates at the beginning are taken
constexpr double kStandingSpeed = 0.15;  // m/s, of a body that stands on both feet

std::shared_ptr<const Poser> measured(const ControllerSetup& setup) {
  ControllerSetup walk;
  walk.creature = setup.creature;
  walk.parameters = setup.walk;
  walk.style = setup.style;
  if (setup.gaits) return setup.gaits->poser(walk);
  return std::make_shared<const Poser>(setup.creature, biped_of(*setup.creature).value(),
                                       measure_gait(walk));
}

Manner manner_of(const Poser& poser) {
  const double usual = poser.table().usual_speed();
  const StepperGait gait = poser.gait(usual);
  return {usual, gait.step_time, gait.width};
}

/// The rates that lead from one state to the next. Writes into next.velocity.
void find_rates(const physics::ArticulationModel& model, const physics::ArticulationState& before,
                double dt, physics::ArticulationState& next) {
  const auto set = [&](std::size_t at, const Vec3& value) {
    for (int k = 0; k < 3; ++k) next.velocity[at + std::size_t(k)] = value[k];
  };
  // Small turns: twice the vector part of the quaternion between the two.
  const auto turned = [dt](const Quat& from, const Quat& to) {
    const Quat way = from.conjugate() * to;
    return Vec3((way.w() < 0 ? -2 : 2) / dt * way.vec());
  };
  set(0, (next.root.position - before.root.position) / dt);
  set(3, next.root.rotation * turned(before.root.rotation, next.root.rotation));
  for (std::size_t i = 1; i < model.links.size(); ++i) {
    const physics::LinkModel& link = model.links[i];
    const auto at = std::size_t(link.dof);
    if (link.joint == physics::JointKind::kBall) {
      set(at, turned(before.joint[i], next.joint[i]));
    } else if (link.joint == physics::JointKind::kUniversal) {
      next.velocity[at] = (next.angle[i].y() - before.angle[i].y()) / dt;
      next.velocity[at + 1] = (next.angle[i].x() - before.angle[i].x()) / dt;
    } else {
      next.velocity[at] = (next.angle[i].x() - before.angle[i].x()) / dt;
    }
  }
}

/// Moves each joint on at its rate.
void move_on(const physics::ArticulationModel& model, double dt,
             physics::ArticulationState& state) {
  const auto rate = [&](std::size_t at) {
    return Vec3(state.velocity[at], state.velocity[at + 1], state.velocity[at + 2]);
  };
  state.root.position += dt * rate(0);
  state.root.rotation = quat_from_rotation_vector(dt * rate(3)) * state.root.rotation;
  for (std::size_t i = 1; i < model.links.size(); ++i) {
    const physics::LinkModel& link = model.links[i];
    const auto at = std::size_t(link.dof);
    Vec2& angle = state.angle[i];
    if (link.joint == physics::JointKind::kBall) {
      state.joint[i] = state.joint[i] * quat_from_rotation_vector(dt * rate(at));
    } else if (link.joint == physics::JointKind::kUniversal) {
      angle += dt * Vec2(state.velocity[at + 1], state.velocity[at]);
      state.joint[i] = rotation_y(angle.y()) * rotation_x(angle.x());
    } else {
      angle.x() += dt * state.velocity[at];
      state.joint[i] = Quat(Eigen::AngleAxisd(angle.x(), link.axis));
    }
  }
}

}  // namespace

Pendulum::Pendulum(const ControllerSetup& setup)
    : setup_(setup),
      poser_(measured(setup)),
      tuning_(setup.gaits ? setup.gaits->tuning(setup.parameters) : tuning_of(setup.parameters)),
      body_(poser_->body()),
      gait_(poser_->gait(0)),
      manner_(manner_of(*poser_)),
      stepper_(body_, gait_, *tuning_),
      before_{stepper_, 0, Handover::kWhole, 0} {}

void Pendulum::use(std::shared_ptr<const Poser> poser) {
  poser_ = std::move(poser);
  body_ = poser_->body();
  gait_ = poser_->gait(shown_speed_);
  manner_ = manner_of(*poser_);
}

void Pendulum::reset(const physics::ArticulatedBody&, const Goal& goal) {
  report_ = ControlReport{};
  report_.heading = goal.heading;
  shown_speed_ = 0;
}

void Pendulum::set_style(std::shared_ptr<const Style> style) {
  setup_.style = std::move(style);
  pending_ = kEditPause;
}

void Pendulum::set_creature(std::shared_ptr<const Creature> creature,
                            const physics::ArticulatedBody&) {
  const bool same_links = creature->model->links.size() == setup_.creature->model->links.size();
  setup_.creature = std::move(creature);
  const Biped biped = biped_of(*setup_.creature).value();
  // The poses of the body before fit until the new one's are there.
  const bool fits = same_links && biped.link == poser_->biped().link;
  if (fits) {
    use(std::make_shared<const Poser>(setup_.creature, biped, poser_->shared_table()));
    pending_ = kEditPause;
  } else {
    use(measured(setup_));
    pending_ = 0;
  }
}

void Pendulum::measure_when_due(double dt) {
  if (pending_ == 0) return;
  pending_ = std::max(0.0, pending_ - dt);
  if (pending_ == 0) use(measured(setup_));
}

StepperStart Pendulum::start_of(const physics::ArticulatedBody& body,
                                const physics::GroundNow& ground) const {
  const BipedState s = observe(poser_->biped(), body);
  StepperStart from;
  from.com = s.com;
  from.velocity = s.com_velocity;
  from.heading = s.heading;
  from.steps = report_.steps;
  std::array<double, 2> height{};
  for (std::size_t side = 0; side < 2; ++side) {
    const Mat3& foot = body.links()[std::size_t(poser_->biped().link[kLeftFoot + side])].rotation;
    Foot& put = from.feet[side];
    put.yaw = std::atan2(foot(1, 0), foot(0, 0));
    put.pitch = -std::asin(std::clamp(foot(2, 0), -1.0, 1.0));
    put.position = middle_under(poser_->soles()[side], s.ankle[side], foot, put.yaw, put.pitch);
    constexpr double kOver = 0.1;  // m: the ground is no higher above a sole
    const Vec3& at = put.position;
    const physics::GroundPoint under = ground.bearing(at.x(), at.y(), at.z() + kOver);
    height[side] = under.there ? at.z() - under.height : 0;
  }
  const bool level = std::abs(height[0] - height[1]) < 0.03;
  if (resumed_.walking) {
    from.standing = false;
    from.stance = resumed_.left_stance ? kLeft : kRight;
    from.heading = resumed_.heading;
    from.aimed_velocity = resumed_.velocity;
    from.mean_velocity = resumed_.mean;
    const StepperGait gait = poser_->gait(resumed_.mean.x());
    from.landing = resumed_.phase < gait.both_share;
    if (from.landing) from.stance = 1 - from.stance;
    from.phase = from.landing ? resumed_.phase / gait.both_share
                              : (resumed_.phase - gait.both_share) / (1 - gait.both_share);
    return from;
  }
  from.standing = level && s.com_velocity.head<2>().norm() < kStandingSpeed;
  from.stance = height[kLeft] <= height[kRight] ? kLeft : kRight;
  from.landing = !from.standing && s.on_ground[kLeft] && s.on_ground[kRight];
  if (from.landing) {
    const Vec3 apart = from.feet[kLeft].position - from.feet[kRight].position;
    from.stance = apart.dot(s.com_velocity) < 0 ? kLeft : kRight;
  }
  // The foot in the air is about as far on its way as the mass is ahead of the one that stands.
  const Vec2 velocity = rotated(Vec2(s.com_velocity.head<2>()), -s.heading);
  if (!from.standing) from.aimed_velocity = from.mean_velocity = velocity;
  const Vec3& stands = from.feet[std::size_t(from.stance)].position;
  const Vec2 ahead = rotated(Vec2((s.com - stands).head<2>()), -s.heading);
  const double step = std::max(0.1, velocity.norm() * poser_->gait(velocity.x()).step_time);
  from.phase = from.landing ? 0 : std::clamp(0.5 + ahead.x() / step, 0.1, 0.9);
  return from;
}

void Pendulum::begin(const physics::ArticulatedBody& body, const physics::GroundNow& ground) {
  StepperStart from = start_of(body, ground);
  resumed_ = GaitMoment{};
  shown_speed_ = from.standing ? 0 : from.mean_velocity.x();
  gait_ = poser_->gait(shown_speed_);
  from.swung = poser_->swung(shown_speed_, std::size_t(1 - from.stance), from.phase);
  stepper_.start(ground, from);
  hand_over(body, ground);
  fill_report(0);
}

void Pendulum::hand_over(const physics::ArticulatedBody& body, const physics::GroundNow& ground) {
  Goal as_before;
  as_before.velocity = stepper_.aimed_velocity();
  as_before.heading = stepper_.heading();
  as_before.stand = stepper_.phase() == Phase::kStand;
  Stepper next = stepper_;
  next.update(ground, as_before, Vec3::Zero(), Vec2::Zero(), kPredicted);
  physics::ArticulationState state = body.state();
  const PoseOffset now = poser_->offset_to(state, stepper_, shown_speed_);
  move_on(*setup_.creature->model, kPredicted, state);
  std::array<double, 2> landing{};
  if (stepper_.phase() == Phase::kSwing)
    landing[std::size_t(1 - stepper_.stance())] = stepper_.time_left();
  handover_.begin(now, poser_->offset_to(state, next, shown_speed_), kPredicted, landing);
  since_ = 0;
  before_ = {next, shown_speed_, kPredicted, -kPredicted};
}

void Pendulum::move(const physics::GroundNow& ground, const Goal& goal, const Vec3& force,
                    double dt) {
  measure_when_due(dt);
  before_ = {stepper_, shown_speed_, since_, dt};
  since_ = std::min(Handover::kWhole, since_ + dt);
  const double speed = stepper_.aimed_velocity().x();
  gait_ = poser_->gait(speed);
  stepper_.update(ground, goal, force, Vec2::Zero(), dt);
  const bool stands = stepper_.phase() == Phase::kStand || stepper_.phase() == Phase::kShift;
  const double wanted = stands ? 0 : stepper_.mean_velocity().x();
  shown_speed_ += std::clamp(wanted - shown_speed_, -kShownChange * dt, kShownChange * dt);
  fill_report(dt);
}

void Pendulum::pose_at(const Stepper& stepper, double speed, double since,
                       physics::ArticulationState& out) const {
  if (Handover::over(since)) return poser_->pose(stepper, speed, out);
  thread_local PoseOffset left;
  handover_.at(since, left);
  poser_->pose(stepper, speed, out, &left);
}

void Pendulum::pose(physics::ArticulationState& out) const {
  pose_at(stepper_, shown_speed_, since_, out);
}

void Pendulum::pose_in_motion(physics::ArticulationState& out) const {
  pose(out);
  std::fill(out.velocity.begin(), out.velocity.end(), 0.0);
  if (before_.dt == 0) return;
  thread_local physics::ArticulationState was;
  was = out;
  pose_at(before_.stepper, before_.shown_speed, before_.since, was);
  find_rates(*setup_.creature->model, was, before_.dt, out);
}

GaitMoment Pendulum::moment() const {
  const Phase phase = stepper_.phase();
  GaitMoment out;
  out.walking = phase == Phase::kSwing || phase == Phase::kTransfer;
  // While the feet change over, the stance is still the foot that stood before.
  const bool left = stepper_.stance() == kLeft;
  out.left_stance = phase == Phase::kTransfer ? !left : left;
  const double both = gait_.both_share;
  out.phase =
      phase == Phase::kTransfer ? both * stepper_.share() : both + (1 - both) * stepper_.share();
  out.velocity = stepper_.aimed_velocity();
  out.mean = stepper_.mean_velocity();
  out.heading = stepper_.heading();
  return out;
}

std::array<FootPress, 2> Pendulum::foot_presses() const {
  std::array<FootPress, 2> out;
  for (int side = 0; side < 2; ++side)
    out[std::size_t(side)] = {stepper_.foot(side).position, stepper_.ball(side),
                              -stepper_.load(side) * stepper_.ground_force()};
  return out;
}

void Pendulum::update(physics::ArticulatedBody&, const physics::GroundNow&, const Goal&, double) {}

void Pendulum::fill_report(double dt) {
  const Stepper& s = stepper_;
  ControlReport& r = report_;
  step_clock_ += dt;
  if (s.steps() != r.steps) {
    r.step_time = step_clock_;
    step_clock_ = 0;
  }
  r.com = s.com();
  r.com_velocity = s.velocity();
  r.capture_point = s.captured();
  const bool swings = s.phase() == Phase::kSwing;
  r.left_stance = s.stance() == kLeft;
  r.standing = s.phase() == Phase::kStand;
  r.foot_target = swings ? s.target() : s.foot(s.stance()).position;
  r.foot_target.z() += poser_->soles()[std::size_t(1 - s.stance())].height;
  r.phase = swings ? s.share() : 0;
  r.step_length = s.step_length();
  r.heading = s.heading();
  r.mean_velocity = s.mean_velocity();
  r.steps = s.steps();
  for (int side = 0; side < 2; ++side) {
    const auto i = std::size_t(side);
    r.foot_on_ground[i] = !swings || side == s.stance();
    r.foot_force[i] = s.load(side) * s.ground_force();
  }
}

void Pendulum::visit(StateVisitor& state) {
  stepper_.visit(state);
  before_.stepper.visit(state);
  state(shown_speed_, before_.shown_speed, before_.since, before_.dt, pending_, step_clock_,
        since_);
  if (!Handover::over(since_) || !Handover::over(before_.since))
    handover_.visit(state, setup_.creature->model->links.size());
  report_.visit(state);
  // The gait before an edit goes on deciding the motion until the new one is measured.
  if (pending_ != 0) {
    GaitTable table = poser_->table();
    table.visit(state);
    if (state.reading() && state.error().empty())
      use(std::make_shared<const Poser>(setup_.creature, poser_->biped(),
                                        std::make_shared<const GaitTable>(std::move(table))));
  }
  // A controller that takes over before the next move asks for the moment, which the gait tells.
  if (state.reading() && state.error().empty()) gait_ = poser_->gait(speed_of_gait());
}

double Pendulum::speed_of_gait() const {
  return before_.dt < 0 ? shown_speed_ : before_.stepper.aimed_velocity().x();
}

}  // namespace promenade::control::pendulum
