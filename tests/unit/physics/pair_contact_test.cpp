#include <gtest/gtest.h>

#include <array>

#include "support.h"

namespace promenade::physics {
namespace {

ArticulatedBody flying(std::shared_ptr<const ArticulationModel> model, const Vec3& position,
                       const Vec3& velocity) {
  ArticulatedBody body(std::move(model));
  Pose root;
  root.position = position;
  ArticulationState state = ArticulatedBody::zero_state(body.model(), root);
  for (int k = 0; k < 3; ++k) state.velocity[static_cast<std::size_t>(k)] = velocity[k];
  body.set_state(state);
  return body;
}

StepSettings weightless() {
  StepSettings settings;
  settings.gravity = 0;
  return settings;
}

TEST(PairContact, CollisionKeepsMomentum) {
  ArticulatedBody a = flying(test::capsule_model(3, 0.1, 0.1), Vec3(0, 0, 5), Vec3(2, 0, 0));
  ArticulatedBody b =
      flying(test::capsule_model(7, 0.1, 0.1), Vec3(0.5, 0.06, 5.05), Vec3(-1, 0, 0));
  const std::array<ArticulatedBody*, 2> both{&a, &b};
  const Vec3 p = test::momentum(a) + test::momentum(b);
  const Vec3 l = test::angular_momentum(a) + test::angular_momentum(b);
  const double energy = test::kinetic_energy(a) + test::kinetic_energy(b);
  const Ground ground;
  double most = 0;
  for (int i = 0; i < 480; ++i) {
    step_island(both, ground, weightless(), test::workspace());
    for (const ContactPoint& point : a.contacts()) {
      EXPECT_FALSE(point.on_ground);
      most = std::max(most, point.force.norm());
    }
    EXPECT_LT((test::momentum(a) + test::momentum(b) - p).norm(), 1e-9);
  }
  EXPECT_GT(most, 100);
  EXPECT_LT((test::angular_momentum(a) + test::angular_momentum(b) - l).norm(), 0.01 * l.norm());
  EXPECT_LT(test::kinetic_energy(a) + test::kinetic_energy(b), energy);
  EXPECT_GT(b.state().velocity[0], a.state().velocity[0] - 1e-9) << "they part or move together";
}

/// Velocity of one of two heavy balls that press together relative to the other, after 4 steps.
Vec3 parting(const Vec3& common) {
  const auto model = test::capsule_model(30, 0.1, 0.1);
  ArticulatedBody a = flying(model, Vec3(0, 0, 5), common + Vec3(0.3, 0, 0));
  ArticulatedBody b = flying(model, Vec3(0.199, 0, 5), common - Vec3(0.3, 0, 0));
  const std::array<ArticulatedBody*, 2> both{&a, &b};
  const Ground ground;
  for (int i = 0; i < 4; ++i) step_island(both, ground, weightless(), test::workspace());
  return b.links()[0].velocity - a.links()[0].velocity;
}

TEST(PairContact, OnlyTheRelativeMotionCounts) {
  const Vec3 still = parting(Vec3::Zero());
  EXPECT_GT(still.x(), -0.5);
  EXPECT_LT((parting(Vec3(7, 0, 0)) - still).norm(), 1e-9);
}

TEST(PairContact, ArticulatedBodiesKeepMomentumToo) {
  // Limbs with shapes, so that the contact acts far out in the tree.
  ArticulationModel plan;
  LinkModel& root = plan.links.emplace_back();
  root.mass = 5;
  root.inertia = Vec3(0.12, 0.08, 0.1);
  test::add_link(plan, 0, JointKind::kBall);
  test::add_link(plan, 1, JointKind::kHinge).shapes = {
      test::capsule_shape(Vec3(0, 0, 0.1), Vec3(0, 0, -0.1), 0.06)};
  const auto model = test::finished(std::move(plan));
  ArticulatedBody a = flying(model, Vec3(0, 0, 5), Vec3(1.5, 0, 0));
  ArticulatedBody b = flying(model, Vec3(0.4, 0.02, 5.03), Vec3(-1.5, 0, 0));
  const std::array<ArticulatedBody*, 2> both{&a, &b};
  const Ground ground;
  StepSettings settings = weightless();
  settings.dt = 1.0 / 4800;
  double most = 0;
  for (int i = 0; i < 4800; ++i) {
    step_island(both, ground, settings, test::workspace());
    for (const ContactPoint& point : a.contacts()) most = std::max(most, point.force.norm());
  }
  EXPECT_GT(most, 20);
  EXPECT_LT((test::momentum(a) + test::momentum(b)).norm(), 0.02);
  // Mirror images, nearly: they rebound alike.
  EXPECT_LT(std::abs(a.state().velocity[0] + b.state().velocity[0]), 0.3);
}

TEST(PairContact, OneCarriesTheOther) {
  const Vec3 half(0.2, 0.2, 0.1);
  ArticulatedBody low = flying(test::box_model(5, half), Vec3(0, 0, 0.1), Vec3::Zero());
  ArticulatedBody high = flying(test::box_model(3, half), Vec3(0, 0, 0.3), Vec3::Zero());
  const Ground ground;
  for (const bool swapped : {false, true}) {
    const std::array<ArticulatedBody*, 2> both =
        swapped ? std::array{&high, &low} : std::array{&low, &high};
    for (int i = 0; i < 480 * 3; ++i) step_island(both, ground, StepSettings{}, test::workspace());
    EXPECT_NEAR(high.state().root.position.z(), 0.3, 2e-3);
    double ground = 0;
    for (const ArticulatedBody* body : both) {
      for (const ContactPoint& point : body->contacts()) {
        if (point.on_ground) ground += point.force.z();
      }
    }
    EXPECT_NEAR(ground, 8 * 9.8, 0.1) << swapped;
  }
}

TEST(PairContact, HeapOfBodiesKeepsEveryPointOfEachPair) {
  // Eight boxes stacked: none sinks into the one below for want of room for contacts.
  const Vec3 half(0.2, 0.2, 0.05);
  std::vector<ArticulatedBody> bodies;
  std::vector<ArticulatedBody*> heap;
  for (int i = 0; i < 8; ++i) {
    bodies.push_back(flying(test::box_model(2, half), Vec3(0, 0, 0.05 + 0.1 * i), Vec3::Zero()));
  }
  for (ArticulatedBody& body : bodies) heap.push_back(&body);
  const Ground ground;
  for (int i = 0; i < 480 * 2; ++i) step_island(heap, ground, StepSettings{}, test::workspace());
  for (int i = 0; i < 8; ++i) {
    EXPECT_NEAR(bodies[static_cast<std::size_t>(i)].state().root.position.z(), 0.05 + 0.1 * i, 0.01)
        << i;
  }
}

}  // namespace
}  // namespace promenade::physics
