#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "study/bench/allocation_counter.h"
#include "support.h"

// Steps that are done in parts: ArticulatedBody::set_fine.
namespace promenade::physics {
namespace {

constexpr int kParts = 4;

StepSettings part_of(StepSettings settings) {
  settings.dt /= kParts;
  return settings;
}

/// Moment of the normal forces about the world's origin.
Vec3 normal_moment(const ArticulatedBody& body) {
  Vec3 sum = Vec3::Zero();
  for (const ContactPoint& point : body.contacts()) {
    sum += point.force.dot(point.normal) * point.position;
  }
  return sum;
}

TEST(FineBody, StepsInPartsAndFeelsTheirMean) {
  const auto model = test::faller();
  const auto push = [](ArticulatedBody& body) {
    body.add_force({1, Vec3(0.1, 0, 0.7), Vec3(3, -2, 1)});
  };
  for (const bool level : {true, false}) {
    const Ground ground = level ? Ground() : test::steps();
    ArticulatedBody fine = test::dropped(model, 0, 0), twin = test::dropped(model, 0, 0);
    fine.set_fine(true);
    double most = 0;
    for (int i = 0; i < 480 * 2; ++i) {
      push(fine);
      test::step(fine, ground, StepSettings{});
      Vec3 mean = Vec3::Zero(), moment = Vec3::Zero();
      for (int part = 0; part < kParts; ++part) {
        push(twin);
        test::step(twin, ground, part_of({}));
        mean += test::contact_force(twin) / kParts;
        moment += normal_moment(twin) / kParts;
      }
      ASSERT_TRUE(test::same_state(fine, twin)) << "step " << i;
      ASSERT_LT((test::contact_force(fine) - mean).norm(), 1e-9 * (1 + mean.norm()))
          << "step " << i;
      // Where the normals of a contact are the same in all parts.
      if (level) {
        ASSERT_LT((normal_moment(fine) - moment).norm(), 1e-9 * (1 + moment.norm()))
            << "step " << i;
      }
      most = std::max(most, mean.norm());
    }
    EXPECT_GT(most, 100);
    EXPECT_GT(fine.contacts().size(), 2u);
  }
}

TEST(FineBody, TakesItsIslandAlongAndNobodyElse) {
  const auto model = test::faller();
  const Ground ground = test::steps();
  std::array<ArticulatedBody, 3> body{test::dropped(model, 0, 0), test::dropped(model, 0.1, 0.1),
                                      test::dropped(model, 9, 0)};
  std::array<ArticulatedBody, 3> twin{test::dropped(model, 0, 0), test::dropped(model, 0.1, 0.1),
                                      test::dropped(model, 9, 0)};
  body[1].set_fine(true);
  const std::array<ArticulatedBody*, 3> all{&body[0], &body[1], &body[2]};
  const std::array<ArticulatedBody*, 2> pair{&twin[0], &twin[1]};
  for (int i = 0; i < 480; ++i) {
    step_islands(all, std::array{2, 3}, ground, StepSettings{}, test::workspace());
    for (int part = 0; part < kParts; ++part)
      step_island(pair, ground, part_of({}), test::workspace());
    test::step(twin[2], ground, StepSettings{});
    for (std::size_t b = 0; b < 3; ++b) {
      ASSERT_TRUE(test::same_state(body[b], twin[b])) << "body " << b << ", step " << i;
    }
  }
}

TEST(FineBody, IsNotDividedWhereStepsAreFineAnyway) {
  const auto model = test::faller();
  const Ground ground = test::steps();
  ArticulatedBody fine = test::dropped(model, 0, 0), plain = test::dropped(model, 0, 0);
  fine.set_fine(true);
  StepSettings settings;
  for (const double dt : {settings.fine_dt, 1.0 / 2000}) {
    settings.dt = dt;
    for (int i = 0; i < 1000; ++i) {
      test::step(fine, ground, settings);
      test::step(plain, ground, settings);
      ASSERT_TRUE(test::same_state(fine, plain)) << "step " << i;
    }
  }
}

TEST(FineBody, RestsOnWhileItsStepsChange) {
  ArticulatedBody box(test::box_model(12, Vec3(0.1, 0.15, 0.2)));
  Pose pose;
  pose.position.z() = 0.2;
  box.set_state(ArticulatedBody::zero_state(box.model(), pose));
  const Ground ground;
  for (int i = 0; i < 480; ++i) test::step(box, ground, StepSettings{});
  StepSettings once;
  once.iterations = 1;  // so that it matters from which impulses the solver begins
  for (int i = 0; i < 100; ++i) {
    box.set_fine(i % 2 == 0);
    test::step(box, ground, once);
    ASSERT_LT(
        Vec3(box.state().velocity[0], box.state().velocity[1], box.state().velocity[2]).norm(),
        1e-5)
        << "step " << i;
    ASSERT_NEAR(test::contact_force(box).z(), 12 * 9.8, 0.1) << "step " << i;
  }
}

TEST(FineBody, ItsStateHoldsTheImpulsesFromWhichItsNextStepBegins) {
  const Ground ground = test::steps();
  ArticulatedBody fine = test::dropped(test::faller(), 0, 0);
  ArticulatedBody twin = test::dropped(test::faller(), 0, 0);
  fine.set_fine(true);
  for (int i = 0; i < 480; ++i) test::step(fine, ground, StepSettings{});
  StateVisitor::Buffer saved;
  write_state(fine, saved);
  StateVisitor reader = StateVisitor::reader(saved);
  twin.visit(reader);
  ASSERT_EQ(reader.error(), "");
  for (int i = 0; i < 60; ++i) {
    for (ArticulatedBody* body : {&fine, &twin}) test::step(*body, ground, StepSettings{});
  }
  EXPECT_EQ(fine.state().velocity, twin.state().velocity);
  EXPECT_EQ(fine.state().root.position, twin.state().root.position);
}

TEST(FineBody, IsNoLongerSoInANewState) {
  ArticulatedBody body = test::dropped(test::faller(), 0, 0);
  body.set_fine(true);
  body.set_state(ArticulationState(body.state()));
  EXPECT_FALSE(body.fine());
}

TEST(FineBody, AllocatesNothingOnceItsBuffersHaveGrown) {
  const auto model = test::faller();
  const Ground ground = test::steps();
  ArticulatedBody a = test::dropped(model, 0, 0), b = test::dropped(model, 0.1, 0.1);
  const std::array<ArticulatedBody*, 2> both{&a, &b};
  for (int i = 0; i < 480; ++i) step_island(both, ground, StepSettings{}, test::workspace());
  const AllocationCounter counter;
  a.set_fine(true);
  for (int i = 0; i < 480; ++i) step_island(both, ground, StepSettings{}, test::workspace());
  EXPECT_EQ(counter.count(), 0u);
}

}  // namespace
}  // namespace promenade::physics
