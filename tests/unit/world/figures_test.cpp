// The reported motion of a character is that of its body, whatever state it is in.
#include <gtest/gtest.h>

#include <set>

#include "creature/biped/biped_state.h"
#include "math/rotation.h"
#include "physics/gravity.h"
#include "world_fixture.h"

namespace promenade::world {
namespace {

using namespace testing;

std::shared_ptr<const Library> library_of_states() {
  static const auto library = [] {
    auto loaded = library_with({
        {"lies", R"("get_up_delay_s": -1, "characters": [{"body": "human", "speed_mps": 1}])"},
        {"rises", R"("characters": [{"body": "human", "speed_mps": 1}])"},
        {"fades", R"("get_up_delay_s": 2, "get_up_for_s": -1,
                     "characters": [{"body": "human", "speed_mps": 1}])"},
        {"creature", R"("characters": [{"body": "cat"}])"},
    });
    if (!loaded) throw std::runtime_error(loaded.error().text());
    return *loaded;
  }();
  return library;
}

/// Figures as they follow from links alone.
struct Independent {
  Vec3 com = Vec3::Zero(), velocity = Vec3::Zero();
  double kinetic = 0, potential = 0;
};

Independent of_links(const physics::ArticulatedBody& body) {
  Independent out;
  double mass = 0;
  for (std::size_t i = 0; i < body.links().size(); ++i) {
    const physics::LinkModel& link = body.model().links[i];
    const physics::LinkMotion& m = body.links()[i];
    mass += link.mass;
    out.com += link.mass * m.position;
    out.velocity += link.mass * m.velocity;
    const Vec3 spin = m.rotation.transpose() * m.omega;
    out.kinetic += 0.5 * link.mass * m.velocity.squaredNorm();
    for (int k = 0; k < 3; ++k) out.kinetic += 0.5 * link.inertia[k] * spin[k] * spin[k];
    out.potential += link.mass * physics::kGravity * m.position.z();
  }
  out.com /= mass;
  out.velocity /= mass;
  return out;
}

/// Compares every figure of character 1 with its links, and its velocity with how far the links go
/// from tick to tick, for some seconds. @return the states that it was in
std::set<std::string> compare(Room& room, double seconds) {
  std::set<std::string> states;
  Independent before = of_links(*room.body_for_test(1));
  for (int i = 0; i < int(seconds * 60); ++i) {
    room.tick();
    const auto snapshot = room.snapshot();
    const CharacterSnapshot& c = snapshot->characters.front();
    const physics::ArticulatedBody& body = *room.body_for_test(1);
    const Independent links = of_links(body);
    const bool fallen = c.flags & kFlagFallen;
    states.insert(fallen ? "fallen" : c.flags & kFlagLimp ? "limp" : "upright");
    const std::string when = " at tick " + std::to_string(snapshot->tick);
    EXPECT_LT((c.report.com - links.com).norm(), 1e-9) << when;
    EXPECT_LT((c.report.com_velocity - links.velocity).norm(), 1e-9) << when;
    const Quat& root = body.state().root.rotation;
    EXPECT_LT(std::abs(wrap_angle(c.report.heading - heading_of(root))), 1e-9) << when;
    EXPECT_NEAR(c.kinetic_energy, links.kinetic, 1e-6 + 1e-9 * links.kinetic) << when;
    EXPECT_NEAR(c.potential_energy, links.potential, 1e-6 * std::abs(links.potential)) << when;
    // Off by no more than the velocity has changed in this tick, as by a blow of the ground, and
    // what a step of gravity, or being set upright, adds.
    const Vec3 gone = (links.com - before.com) * 60;
    const double changed = (links.velocity - before.velocity).norm();
    if (c.presence == kWholePresence) {
      EXPECT_LT((gone - c.report.com_velocity).norm(), changed + 0.5) << when;
    }
    before = links;
    // v sqrt(h / g + v^2 / (4 g^2)) along the heading and across; on a level floor at 0.
    const Vec2 v = rotated(Vec2(links.velocity.head<2>()), -c.report.heading);
    Vec2 reach;
    for (int k = 0; k < 2; ++k)
      reach[k] = v[k] * std::sqrt(std::max(0.0, links.com.z()) / physics::kGravity +
                                  v[k] * v[k] / (4 * physics::kGravity * physics::kGravity));
    const Vec2 captured = links.com.head<2>() + rotated(reach, c.report.heading);
    EXPECT_LT((c.report.capture_point - captured).norm(), 1e-6) << when;
    if (fallen || (c.flags & kFlagLimp)) {
      EXPECT_EQ(c.report.phase, 0);
      EXPECT_FALSE(c.flags & kFlagStanding) << when;
      EXPECT_LT((c.report.mean_velocity - v).norm(), 1e-9) << when;
      Vec3 on_feet = Vec3::Zero(), told = c.report.foot_force[0] + c.report.foot_force[1];
      const Creature& creature =
          *snapshot->roster->bodies[std::size_t(snapshot->roster->entries.front().body)];
      // Only of a biped is it known which links are feet.
      if (const auto biped = biped_of(creature))
        for (const physics::ContactPoint& contact : body.contacts())
          for (const int part : {kLeftFoot, kRightFoot, kLeftToes, kRightToes})
            if (contact.link == biped.value().link[std::size_t(part)]) on_feet += contact.force;
      EXPECT_LT((told - on_feet).norm(), 1e-6) << when;
    }
    if (::testing::Test::HasFailure()) break;  // one tick of figures says enough
  }
  return states;
}

constexpr const char* kKnock =
    R"({"push": {"character": 1, "force_n": [200, 1500, 0], "duration_s": 0.3}})";

TEST(Figures, AreThoseOfTheBodyThatWalksFallsAndLies) {
  Room room(library_of_states(), settings_for("lies"));
  EXPECT_EQ(compare(room, 2), (std::set<std::string>{"upright"}));
  ASSERT_FALSE(order(room, kKnock).error);
  EXPECT_TRUE(compare(room, 5).count("fallen"));
  EXPECT_LT(room.snapshot()->characters[0].report.com_velocity.norm(), 0.05) << "it lies";
}

TEST(Figures, AreThoseOfTheBodyThatRises) {
  Room room(library_of_states(), settings_for("rises"));
  run(room, 2);
  ASSERT_FALSE(order(room, kKnock).error);
  EXPECT_EQ(compare(room, 14), (std::set<std::string>{"fallen", "upright"}));
}

TEST(Figures, AreThoseOfTheBodyThatFadesAndIsSetUpright) {
  Room room(library_of_states(), settings_for("fades"));
  run(room, 2);
  ASSERT_FALSE(order(room, kKnock).error);
  EXPECT_EQ(compare(room, 6), (std::set<std::string>{"fallen", "upright"}));
}

TEST(Figures, AreThoseOfTheBodyThatIsHeld) {
  Room room(library_of_states(), settings_for("lies"));
  run(room, 2);
  ASSERT_FALSE(order(room, kKnock).error);
  run(room, 2);
  const CommandResult held = order(room, R"({"grip": {"a": {"id": 1, "link": "torso"},
      "b": {"point_m": [1, 1, 3]}, "stiffness_npm": 2000, "max_force_n": 3000}})");
  ASSERT_FALSE(held.error) << held.error->message;
  EXPECT_TRUE(compare(room, 3).count("fallen"));
}

TEST(Figures, AreThoseOfTheBodyThatIsDragged) {
  Room room(library_of_states(), settings_for("lies"));
  run(room, 1);
  for (int i = 0; i < 30; ++i) {
    const std::string at = std::to_string(2 + 0.1 * i);
    ASSERT_FALSE(order(room, R"({"drag": {"character": 1, "link": "torso", "target_m": [)" + at +
                                 R"(, 1, 1.5]}})")
                     .error);
    compare(room, 0.1);
  }
}

TEST(Figures, AreThoseOfALimpBody) {
  Room room(library_of_states(), settings_for("lies"));
  run(room, 2);
  ASSERT_FALSE(order(room, R"({"set_controller": {"character": 1, "controller": "limp"}})").error);
  EXPECT_EQ(compare(room, 4), (std::set<std::string>{"limp"}));
  EXPECT_LT(room.snapshot()->characters[0].report.com_velocity.norm(), 0.05) << "it lies";
}

TEST(Figures, AreThoseOfACreatureThatHoldsItsPose) {
  Room room(library_of_states(), settings_for("creature"));
  run(room, 0.5);
  ASSERT_FALSE(order(room, kKnock).error);
  EXPECT_TRUE(compare(room, 2).count("upright"));
}

// The pendulum's mass is taken for that of the body: over a second both come as far.
TEST(Figures, AreThoseOfThePendulumThatStandsForTheBody) {
  Room room(library_of_states(), settings_for("lies"));
  ASSERT_FALSE(
      order(room, R"({"set_controller": {"character": 1, "controller": "pendulum"}})").error);
  run(room, 3);
  for (int i = 0; i < 4; ++i) {
    const auto before = room.snapshot();
    Vec3 way = Vec3::Zero();
    for (int k = 0; k < 60; ++k) {
      room.tick();
      const auto now = room.snapshot();
      const CharacterSnapshot& c = now->characters[0];
      way += c.report.com_velocity / 60;
      EXPECT_LT((c.root.position - c.report.com).head<2>().norm(), 0.1);
      EXPECT_LT(std::abs(wrap_angle(c.report.heading - heading_of(c.root.rotation))), 0.3);
    }
    const Vec3 gone = room.snapshot()->characters[0].report.com - before->characters[0].report.com;
    EXPECT_LT((gone - way).norm(), 0.03);
    const Vec3 root =
        room.snapshot()->characters[0].root.position - before->characters[0].root.position;
    EXPECT_LT((root - way).head<2>().norm(), 0.12);
  }
}

TEST(Figures, OfThoseWhoAreAwayAreAtRest) {
  const std::shared_ptr<const Library> library = *library_with({{"leaves", R"("flow": {
      "entrances": [{"name": "west", "area": {"center_m": [-4, 0], "size_m": [2, 2]},
                     "rates": [{"at_s": 0, "per_minute": 60}]}],
      "exits": [{"name": "east", "area": {"center_m": [4, 0], "size_m": [2, 2]}}],
      "bodies": ["human"], "styles": ["normal"], "controller": "pendulum"})"}});
  Room room(library, settings_for("leaves"));
  bool away = false;
  for (int i = 0; i < 60 * 25; ++i) {
    room.tick();
    for (const CharacterSnapshot& c : room.snapshot()->characters) {
      if (!(c.flags & kFlagAway)) continue;
      away = true;
      EXPECT_TRUE(c.report.com_velocity.isZero());
      EXPECT_TRUE(c.report.mean_velocity.isZero());
      EXPECT_EQ(c.kinetic_energy, 0);
      EXPECT_TRUE(c.report.foot_force[0].isZero() && c.report.foot_force[1].isZero());
    }
  }
  EXPECT_TRUE(away);
}

}  // namespace
}  // namespace promenade::world
