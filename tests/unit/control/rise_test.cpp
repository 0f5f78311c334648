#include "control/rise/rise.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "control/controller_library.h"
#include "creature/creature_library.h"
#include "creature/fallen.h"
#include "creature/pose.h"
#include "math/rotation.h"
#include "study/bench/allocation_counter.h"
#include "support/paths.h"

namespace promenade::control {
namespace {

using physics::ArticulatedBody;

constexpr double kStep = 1.0 / 480;

struct Data {
  CreatureLibrary creatures = CreatureLibrary::load(test::data_dir() / "creatures").value();
  ControllerLibrary controllers = ControllerLibrary::load(test::data_dir() / "controllers").value();
};

const Data& data() {
  static const Data loaded;
  return loaded;
}

/// Somebody who lies just above the ground.
struct Lying {
  explicit Lying(const Quat& turn, const char* name = "human")
      : creature(data().creatures.find(name)->body), physics(creature->model) {
    Pose root;
    root.position.z() = 0.35 * creature->leg_scale();
    root.rotation = turn;
    physics.set_state(rest_state(*creature, root));
    controller = data().controllers.make(*find_family("rise"), creature);
    controller->reset(physics, goal);
  }
  void step() {
    controller->update(physics, {ground, 0}, goal, kStep);
    ArticulatedBody* one = &physics;
    physics::step_island({&one, 1}, ground, settings, workspace);
    for (std::size_t i = 1; i < physics.drives().size(); ++i) {
      const Vec3 share =
          physics.drives()[i].applied.cwiseAbs().cwiseQuotient(creature->gains[i].limit);
      torque = std::max(torque, share.maxCoeff());
    }
  }
  /// @return s until it stands; -1: not within `patience`
  double get_up(double patience) {
    for (double t = 0; t < patience; t += kStep) {
      step();
      if (controller->recovered()) return t;
    }
    return -1;
  }
  void run(double seconds) {
    for (int i = 0; i < std::lround(seconds / kStep); ++i) step();
  }
  const Rise& rise() const { return dynamic_cast<const Rise&>(*controller); }

  std::shared_ptr<const Creature> creature;
  ArticulatedBody physics;
  physics::Ground ground;
  physics::Workspace workspace;
  physics::StepSettings settings;
  Goal goal;
  std::unique_ptr<Controller> controller;
  double torque = 0;  // greatest of a joint so far, over its limit
};

const Quat kOnBelly = rotation_y(kPi / 2), kOnBack = rotation_y(-kPi / 2),
           kOnSide = rotation_x(kPi / 2);

TEST(Rise, GetsUpFromBellyBackAndSideWithinItsTorques) {
  for (const Quat& turn : {kOnBelly, kOnBack, kOnSide}) {
    Lying human(turn);
    EXPECT_FALSE(human.controller->recovered());
    const double seconds = human.get_up(15);
    EXPECT_GT(seconds, 1) << "by motion, not at once";
    EXPECT_FALSE(has_fallen(*human.creature, human.physics, 0));
    EXPECT_LE(human.torque, 1 + 1e-9);
  }
}

TEST(Rise, ServesBodiesOfOtherSizes) {
  for (const char* name : {"child", "giant"}) {
    Lying body(kOnBack, name);
    EXPECT_GT(body.get_up(20), 1) << name;
    EXPECT_LE(body.torque, 1 + 1e-9) << name;
  }
}

TEST(Rise, StandsOnceItIsUp) {
  Lying human(kOnBelly);
  ASSERT_GT(human.get_up(15), 0);
  human.run(2);
  EXPECT_TRUE(human.controller->recovered());
  EXPECT_FALSE(has_fallen(*human.creature, human.physics, 0));
}

TEST(Rise, TriesAgainWhereATryDoesNotGetOn) {
  Lying human(kOnBack);
  human.settings.gravity = 60;  // more than its joints can lift
  EXPECT_EQ(human.get_up(20), -1);
  EXPECT_GT(human.rise().tries(), 1);
}

TEST(Rise, GoesOnFromASavedState) {
  Lying human(kOnBack), other(kOnBelly);
  human.run(1.5);
  StateVisitor::Buffer words;
  write_state(human.physics, words);
  write_state(*human.controller, words);
  StateVisitor reader = StateVisitor::reader(words);
  other.physics.visit(reader);
  other.controller->visit(reader);
  ASSERT_EQ(reader.error(), "");
  EXPECT_EQ(reader.left(), 0u);
  human.run(2);
  other.run(2);
  EXPECT_EQ(human.rise().stage(), other.rise().stage());
  EXPECT_EQ(human.physics.state().velocity, other.physics.state().velocity) << "bit for bit";
}

TEST(Rise, AllocatesNothingWhileItGetsUp) {
  Lying human(kOnBack);
  human.get_up(15);  // the workspace grows
  Lying again(kOnBack);
  again.workspace = std::move(human.workspace);
  again.run(0.5);
  const AllocationCounter counter;
  for (int i = 0; i < 480 * 4; ++i) {
    again.controller->update(again.physics, {again.ground, 0}, again.goal, kStep);
  }
  EXPECT_EQ(counter.count(), 0u);
}

TEST(Rise, ReadsNoStageThatThereIsNot) {
  Lying human(kOnBack);
  StateVisitor::Buffer words;
  write_state(*human.controller, words);
  words[0] = Rise::kStages;
  StateVisitor reader = StateVisitor::reader(words);
  human.controller->visit(reader);
  EXPECT_NE(reader.error(), "");
}

}  // namespace
}  // namespace promenade::control
