#include "world/entity.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "creature/biped/biped_state.h"
#include "creature/biped/body_change.h"
#include "creature/pose.h"
#include "math/rotation.h"

namespace promenade::world {
namespace {

// A pelvis below this share of its standing height is not walking any more, whatever the style.
constexpr double kDownHeight = 0.62;
const double kDownTilt = std::cos(70 * kRadFromDeg);
// Beyond these a state is a numerical accident, although still finite.
constexpr double kMaxLinearSpeed = 60;  // m/s
constexpr double kMaxJointSpeed = 500;  // rad/s
constexpr double kMaxDistance = 3000;   // m from the origin
constexpr double kDeepest = -20;        // m

double now_s() {
  using Clock = std::chrono::steady_clock;
  return std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
}

bool drives_finite(physics::ArticulatedBody& body) {
  double sum = 0;
  for (const physics::JointDrive& d : body.drives()) {
    sum += d.target.coeffs().sum() + d.target_angle.sum() + d.target_velocity.sum() + d.kp.sum() +
           d.kd.sum() + d.feedforward.sum();
  }
  return std::isfinite(sum);
}

}  // namespace

Entity::Entity(CharacterId id_in, std::shared_ptr<const CreatureDefinition> body_in,
               std::shared_ptr<const StyleDefinition> style_in,
               std::shared_ptr<const control::GbwcParameters> parameters)
    : id(id_in),
      body_definition(std::move(body_in)),
      style_definition(std::move(style_in)),
      body(body_definition->body),
      style(style_definition->style),
      physics(body->model),
      controller(body, style, std::move(parameters)) {
  measure();
}

void Entity::measure() {
  biped = biped_of(*body).value();
  // A new ArticulatedBody is in the zero pose: upright.
  const physics::ArticulatedBody upright(body->model);
  const double half_width = 0.5 * upright.bounds().sizes().head<2>().maxCoeff();
  const double scale = body->leg_scale();
  radius = std::max(behaviour::kPersonalRadius * scale, half_width + 0.15 * scale);
}

void Entity::observe(double dt) {
  constexpr double kVelocityTime = 0.35, kHeadingTime = 0.2;  // s, about the sway of a step
  const physics::ArticulationState& s = physics.state();
  const double slow = std::sqrt(body->leg_scale());
  const Vec2 velocity = physics.links()[0].velocity.head<2>();
  smooth_velocity += (velocity - smooth_velocity) * std::min(1.0, dt / (kVelocityTime * slow));
  const double turned = wrap_angle(heading_of(s.root.rotation) - smooth_heading);
  smooth_heading = wrap_angle(smooth_heading + turned * std::min(1.0, dt / (kHeadingTime * slow)));
  last_position = s.root.position.head<2>();
  if (!fallen) last_heading = smooth_heading;
  const control::ControlReport& report = controller.report();
  if (report.steps != steps_seen_) {
    steps_seen_ = report.steps;
    const BipedState state = promenade::observe(biped, physics);
    const Vec2 apart = (state.ankle[kLeft] - state.ankle[kRight]).head<2>();
    step_width = rotated(apart, -report.heading).y();
  }
}

behaviour::Self Entity::self() const {
  behaviour::Self out;
  out.position = physics.state().root.position.head<2>();
  out.velocity = smooth_velocity;
  out.heading = smooth_heading;
  out.scale = body->leg_scale();
  out.cruise_speed = style->speed * std::sqrt(body->leg_scale());
  out.radius = radius;
  return out;
}

void Entity::place(const physics::Terrain& terrain, const Vec2& position, double heading) {
  Pose root;
  constexpr double kGap = 0.001;  // m: just above the ground, so that nothing starts inside it
  root.position = Vec3(position.x(), position.y(),
                       terrain.height(position.x(), position.y()) + body->standing_height + kGap);
  root.rotation = rotation_z(heading);
  physics.set_state(rest_state(*body, root));
  intent = control::Intent{};
  intent.heading = heading;
  controller.reset(physics, intent);
  steps_seen_ = controller.report().steps;
  step_width = 0;
  smooth_velocity.setZero();
  last_position = position;
  last_heading = smooth_heading = heading;
  pushes.clear();
  fallen = down = quarantined = broke = false;
  back_at = 0;
}

void Entity::set_style(std::shared_ptr<const StyleDefinition> new_style) {
  style_definition = std::move(new_style);
  style = style_definition->style;
  controller.set_style(style);
}

void Entity::set_body(std::shared_ptr<const CreatureDefinition> new_body,
                      const physics::Terrain& terrain) {
  const std::shared_ptr<const Creature> old = std::move(body);
  body_definition = std::move(new_body);
  body = body_definition->body;
  measure();
  const control::ControlReport& report = controller.report();
  const Footing footing = fallen || quarantined ? Footing::kOnNone
                          : report.standing     ? Footing::kOnBoth
                          : report.left_stance  ? Footing::kOnLeft
                                                : Footing::kOnRight;
  physics = change_body(*old, physics, *body, footing, terrain);
  controller.set_body(body, physics);
  for (ActivePush& push : pushes) {
    push.link = body->find_link(old->link_names[std::size_t(push.link)]);
  }
  std::erase_if(pushes, [](const ActivePush& push) { return push.link < 0; });
  if (fallen) go_limp();
}

void Entity::go_limp() {
  physics.set_fine(false);
  auto drives = physics.drives();
  for (std::size_t i = 1; i < drives.size(); ++i) {
    physics::JointDrive& drive = drives[i];
    drive.kp.setZero();
    drive.kd.setConstant(0.25 * body->gains[i].kd);
    drive.target_velocity.setZero();
    drive.feedforward.setZero();
  }
}

bool Entity::is_down(const physics::Terrain& terrain) const {
  const Vec3& pelvis = physics.state().root.position;
  const double ground = terrain.height(pelvis.x(), pelvis.y());
  if (pelvis.z() - ground < kDownHeight * body->standing_height) return true;
  const Mat3& torso = physics.links()[std::size_t(body->trunk)].rotation;
  return torso(2, 2) < kDownTilt;
}

bool Entity::is_sound() const {
  if (!physics.finite()) return false;
  const physics::ArticulationState& s = physics.state();
  if (s.root.position.head<2>().cwiseAbs().maxCoeff() > kMaxDistance) return false;
  if (s.root.position.z() < kDeepest) return false;
  const physics::LinkMotion& root = physics.links()[0];
  if (root.velocity.cwiseAbs().maxCoeff() > kMaxLinearSpeed) return false;
  if (root.omega.cwiseAbs().maxCoeff() > kMaxJointSpeed) return false;
  for (std::size_t i = 1; i < physics.links().size(); ++i) {
    const physics::LinkModel& link = physics.model().links[i];
    const double fastest = physics::type_of(link.joint).linear ? kMaxLinearSpeed : kMaxJointSpeed;
    for (int k = 0; k < physics::dof_of(link.joint); ++k) {
      if (std::abs(s.velocity[std::size_t(link.dof + k)]) > fastest) return false;
    }
  }
  return true;
}

std::uint64_t Entity::digest(std::vector<double>& scratch) const {
  Hash hash;
  hash.add(std::uint64_t(id));
  hash.add(std::string_view(body->name));
  hash.add(body_definition->digest);
  hash.add(std::string_view(style->name));
  hash.add(style_definition->digest);
  hash.add((std::uint64_t(fallen) << 1) | std::uint64_t(quarantined));
  hash.add(back_at);
  const physics::ArticulationState& s = physics.state();
  scratch.clear();
  for (int i = 0; i < 3; ++i) scratch.push_back(s.root.position[i]);
  for (int i = 0; i < 4; ++i) scratch.push_back(s.root.rotation.coeffs()[i]);
  for (std::size_t i = 1; i < s.joint.size(); ++i) {
    for (int k = 0; k < 4; ++k) scratch.push_back(s.joint[i].coeffs()[k]);
    scratch.insert(scratch.end(), {s.angle[i].x(), s.angle[i].y()});
  }
  scratch.insert(scratch.end(), s.velocity.begin(), s.velocity.end());
  // Drives are not all told anew in each step, and contacts begin from the last step's impulses.
  const auto add = [&scratch](const Vec3& v) {
    scratch.insert(scratch.end(), {v.x(), v.y(), v.z()});
  };
  for (const physics::JointDrive& drive : physics.drives()) {
    for (int k = 0; k < 4; ++k) scratch.push_back(drive.target.coeffs()[k]);
    scratch.insert(scratch.end(), {drive.target_angle.x(), drive.target_angle.y()});
    for (const Vec3& v : {drive.target_velocity, drive.kp, drive.kd, drive.feedforward,
                          drive.applied, drive.asked}) {
      add(v);
    }
  }
  for (const physics::ContactPoint& contact : physics.contacts()) {
    scratch.push_back(double(contact.link));
    add(contact.position);
    add(contact.force);
  }
  physics.append_memory(scratch);
  scratch.insert(scratch.end(), {smooth_velocity.x(), smooth_velocity.y(), smooth_heading,
                                 last_position.x(), last_position.y(), last_heading});
  controller.append_state(scratch);
  behaviour->append_state(scratch);
  for (const ActivePush& push : pushes) {
    scratch.insert(scratch.end(),
                   {double(push.link), double(push.substeps_left), push.point.x(), push.point.y(),
                    push.point.z(), push.force.x(), push.force.y(), push.force.z()});
  }
  hash.add(std::span<const double>(scratch));
  return hash.value();
}

void step_through_tick(std::span<Entity* const> members, const StepContext& context,
                       StepScratch& scratch) {
  auto& [alive, bodies, ends, workspace, control_s, physics_s] = scratch;
  alive.assign(members.begin(), members.end());
  double mark = now_s();
  for (int substep = 0; substep < context.substeps && !alive.empty(); ++substep) {
    for (Entity* e : alive) {
      if (!e->fallen) {
        e->controller.update(e->physics, *context.terrain, e->intent, context.settings.dt);
      }
      for (ActivePush& push : e->pushes) {
        const physics::LinkMotion& link = e->physics.links()[std::size_t(push.link)];
        e->physics.add_force({push.link, link.position + link.rotation * push.point, push.force});
        --push.substeps_left;
      }
      std::erase_if(e->pushes, [](const ActivePush& push) { return push.substeps_left <= 0; });
      // Bad torques must not reach the solver that a neighbour's contacts share.
      e->broke = !drives_finite(e->physics);
    }
    std::erase_if(alive, [](const Entity* e) { return e->broke; });
    bodies.clear();
    ends.clear();
    for (std::size_t i = 0; i < alive.size(); ++i) {
      bodies.push_back(&alive[i]->physics);
      const bool last = i + 1 == alive.size() || alive[i + 1]->island != alive[i]->island;
      if (last) ends.push_back(int(i) + 1);
    }
    double now = now_s();
    control_s += now - mark;
    mark = now;
    physics::step_islands(bodies, ends, *context.terrain, context.settings, workspace);
    now = now_s();
    physics_s += now - mark;
    mark = now;
    for (Entity* e : alive) e->broke = !e->is_sound();
    std::erase_if(alive, [](const Entity* e) { return e->broke; });
  }
  // What the room asks of everybody, while it is at hand: here the work is shared.
  for (Entity* e : alive) {
    e->physics.bounds();
    e->observe(context.settings.dt * context.substeps);
    e->down = e->is_down(*context.terrain);
  }
}

}  // namespace promenade::world
