#include "creature/fallen.h"

#include <gtest/gtest.h>

#include <memory>

#include "creature/creature_library.h"
#include "support/paths.h"

namespace promenade {
namespace {

physics::GroundBlock block(const Vec3& center, const Vec3& half) {
  physics::GroundBlock out;
  out.pose.position = center;
  out.half = half;
  return out;
}

struct HumanOnGround {
  HumanOnGround() {
    const auto bodies = CreatureLibrary::load(test::data_dir() / "creatures").value();
    body = bodies.find("human")->body;
    physics = std::make_unique<physics::ArticulatedBody>(body->model);
    set_height(body->standing_height);
  }
  void set_height(double z) {
    Pose root;
    root.position.z() = z;
    physics->set_state(physics::ArticulatedBody::zero_state(*body->model, root));
  }
  std::shared_ptr<const Creature> body;
  std::unique_ptr<physics::ArticulatedBody> physics;
};

TEST(Fallen, WhoIsAstrideABlockOrUnderABarIsNot) {
  HumanOnGround human;
  // Under the pelvis only: the feet are 0.08 m to either side.
  const physics::Ground astride({block(Vec3(0, 0, 0.22), Vec3(0.5, 0.02, 0.22))});
  EXPECT_FALSE(has_fallen(*human.body, *human.physics, astride));
  const physics::Ground under({block(Vec3(0, 0, 2), Vec3(1, 1, 0.1))});
  EXPECT_FALSE(has_fallen(*human.body, *human.physics, under));
}

TEST(Fallen, WhoIsLowOnABlockIs) {
  HumanOnGround human;
  const physics::Ground podium({block(Vec3(0, 0, 0.5), Vec3(3, 3, 0.5))});
  human.set_height(1 + 0.5 * human.body->standing_height);
  EXPECT_TRUE(has_fallen(*human.body, *human.physics, podium));
  human.set_height(1 + human.body->standing_height);
  EXPECT_FALSE(has_fallen(*human.body, *human.physics, podium));
}

}  // namespace
}  // namespace promenade
