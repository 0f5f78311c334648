// The shipped creatures that are no walkers hold their rest pose by the servos of their files.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "creature/creature_builder.h"
#include "creature/creature_edit.h"
#include "creature/creature_library.h"
#include "creature/pose.h"
#include "physics/articulated_body.h"
#include "physics/gravity.h"
#include "support.h"

namespace promenade {
namespace {

constexpr const char* kStanding[] = {
    "luxo",       "planar_biped", "cat", "ant",    "giant_ant", "stool",      "monster",
    "simple_cat", "detailed_cat", "dog", "spider", "tripod",    "caterpillar"};

/// A creature on level ground whose servos hold its rest pose, stepped at 480 Hz.
struct Standing {
  const Creature* creature;
  physics::ArticulatedBody body;
  physics::Ground ground;
  physics::Workspace workspace;

  explicit Standing(const Creature& of) : creature(&of), body(of.model) {
    Pose root;
    root.position.z() = of.standing_height;
    body.set_state(rest_state(of, root));
    hold_rest(of, 1, 1, body.drives());
  }

  const Vec3& root() const { return body.state().root.position; }
  double upright() const {
    return body.links()[static_cast<std::size_t>(creature->trunk)].rotation(2, 2);
  }
  /// m, of the root from where it is asked, at most, in `seconds`. The force acts on the trunk.
  double run(double seconds, const Vec3& force = Vec3::Zero()) {
    const physics::StepSettings settings;
    physics::ArticulatedBody* one = &body;
    const Vec3 start = root();
    double farthest = 0;
    for (int i = 0; i < std::lround(seconds / settings.dt); ++i) {
      const auto trunk = static_cast<std::size_t>(creature->trunk);
      if (!force.isZero()) body.add_force({creature->trunk, body.links()[trunk].position, force});
      physics::step_island({&one, 1}, ground, settings, workspace);
      farthest = std::max(farthest, (root() - start).norm());
    }
    return farthest;
  }
};

class ShippedCreature : public testing::TestWithParam<const char*> {
 protected:
  static const CreatureLibrary::Entry& entry() {
    static const auto library = CreatureLibrary::load(test::characters_dir());
    if (!library) {
      ADD_FAILURE() << library.error().text();
      std::abort();
    }
    return *library->find(GetParam());
  }
  static const Creature& creature() { return *entry().body; }
};

TEST_P(ShippedCreature, StandsForAMinute) {
  Standing standing(creature());
  standing.run(5);
  const double height = standing.root().z();
  // Sags under its weight by less than 3 percent, and then no longer moves.
  EXPECT_NEAR(height, creature().standing_height, 0.03 * creature().standing_height);
  EXPECT_LT(standing.run(55), 1e-3 * creature().standing_height);
  EXPECT_GT(standing.upright(), std::cos(0.05));
}

TEST_P(ShippedCreature, StandsAtAThirdAndAtThreeTimesItsSize) {
  for (const double scale : {0.3, 3.0}) {
    v1::BodyEdit edit;
    edit.set_scale(scale);
    const auto scaled = build_creature(apply_edit(entry().character, edit));
    ASSERT_TRUE(scaled) << scaled.error().text();
    Standing standing(*scaled);
    standing.run(20);
    EXPECT_NEAR(standing.root().z(), scaled->standing_height, 0.05 * scaled->standing_height)
        << scale;
    EXPECT_LT(standing.run(10), 5e-3 * scaled->standing_height) << scale;
    EXPECT_GT(standing.upright(), std::cos(0.1)) << scale;
  }
}

TEST_P(ShippedCreature, SwaysWhenShovedAndComesBack) {
  Standing standing(creature());
  standing.run(5);
  const double weight = creature().total_mass * physics::kGravity,
               size = creature().standing_height;
  const bool planar = creature().model->links[0].joint == physics::JointKind::kPlanar;
  const Vec3 start = standing.root();
  const double sway =
      standing.run(0.1, 0.15 * weight * (planar ? Vec3(1, 0, 0) : Vec3(0.8, 0.6, 0)));
  EXPECT_GT(sway, 1e-5 * size);  // least of what lies on all of its length
  standing.run(10);
  EXPECT_LT((standing.root() - start).norm(), 0.02 * size);
  EXPECT_GT(standing.upright(), std::cos(0.05));
}

// From half a metre, lying on its side: stiff servos and light links must not gain energy from it.
TEST_P(ShippedCreature, ComesToRestWhenDroppedOnItsSide) {
  if (creature().model->links[0].joint == physics::JointKind::kPlanar) GTEST_SKIP();
  for (const double side : {1.0, -1.0}) {
    Standing falling(creature());
    Pose root;
    root.rotation = Quat(Eigen::AngleAxisd(side * kPi / 2, Vec3::UnitX()));
    root.position.z() = 0.5 + creature().standing_height;
    falling.body.set_state(rest_state(creature(), root));
    double fastest = 0;
    for (int i = 0; i < 160; ++i) {
      falling.run(0.05);
      const std::vector<double>& velocity = falling.body.state().velocity;
      for (std::size_t k = 6; k < velocity.size(); ++k) {
        ASSERT_TRUE(std::isfinite(velocity[k]));
        fastest = std::max(fastest, std::abs(velocity[k]));
      }
    }
    EXPECT_LT(falling.run(2), 0.05 * creature().standing_height);
    EXPECT_LT(fastest, 200) << "rad/s, of a joint";
  }
}

INSTANTIATE_TEST_SUITE_P(Each, ShippedCreature, testing::ValuesIn(kStanding),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace promenade
