// An experiment is a function of what it is given: same seed, same outcome, whatever else runs.
#include <memory>
#include <stdexcept>
#include <vector>

#include "math/rotation.h"
#include "shared.h"
#include "study/trial/rig/parallel.h"
#include "study/trial/walk/pushes.h"
#include "study/trial/walk/walking.h"

namespace promenade {
namespace {

using namespace trial;

TEST(Rollout, IsTheSameWhateverRunsBesideIt) {
  const auto walks = [](int threads) {
    std::vector<Vec3> ends(6);
    run_parallel(6, threads, [&](int i) {
      Rollout rollout(human(), std::uint64_t(i / 2));
      rollout.walk({0.7, 0});
      rollout.run(4);
      ends[std::size_t(i)] = rollout.report().com;
    });
    return ends;
  };
  const auto alone = walks(1), together = walks(4);
  for (std::size_t i = 0; i < alone.size(); ++i) EXPECT_EQ(alone[i], together[i]) << i;
  EXPECT_EQ(alone[2], alone[3]) << "the same seed";
  EXPECT_NE(alone[2], alone[4]) << "another seed";
}

// More bodies than there are side by side, of two trees; one of them falls on the way.
TEST(Herd, StepsEachRolloutAsIfItWereAlone) {
  const auto made = [] {
    std::vector<std::unique_ptr<Rollout>> out;
    Walker walkers[] = {human(), Walker::unstyled(*shipped(), "cat", "hold")};
    walkers[1].ground = walkers[0].ground;
    for (std::uint64_t i = 0; i < 7; ++i) {
      out.push_back(std::make_unique<Rollout>(walkers[i % 3 == 2 ? 1 : 0], i));
      out.back()->walk({0.7, 0});
    }
    out[3]->push = Vec3(0, 0, -4000);
    return out;
  };
  const auto alone = made(), together = made();
  std::vector<Rollout*> all;
  for (const auto& one : together) all.push_back(one.get());
  Herd herd;
  for (int i = 0; i < 1200; ++i) {
    herd.step(all);
    for (const auto& one : alone) one->step();
  }
  EXPECT_TRUE(alone[3]->fallen());
  EXPECT_FALSE(alone[0]->fallen());
  for (std::size_t i = 0; i < alone.size(); ++i) {
    EXPECT_EQ(together[i]->fallen(), alone[i]->fallen()) << i;
    EXPECT_EQ(together[i]->time(), alone[i]->time()) << i;
    StateVisitor::Buffer state_together, state_alone;
    write_state(together[i]->physics(), state_together);
    write_state(alone[i]->physics(), state_alone);
    EXPECT_EQ(state_together, state_alone) << i;
  }
}

TEST(Rollout, NamesWhatThereIsWhenThereIsNoSuchBody) {
  try {
    Walker::of(*shipped(), "humam", "normal");
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find("humam"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("beast1"), std::string::npos);
  }
}

TEST(Rollout, StopsAtAFall) {
  Rollout rollout(human(), 1);
  rollout.push = Vec3(0, 0, -4000);
  EXPECT_FALSE(rollout.run(5));
  EXPECT_TRUE(rollout.fallen());
  const double time = rollout.time();
  EXPECT_LT(time, 5);
  EXPECT_FALSE(rollout.step());
  EXPECT_EQ(rollout.time(), time);
}

TEST(Rollout, StartsFromThePresentStateOfAnotherAndHasItsFuture) {
  Rollout walking(human(), 1), planned(human(), 2);
  walking.walk({0.7, 0});
  walking.push = Vec3(0, 150, 0);
  walking.run(0.3);
  walking.push.setZero();
  walking.run(2.1);
  for (int i = 0; i < 2; ++i) {  // the second time over a state that has moved on
    planned.start_from(walking);
    Rollout twin(human(), 3);
    twin.start_from(walking);
    twin.run(3);
    planned.run(3);
    EXPECT_EQ(planned.physics().state().velocity, twin.physics().state().velocity);
  }
  walking.run(3);
  EXPECT_EQ(planned.physics().state().velocity, walking.physics().state().velocity);
  EXPECT_EQ(planned.physics().state().root.position, walking.physics().state().root.position);
  EXPECT_EQ(planned.report().steps, walking.report().steps);
}

// With any family, of any creature.
TEST(Rollout, OfACreatureThatIsNoBipedHasTheFutureOfThePresentOne) {
  for (const char* body : {"cat", "ant", "luxo"}) {
    for (const char* family : {"hold", "limp"}) {
      const Walker walker = Walker::unstyled(*shipped(), body, family);
      Rollout present(walker, 1), planned(walker, 2);
      present.push = Vec3(0.1 * 9.8 * walker.body->total_mass, 0, 0);
      present.run(0.3);
      present.push.setZero();
      planned.start_from(present);
      present.run(1);
      planned.run(1);
      EXPECT_EQ(planned.physics().state().velocity, present.physics().state().velocity) << body;
      EXPECT_EQ(planned.physics().state().root.position, present.physics().state().root.position);
    }
  }
  EXPECT_THROW(Walker::unstyled(*shipped(), "cat", "gbwc"), std::invalid_argument);
}

// A planner looks ahead on ground that moves: the ground's clock goes on from where it is.
TEST(Rollout, OnALiftHasTheFutureOfThePresentOne) {
  physics::GroundPlan plan;
  physics::GroundBlock lift;
  lift.pose.position = Vec3(0, 0, -0.5);
  lift.half = Vec3(5, 5, 0.6);
  physics::BlockMotion motion;
  motion.path = {Vec3(0, 0, 0.5)};
  motion.speed = 0.5;
  lift.motion = std::make_shared<const physics::BlockMotion>(motion);
  plan.blocks.push_back(lift);
  Walker walker = Walker::unstyled(*shipped(), "cat", "hold");
  walker.ground = std::make_shared<const physics::Ground>(plan);
  Rollout present(walker, 1), planned(walker, 2);
  present.run(0.7);
  planned.start_from(present);
  present.run(0.8);
  planned.run(0.8);
  EXPECT_GT(present.physics().state().root.position.z(), 0.5) << "it goes up";
  EXPECT_EQ(planned.physics().state().root.position, present.physics().state().root.position);
}

TEST(Rollout, RefusesToStartFromTheStateOfAnotherKindOfController) {
  Walker held = human();
  held.family = control::find_family("hold");
  held.parameters = shipped()->controllers().parameters(*held.family);
  const Rollout walking(human(), 1);
  Rollout holding(held, 1);
  EXPECT_THROW(holding.start_from(walking), std::invalid_argument);
}

TEST(RunParallel, RunsEachJobOnceAndPassesOnFailure) {
  std::vector<int> runs(100);
  int last = 0;
  run_parallel(
      100, 7, [&](int i) { ++runs[std::size_t(i)]; }, [&](int done) { last = done; });
  EXPECT_EQ(runs, std::vector<int>(100, 1));
  EXPECT_EQ(last, 100);
  EXPECT_THROW(run_parallel(10, 3,
                            [](int i) {
                              if (i == 4) throw std::runtime_error("fourth");
                            }),
               std::runtime_error);
}

TEST(GaitQuality, StandingSlipsNotAndASledDoes) {
  Rollout still(human(), 0);
  ASSERT_TRUE(still.run(3));
  EXPECT_LT(slip_speed(still), 0.002);
  // Dragged sideways by more than friction holds, the feet slide.
  Rollout dragged(human(), 0);
  ASSERT_TRUE(dragged.run(1));
  dragged.push = Vec3(0, 900, 0);
  double fastest = 0;
  dragged.observer = [&](const Rollout& r) { fastest = std::max(fastest, slip_speed(r)); };
  dragged.run(0.5);
  EXPECT_GT(fastest, 0.1);
}

TEST(GaitQuality, LegsApartDoNotOverlap) {
  Rollout rollout(human(), 0);
  EXPECT_LT(leg_overlap(rollout), 0);
  EXPECT_GT(leg_overlap(rollout), -0.15) << "hips are 16 cm apart, feet 10 cm wide";
}

TEST(GaitQuality, FiguresOfAWalkAreThoseOfAWalk) {
  const SteadyWalk walk = walk_steadily(human(), {0.8, 0}, 15, 5, 1);
  ASSERT_TRUE(walk.up);
  const GaitQuality& q = walk.quality;
  EXPECT_NEAR(q.seconds, 10, 0.01);
  EXPECT_NEAR(q.steps, 10 / q.step_time, 2);
  EXPECT_NEAR(q.step_time, walk.step_time, 0.05);
  EXPECT_GT(q.cost_of_transport, 0.05);
  EXPECT_LT(q.cost_of_transport, 2);
  EXPECT_GT(q.peak_torque, 50);
}

}  // namespace
}  // namespace promenade
