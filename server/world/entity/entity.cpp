#include "world/entity/entity.h"

#include <algorithm>
#include <cmath>

#include "creature/biped/biped_state.h"
#include "creature/biped/body_change.h"
#include "creature/fallen.h"
#include "creature/pose.h"
#include "math/rotation.h"
#include "math/state_variant.h"
#include "world/showing/snapshot.h"
#include "world/step/stepping.h"

namespace promenade::world {
namespace {

constexpr double kMaxLightSpeed = 60;  // m/s; a greater one is taken for a numerical failure

}  // namespace

Entity::Entity(CharacterId id_in, std::shared_ptr<const CreatureDefinition> body_in,
               std::shared_ptr<const StyleDefinition> style_in, const control::Family& family_in,
               const control::ControllerLibrary& controllers)
    : Occupant(id_in, std::move(body_in)),
      style_definition(std::move(style_in)),
      family(&family_in),
      controller(controllers.make(*family, body, style())),
      limp(controllers.make(*control::find_family("limp"), body)),
      controllers_(&controllers) {
  note_driver();
  measure();
}

void Entity::note_driver() { light_ = driver().kinematic(); }

void Entity::measure() {
  limb_bits.assign(body->model->links.size(), 0);
  for (std::size_t limb = 0; limb < std::min<std::size_t>(32, body->limbs.size()); ++limb) {
    for (const int link : body->limbs[limb].links) limb_bits[std::size_t(link)] |= 1u << limb;
  }
  const auto view = biped_of(*body);
  biped = view ? std::optional(*view) : std::nullopt;
  biped_for_light_ = light_family().why_not(*body).empty();
  // A new ArticulatedBody is in the zero pose: upright.
  const physics::ArticulatedBody upright(body->model);
  const double half_width = 0.5 * upright.bounds().sizes().head<2>().maxCoeff();
  const double scale = body->leg_scale();
  if (biped) {
    shoulder_height = promenade::shoulder_height(*body, *biped, upright);
    const int toes = biped->link[kLeftToes];
    const double toes_at = upright.links()[std::size_t(toes)].position.x() -
                           joint_position(upright, biped->link[kLeftFoot]).x();
    toes_ahead = toes_at;
    for (const physics::Shape& shape : body->model->links[std::size_t(toes)].shapes) {
      const bool box = shape.kind == physics::Shape::Kind::kBox;
      const double front = box ? shape.a.x() + shape.b.x() : shape.a.x() + shape.radius;
      toes_ahead = std::max(toes_ahead, toes_at + front);
    }
  }
  radius = std::max(behaviour::kPersonalRadius * scale, half_width + 0.15 * scale);
}

void Entity::smooth(const Vec2& velocity, double heading, double dt) {
  constexpr double kVelocityTime = 0.35, kHeadingTime = 0.2;  // s, long enough to hide the sway
  const double slow = std::sqrt(body->leg_scale());
  smooth_velocity += (velocity - smooth_velocity) * std::min(1.0, dt / (kVelocityTime * slow));
  const double turned = wrap_angle(heading - smooth_heading);
  smooth_heading = wrap_angle(smooth_heading + turned * std::min(1.0, dt / (kHeadingTime * slow)));
  last_position = position();
  if (!fallen) last_heading = smooth_heading;
}

void Entity::observe(double dt) {
  const physics::ArticulationState& s = physics.state();
  smooth(physics.links()[0].velocity.head<2>(), heading_of(s.root.rotation), dt);
  const control::ControlReport& report = driver().report();
  stepped = report.steps != steps_seen_;
  if (biped && stepped) {
    steps_seen_ = report.steps;
    const BipedState state = promenade::observe(*biped, physics);
    const Vec2 apart = (state.ankle[kLeft] - state.ankle[kRight]).head<2>();
    step_width = rotated(apart, -report.heading).y();
  }
}

void Entity::observe_light(double dt) {
  const control::ControlReport& report = driver().report();
  smooth(report.com_velocity.head<2>(), report.heading, dt);
  stepped = report.steps != steps_seen_;
  if (stepped) {
    steps_seen_ = report.steps;
    step_width = driver().manner().step_width;
  }
}

Vec2 Entity::position() const {
  return kinematic() ? driver().report().com.head<2>() : physics.state().root.position.head<2>();
}

void Entity::pose(physics::ArticulationState& out) const {
  if (const control::Kinematic* light = kinematic()) {
    if (out.joint.size() != physics.state().joint.size()) out = physics.state();
    light->pose(out);
  } else {
    out = physics.state();
  }
}

void Entity::settle_into_physics() {
  const control::Kinematic* light = kinematic();
  if (!light) return;
  physics::ArticulationState state = physics.state();
  light->pose_in_motion(state);
  physics.set_state(state);
  slacken();
}

// The next controller starts from slack servos, not from those that the last one has set.
void Entity::slacken() {
  for (physics::JointDrive& drive : physics.drives()) drive = physics::JointDrive{};
  physics.set_fine(false);
}

const control::Family& Entity::light_family() {
  static const control::Family& family = *control::find_family("pendulum");
  return family;
}

bool Entity::may_be_light() const {
  return !family->light && family->walks && style_definition && biped_for_light_;
}

bool Entity::between_strikes() const {
  constexpr double kFrom = 0.38, kTo = 0.52;  // shares of a step
  const control::ControlReport& report = driver().report();
  if (report.standing) return smooth_velocity.norm() < 0.1;
  if (!kinematic() && physics.fine()) return false;  // it fights for its balance
  return report.phase > kFrom && report.phase < kTo;
}

void Entity::simplify(const physics::GroundNow& ground) {
  stand_in = controllers_->make(light_family(), body, style());
  simplified = true;
  note_driver();
  stand_in->reset(physics, goal);
  stand_in->resume(controller->moment());
  stand_in->kinematic()->begin(physics, ground);
  steps_seen_ = stand_in->report().steps;
}

void Entity::embody() {
  const control::GaitMoment moment = stand_in->moment();
  settle_into_physics();
  simplified = false;
  stand_in.reset();
  note_driver();
  controller->reset(physics, goal);
  controller->resume(moment);
  steps_seen_ = controller->report().steps;
}

bool Entity::may_rise() const {
  static const control::Family& rising = *control::find_family("rise");
  return family->walks && rising.why_not(*body).empty();
}

void Entity::fall(const physics::GroundNow& ground, bool tries, double dt) {
  settle_into_physics();
  fallen = true;
  risen = false;
  rise.reset();
  if (tries) {
    rise = controllers_->make(*control::find_family("rise"), body);
    rise->reset(physics, goal);
  }
  driver_on_ground().update(physics, ground, goal, dt);
}

void Entity::go_on(const physics::GroundNow& ground) {
  fallen = down = risen = false;
  back_at = 0;
  rise.reset();
  slacken();
  restart_controller(ground);
  // Direct orders hold as they were told, wherever it faces now.
  if (!follows<behaviour::Direct>()) behaviour->relocated(self());
}

void Entity::restart_controller(const physics::GroundNow& ground,
                                const control::GaitMoment& moment) {
  simplified = false;
  stand_in.reset();
  note_driver();
  controller->reset(physics, goal);
  controller->resume(moment);
  if (control::Kinematic* light = controller->kinematic()) light->begin(physics, ground);
  steps_seen_ = driver().report().steps;
}

behaviour::Self Entity::self() const {
  behaviour::Self out;
  out.position = position();
  out.velocity = smooth_velocity;
  out.heading = smooth_heading;
  out.scale = body->leg_scale();
  out.cruise_speed = driver().manner().cruise_speed;
  out.radius = radius;
  return out;
}

void Entity::need_physics(std::uint64_t tick, double dt) {
  constexpr double kAfterTouch = 2;  // s, in full physics after a touch
  const auto until = tick + std::uint64_t(std::llround(kAfterTouch / dt));
  in_physics_until = std::max(in_physics_until, until);
  if (simplified && !fallen) embody();
}

std::uint32_t Entity::presence(std::uint64_t tick, double dt) const {
  if (away) return 0;
  if (leaves_at != 0) {
    const double left = double(std::max(leaves_at, tick) - tick) * dt;
    return std::uint32_t(std::lround(kWholePresence * std::min(1.0, left / kFade)));
  }
  const bool leaves = fallen && back_at != 0;
  if (!leaves && (came_back == 0 || came_back > tick)) return kWholePresence;
  // It is set upright at the beginning of the tick after `back_at`.
  const double ticks = leaves ? double(std::max(back_at, tick) - tick) : double(tick - came_back);
  return std::uint32_t(std::lround(kWholePresence * std::min(1.0, ticks * dt / kFade)));
}

void Entity::place(const physics::GroundNow& ground, const Vec2& position, double heading) {
  Pose root;
  constexpr double kGap = 0.001;  // m above the ground, so that no shape starts inside it
  root.position = Vec3(position.x(), position.y(),
                       ground.height(position.x(), position.y()) + body->standing_height + kGap);
  root.rotation = rotation_z(heading);
  physics.set_state(rest_state(*body, root));
  goal = control::Goal{};
  goal.heading = heading;
  restart_controller(ground);
  step_width = 0;
  in_physics_until = 0;
  smooth_velocity.setZero();
  last_position = position;
  last_heading = smooth_heading = heading;
  pushes.clear();
  fallen = down = lost = risen = arrived = quarantined = away = broke = false;
  rise.reset();
  back_at = came_back = leaves_at = 0;
  in_step = {};
}

void Entity::set_style(std::shared_ptr<const StyleDefinition> new_style) {
  style_definition = std::move(new_style);
  controller->styled()->set_style(style());
  if (stand_in) stand_in->styled()->set_style(style());
}

void Entity::set_gait(std::shared_ptr<const GaitDefinition> new_gait) {
  gait_definition = std::move(new_gait);
  control::GaitPlayer* player = controller->gait_player();
  if (!player) return;
  if (!gait_definition) return player->set_gait(nullptr);
  auto fitting = fit_gait(*gait_definition, *body, "");
  auto* gait = std::get_if<0>(&fitting);
  player->set_gait(gait ? std::move(*gait) : nullptr);
}

void Entity::set_controller(const control::Family& new_family,
                            const control::ControllerLibrary& controllers,
                            const physics::GroundNow& ground) {
  const bool goes_on = !fallen && (kinematic() || new_family.light);
  const control::GaitMoment moment = goes_on ? driver().moment() : control::GaitMoment{};
  settle_into_physics();
  slacken();
  family = &new_family;
  controller = controllers.make(*family, body, style());
  set_gait(std::move(gait_definition));
  restart_controller(ground, moment);
  if (!family->walks) rise.reset();
  if (fallen && !family->stands) {
    fallen = false;
    back_at = 0;
  }
}

void Entity::set_body(std::shared_ptr<const CreatureDefinition> new_body,
                      const physics::GroundNow& ground) {
  if (simplified) embody();
  settle_into_physics();
  const std::shared_ptr<const Creature> old = std::move(body);
  body_definition = std::move(new_body);
  body = body_definition->body;
  measure();
  const control::ControlReport& report = driver().report();
  const Footing footing = fallen || quarantined || !family->stands ? Footing::kOnNone
                          : report.standing                        ? Footing::kOnBoth
                          : report.left_stance                     ? Footing::kOnLeft
                                                                   : Footing::kOnRight;
  physics = change_body(*old, physics, *body, footing, ground);
  controller->set_creature(body, physics);
  if (control::Kinematic* light = controller->kinematic()) light->begin(physics, ground);
  limp->set_creature(body, physics);
  if (rise && !may_rise()) rise.reset();
  if (rise) rise->set_creature(body, physics);
  for (ActivePush& push : pushes) {
    push.link = body->find_link(old->link_names[std::size_t(push.link)]);
  }
  std::erase_if(pushes, [](const ActivePush& push) { return push.link < 0; });
}

bool Entity::is_down(const physics::GroundNow& ground) const {
  return has_fallen(*body, physics, ground, fallen ? 0 : driver().report().stoop);
}

bool Entity::is_out(const physics::Ground& ground) const {
  constexpr double kOut = 5;  // times its standing height
  const double deepest = std::isfinite(ground.lowest()) ? ground.lowest() : 0;
  const double height = kinematic() ? driver().report().com.z() : physics.state().root.position.z();
  return height < deepest - kOut * body->standing_height;
}

bool Entity::remembers_places_in_the_world() const {
  return last_position.cwiseAbs().maxCoeff() <= kMaxDistance &&
         start_position.cwiseAbs().maxCoeff() <= kMaxDistance;
}

std::uint64_t Entity::digest() const {
  Hash hash;
  hash.add(std::uint64_t(id));
  hash.add(std::string_view(body->name));
  hash.add(body_definition->digest);
  hash.add(family->name);
  hash.add(std::uint64_t(style_definition != nullptr));
  if (style_definition) {
    hash.add(std::string_view(style_definition->style->name));
    hash.add(style_definition->digest);
  }
  if (gait_definition && family->plays_gaits) {
    hash.add(std::string_view(gait_definition->message.name()));
    hash.add(gait_definition->digest);
  }
  hash_state(*this, hash);
  return hash.value();
}

void Entity::visit(StateVisitor& state) {
  state(fallen, simplified);
  if (simplified && state.reading()) {
    if (!may_be_light()) return state.fail("is light, which its controller cannot be");
    stand_in = controllers_->make(light_family(), body, style());
  }
  if (state.reading()) note_driver();
  // The pose of a character that the physics does not move follows from its controller.
  if (!kinematic()) physics.visit(state);
  visit_pushes(state);
  goal.visit(state);
  state.choice(level, kLevels);
  state(quarantined, back_at, smooth_velocity, smooth_heading, last_position, last_heading,
        step_width, steps_seen_, start_position, start_heading, away, person, leaves_at,
        in_physics_until, wants_light);
  in_step.visit(state);
  controller->visit(state);
  if (simplified) stand_in->visit(state);
  limp->visit(state);
  visit_one_of(start_order, state);
  auto kind = behaviour_kind;
  state.choice(kind, behaviour::kBehaviourKinds);
  if (state.reading()) {
    follow(behaviour::make_behaviour(kind));
    unchecked = true;
  }
  behaviour->visit(state);
  bool rises = rise != nullptr;
  state(rises);
  if (state.reading()) {
    if (rises && !(fallen && may_rise())) return state.fail("gets up, which it cannot");
    rise = rises ? controllers_->make(*control::find_family("rise"), body) : nullptr;
  }
  if (rise) rise->visit(state);
}

void Entity::decide(const StepContext& context) {
  control::Controller& driver = fallen ? driver_on_ground() : *controller;
  driver.update(physics, context.ground_now(), goal, context.settings.dt);
}

std::uint32_t Entity::feet_on_ground() const {
  std::uint32_t limbs = 0;
  for (std::size_t side = 0; biped && side < 2; ++side) {
    const bool stands = driver().report().foot_on_ground[side];
    if (stands) limbs |= limb_bits[std::size_t(biped->link[kLeftFoot + side])];
  }
  return limbs;
}

void Entity::move(const StepContext& tick) {
  Vec3 force = Vec3::Zero();  // mean over the tick
  for (ActivePush& push : pushes) {
    const int substeps = std::min(push.substeps_left, tick.substeps);
    force += push.force * (double(substeps) / tick.substeps);
    push.substeps_left -= substeps;
  }
  std::erase_if(pushes, [](const ActivePush& push) { return push.substeps_left <= 0; });
  const double dt = tick.settings.dt * tick.substeps;
  kinematic()->move(tick.ground_now(), goal, force, dt);
  broke = !is_sound();
  if (broke) return;
  observe_light(dt);
  down = light_->lost();
  lost = is_out(*tick.ground);
}

bool Entity::is_sound() const {
  if (!kinematic()) return Occupant::is_sound();
  const control::ControlReport& report = driver().report();
  return report.com.allFinite() && report.com.cwiseAbs().maxCoeff() <= kMaxDistance &&
         report.com_velocity.norm() <= kMaxLightSpeed;
}

void Entity::settle(const StepContext& context) {
  physics.bounds();
  observe(context.settings.dt * context.substeps);
  down = family->stands && is_down(context.ground_now());
  risen = fallen && rise && rise->recovered();
  lost = is_out(*context.ground);
}

}  // namespace promenade::world
