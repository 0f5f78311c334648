#include <google/protobuf/message.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "control/gbwc/gbwc.h"
#include "control/gbwc/style_library.h"
#include "creature/creature_library.h"
#include "math/random.h"
#include "schema/message.h"
#include "schema/parameters.h"
#include "support/paths.h"

namespace promenade::control {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

GbwcParameters shipped() {
  return schema::load_message<GbwcParameters>(test::data_dir() / "controllers/gbwc.json")
      .value()
      .message;
}

/// Calls visit(group, field, path) for each number of a message and its groups.
template <typename Visit>
void each_number(Message& group, const std::string& prefix, const Visit& visit) {
  for (int i = 0; i < group.GetDescriptor()->field_count(); ++i) {
    const FieldDescriptor& field = *group.GetDescriptor()->field(i);
    if (field.message_type()) {
      each_number(*group.GetReflection()->MutableMessage(&group, &field),
                  prefix + field.name() + ".", visit);
    } else {
      visit(group, field, prefix + field.name());
    }
  }
}

// A search moves a number within its limits: one that begins at an end goes to one side only.
TEST(GbwcParameters, HaveRoomOnBothSidesUnlessTheyAreAtNothingOrAll) {
  GbwcParameters parameters = shipped();
  int numbers = 0;
  each_number(parameters, "",
              [&](Message& group, const FieldDescriptor& field, const std::string& path) {
                const double value = group.GetReflection()->GetDouble(group, &field);
                const auto limits = schema::limits_of(field);
                ASSERT_TRUE(limits) << path;
                EXPECT_TRUE(limits->least() < value || value == 0) << path;
                EXPECT_TRUE(value < limits->most() || value == 1) << path;
                ++numbers;
              });
  EXPECT_GT(numbers, 500);
}

/// Numbers at the lower end of their limits, at the upper one, or as they are; upper ends that are
/// far away count as three times the number.
GbwcParameters at_ends(Random& random) {
  GbwcParameters parameters = shipped();
  each_number(parameters, "",
              [&](Message& group, const FieldDescriptor& field, const std::string&) {
                const double value = group.GetReflection()->GetDouble(group, &field);
                const auto limits = *schema::limits_of(field);
                const double highest =
                    std::min(limits.most(), value > 0 ? std::max(1.0, 3 * value) : limits.most());
                const double choice = random.uniform(0, 4);
                const double chosen = choice < 1 ? limits.least() : choice < 2 ? highest : value;
                group.GetReflection()->SetDouble(&group, &field, chosen);
              });
  return parameters;
}

physics::GroundBlock across(double near, double depth, double bottom, double top) {
  physics::GroundBlock block;
  block.half = Vec3(0.5 * depth, 3, 0.5 * (top - bottom));
  block.pose.position = Vec3(near + 0.5 * depth, 0, 0.5 * (bottom + top));
  return block;
}

/// Whether all that the walk tells the joints and the world is a number.
bool is_finite(const physics::ArticulatedBody& body, const ControlReport& report) {
  const auto& drives = body.drives();
  return report.foot_target.allFinite() && report.capture_point.allFinite() &&
         std::all_of(drives.begin(), drives.end(), [](const physics::JointDrive& drive) {
           return drive.kp.allFinite() && drive.kd.allFinite() && drive.limit.allFinite() &&
                  drive.feedforward.allFinite() && drive.target.coeffs().allFinite() &&
                  drive.target_angle.allFinite() && drive.target_velocity.allFinite();
         });
}

// A division by a number whose limits allow 0, or a ramp whose ends meet, would show here.
TEST(GbwcParameters, AtTheEndsOfTheirLimitsTheWalkStillTellsNumbers) {
  constexpr double kStep = 1.0 / 480;  // s
  constexpr int kSets = 30;
  const auto bodies = CreatureLibrary::load(test::data_dir() / "creatures").value();
  const auto styles = StyleLibrary::load(test::data_dir() / "styles").value();
  const auto body = bodies.find("human")->body;
  for (int seed = 0; seed < kSets; ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    // In front of some there is a board, of others stairs up or down, or something that hangs low.
    std::vector<physics::GroundBlock> blocks;
    double floor = 0;
    switch (seed % 4) {
      case 0:
        blocks = {across(0.8, 0.1, 0, 0.2)};
        break;
      case 1:
        for (int i = 0; i < 5; ++i) blocks.push_back(across(0.7 + 0.3 * i, 4, 0, 0.17 * (i + 1)));
        break;
      case 2:
        floor = 0.85;
        for (int i = 0; i < 5; ++i)
          blocks.push_back(across(-3, 3.7 + 0.3 * i, 0, floor - 0.17 * i));
        break;
      default:
        blocks = {across(0.9, 0.3, 1.4, 1.6)};
    }
    const physics::Ground ground(blocks);
    physics::ArticulatedBody physics(body->model);
    Pose root;
    root.position.z() = floor + body->standing_height + 0.001;
    physics.set_state(physics::ArticulatedBody::zero_state(*body->model, root));
    Gbwc walk(body, styles.find("normal"), std::make_shared<const GbwcParameters>(at_ends(random)));
    Goal goal;
    goal.stand = false;
    goal.velocity = Vec2(random.uniform(-0.5, 1.2), random.uniform(-0.3, 0.3));
    goal.heading = random.uniform(-2, 2);
    walk.reset(physics, goal);
    physics::Workspace workspace;
    const physics::GroundNow now(ground);
    for (int i = 0; i < 2 / kStep; ++i) {
      walk.update(physics, now, goal, kStep);
      ASSERT_TRUE(is_finite(physics, walk.report())) << "set " << seed << ", step " << i;
      physics::StepSettings settings;
      settings.dt = kStep;
      physics::ArticulatedBody* one = &physics;
      physics::step_island({&one, 1}, ground, settings, workspace);
    }
  }
}

}  // namespace
}  // namespace promenade::control
