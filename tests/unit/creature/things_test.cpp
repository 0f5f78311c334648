// The shipped things, and every shipped file: built, scaled, written and read again.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <string>

#include "creature/creature_edit.h"
#include "creature/creature_library.h"
#include "creature/pose.h"
#include "math/rotation.h"
#include "physics/articulated_body.h"
#include "support.h"
#include "support/paths.h"

namespace promenade {
namespace {

const CreatureLibrary& library_of(const char* folder) {
  const auto load = [](const char* name) {
    auto library = CreatureLibrary::load(test::data_dir() / name);
    if (!library) {
      ADD_FAILURE() << library.error().text();
      std::abort();
    }
    return *std::move(library);
  };
  static const CreatureLibrary creatures = load("creatures"), things = load("things");
  return std::string(folder) == "things" ? things : creatures;
}

TEST(ShippedThings, AreThereAndHaveNoNameOfACreature) {
  const CreatureLibrary& things = library_of("things");
  for (const char* name :
       {"crate", "ball", "barrel", "plank", "table", "door", "seesaw", "swing", "cart", "domino"}) {
    EXPECT_NE(things.find(name), nullptr) << name;
  }
  for (const std::string& name : things.names()) {
    EXPECT_EQ(library_of("creatures").find(name), nullptr) << name;
    EXPECT_TRUE(things.find(name)->body->limbs.empty()) << name;
    EXPECT_FALSE(things.find(name)->character.description().empty()) << name;
  }
}

TEST(ShippedFiles, AreTheSameWrittenAndReadAgain) {
  for (const char* folder : {"creatures", "things"}) {
    for (const std::string& name : library_of(folder).names()) {
      const v1::Creature& message = library_of(folder).find(name)->character;
      const std::string text = schema::message_to_json(message);
      const auto again = schema::parse_message<v1::Creature>(text);
      ASSERT_TRUE(again.ok()) << name << ": " << again.error().text();
      EXPECT_EQ(schema::message_to_json(*again), text) << name;
      EXPECT_TRUE(build_creature(*again).ok()) << name;
    }
  }
}

// Lengths by s, masses by s^3: what stands at half size stands as high in proportion at double.
TEST(ShippedFiles, CanBeScaledFromHalfToDouble) {
  for (const char* folder : {"creatures", "things"}) {
    for (const std::string& name : library_of(folder).names()) {
      const auto& entry = *library_of(folder).find(name);
      for (const double s : {0.5, 0.8, 1.3, 2.0}) {
        v1::BodyEdit edit;
        edit.set_scale(s);
        const auto scaled = build_creature(apply_edit(entry.character, edit));
        ASSERT_TRUE(scaled.ok()) << name << " by " << s << ": " << scaled.error().text();
        EXPECT_NEAR(scaled->standing_height / entry.body->standing_height, s, 1e-9) << name;
        EXPECT_NEAR(scaled->total_mass / entry.body->total_mass, s * s * s, 1e-9) << name;
        EXPECT_NEAR(scaled->leg_length / entry.body->leg_length, s, 1e-9) << name;
      }
    }
  }
}

/// A thing at rest on level ground, with its own springs; stepped at 480 Hz.
struct Placed {
  const Creature& thing;
  physics::ArticulatedBody body;
  physics::Ground ground;
  physics::Workspace workspace;

  explicit Placed(const char* name)
      : thing(*library_of("things").find(name)->body), body(thing.model) {
    Pose root;
    root.position.z() = thing.standing_height;
    body.set_state(rest_state(thing, root));
    hold_rest(thing, 1, 1, body.drives());
  }
  double angle(const char* joint) const {
    return body.state().angle[static_cast<std::size_t>(thing.find_joint(joint))].x();
  }
  void run(double seconds, int link = -1, const Vec3& force = Vec3::Zero()) {
    const physics::StepSettings settings;
    physics::ArticulatedBody* one = &body;
    for (int i = 0; i < std::lround(seconds / settings.dt); ++i) {
      if (link >= 0) {
        body.add_force({link, body.links()[static_cast<std::size_t>(link)].position, force});
      }
      physics::step_island({&one, 1}, ground, settings, workspace);
    }
  }
};

TEST(ShippedThings, DoorSwingsOpenAndItsSpringShutsIt) {
  Placed door("door");
  door.run(1.5, door.thing.find_link("leaf"), Vec3(30, 0, 0));
  EXPECT_GT(std::abs(door.angle("hinge")), 0.8);
  EXPECT_LT(std::abs(door.angle("hinge")), 2.0);  // the frame stops it
  door.run(25);
  EXPECT_LT(std::abs(door.angle("hinge")), 0.05);
}

// Law:  m v' = F - R - c v, with m the mass and what the wheels' turning adds (their moments
//       over the square of their radius), R the resistance to rolling (a share of the weight)
//       and c the axles' dampers over the square of the radius.
//       So from rest v = (F - R) / c (1 - exp(-c t / m)), and a speed v is lost after the way
//       m v / c - R m / c^2 ln(1 + c v / R).
TEST(ShippedThings, CartRollsFreelyAndItsWheelsTurnManyTimes) {
  Placed cart("cart");
  cart.run(1);
  const double before = cart.body.state().root.position.x();
  cart.run(1, 0, Vec3(20, 0, 0));
  const double after = cart.body.state().root.position.x();
  const auto wheel = static_cast<std::size_t>(cart.thing.find_link("left_fore_wheel"));
  constexpr double kRadius = 0.12, kAxleDamping = 0.01, kRolling = 0.04;
  const double moment = cart.thing.model->links[wheel].inertia.y();
  const double mass = cart.thing.total_mass + 4 * moment / (kRadius * kRadius);
  const double resistance = kRolling * cart.thing.total_mass * physics::kGravity;
  const double damping = 4 * kAxleDamping / (kRadius * kRadius);
  const double fastest = (20 - resistance) / damping, lag = mass / damping;
  const double speed = fastest * (1 - std::exp(-1 / lag));
  EXPECT_NEAR(after - before, fastest - lag * speed, 0.02 * (after - before));
  cart.run(5);
  const double rolled = cart.body.state().root.position.x() - before;
  const double coasted =
      lag * speed - lag * resistance / damping * std::log1p(damping * speed / resistance);
  EXPECT_NEAR(rolled, after - before + coasted, 0.03 * rolled);
  EXPECT_NEAR(std::abs(wrap_angle(cart.angle("left_fore_axle") - rolled / kRadius)), 0, 0.4);
}

TEST(ShippedThings, SeesawTipsToTheSideThatIsLoaded) {
  Placed seesaw("seesaw");
  const int board = seesaw.thing.find_link("board");
  physics::ExternalForce load{board, Vec3(1.2, 0, 0.5), Vec3(0, 0, -200)};
  physics::ArticulatedBody* one = &seesaw.body;
  for (int i = 0; i < 960; ++i) {
    seesaw.body.add_force(load);
    physics::step_island({&one, 1}, seesaw.ground, {}, seesaw.workspace);
  }
  EXPECT_NEAR(seesaw.angle("axle"), 0.1, 0.02);  // its stop
}

}  // namespace
}  // namespace promenade
