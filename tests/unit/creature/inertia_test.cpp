// Moments of inertia are those that a mass within the link's shapes can have.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "creature/creature_builder.h"
#include "math/random.h"
#include "math/rotation.h"
#include "physics/articulated_body.h"
#include "schema/message.h"

namespace promenade {
namespace {

struct Form {
  std::string shape;
  double reach[3];  // m, from each axis
};

std::vector<Form> forms() {
  const double box = std::hypot(0.1, 0.1), side = std::hypot(0.2, 0.05),
               end = std::hypot(0.1, 0.05);
  return {{R"({"box": {"center_m": [0, 0, 0], "half_m": [0.1, 0.1, 0.1]}})", {box, box, box}},
          {R"({"box": {"center_m": [0, 0, 0], "half_m": [0.1, 0.2, 0.05]}})",
           {side, end, std::hypot(0.1, 0.2)}},
          {R"({"sphere": {"center_m": [0, 0, 0], "radius_m": 0.3}})", {0.3, 0.3, 0.3}},
          {R"({"capsule": {"from_m": [0, -0.2, 0], "to_m": [0, 0.2, 0], "radius_m": 0.1}})",
           {0.3, 0.1, 0.3}},
          {R"({"sphere": {"center_m": [0.3, 0, 0], "radius_m": 0.1}})", {0.1, 0.4, 0.4}}};
}

schema::Result<Creature> thing_of(const std::string& shape, double mass, const Vec3& inertia) {
  char numbers[160];
  std::snprintf(numbers, sizeof numbers,
                R"("mass_kg": %.12g, "inertia_kgm2": [%.12g, %.12g, %.12g])", mass, inertia.x(),
                inertia.y(), inertia.z());
  const auto message = schema::parse_message<v1::Creature>(
      R"({"name": "thing", "links": [{"name": "a", )" + std::string(numbers) + R"(, "shapes": [)" +
      shape + "]}]}");
  EXPECT_TRUE(message.ok());
  return build_creature(*message, {});
}

TEST(Inertia, OfAMassWithinTheShapesIsTaken) {
  for (const Form& form : forms()) {
    for (const double mass : {0.01, 1.0, 300.0}) {
      // As large about each axis as the sum of the others allows, so that only the share counts.
      for (const double share : {0.11, 0.4, 1.0, 9.9}) {
        const double least =
            share * mass * std::pow(*std::min_element(form.reach, form.reach + 3), 2);
        const double most =
            share * mass * std::pow(*std::max_element(form.reach, form.reach + 3), 2);
        const Vec3 inertia = share < 1 ? Vec3::Constant(most) : Vec3::Constant(least);
        if (share < 1 ? most > 10 * least / share : least < 0.1 * most / share) continue;
        const auto made = thing_of(form.shape, mass, inertia);
        EXPECT_TRUE(made.ok()) << form.shape << " " << made.error().text();
      }
    }
  }
}

TEST(Inertia, ThatMassAndShapesCannotHaveIsRefusedWithItsRange) {
  for (const Form& form : forms()) {
    for (const double mass : {0.01, 1.0, 300.0}) {
      for (const double share : {1e-6, 1e-3, 0.05, 0.09, 11.0, 1e3}) {
        const double reach = share < 1 ? *std::max_element(form.reach, form.reach + 3)
                                       : *std::min_element(form.reach, form.reach + 3);
        const auto made = thing_of(form.shape, mass, Vec3::Constant(share * mass * reach * reach));
        ASSERT_FALSE(made.ok()) << form.shape << " " << share;
        EXPECT_EQ(made.error().key.substr(0, 22), "links[0].inertia_kgm2[");
        EXPECT_NE(made.error().allowed.find("kg m^2"), std::string::npos) << made.error().text();
      }
    }
  }
  const auto cube = thing_of(forms()[0].shape, 1, Vec3::Constant(1e-6));
  ASSERT_FALSE(cube.ok());
  EXPECT_EQ(
      cube.error().text(),
      "links[0].inertia_kgm2[0]: 1e-06 is not allowed, must be from 0.002 to 0.2 kg m^2 for 1 "
      "kg within shapes that reach 0.141421356 m from this axis");
}

// A link that nothing touches, on a hinge of one that has a shape.
schema::Result<Creature> without_shapes(const std::string& inertia) {
  const auto message = schema::parse_message<v1::Creature>(
      R"({"name": "thing", "links": [
          {"name": "a", "mass_kg": 1, "inertia_kgm2": [0.01, 0.01, 0.01],
           "shapes": [{"sphere": {"center_m": [0, 0, 0], "radius_m": 0.1}}]},
          {"name": "b", "mass_kg": 1, "inertia_kgm2": )" +
      inertia + R"(}], "joints": [{"name": "j", "parent": "a", "child": "b", "kind": "HINGE",
          "at_parent_m": [0, 0, 0.1], "at_child_m": [0, 0, 0], "axis": [0, 1, 0], "lower_rad": [-1], "upper_rad": [1], "torque_limit_nm": 10}]})");
  EXPECT_TRUE(message.ok()) << message.error().text();
  return build_creature(*message, {});
}

TEST(Inertia, OfALinkWithoutShapesNeedsTheSumAlone) {
  const auto small = without_shapes("[1e-6, 1e-6, 1e-6]");
  EXPECT_TRUE(small.ok()) << small.error().text();
  const auto flat = without_shapes("[1, 1, 2.1]");
  ASSERT_FALSE(flat.ok());
  EXPECT_EQ(flat.error().key, "links[1].inertia_kgm2[2]");
  EXPECT_EQ(flat.error().allowed, "at most the sum of the other two, 2");
}

TEST(Inertia, ThatIsTakenMakesNoEnergyWhenAThingFalls) {
  Random random(11);
  for (const Form& form : forms()) {
    for (int run = 0; run < 4; ++run) {
      const double mass = std::pow(10, random.uniform(-1.5, 1.5));
      const double reach = *std::max_element(form.reach, form.reach + 3);
      const auto made = thing_of(form.shape, mass, Vec3::Constant(0.1001 * mass * reach * reach));
      if (!made.ok()) continue;  // of a long shape: more than it can have about its axis
      physics::ArticulatedBody body(made->model);
      Pose pose;
      pose.position = Vec3(0, 0, 1.5);
      pose.rotation = quat_from_rotation_vector(
          Vec3(random.uniform(-3, 3), random.uniform(-3, 3), random.uniform(-3, 3)));
      auto state = physics::ArticulatedBody::zero_state(*made->model, pose);
      state.velocity[0] = 1;
      state.velocity[4] = 2;
      body.set_state(state);
      const auto energy = [&] {
        const auto& link = body.links()[0];
        const Vec3 spin = link.rotation.transpose() * link.omega;
        return 0.5 * mass * link.velocity.squaredNorm() + 9.8 * mass * link.position.z() +
               0.5 * spin.dot(made->model->links[0].inertia.cwiseProduct(spin));
      };
      const double start = energy();
      const physics::Ground ground;
      physics::Workspace workspace;
      physics::ArticulatedBody* one = &body;
      double most = start;
      for (int i = 0; i < 480 * 5; ++i) {
        physics::step_island({&one, 1}, ground, physics::StepSettings{}, workspace);
        most = std::max(most, energy());
      }
      EXPECT_LT(most, 1.02 * start) << form.shape << " " << mass << " kg";
    }
  }
}

}  // namespace
}  // namespace promenade
