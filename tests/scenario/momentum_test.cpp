// The law of momentum, checked from outside on a walker under control.
#include <vector>

#include "math/statistics.h"
#include "shared.h"

namespace promenade {
namespace {

using namespace trial;

/// kg m/s, world frame.
Vec3 momentum(const Rollout& rollout) {
  const auto& models = rollout.body().model->links;
  Vec3 sum = Vec3::Zero();
  for (std::size_t i = 0; i < models.size(); ++i) {
    sum += models[i].mass * rollout.physics().links()[i].velocity;
  }
  return sum;
}

/// The error of the law over a stretch of walking, in parts of the weight.
/// Law: m a = sum of contact forces + m g + push, a by finite differences over a step of physics.
///      Servos are forces between links of the same body and cancel.
struct Remainder {
  std::vector<double> of_steps;  // [steps] size of the force that is left over in a step
  double of_all = 0;             // size of the mean of those forces over the stretch
  double pushed = 0;             // s
};

Remainder walk_on(Rollout& rollout, double seconds) {
  const double mass = rollout.body().total_mass, weight = mass * physics::kGravity;
  Remainder out;
  Vec3 sum = Vec3::Zero();
  const double end = rollout.time() + seconds;
  while (rollout.time() < end - 0.5 * rollout.dt()) {
    const Vec3 before = momentum(rollout);
    if (!rollout.step()) break;
    Vec3 force = rollout.push - weight * Vec3::UnitZ();
    for (const physics::ContactPoint& contact : rollout.physics().contacts()) {
      force += contact.force;
    }
    const Vec3 left = (momentum(rollout) - before) / rollout.dt() - force;
    out.of_steps.push_back(left.norm() / weight);
    sum += left / weight;
    out.pushed += rollout.push.isZero() ? 0 : rollout.dt();
  }
  out.of_all = sum.norm() / double(out.of_steps.size());
  return out;
}

TEST(Momentum, OfAWalkerChangesByContactsGravityAndPushAlone) {
  for (const char* body : {"human", "child", "giant"}) {
    Rollout rollout(Walker::of(*shipped(), body, "normal"), 71);
    rollout.walk({0.8, 0});
    ASSERT_TRUE(rollout.run(4)) << body;
    const Remainder walking = walk_on(rollout, 2);
    // As strong for a child as for a giant: 0.6 of the weight for 0.1 s.
    rollout.push = 0.6 * physics::kGravity * rollout.body().total_mass * Vec3(0.6, 0.8, 0);
    const Remainder pushed = walk_on(rollout, 0.1);
    rollout.push.setZero();
    const Remainder after = walk_on(rollout, 1);
    ASSERT_FALSE(rollout.fallen()) << body;
    EXPECT_NEAR(pushed.pushed, 0.1, 1e-6);
    // A step's finite difference leaves out how the joints' axes turn within it, which at a
    // foot-strike is more than the law's tolerance; over some steps that cancels, a force that is
    // left out or counted twice does not.
    for (const Remainder* part : {&walking, &pushed, &after}) {
      EXPECT_LT(part->of_all, 0.01) << body;
    }
    EXPECT_LT(median(walking.of_steps), 0.01) << body;
  }
}

}  // namespace
}  // namespace promenade
