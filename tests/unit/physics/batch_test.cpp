#include "physics/dynamics/batch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <random>
#include <vector>

#include "support.h"

namespace promenade::physics {
namespace {

/// A batch of four bodies of a tree.
class FullBatch {
 public:
  explicit FullBatch(const std::shared_ptr<const ArticulationModel>& tree) {
    std::vector<ArticulatedBody*> all;
    for (int i = 0; i < kLanes; ++i) bodies_.emplace_back(tree);
    for (ArticulatedBody& body : bodies_) all.push_back(&body);
    batches_.assign(all);
  }
  Batch& operator*() { return batches_[0]; }
  Batch* operator->() { return &batches_[0]; }

 private:
  std::vector<ArticulatedBody> bodies_;
  Batches batches_;
};

/// Random numbers for all that a step of `tree` begins from, the same every time.
FullBatch random_batch(const std::shared_ptr<const ArticulationModel>& of) {
  const ArticulationModel& tree = *of;
  FullBatch batch(of);
  batch->behind = Lanes{} + 0.5;
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
  with.answer(batch, 1.0 / 480);
  with.advance(batch, 1.0 / 480);
}

template <typename Part>
bool same_bits(const Part& a, const Part& b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

void expect_same_bits(const std::shared_ptr<const ArticulationModel>& tree) {
  const std::size_t links = tree->links.size(), dofs = std::size_t(tree->dof_count);
  const auto of_joints = std::size_t(dof_of(tree->links[0].joint));
  const std::uint32_t all = (1u << links) - 1;
  for (const std::uint32_t reached : {all, 0b001111u, 0u}) {
    FullBatch plain = random_batch(tree), best = random_batch(tree);
    plain->reached = best->reached = reached;
    step(plain_kernels(), *plain);
    step(kernels(), *best);
    ASSERT_TRUE(std::isfinite(plain->link[links - 1].position.x[2]));
    for (std::size_t i = 0; i < links; ++i) {
      EXPECT_TRUE(same_bits(plain->link[i], best->link[i])) << "link " << i;
    }
    bool held = false, free = false;
    for (std::size_t k = 0; k < dofs; ++k) {
      EXPECT_TRUE(same_bits(plain->coordinate[k], best->coordinate[k])) << "coordinate " << k;
      EXPECT_TRUE(same_bits(plain->servo[k], best->servo[k])) << "servo " << k;
      for (int lane = 0; k >= of_joints && lane < kLanes; ++lane) {
        (plain->servo[k].held[lane] != 0 ? held : free) = true;
      }
    }
    EXPECT_TRUE(dofs == of_joints || (held && free));
  }
}

TEST(Batch, EveryProcessorComputesTheSameBits) { expect_same_bits(test::tree_model()); }

TEST(Batch, EveryProcessorComputesTheSameBitsForEveryKindOfRootAndJoint) {
  for (const JointKind root : test::kRootKinds) {
    SCOPED_TRACE(type_of(root).name);
    expect_same_bits(test::mixed_model(root));
  }
  expect_same_bits(test::box_model(5, Vec3(0.2, 0.2, 0.1)));
}

/// Bodies of two trees, four of one and more after another, on the ground, in it and above; some
/// with servos that are beyond their limits.
std::vector<ArticulatedBody> a_crowd() {
  ArticulationModel faller;
  LinkModel& root = faller.links.emplace_back();
  root.mass = 5;
  root.inertia = Vec3(0.12, 0.08, 0.1);
  root.shapes = {test::box_shape(Vec3(0.12, 0.1, 0.08))};
  for (const JointKind joint : {JointKind::kBall, JointKind::kHinge, JointKind::kUniversal}) {
    test::add_link(faller, joint == JointKind::kHinge ? 1 : 0, joint).shapes = {
        test::capsule_shape(Vec3(0, 0, 0.1), Vec3(0, 0, -0.12), 0.05)};
  }
  const auto limbs = test::finished(std::move(faller));
  const auto box = test::box_model(5, Vec3(0.2, 0.2, 0.1));
  std::vector<ArticulatedBody> bodies;
  for (int i = 0; i < 13; ++i) {
    ArticulatedBody& body = bodies.emplace_back(i < 7 || i > 10 ? limbs : box);
    ArticulationState state = test::stirred_state(body.model(), 0.2 * i);
    state.root.position = Vec3(3 * i, 0, 0.25 + 0.1 * (i % 4));
    body.set_state(state);
    for (JointDrive& drive : body.drives()) {
      drive.kp = Vec3::Constant(200);
      drive.kd = Vec3(2, 1, 3);
      if (i % 3 == 1) drive.limit = Vec3::Constant(4);
    }
  }
  return bodies;
}

/// Each body an island.
void step_all(std::vector<ArticulatedBody>& bodies) {
  std::vector<ArticulatedBody*> all;
  std::vector<int> ends;
  for (ArticulatedBody& body : bodies) {
    all.push_back(&body);
    ends.push_back(int(all.size()));
  }
  step_islands(all, ends, Ground(), StepSettings{}, test::workspace());
}

TEST(Batch, BodiesMoveAsIfAlone) {
  std::vector<ArticulatedBody> together = a_crowd(), alone = a_crowd();
  std::size_t touched = 0;
  for (int i = 0; i < 480; ++i) {
    step_all(together);
    for (std::size_t b = 0; b < alone.size(); ++b) {
      test::step(alone[b], Ground(), StepSettings{});
      ASSERT_TRUE(test::same_state(alone[b], together[b])) << "body " << b << ", step " << i;
      touched = std::max(touched, together[b].contacts().size());
    }
  }
  EXPECT_GT(touched, 3u);
}

// By the middle, what a pass takes from the pass before must be what a whole pass would compute. In
// a batch with a servo that is held to its limit all passes are whole: here one of the first lane.
TEST(Batch, PassesByTheMiddleThatKeepInertiasComputeTheBitsOfWholeOnes) {
  constexpr int kLane = 1;
  int held = 0, free = 0;
  for (const JointKind root : test::kRootKinds) {
    SCOPED_TRACE(type_of(root).name);
    ArticulationModel model = *test::mixed_model(root);
    model.by_the_middle = true;
    const auto tree = std::make_shared<const ArticulationModel>(std::move(model));
    const auto dofs = std::size_t(tree->dof_count), of_root = std::size_t(dof_of(root));
    // With limits so close to each other some servos reach theirs between one pass and the next.
    for (double limit = 0.25; limit < 100; limit += 0.25) {
      FullBatch whole = random_batch(tree), kept = random_batch(tree);
      for (FullBatch* batch : {&whole, &kept}) {
        for (std::size_t i = 0; i < tree->links.size(); ++i) (*batch)->link[i].carries = Lanes{};
        for (std::size_t k = of_root; k < dofs; ++k) {
          (*batch)->servo[k].limit = Lanes{} + 1e9;
          (*batch)->servo[k].limit[kLane] = limit;
        }
        if (batch == &whole) whole->servo[of_root].limit[0] = 0;
        kernels().place(**batch);
        kernels().prepare(**batch, 1.0 / 480, 9.8);
      }
      ASSERT_NE(whole->servo[of_root].held[0], 0);
      for (std::size_t k = 0; k < dofs; ++k) {
        ASSERT_EQ(kept->coordinate[k].velocity[kLane], whole->coordinate[k].velocity[kLane]);
        ASSERT_EQ(kept->coordinate[k].inverse[kLane], whole->coordinate[k].inverse[kLane]);
        if (k < of_root) continue;
        ASSERT_EQ(kept->servo[k].held[kLane], whole->servo[k].held[kLane]) << "limit " << limit;
        ++(kept->servo[k].held[kLane] != 0 ? held : free);
      }
    }
  }
  EXPECT_GT(held, 100);
  EXPECT_GT(free, 100);
}

TEST(Batch, OneBodyThatIsNotFiniteLeavesThoseBesideItAsTheyAre) {
  for (std::size_t sick = 0; sick < std::size_t(kLanes); ++sick) {
    std::vector<ArticulatedBody> bodies = a_crowd(), well = a_crowd();
    bodies[sick].drives()[1].feedforward.x() = std::nan("");
    for (int i = 0; i < 100; ++i) {
      step_all(bodies);
      step_all(well);
    }
    for (std::size_t b = 0; b < bodies.size(); ++b) {
      if (b == sick) {
        EXPECT_FALSE(bodies[b].finite());
      } else {
        EXPECT_TRUE(test::same_state(bodies[b], well[b])) << b << " beside " << sick;
      }
    }
  }
}

TEST(Batch, SinesAndCosinesOfJointsAreThoseOfTheLibrary) {
  const auto tree = test::tree_model();
  FullBatch batch = random_batch(tree);
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
