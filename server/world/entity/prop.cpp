#include "world/entity/prop.h"

#include <algorithm>
#include <cmath>

#include "creature/pose.h"
#include "physics/gravity.h"
#include "world/scene/scene.h"
#include "world/step/stepping.h"

namespace promenade::world {
namespace {

constexpr std::size_t kMostSupports = 256;  // supports in a state that is read

}  // namespace

Prop::Prop(CharacterId id_in, std::shared_ptr<const CreatureDefinition> definition,
           std::string color_in)
    : Occupant(id_in, std::move(definition)), color(std::move(color_in)) {
  if (color.empty()) color = body->color;
  size = 0.5 * physics.bounds().sizes().norm();
  // The new body is in its zero pose with the first link's frame as the world.
  box_center = physics.bounds().center() - physics.links().front().position;
  box_half = 0.5 * physics.bounds().sizes();
}

physics::ArticulationState Prop::state_at(const Pose& root) const {
  return rest_state(*body, root);
}

void Prop::place(const Pose& root) {
  wake();
  pushes.clear();
  broke = false;
  physics.set_state(state_at(root));
  // Joints of things have the servos of their file: a door's spring and damper, a cart's free
  // wheels.
  hold_rest(*body, 1, 1, physics.drives());
}

void Prop::start(const Pose& root, const Vec3& velocity, const Vec3& omega) {
  start_ = root;
  start_velocity_ = velocity;
  start_omega_ = omega;
  restart();
}

void Prop::restart() {
  place(start_);
  if (start_velocity_.isZero() && start_omega_.isZero()) return;
  physics::ArticulationState moving = physics.state();
  if (body->model->links.front().joint == physics::JointKind::kFree) {
    for (std::size_t i = 0; i < 3; ++i) {
      moving.velocity[i] = start_velocity_[int(i)];
      moving.velocity[3 + i] = start_omega_[int(i)];
    }
    physics.set_state(moving);
    hold_rest(*body, 1, 1, physics.drives());
  }
}

double Prop::rest_speed() const { return 0.015 * std::sqrt(physics::kGravity * size); }

void Prop::settle(const StepContext& context) {
  physics.bounds();
  // A sleeper may share an island with a moving body. It stays at rest, but what a step notes in
  // its body, as whether that island was stepped in parts, changes.
  if (asleep) {
    digest_ = 0;
    return;
  }
  const double tick_s = context.settings.dt * context.substeps;
  if (quiet_s == 0) {
    rest_velocity_ = mean_velocity_;
    rest_omega_ = mean_omega_;
  }
  quiet_s = is_still(tick_s) ? quiet_s + tick_s : 0;
  find_discs(context);
}

// A thing that is jammed between others in a heap trembles and stays where it is: for a single body
// the mean velocity decides, unless the momentary one is that of a blow. While the mean is below a
// speed v, the body is less than v kMeanTime away from where it was. Joints may swing to and fro in
// that time.
bool Prop::is_still(double tick_s) {
  constexpr double kMeanTime = 0.25;  // s, of the running means
  constexpr double kTrembling = 20;   // times the speed of rest, at most
  constexpr double kJointed = 0.2;    // times the speed of rest: a door closes ever more slowly
  const double fastest = physics.fastest_point();
  const double limit = (physics.links().size() > 1 ? kJointed : 1) * rest_speed();
  const physics::LinkMotion& first = physics.links().front();
  const double share = std::min(1.0, tick_s / kMeanTime);
  mean_velocity_ += share * (first.velocity - mean_velocity_);
  mean_omega_ += share * (first.omega - mean_omega_);
  for (const physics::ContactPoint& point : physics.contacts()) {
    if (!point.surface_velocity.isZero(0)) return false;  // the thing that carries it moves
  }
  if (fastest < limit) return true;
  return !physics.contacts().empty() && fastest < kTrembling * limit && drift() < limit;
}

double Prop::drift() const {
  if (physics.links().size() > 1) return physics.fastest_point();
  return mean_velocity_.norm() + mean_omega_.norm() * physics.model().links.front().reach;
}

bool Prop::gathers_speed() const {
  constexpr double kMost = 0.1;  // share of the speed of rest
  const double reach = physics.model().links.front().reach;
  const double speed = std::hypot(mean_velocity_.norm(), mean_omega_.norm() * reach);
  const double before =
      mean_velocity_.dot(rest_velocity_) + mean_omega_.dot(rest_omega_) * reach * reach;
  return speed * speed - before > kMost * rest_speed() * speed;
}

void Prop::fall_asleep(std::uint64_t tick) {
  asleep = true;
  slept_at = tick;
  physics.set_asleep(true);
  forget_load();
}

void Prop::wake() {
  quiet_s = 0;
  forget_load();
  supports.clear();
  mean_velocity_.setZero();
  mean_omega_.setZero();
  if (!asleep) return;
  asleep = false;
  physics.set_asleep(false);
}

void Prop::forget_load() {
  load = kUnknownLoad;
  digest_ = 0;
}

bool Prop::is_disturbed(bool by_mover) {
  constexpr double kFast = 4;     // times the speed of rest
  constexpr double kShare = 0.2;  // share of its weight: less does not move a thing at rest
  // Shares of the load that it carries: less is the trembling of a heap.
  constexpr double kMore = 1, kLess = 0.7;
  const physics::Disturbance felt = physics.take_disturbance();
  if (felt.speed > kFast * rest_speed()) return true;
  const double least = kShare * body->total_mass * physics::kGravity;
  const bool other = load != kUnknownLoad && (felt.force - load > least + kMore * load ||
                                              load - felt.force > least + kLess * load);
  if (other && by_mover) return true;
  if (other || load == kUnknownLoad) {
    load = felt.force;
    digest_ = 0;
  }
  return false;
}

bool Prop::is_out(const physics::Ground& ground) const {
  constexpr double kOut = 10;  // times its size
  const double deepest = std::isfinite(ground.lowest()) ? ground.lowest() : 0;
  return physics.bounds().max().z() < deepest - kOut * size;
}

void Prop::find_discs(const StepContext& context) {
  disc_count_ = 0;
  const Eigen::AlignedBox3d& box = physics.bounds();
  const Vec3 center = box.center();
  // Nobody walks in a pit: a thing not higher than its brim, as a bridge, is in nobody's way.
  const double under = context.ground->height(center.x(), center.y());
  const double floor = context.ground->plan().plane ? std::max(0.0, under) : under;
  // Things as low as a step are walked on, but for those so short that a foot would kick them.
  constexpr double kTripHeight = 0.12, kShort = 0.8;  // m, height; length
  const bool is_short = 2 * box_half.maxCoeff() < kShort;
  if (box.max().z() - floor < (is_short ? kTripHeight : kStepOnHeight)) return;
  // A thing higher than this is above everybody's head.
  constexpr double kOverhead = 2.5;  // m above the ground
  if (box.min().z() - floor > kOverhead) return;
  // A long thing is several discs in a row along the longer side of its box.
  const Vec2 half = 0.5 * box.sizes().head<2>();
  const Vec2 along = half.x() >= half.y() ? Vec2::UnitX() : Vec2::UnitY();
  const double longer = half.maxCoeff(), shorter = std::max(half.minCoeff(), 0.05);
  disc_count_ =
      std::clamp<std::size_t>(std::size_t(std::lround(longer / shorter)), 1, discs_.size());
  const double reach = longer - shorter;
  const Vec3& v = physics.links().front().velocity;
  for (std::size_t i = 0; i < disc_count_; ++i) {
    const double at =
        disc_count_ == 1 ? 0 : -reach + 2 * reach * double(i) / double(disc_count_ - 1);
    discs_[i] = {center.head<2>() + at * along, v.head<2>(), shorter};
  }
}

void Prop::visit(StateVisitor& state) {
  physics.visit(state);
  visit_pushes(state);
  state(of_scene, asleep, quiet_s, slept_at, returned_at, start_.position, start_.rotation,
        start_velocity_, start_omega_, load, mean_velocity_, mean_omega_, rest_velocity_,
        rest_omega_);
  state.list(supports, kMostSupports);
  state.choice(disc_count_, discs_.size() + 1);
  for (std::size_t i = 0; i < disc_count_; ++i) {
    state(discs_[i].position, discs_[i].velocity, discs_[i].radius);
  }
  if (!state.reading()) return;
  digest_ = 0;
  if (asleep != physics.asleep()) state.fail("sleeps and does not");
}

std::uint64_t Prop::digest() const {
  if (asleep && digest_ != 0) return digest_;
  Hash hash;
  hash.add(std::uint64_t(id));
  hash.add(std::string_view(body->name));
  hash.add(body_definition->digest);
  hash_state(*this, hash);
  if (asleep) digest_ = hash.value();
  return hash.value();
}

}  // namespace promenade::world
