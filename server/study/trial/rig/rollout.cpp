#include "study/trial/rig/rollout.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <stdexcept>

#include "creature/fallen.h"
#include "creature/pose.h"
#include "math/random.h"
#include "math/rotation.h"
#include "schema/refusal.h"

namespace promenade::trial {
namespace {

constexpr double kBend = 2 * kRadFromDeg;

std::invalid_argument unknown(const char* what, const std::string& name,
                              const std::vector<std::string>& names) {
  return std::invalid_argument(
      schema::refusal(what, schema::in_quotes(name), schema::listed_names(names)));
}

const Walker& with_ground(Walker& walker) {
  if (!walker.ground) walker.ground = std::make_shared<const physics::Ground>();
  if (!walker.believed_ground) walker.believed_ground = walker.ground;
  return walker;
}

// The rest pose on the ground, disturbed at random by the seed.
physics::ArticulationState start_state(const Walker& walker, std::uint64_t seed) {
  const physics::ArticulationModel& model = *walker.body->model;
  Pose root;
  // On a slope to the side the ground under the higher foot counts.
  const physics::Ground& ground = *walker.ground;
  const double height =
      std::max({ground.height(0, 0), ground.height(0, 0.1), ground.height(0, -0.1)});
  root.position.z() = height + walker.body->standing_height + 0.001;
  physics::ArticulationState state = rest_state(*walker.body, root);
  if (seed == 0) return state;
  Random random = Random::stream(seed, 0x57a27ULL);
  const double heading = random.uniform(-kPi, kPi);
  if (!walker.straight_on) state.root.rotation = rotation_z(heading);
  for (std::size_t i = 1; i < model.links.size(); ++i) {
    const physics::LinkModel& link = model.links[i];
    Vec3 bend;
    for (double& angle : bend) angle = random.uniform(-kBend, kBend);
    if (physics::type_of(link.joint).linear) continue;  // stays where it is
    if (physics::type_of(link.joint).rotation) {
      state.joint[i] = state.joint[i] * quat_from_rotation_vector(bend);
    } else if (!link.is_foot) {  // the feet stay flat
      state.angle[i].x() =
          std::clamp(state.angle[i].x() + bend.x(), link.lower.x(), link.upper.x());
    }
  }
  return state;
}

}  // namespace

Walker Walker::of(const Library& library, const std::string& body, const std::string& style) {
  Walker walker;
  const CreatureLibrary::Entry* entry = library.bodies().find(body);
  if (!entry) throw unknown("body", body, library.bodies().names());
  if (const auto biped = biped_of(*entry->body); !biped) {
    throw std::invalid_argument(biped.error().message);
  }
  walker.body = entry->body;
  walker.style = library.styles().find(style);
  if (!walker.style) throw unknown("style", style, library.styles().names());
  walker.family = &control::default_family(*walker.body);
  const control::ControllerSetup setup =
      library.controllers().setup(*walker.family, walker.body, walker.style);
  walker.parameters = setup.parameters;
  walker.plain = setup.plain;
  walker.ground = std::make_shared<const physics::Ground>();
  return walker;
}

void Walker::drive_by(const Library& library, const std::string& family_name) {
  family = control::find_family(family_name);
  if (!family || !family->why_not(*body).empty()) {
    throw std::invalid_argument(schema::refusal("controller", schema::in_quotes(family_name),
                                                control::families_for(*body)));
  }
  const control::ControllerSetup setup = library.controllers().setup(*family, body, style);
  parameters = setup.parameters;
  walk = setup.walk;
  gaits = setup.gaits;
  step = family->light ? kRoomTick : kRoomStep;
}

Walker Walker::unstyled(const Library& library, const std::string& body,
                        const std::string& family) {
  Walker walker;
  const CreatureLibrary::Entry* entry = library.bodies().find(body);
  if (!entry) throw unknown("body", body, library.bodies().names());
  walker.body = entry->body;
  walker.family = control::find_family(family);
  if (!walker.family || walker.family->styled || !walker.family->why_not(*walker.body).empty()) {
    throw std::invalid_argument(
        schema::refusal("controller", schema::in_quotes(family),
                        control::families_for(*walker.body) + " that has no styles"));
  }
  walker.parameters = library.controllers().parameters(*walker.family);
  walker.ground = std::make_shared<const physics::Ground>();
  return walker;
}

double fitting_speed(const Walker& walker) {
  return walker.style->speed * std::sqrt(walker.body->leg_scale());
}

double stride_time(const Walker& walker) {
  return 2 * walker.style->step_time * std::sqrt(walker.body->leg_scale());
}

Rollout::Rollout(const Walker& walker, std::uint64_t seed)
    : walker_(walker),
      controller_(walker.make_controller()),
      physics_(walker.body->model),
      drives_(physics_.drives()) {
  constexpr std::size_t kWords = 8192;  // words: a body with many contacts has a smaller state
  words_.reserve(kWords);
  if (auto view = biped_of(*walker.body)) biped_ = std::move(view).value();
  physics_.set_state(start_state(with_ground(walker_), seed));
  goal.heading = heading_of(physics_.state().root.rotation);
  controller_->reset(physics_, goal);
  posed_ = physics_.state();
  if (control::Kinematic* light = controller_->kinematic()) {
    light->begin(physics_, {*walker_.believed_ground, ground_time()});
  }
}

void Rollout::start_from(const physics::ArticulatedBody& body,
                         const control::Controller& controller, const control::Goal& present_goal,
                         double ground_time) {
  words_.clear();
  write_state(body, words_);
  write_state(controller, words_);
  StateVisitor reader = StateVisitor::reader(words_);
  physics_.visit(reader);
  controller_->visit(reader);
  if (!reader.error().empty() || reader.left() > 0) {
    throw std::invalid_argument(
        "the state to start from " +
        (reader.error().empty() ? "is too long" : std::string(reader.error())) +
        "; allowed: one of " + walker_.body->name + " driven by " +
        std::string(walker_.family->name));
  }
  goal = present_goal;
  push.setZero();
  steps_ = 0;
  ground_start_ = ground_time;
  ground_steps_ = 0;
  fallen_ = false;
}

bool Rollout::begin_step() {
  if (control::Kinematic* light = controller_->kinematic()) {
    light->move({*walker_.believed_ground, ground_time()}, goal, push, walker_.step);
    light->pose_in_motion(posed_);
    physics_.set_state(posed_);
    fallen_ = light->lost();
    return false;
  }
  controller_->update(physics_, {*walker_.believed_ground, ground_time()}, goal, walker_.step);
  if (walker_.source_torque_limits && biped_) {
    for (std::size_t i = 1; i < drives_.size(); ++i) {
      bool strong = false;
      for (const Part part : {kLeftThigh, kRightThigh, kLeftShank, kRightShank}) {
        strong = strong || int(i) == biped_->link[part];
      }
      drives_[i].limit = drives_[i].limit.cwiseMin(strong ? 200 : 100);
    }
  }
  if (!push.isZero()) {
    const int trunk = biped_ ? biped_->link[kTorso] : walker_.body->trunk;
    const int link = push_link.value_or(trunk);
    physics_.add_force({link, physics_.links()[std::size_t(link)].position, push});
  }
  return true;
}

bool Rollout::end_step() {
  ++steps_;
  // A body that is to lie, as a limp one is, does not fall.
  fallen_ = fallen_ || !physics_.finite() ||
            (walker_.family->stands &&
             has_fallen(*walker_.body, physics_, {*walker_.ground, ground_time()}));
  if (!fallen_ && observer) observer(*this);
  return !fallen_;
}

bool Rollout::step() {
  if (fallen_) return false;
  if (begin_step()) {
    physics::StepSettings settings;
    settings.dt = walker_.step;
    settings.time = ground_time();
    physics::ArticulatedBody* body = &physics_;
    physics::step_island({&body, 1}, *walker_.ground, settings, workspace_);
  }
  return end_step();
}

bool Rollout::run(double seconds) {
  const auto end = steps_ + static_cast<std::uint64_t>(std::llround(seconds / walker_.step));
  while (steps_ < end) {
    if (!step()) return false;
  }
  return !fallen_;
}

void Herd::step(std::span<Rollout* const> rollouts) {
  moved_.clear();
  bodies_.clear();
  ends_.clear();
  for (Rollout* one : rollouts) {
    if (one->fallen_) continue;
    if (!one->begin_step()) {
      one->end_step();
      continue;
    }
    moved_.push_back(one);
    bodies_.push_back(&one->physics_);
    ends_.push_back(int(bodies_.size()));
  }
  if (moved_.empty()) return;
  const Rollout& first = *moved_.front();
  for (const Rollout* one : moved_) {
    assert(&one->ground() == &first.ground() && one->dt() == first.dt());
    assert(!first.ground().has_motion() || one->ground_time() == first.ground_time());
  }
  physics::StepSettings settings;
  settings.dt = first.dt();
  settings.time = first.ground_time();
  physics::step_islands(bodies_, ends_, first.ground(), settings, workspace_);
  for (Rollout* one : moved_) one->end_step();
}

}  // namespace promenade::trial
