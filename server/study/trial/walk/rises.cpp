#include "study/trial/walk/rises.h"

#include <algorithm>
#include <cmath>

#include "creature/fallen.h"
#include "creature/pose.h"
#include "math/random.h"
#include "math/rotation.h"

namespace promenade::trial {
namespace {

constexpr double kHumanMass = 70.4;
constexpr double kStill = 0.05;  // m^2/s^2, kinetic energy over mass

/// Pushes a walker at a random moment. @return whether it fell
bool push_down(Rollout& rollout, double speed, Random& random) {
  if (speed > 0.2) rollout.walk({speed, 0});
  if (!rollout.run(3 + random.uniform(0, 1.2))) return true;
  const double force = random.uniform(500, 1500) * rollout.body().total_mass / kHumanMass;
  const double duration = random.uniform(0.1, 0.3), way = random.uniform(-kPi, kPi);
  rollout.push = force * Vec3(std::cos(way), std::sin(way), 0);
  const bool up = rollout.run(duration);
  rollout.push.setZero();
  return !up || !rollout.run(6);
}

physics::ArticulationState thrown(const Creature& body, double ground, Random& random) {
  constexpr double kBend = 0.8;  // share of the range of each joint
  Pose root;
  root.position.z() = ground + 1.3 * body.leg_scale();
  root.rotation =
      Quat(random.normal(), random.normal(), random.normal(), random.normal()).normalized();
  physics::ArticulationState state = rest_state(body, root);
  for (std::size_t i = 1; i < body.model->links.size(); ++i) {
    const physics::LinkModel& link = body.model->links[i];
    Vec3 at = Vec3::Zero();
    for (int axis = 0; axis < physics::dof_of(link.joint); ++axis) {
      at[axis] = kBend * random.uniform(link.lower[axis], link.upper[axis]);
    }
    state.joint[i] = joint_rotation(link, at);
    if (!physics::type_of(link.joint).rotation) state.angle[i] = at.head<2>();
  }
  for (std::size_t k = 0; k < 6; ++k) state.velocity[k] = random.uniform(-2, 2);
  return state;
}

}  // namespace

RiseOutcome fall_and_rise(const Walker& walker, const control::Parameters& rise,
                          const RiseCase& one, std::uint64_t seed) {
  RiseOutcome out;
  Random random = Random::stream(seed, 0x715eu);
  Rollout before(walker, seed + 1);
  const double speed = random.uniform(0, 1.6) * std::sqrt(walker.body->leg_scale());
  physics::ArticulatedBody body(walker.body->model);
  control::Goal goal = before.goal;
  if (one.kind == FallKind::kPushed) {
    if (!push_down(before, speed, random)) return out;
    goal = before.goal;
    body.set_state(before.physics().state());
  } else {
    goal.velocity = Vec2(speed > 0.2 ? speed : 0, 0);
    goal.stand = speed <= 0.2;
    body.set_state(thrown(*walker.body, before.ground().height(0, 0), random));
  }
  out.fell = true;
  const std::unique_ptr<control::Controller> own = walker.make_controller();
  const std::unique_ptr<control::Controller> getting_up =
      control::find_family("rise")->make({walker.body, rise, nullptr, nullptr, nullptr});
  getting_up->reset(body, goal);
  physics::Workspace workspace;
  physics::StepSettings settings;
  settings.dt = walker.step;
  physics::ArticulatedBody* const bodies[] = {&body};
  const physics::Ground& ground = before.ground();
  double lay = -1, up_at = 0;
  for (double t = 0; out.up ? t < up_at + one.watch : t < one.patience; t += settings.dt) {
    const physics::GroundNow now(ground, t);
    control::Controller& driver = out.up ? *own : *getting_up;
    driver.update(body, now, goal, settings.dt);
    settings.time = t;
    physics::step_island(bodies, ground, settings, workspace);
    if (!body.finite()) return out;
    for (std::size_t i = 1; i < body.drives().size() && !out.up; ++i) {
      const Vec3 share =
          body.drives()[i].applied.cwiseAbs().cwiseQuotient(walker.body->gains[i].limit);
      out.torque = std::max(out.torque, share.maxCoeff());
    }
    if (lay < 0 && t > 0.1 && body.kinetic_energy() < kStill) lay = t;
    const Vec3& root = body.state().root.position;
    if (out.up && has_fallen(*walker.body, body, now.height(root.x(), root.y()))) return out;
    if (!out.up && getting_up->recovered()) {
      out.up = true;
      up_at = t;
      out.lying = std::max(0.0, lay);
      out.rising = t - out.lying;
      own->reset(body, goal);
    }
  }
  out.stayed = out.up;
  return out;
}

}  // namespace promenade::trial
