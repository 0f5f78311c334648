#include "physics/batch.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <memory>
#include <random>
#include <vector>

#include "support.h"

namespace promenade::physics {
namespace {

/// Random numbers for all that a step of `tree` begins from, the same every time.
std::unique_ptr<Batch> random_batch(const ArticulationModel& tree) {
  auto batch = std::make_unique<Batch>();
  batch->count = kLanes;
  batch->tree = &tree;
  std::mt19937 random(1);
  const auto fill = [&](Lanes& to, double low, double high) {
    for (int lane = 0; lane < kLanes; ++lane) {
      to[lane] = std::uniform_real_distribution<double>(low, high)(random);
    }
  };
  const auto fill3 = [&](Vec3Lanes& to, double size) {
    for (Lanes* part : {&to.x, &to.y, &to.z}) fill(*part, -size, size);
  };
  for (std::size_t i = 0; i < tree.links.size(); ++i) {
    LinkLanes& link = batch->link[i];
    fill(link.mass, 1, 20);
    for (Lanes* moment : {&link.moments.x, &link.moments.y, &link.moments.z}) fill(*moment, 0.1, 1);
    for (Vec3Lanes* v : {&link.at_parent, &link.at_child, &link.axis}) fill3(*v, 0.3);
    for (Lanes& angle : link.angle) fill(angle, -3, 3);
    for (int lane = 0; lane < kLanes; ++lane) {
      const Quat q = quat_from_rotation_vector(Vec3(std::sin(lane + double(i)), 0.4, lane - 1));
      link.joint.w[lane] = q.w();
      link.joint.x[lane] = q.x();
      link.joint.y[lane] = q.y();
      link.joint.z[lane] = q.z();
      link.carries[lane] = (lane + int(i)) % 2;
    }
    for (Vec3Lanes* v : {&link.force.angular, &link.force.linear}) fill3(*v, 50);
  }
  for (std::size_t k = 0; k < std::size_t(tree.dof_count); ++k) {
    // Up to speeds that turn joints beyond the series of a step.
    fill(batch->coordinate[k].start, -60, 60);
    fill(batch->coordinate[k].velocity, -1, 1);
    ServoLanes& servo = batch->servo[k];
    fill(servo.torque, -100, 100);
    fill(servo.damping, 0, 0.2);
    fill(servo.spring, 0, 0.1);
    fill(servo.limit, 20, 200);
    fill(servo.asked_last, -100, 100);
    fill(servo.stop, -1, 1);
    servo.stop = servo.stop > 0 ? servo.stop : Lanes{};
    fill(servo.stop_torque, -10, 10);
  }
  return batch;
}

void step(const BatchKernels& with, Batch& batch) {
  with.place(batch);
  with.prepare(batch, 1.0 / 480, 9.8);
  batch.link[batch.tree->links.size() - 1].impulse.linear.z += 3;
  with.answer(batch);
  with.advance(batch, 1.0 / 480);
}

template <typename Part>
bool same_bits(const Part& a, const Part& b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

TEST(Batch, EveryProcessorComputesTheSameBits) {
  const auto tree = test::tree_model();
  const auto plain = random_batch(*tree), best = random_batch(*tree);
  step(plain_kernels(), *plain);
  step(kernels(), *best);
  ASSERT_TRUE(std::isfinite(plain->link[3].position.x[2]));
  for (std::size_t i = 0; i < tree->links.size(); ++i) {
    EXPECT_TRUE(same_bits(plain->link[i], best->link[i])) << "link " << i;
  }
  for (std::size_t k = 0; k < std::size_t(tree->dof_count); ++k) {
    EXPECT_TRUE(same_bits(plain->coordinate[k], best->coordinate[k])) << "coordinate " << k;
    EXPECT_TRUE(same_bits(plain->servo[k], best->servo[k])) << "servo " << k;
  }
}

TEST(Batch, BodiesOfAnyTreesMoveAsIfAlone) {
  const std::array models{test::tree_model(), test::box_model(5, Vec3(0.2, 0.2, 0.1)),
                          test::tree_model()};
  constexpr std::size_t kBodies = 11;  // more than a batch, and the last is not full
  std::vector<ArticulatedBody> together, alone;
  for (std::size_t i = 0; i < kBodies; ++i) {
    for (auto* bodies : {&together, &alone}) {
      ArticulatedBody& body = bodies->emplace_back(models[i * i % 7 % models.size()]);
      body.set_state(test::stirred_state(body.model(), 0.3 * double(i)));
      for (JointDrive& drive : body.drives()) {
        drive.kp = Vec3::Constant(20.0 * double(i));
        drive.kd = Vec3(2, 1, 3);
      }
    }
  }
  std::vector<ArticulatedBody*> all;
  std::vector<int> ends;
  for (ArticulatedBody& body : together) {
    all.push_back(&body);
    ends.push_back(int(all.size()));
  }
  const Terrain terrain;
  for (int i = 0; i < 100; ++i) {
    step_islands(all, ends, terrain, StepSettings{});
    for (std::size_t b = 0; b < kBodies; ++b) {
      test::step(alone[b], terrain, StepSettings{});
      ASSERT_TRUE(test::same_state(alone[b], together[b])) << "body " << b << ", step " << i;
    }
  }
}

TEST(Batch, OneBodyThatIsNotFiniteLeavesThoseBesideItAsTheyAre) {
  const auto model = test::tree_model();
  std::vector<ArticulatedBody> bodies;
  for (int i = 0; i < 3; ++i) {
    bodies.emplace_back(model).set_state(test::stirred_state(*model, 1));
  }
  const std::array<ArticulatedBody*, 2> both{&bodies[0], &bodies[1]};
  const std::array<int, 2> ends{1, 2};
  bodies[0].drives()[1].feedforward.x() = std::nan("");
  const Terrain terrain;
  for (int i = 0; i < 20; ++i) {
    step_islands(both, ends, terrain, StepSettings{});
    test::step(bodies[2], terrain, StepSettings{});
  }
  EXPECT_FALSE(bodies[0].finite());
  EXPECT_TRUE(test::same_state(bodies[1], bodies[2]));
}

TEST(Batch, SinesAndCosinesOfJointsAreThoseOfTheLibrary) {
  const auto tree = test::tree_model();
  const auto batch = random_batch(*tree);
  for (int i = -400; i <= 400; ++i) {
    const double angle = 0.0173 * i;  // all four quarters, both signs, and zero
    batch->link[3].axis.x = Lanes{} + 0.6;
    batch->link[3].axis.y = Lanes{} + 0.8;
    batch->link[3].axis.z = Lanes{};
    batch->link[3].angle[0] = Lanes{} + 2 * angle;
    kernels().place(*batch);
    EXPECT_NEAR(batch->link[3].joint.w[1], std::cos(angle), 3e-16) << angle;
    EXPECT_NEAR(batch->link[3].joint.y[1], 0.8 * std::sin(angle), 3e-16) << angle;
  }
}

}  // namespace
}  // namespace promenade::physics
