#include <gtest/gtest.h>

#include <cmath>

#include "control/gbwc/gbwc.h"
#include "control/gbwc/style_library.h"
#include "creature/biped/body_change.h"
#include "creature/creature_builder.h"
#include "creature/creature_edit.h"
#include "creature/creature_library.h"
#include "schema/message.h"
#include "support/paths.h"

namespace promenade::control {
namespace {

using physics::ArticulatedBody;

constexpr double kPhysicsStep = 1.0 / 480;
constexpr double kSpeed = 0.8;  // m/s

struct Data {
  CreatureLibrary bodies = CreatureLibrary::load(test::data_dir() / "creatures").value();
  StyleLibrary styles = StyleLibrary::load(test::data_dir() / "styles").value();
  std::shared_ptr<const GbwcParameters> parameters = std::make_shared<const GbwcParameters>(
      schema::load_message<GbwcParameters>(test::data_dir() / "controllers/gbwc.json")
          .value()
          .message);
};

const Data& data() {
  static const Data loaded;
  return loaded;
}

/// The human with some links made longer or wider.
std::shared_ptr<const Creature> edited(std::initializer_list<v1::LinkEdit> links,
                                       double scale = 1) {
  v1::BodyEdit edit;
  edit.set_scale(scale);
  for (const v1::LinkEdit& link : links) *edit.add_links() = link;
  return std::make_shared<const Creature>(
      build_creature(apply_edit(data().bodies.find("human")->character, edit)).value());
}

v1::LinkEdit link(const char* name, double length, double width = 1) {
  v1::LinkEdit out;
  out.set_link(name);
  out.set_length(length);
  out.set_width(width);
  return out;
}

/// One biped walking forward on level ground.
struct Walker {
  Walker() : body(data().bodies.find("human")->body) {
    physics = std::make_unique<ArticulatedBody>(body->model);
    controller = std::make_unique<Gbwc>(body, data().styles.find("normal"), data().parameters);
    Pose root;
    root.position.z() = body->standing_height + 0.001;
    physics->set_state(ArticulatedBody::zero_state(*body->model, root));
    controller->reset(*physics, goal);
  }
  void run(double seconds) {
    for (int i = 0; i < seconds / kPhysicsStep; ++i) {
      controller->update(*physics, ground, goal, kPhysicsStep);
      ArticulatedBody* one = physics.get();
      physics::step_island({&one, 1}, ground, physics::StepSettings{}, workspace);
    }
  }
  void walk() {
    goal.velocity = Vec2(kSpeed, 0);
    goal.stand = false;
  }
  void change(std::shared_ptr<const Creature> next) {
    const ControlReport& report = controller->report();
    const Footing footing = report.standing      ? Footing::kOnBoth
                            : report.left_stance ? Footing::kOnLeft
                                                 : Footing::kOnRight;
    *physics = change_body(*body, *physics, *next, footing, ground);
    body = std::move(next);
    controller->set_creature(body, *physics);
  }
  bool up() const {
    return physics->finite() && physics->state().root.position.z() > 0.65 * body->standing_height;
  }

  std::shared_ptr<const Creature> body;
  physics::Ground ground;
  physics::Workspace workspace;
  Goal goal;
  std::unique_ptr<ArticulatedBody> physics;
  std::unique_ptr<Gbwc> controller;
};

constexpr int kPhases = 8;

/// How many of kPhases changes in the course of a stride it is still up after 10 s, and as fast as
/// it was asked to be.
int survivors(const std::shared_ptr<const Creature>& next) {
  int up = 0;
  for (int i = 0; i < kPhases; ++i) {
    Walker walker;
    walker.walk();
    walker.run(4 + 1.2 * i / kPhases);
    walker.change(next);
    walker.run(5);
    const double from = walker.physics->state().root.position.x();
    walker.run(5);
    const double speed = (walker.physics->state().root.position.x() - from) / 5;
    up += walker.up() && std::abs(speed - kSpeed) < 0.2 * kSpeed;
  }
  return up;
}

class ChangedBody
    : public ::testing::TestWithParam<std::pair<const char*, std::shared_ptr<const Creature>>> {};

TEST_P(ChangedBody, WalksOn) {
  EXPECT_GE(survivors(GetParam().second), kPhases - 3) << "of " << kPhases << " phases";
}

INSTANTIATE_TEST_SUITE_P(
    Edits, ChangedBody,
    ::testing::Values(
        std::pair{"longer_legs", edited({link("left_thigh", 1.1), link("right_thigh", 1.1),
                                         link("left_shank", 1.1), link("right_shank", 1.1)})},
        std::pair{"shorter_legs", edited({link("left_thigh", 0.7), link("right_thigh", 0.7),
                                          link("left_shank", 0.7), link("right_shank", 0.7)})},
        std::pair{"wider_torso", edited({link("torso", 1, 1.3)})},
        std::pair{"one_long_arm",
                  edited({link("left_upper_arm", 1.4), link("left_lower_arm", 1.4)})},
        std::pair{"one_long_leg", edited({link("left_thigh", 1.08), link("left_shank", 1.08)})},
        std::pair{"longer_feet", edited({link("left_foot", 1.3), link("right_foot", 1.3)})},
        std::pair{"larger", edited({}, 1.3)}, std::pair{"smaller", edited({}, 0.8)}),
    [](const auto& tested) { return std::string(tested.param.first); });

TEST(SetBody, KeepsTheStepAndTheStanceFootsPlace) {
  Walker walker;
  walker.walk();
  walker.run(4.2);
  const ControlReport before = walker.controller->report();
  const int side = before.left_stance ? kLeft : kRight;
  const BipedState was = observe(biped_of(*walker.body).value(), *walker.physics);
  walker.change(edited({}, 1.2));
  const ControlReport after = walker.controller->report();
  const BipedState is = observe(biped_of(*walker.body).value(), *walker.physics);
  EXPECT_EQ(after.phase, before.phase);
  EXPECT_EQ(after.steps, before.steps);
  EXPECT_EQ(after.left_stance, before.left_stance);
  const auto i = static_cast<std::size_t>(side);
  // The larger foot's ankle is higher above the same sole.
  EXPECT_LT((was.ankle[i] - is.ankle[i]).head<2>().norm(), 0.01);
  EXPECT_NEAR(is.ankle[i].z() - was.ankle[i].z(), 0.2 * 0.08, 0.02);
  EXPECT_GT(is.com.z(), was.com.z() + 0.1);
  walker.run(kPhysicsStep);
  EXPECT_EQ(walker.controller->report().steps, before.steps);
}

// A new body has no servos until the controller next decides.
TEST(SetBody, BetweenTwoDecisionsTheNextStepDecides) {
  Walker walker;
  walker.controller->update(*walker.physics, walker.ground, walker.goal, kPhysicsStep / 4);
  walker.change(edited({}, 1.1));
  walker.controller->update(*walker.physics, walker.ground, walker.goal, kPhysicsStep / 4);
  const auto shank = static_cast<std::size_t>(biped_of(*walker.body)->link[kLeftShank]);
  EXPECT_GT(walker.physics->drives()[shank].kp.x(), 0);
}

TEST(SetBody, TheSameBodyChangesNothing) {
  Walker walker, other;
  for (Walker* w : {&walker, &other}) {
    w->walk();
    w->run(4.3);
  }
  walker.change(walker.body);
  const auto& a = walker.physics->state();
  const auto& b = other.physics->state();
  EXPECT_LT((a.root.position - b.root.position).norm(), 1e-9);
  EXPECT_EQ(a.velocity, b.velocity);
  for (std::size_t i = 1; i < a.joint.size(); ++i) {
    EXPECT_LT(a.joint[i].angularDistance(b.joint[i]), 1e-9) << i;
  }
}

// A visitor drags a slider: thirty bodies a second.
TEST(SetBody, ADraggedSliderThrowsNobody) {
  for (const bool walking : {false, true}) {
    for (const double end : {0.8, 1.3}) {
      Walker walker;
      if (walking) walker.walk();
      walker.run(3);
      for (int i = 1; i <= 60; ++i) {
        walker.change(edited({}, 1 + (end - 1) * i / 60));
        walker.run(1.0 / 30);
      }
      walker.run(6);
      EXPECT_TRUE(walker.up()) << walking << ' ' << end;
    }
  }
}

TEST(SetBody, StandsAgainOnLegsOfOtherAndOfUnequalLengths) {
  for (const auto& next : {edited({}, 1.3), edited({}, 0.8),
                           edited({link("left_thigh", 1.1), link("left_shank", 1.1)})}) {
    Walker walker;
    walker.run(2);
    ASSERT_TRUE(walker.controller->report().standing);
    walker.change(next);
    for (int i = 0; i < 60 && (i < 3 || !walker.controller->report().standing); ++i) walker.run(1);
    EXPECT_TRUE(walker.up());
    EXPECT_TRUE(walker.controller->report().standing) << "after some steps, within a minute";
  }
}

}  // namespace
}  // namespace promenade::control
