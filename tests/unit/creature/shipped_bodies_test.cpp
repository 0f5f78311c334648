#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "creature/biped/biped.h"
#include "creature/creature_library.h"
#include "support.h"

namespace promenade {
namespace {

const CreatureLibrary& shipped() {
  static const auto library = CreatureLibrary::load(test::characters_dir());
  if (!library) {
    ADD_FAILURE() << library.error().text();
    std::abort();
  }
  return *library;
}

/// Names of those that are bipeds.
std::vector<std::string> walkers() {
  std::vector<std::string> out;
  for (const std::string& name : shipped().names()) {
    if (biped_of(*shipped().find(name)->body)) out.push_back(name);
  }
  return out;
}

TEST(ShippedBodies, AreThere) {
  EXPECT_GE(shipped().size(), 8u);
  for (const char* name : {"human", "robot", "beast1", "beast2", "child", "giant"}) {
    EXPECT_NE(shipped().find(name), nullptr) << name;
  }
}

TEST(ShippedBodies, HaveColorsAndTitlesOfTheirOwn) {
  std::set<std::string> colors, titles;
  for (const std::string& name : shipped().names()) {
    const auto& character = shipped().find(name)->character;
    colors.insert(character.color());
    titles.insert(character.title());
    EXPECT_FALSE(character.description().empty()) << name;
  }
  EXPECT_EQ(colors.size(), shipped().size());
  EXPECT_EQ(titles.size(), shipped().size());
}

TEST(ShippedBodies, WeighAsTheirLinksDo) {
  for (const std::string& name : shipped().names()) {
    const auto& entry = *shipped().find(name);
    double mass = 0;
    for (const v1::Link& link : entry.character.links()) mass += link.mass_kg();
    EXPECT_NEAR(entry.body->total_mass, mass, 1e-9) << name;
    EXPECT_NEAR(entry.body->model->total_mass, mass, 1e-9) << name;
  }
}

TEST(ShippedBodies, WalkersHaveTheDegreesOfFreedomOfTheSource) {
  for (const std::string& name : walkers()) {
    const Creature& body = *shipped().find(name)->body;
    EXPECT_EQ(body.model->dof_count, 37) << name;
    EXPECT_GT(body.total_mass, 10) << name;
    EXPECT_LT(body.total_mass, 300) << name;
  }
}

TEST(ShippedBodies, AreTheSameLeftAndRightButForTheRobot) {
  for (const std::string& name : walkers()) {
    const Creature& body = *shipped().find(name)->body;
    const Biped biped = biped_of(body).value();
    bool same = true;
    for (int part = kLeftUpperArm; part < kPartCount; part += 2) {
      const auto left = static_cast<std::size_t>(biped.link[static_cast<std::size_t>(part)]);
      const auto right = static_cast<std::size_t>(biped.link[static_cast<std::size_t>(part) + 1]);
      const auto &l = body.model->links[left], &r = body.model->links[right];
      const Vec3 mirror(1, -1, 1);
      same = same && l.mass == r.mass && l.inertia == r.inertia && l.joint == r.joint &&
             l.at_parent == Vec3(r.at_parent.cwiseProduct(mirror)) &&
             l.at_child == Vec3(r.at_child.cwiseProduct(mirror)) &&
             body.gains[left].kp == body.gains[right].kp &&
             std::abs(body.gains[left].kd - body.gains[right].kd) < 1e-9;
      if (l.joint == physics::JointKind::kBall) {
        // Roll and yaw change sign in a mirror, pitch does not.
        const Vec3 lower(-r.upper.x(), r.lower.y(), -r.upper.z());
        same = same && l.lower == lower;
      }
    }
    EXPECT_EQ(same, name != "robot") << name;
  }
}

TEST(ShippedBodies, RobotIsAskewButLevel) {
  const Creature& robot = *shipped().find("robot")->body;
  const Creature& person = *shipped().find("human")->body;
  EXPECT_NEAR(biped_of(robot)->leg_length[0], biped_of(robot)->leg_length[1], 1e-9);
  const auto knee = [](const Creature& body, Part shank) {
    const auto& link = body.model->links[static_cast<std::size_t>(biped_of(body)->link[shank])];
    return link.at_parent.z();
  };
  const auto thigh = [&](Part part, Part shank) {
    const auto& link = robot.model->links[static_cast<std::size_t>(biped_of(robot)->link[part])];
    return link.at_child.z() - knee(robot, shank);
  };
  EXPECT_NEAR(thigh(kRightThigh, kRightShank) - thigh(kLeftThigh, kLeftShank), 0.2, 1e-9);
  const auto mass = [](const Creature& body, Part part) {
    return body.model->links[static_cast<std::size_t>(biped_of(body)->link[part])].mass;
  };
  EXPECT_GT(mass(robot, kLeftUpperArm), 1.4 * mass(robot, kRightUpperArm));
  EXPECT_EQ(mass(robot, kRightUpperArm), mass(person, kRightUpperArm));
}

TEST(ShippedBodies, BeastsAreMostlyPelvis) {
  for (const char* name : {"beast1", "beast2"}) {
    const Creature& beast = *shipped().find(name)->body;
    EXPECT_GT(beast.model->links[0].mass, 0.5 * beast.total_mass) << name;
  }
}

TEST(ShippedBodies, ChildIsSmallAndGiantIsTall) {
  const double human = shipped().find("human")->body->standing_height;
  EXPECT_LT(shipped().find("child")->body->standing_height, 0.65 * human);
  EXPECT_GT(shipped().find("giant")->body->standing_height, 1.4 * human);
}

// Links, mass, actuators and degrees of freedom of Panne1996, table 1; of the 21 actuators of the
// detailed cat 11 are passive.
TEST(ShippedBodies, CreaturesOfTheSourceHaveItsLinksMassesAndActuators) {
  struct Row {
    const char* name;
    std::size_t links;
    double mass;
    int actuators, passive, dof;
  };
  for (const Row& row :
       {Row{"luxo", 3, 0.55, 2, 0, 5}, Row{"monster", 7, 9.81, 6, 0, 12},
        Row{"simple_cat", 11, 5.77, 10, 0, 16}, Row{"detailed_cat", 20, 6.47, 21, 11, 27},
        Row{"ant", 7, 0.0076, 12, 0, 18}}) {
    const Creature& body = *shipped().find(row.name)->body;
    EXPECT_EQ(body.model->links.size(), row.links) << row.name;
    EXPECT_NEAR(body.total_mass, row.mass, 1e-3 * row.mass) << row.name;
    EXPECT_EQ(body.model->dof_count, row.dof) << row.name;
    int actuators = 0, passive = 0;
    for (std::size_t i = 1; i < body.model->links.size(); ++i) {
      const int dof = physics::dof_of(body.model->links[i].joint);
      actuators += dof;
      if (body.gains[i].passive) passive += dof;
    }
    EXPECT_EQ(actuators, row.actuators) << row.name;
    EXPECT_EQ(passive, row.passive) << row.name;
  }
}

// Gaits that are the same on both sides rely on it.
TEST(ShippedBodies, CreaturesAreTheSameLeftAndRight) {
  for (const std::string& name : shipped().names()) {
    if (name == "robot") continue;
    const Creature& body = *shipped().find(name)->body;
    for (std::size_t l = 0; l < body.model->links.size(); ++l) {
      if (!body.link_names[l].starts_with("left_")) continue;
      const int other = body.find_link("right_" + body.link_names[l].substr(5));
      ASSERT_GE(other, 0) << name << ": " << body.link_names[l];
      const auto r = static_cast<std::size_t>(other);
      const auto &left = body.model->links[l], &right = body.model->links[r];
      const Vec3 mirror(1, -1, 1);
      EXPECT_EQ(left.mass, right.mass) << name << ": " << body.link_names[l];
      EXPECT_EQ(left.inertia, right.inertia) << name << ": " << body.link_names[l];
      EXPECT_EQ(left.at_child, mirror.cwiseProduct(right.at_child)) << name;
      EXPECT_EQ(left.at_parent, mirror.cwiseProduct(right.at_parent)) << name;
      EXPECT_EQ(body.gains[l].kp, body.gains[r].kp) << name;
      EXPECT_EQ(body.gains[l].passive, body.gains[r].passive) << name;
    }
  }
}

}  // namespace
}  // namespace promenade
