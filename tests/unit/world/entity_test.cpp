#include "world/entity/entity.h"

#include <gtest/gtest.h>

#include "behaviour/direct.h"
#include "world/library/library.h"
#include "world/step/stepping.h"
#include "world_fixture.h"

namespace promenade::world {
namespace {

using testing::test_library;

/// One human on level ground, stepped as a room steps it.
struct Alone {
  explicit Alone(const char* family)
      : entity(1, test_library()->find_creature("human"), test_library()->find_style("normal"),
               *control::find_family(family), test_library()->controllers()) {
    context.ground = &ground;
    context.settings.dt = 1.0 / 480;
    entity.place({ground, 0}, Vec2::Zero(), 0);
    entity.behaviour = std::make_unique<behaviour::Direct>(0);
  }
  void walk(double speed) {
    entity.goal.velocity = Vec2(speed, 0);
    entity.goal.stand = false;
  }
  void run(double seconds) {
    Occupant* one = &entity;
    for (int i = 0; i < std::lround(60 * seconds); ++i) {
      step_through_tick({&one, 1}, {}, context, scratch);
    }
  }
  void drive_by(const char* family) {
    entity.set_controller(*control::find_family(family), test_library()->controllers(),
                          {ground, 0});
  }
  double x() const { return entity.physics.state().root.position.x(); }

  physics::Ground ground;
  StepContext context;
  StepScratch scratch;
  Entity entity;
};

TEST(Entity, WalksOnWhereItsControllerIsChangedForTheSameOne) {
  Alone one("gbwc");
  one.walk(0.8);
  one.run(4.3);
  one.drive_by("gbwc");
  one.run(1);
  const double from = one.x();
  one.run(5);
  EXPECT_FALSE(one.entity.down);
  EXPECT_NEAR((one.x() - from) / 5, 0.8, 0.2) << "m/s";
}

TEST(Entity, GoesLimpWhileItWalks) {
  Alone one("gbwc");
  one.walk(0.8);
  one.run(4);
  one.drive_by("limp");
  one.run(3);
  EXPECT_TRUE(one.entity.is_down({one.ground, 0}));
  EXPECT_FALSE(one.entity.down) << "who is limp lies, and has not fallen";
  EXPECT_TRUE(one.entity.is_sound());
}

TEST(Entity, KeepsItsStyleForTheNextControllerThatHasOne) {
  Alone one("gbwc");
  const auto manner = one.entity.controller->manner();
  one.drive_by("hold");
  EXPECT_EQ(one.entity.controller->styled(), nullptr);
  EXPECT_EQ(one.entity.controller->manner().step_time, 0);
  one.drive_by("gbwc");
  EXPECT_EQ(one.entity.controller->manner().step_time, manner.step_time);
}

TEST(Entity, FallenLiesSlackWhateverDrivesIt) {
  Alone one("hold");
  one.entity.fallen = true;
  one.run(0.1);
  for (const physics::JointDrive& drive : one.entity.physics.drives())
    EXPECT_TRUE(drive.kp.isZero());
}

}  // namespace
}  // namespace promenade::world
