#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <functional>

#include "control/controller_library.h"
#include "control/gbwc/style_library.h"
#include "creature/creature_library.h"
#include "creature/pose.h"
#include "math/rotation.h"
#include "promenade/v1/controller.pb.h"
#include "schema/message.h"
#include "schema/parameters.h"
#include "support/paths.h"

namespace promenade::control {
namespace {

using physics::ArticulatedBody;
using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr double kStep = 1.0 / 480;

struct Data {
  CreatureLibrary creatures = CreatureLibrary::load(test::data_dir() / "creatures").value();
  StyleLibrary styles = StyleLibrary::load(test::data_dir() / "styles").value();
  ControllerLibrary controllers = ControllerLibrary::load(test::data_dir() / "controllers").value();
};

const Data& data() {
  static const Data loaded;
  return loaded;
}

/// A human, or another creature, driven by a family of controllers.
struct Human {
  explicit Human(std::string_view family, double height_above_ground = 0.001,
                 const char* name = "human")
      : creature(data().creatures.find(name)->body), physics(creature->model) {
    Pose root;
    root.position.z() = creature->standing_height + height_above_ground;
    physics.set_state(rest_state(*creature, root));
    drive_by(family);
  }
  void drive_by(std::string_view family) {
    controller =
        data().controllers.make(*find_family(family), creature, data().styles.find("normal"));
    controller->reset(physics, goal);
  }
  /// @param gravity  m/s^2
  void run(double seconds, double gravity = 9.8) {
    physics::StepSettings settings;
    settings.gravity = gravity;
    for (int i = 0; i < std::lround(seconds / kStep); ++i) {
      controller->update(physics, {ground, 0}, goal, kStep);
      ArticulatedBody* one = &physics;
      physics::step_island({&one, 1}, ground, settings, workspace);
    }
  }
  void bend(int link, const Vec3& by) {
    physics::ArticulationState state = physics.state();
    if (creature->model->links[std::size_t(link)].joint == physics::JointKind::kBall) {
      state.joint[std::size_t(link)] = quat_from_rotation_vector(by);
    } else {
      state.angle[std::size_t(link)].x() = by.x();
    }
    physics.set_state(state);
  }
  /// rad, the farthest that a ball joint or hinge is from its zero pose.
  double farthest_joint() const {
    double out = 0;
    for (std::size_t i = 1; i < creature->model->links.size(); ++i) {
      const auto kind = creature->model->links[i].joint;
      out = std::max(out, kind == physics::JointKind::kBall
                              ? rotation_vector(physics.state().joint[i]).norm()
                              : physics.state().angle[i].norm());
    }
    return out;
  }
  double energy() const {
    double out = 0;
    const auto links = physics.links();
    for (std::size_t i = 0; i < links.size(); ++i) {
      const physics::LinkModel& model = creature->model->links[i];
      const Vec3 spin = links[i].rotation.transpose() * links[i].omega;
      out += 0.5 * model.mass * links[i].velocity.squaredNorm() +
             0.5 * spin.dot(model.inertia.cwiseProduct(spin)) +
             9.8 * model.mass * links[i].position.z();
    }
    return out;
  }

  std::shared_ptr<const Creature> creature;
  ArticulatedBody physics;
  physics::Ground ground;
  physics::Workspace workspace;
  Goal goal;
  std::unique_ptr<Controller> controller;
};

TEST(Registry, FindsEveryFamilyByItsName) {
  for (const Family& family : families()) EXPECT_EQ(find_family(family.name), &family);
  EXPECT_EQ(find_family("swim"), nullptr);
  EXPECT_EQ(known_families(), "one of gbwc, pendulum, hold, limp, rise, posegraph");
}

TEST(Registry, GivesABipedTheWalkingController) {
  EXPECT_EQ(default_family(*data().creatures.find("human")->body).name, "gbwc");
}

TEST(Registry, SaysWhichFamiliesHaveStyles) {
  for (const Family& family : families()) {
    const Human human(family.name);
    EXPECT_EQ(human.controller->styled() != nullptr, family.styled) << family.name;
  }
}

/// Each number below a message; groups are gone into.
void each_number(const google::protobuf::Descriptor& type,
                 const std::function<void(const google::protobuf::FieldDescriptor&)>& visit) {
  for (int i = 0; i < type.field_count(); ++i) {
    const google::protobuf::FieldDescriptor& field = *type.field(i);
    if (field.message_type()) {
      each_number(*field.message_type(), visit);
    } else {
      visit(field);
    }
  }
}

TEST(Registry, HasLimitsForEveryParameter) {
  for (const Family& family : families()) {
    int count = 0;
    each_number(*family.parameters().GetDescriptor(), [&](const auto& field) {
      const auto limits = schema::limits_of(field);
      ASSERT_TRUE(limits) << field.full_name();
      EXPECT_LT(limits->least(), limits->most()) << field.full_name();
      EXPECT_EQ(field.cpp_type(), google::protobuf::FieldDescriptor::CPPTYPE_DOUBLE);
      EXPECT_FALSE(field.is_repeated()) << field.full_name();
      ++count;
    });
    EXPECT_GT(count, 0) << family.name;
  }
}

TEST(Parameters, OutOfRangeAreRefusedWithFileLineKeyValueAndWhatIsAllowed) {
  v1::HoldParameters message;
  schema::Source source;
  source.file = "hold.json";
  ASSERT_FALSE(
      schema::message_from_json("{\"stiffness\": 1,\n\"damping\": -2}", &message, &source));
  const auto error = schema::check_parameters(message, source);
  ASSERT_TRUE(error);
  EXPECT_THAT(error->text(), HasSubstr("hold.json:2: damping: -2 is not allowed, must be from 0"));
}

TEST(Parameters, LeftOutAreRefused) {
  v1::HoldParameters message;
  schema::Source source;
  source.file = "hold.json";
  ASSERT_FALSE(schema::message_from_json("{\"stiffness\": 1}", &message, &source));
  const auto error = schema::check_parameters(message, source);
  ASSERT_TRUE(error);
  EXPECT_THAT(error->text(), AllOf(HasSubstr("hold.json"), HasSubstr("damping: is missing")));
}

TEST(Hold, ComesBackToItsPoseInTheAir) {
  Human human("hold", 2);
  human.bend(human.creature->find_link("left_upper_arm"), Vec3(0, -1, 0));
  human.bend(human.creature->find_link("left_shank"), Vec3(1, 0, 0));
  ASSERT_GT(human.farthest_joint(), 0.9);
  human.run(3, 0);
  EXPECT_LT(human.farthest_joint(), 1 * kRadFromDeg);
}

TEST(Hold, IsWhatDrivesACreatureThatIsNoBiped) {
  for (const char* name : {"cat", "ant", "stool"}) {
    EXPECT_EQ(default_family(*data().creatures.find(name)->body).name, "hold") << name;
    EXPECT_NE(find_family("gbwc")->why_not(*data().creatures.find(name)->body), "") << name;
  }
}

TEST(Hold, StandsAndAnswersAShove) {
  for (const char* name : {"cat", "ant", "stool", "monster", "dog", "spider", "tripod"}) {
    Human creature("hold", 0, name);
    creature.run(3);
    const Vec3 before = creature.controller->report().com;
    const double weight = 9.8 * creature.creature->total_mass;
    for (int i = 0; i < 48; ++i) {
      creature.physics.add_force(
          {0, creature.physics.state().root.position, Vec3(0, 0.15 * weight, 0)});
      creature.run(kStep);
    }
    creature.run(5);
    const double height = creature.creature->standing_height;
    EXPECT_LT((creature.controller->report().com - before).norm(), 0.05 * height) << name;
    EXPECT_LT(creature.controller->report().com_velocity.norm(), 0.01 * height) << name;
  }
}

TEST(Hold, ReportsTheMassCentreAsItMoves) {
  Human human("hold", 20);
  const Vec3 from = human.controller->report().com;
  human.run(0.5);
  // Law: a free fall; the report is of the beginning of the last step
  EXPECT_NEAR((human.controller->report().com - from).z(), -0.5 * 9.8 * 0.25, 0.03);
  EXPECT_NEAR(human.controller->report().com_velocity.z(), -9.8 * 0.5, 0.05);
}

TEST(Limp, TakesEnergyOutAndNeverAddsAny) {
  Human human("limp", 2);
  human.bend(human.creature->find_link("left_upper_arm"), Vec3(0, -1, 0));
  physics::ArticulationState turning = human.physics.state();
  for (std::size_t i = 6; i < turning.velocity.size(); ++i) turning.velocity[i] = i % 3 ? 2 : -2;
  human.physics.set_state(turning);
  const double start = human.energy();
  double before = start;
  for (int i = 0; i < 20; ++i) {
    human.run(0.02);  // in free fall: nothing but the joints takes energy
    EXPECT_LT(human.energy(), before + 1e-3 * start);
    before = human.energy();
  }
  EXPECT_LT(before, start - 5);
}

TEST(Limp, LiesAtRestInTheEnd) {
  Human human("limp");
  human.physics.add_force({0, human.physics.state().root.position, Vec3(2e4, 0, 0)});
  human.run(6);
  EXPECT_LT(human.physics.state().root.position.z(), 0.5 * human.creature->standing_height);
  double fastest = 0;
  for (const double v : human.physics.state().velocity) fastest = std::max(fastest, std::abs(v));
  EXPECT_LT(fastest, 0.3);
}

TEST(Controllers, TakeOverFromEachOtherInTheMiddleOfAWalk) {
  Human human("gbwc");
  human.goal.velocity = Vec2(0.8, 0);
  human.goal.stand = false;
  human.run(4.2);
  human.drive_by("hold");
  human.run(0.1);
  human.drive_by("gbwc");
  const double from = human.controller->report().com.x();
  human.run(5);
  EXPECT_GT(human.physics.state().root.position.z(), 0.65 * human.creature->standing_height);
  EXPECT_NEAR((human.controller->report().com.x() - from) / 5, 0.8, 0.3) << "m/s";
}

}  // namespace
}  // namespace promenade::control
