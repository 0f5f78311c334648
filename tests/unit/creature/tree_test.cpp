// Trees that are no bipeds: roots, joints, shapes, limbs and ties of every kind, and what is
// refused.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <string>

#include "creature/creature_builder.h"
#include "creature/creature_edit.h"
#include "creature/pose.h"
#include "physics/articulated_body.h"
#include "support.h"

namespace promenade {
namespace {

using test::joint_to;

/// A root, a slider under it, a hinge without limits and a foot on a universal joint.
constexpr const char* kRobot = R"({
  "name": "robot", "root": "PLANAR",
  "links": [
    {"name": "top", "mass_kg": 2, "inertia_kgm2": [0.1, 0.1, 0.1],
     "shapes": [{"sphere": {"center_m": [0, 0, 0.1], "radius_m": 0.2},
                 "material": {"friction": 0.5, "restitution": 0.3}}]},
    {"name": "rod", "mass_kg": 1, "inertia_kgm2": [0.02, 0.02, 0.008],
     "shapes": [{"cylinder": {"from_m": [0, 0, -0.2], "to_m": [0, 0, 0.2], "radius_m": 0.03}}]},
    {"name": "foot", "mass_kg": 0.5, "inertia_kgm2": [0.01, 0.01, 0.01],
     "shapes": [{"box": {"center_m": [0, 0, -0.02], "half_m": [0.1, 0.1, 0.02]}}]},
    {"name": "wheel", "mass_kg": 0.2, "inertia_kgm2": [0.001, 0.001, 0.001],
     "shapes": [{"cylinder": {"from_m": [0, -0.02, 0], "to_m": [0, 0.02, 0], "radius_m": 0.1}}]}
  ],
  "joints": [
    {"name": "lift", "parent": "top", "child": "rod", "kind": "SLIDER", "axis": [0, 0, 1],
     "at_parent_m": [0, 0, -0.1], "at_child_m": [0, 0, 0.2], "lower_m": [-0.2], "upper_m": [0.1],
     "rest_m": [-0.1], "kp_npm": 100, "kd_nspm": 5, "force_limit_n": 80},
    {"name": "ankle", "parent": "rod", "child": "foot", "kind": "UNIVERSAL",
     "at_parent_m": [0, 0, -0.2], "at_child_m": [0, 0, 0.04], "rest_rad": [0, 0.5],
     "lower_rad": [-1, -1], "upper_rad": [1, 1], "kp_nm": 10, "kd_nms": 1, "torque_limit_nm": 9},
    {"name": "axle", "parent": "top", "child": "wheel", "kind": "HINGE", "axis": [0, 1, 0],
     "at_parent_m": [0, 0, 0.3], "at_child_m": [0, 0, 0]}
  ],
  "limbs": [{"name": "leg", "kind": "LEG", "links": ["rod", "foot"]}],
  "ties": [{"name": "spring", "kind": "SPRING", "length_m": 0.4, "stiffness_npm": 50,
            "damping_nspm": 2, "break_n": 100, "a": {"link": "top", "point_m": [0, 0.1, 0]},
            "b": {"link": "foot"}}]
})";

v1::Creature robot() {
  auto parsed = schema::parse_message<v1::Creature>(kRobot);
  EXPECT_TRUE(parsed.ok()) << parsed.error().text();
  return *std::move(parsed);
}

std::string tree_complaint(const std::function<void(v1::Creature*)>& spoil) {
  v1::Creature message = robot();
  spoil(&message);
  const auto creature = build_creature(message);
  return creature.ok() ? "none" : creature.error().text();
}

TEST(Tree, IsBuiltWithAnyRootAndJoint) {
  const auto creature = build_creature(robot());
  ASSERT_TRUE(creature.ok()) << creature.error().text();
  const auto& links = creature->model->links;
  EXPECT_EQ(links[0].joint, physics::JointKind::kPlanar);
  EXPECT_EQ(links[1].joint, physics::JointKind::kSlider);
  EXPECT_EQ(links[2].joint, physics::JointKind::kUniversal);
  EXPECT_EQ(links[3].joint, physics::JointKind::kHinge);
  EXPECT_EQ(creature->model->dof_count, 3 + 1 + 2 + 1);
  EXPECT_EQ(links[1].lower[0], -0.2);
  EXPECT_EQ(creature->gains[1].kp, 100);
  EXPECT_EQ(creature->gains[1].kd, 5);
  EXPECT_EQ(creature->gains[1].limit, Vec3::Constant(80));
  // The wheel has no limits and no servo.
  EXPECT_EQ(links[3].lower[0], -std::numeric_limits<double>::infinity());
  EXPECT_EQ(links[3].upper[0], std::numeric_limits<double>::infinity());
  EXPECT_EQ(creature->gains[3].kp, 0);
  EXPECT_EQ(creature->gains[3].kd, 0);
  ASSERT_EQ(creature->limbs.size(), 1u);
  EXPECT_EQ(creature->limbs[0].soles, 1);
  EXPECT_TRUE(links[2].is_foot);
  EXPECT_FALSE(links[1].is_foot);
  EXPECT_EQ(creature->trunk, 0);
}

// In the rest pose: the slider is 0.1 m down, the foot is tilted by 0.5 rad about its ankle.
TEST(Tree, StandsInItsRestPose) {
  const auto creature = build_creature(robot());
  ASSERT_TRUE(creature.ok()) << creature.error().text();
  const double ankle = -0.1 - 0.1 - 0.4;
  const double sole = -std::cos(0.5) * (0.04 + 0.04) - std::sin(0.5) * 0.1;
  EXPECT_NEAR(creature->standing_height, -(ankle + sole), 1e-12);
  EXPECT_NEAR(creature->limbs[0].length, 0.4, 1e-12);
  EXPECT_NEAR(creature->limbs[0].sole_height, -sole, 1e-12);
  Pose root;
  root.position = Vec3(1, 2, creature->standing_height);
  physics::ArticulatedBody body(creature->model);
  body.set_state(rest_state(*creature, root));
  EXPECT_NEAR(body.links()[1].position.z(), root.position.z() - 0.1 - 0.1 - 0.2, 1e-12);
  EXPECT_NEAR(body.bounds().min().z(), 0, 1e-9);
}

TEST(Tree, EditsKeepEveryKindInProportion) {
  const v1::Creature before = in_model_order(robot());
  v1::BodyEdit edit;
  edit.set_scale(2);
  const v1::Creature after = apply_edit(before, edit);
  EXPECT_NEAR(after.links(0).shapes(0).sphere().radius_m(), 0.4, 1e-12);
  EXPECT_NEAR(after.links(1).shapes(0).cylinder().radius_m(), 0.06, 1e-12);
  EXPECT_NEAR(after.links(1).shapes(0).cylinder().to_m(2), 0.4, 1e-12);
  EXPECT_NEAR(after.joints(0).lower_m(0), -0.4, 1e-12);
  EXPECT_NEAR(after.joints(0).rest_m(0), -0.2, 1e-12);
  EXPECT_NEAR(after.joints(0).kp_npm(), 100 * 4, 1e-9);             // weight over length
  EXPECT_NEAR(after.joints(0).kd_nspm(), 5 * std::sqrt(32), 1e-9);  // the damping ratio stays
  EXPECT_NEAR(after.joints(0).force_limit_n(), 80 * 8, 1e-9);
  EXPECT_EQ(after.joints(1).rest_rad(1), 0.5);
  EXPECT_NEAR(after.ties(0).length_m(), 0.8, 1e-12);
  EXPECT_NEAR(after.ties(0).a().point_m(1), 0.2, 1e-12);
  EXPECT_NEAR(after.ties(0).stiffness_npm(), 50 * 4, 1e-9);
  EXPECT_NEAR(after.ties(0).break_n(), 100 * 8, 1e-9);
  const auto small = build_creature(before), large = build_creature(after);
  ASSERT_TRUE(small.ok() && large.ok());
  EXPECT_NEAR(large->standing_height, 2 * small->standing_height, 1e-12);
  EXPECT_EQ(after.limbs_size(), 1);

  v1::BodyEdit longer;
  longer.add_links()->set_link("top");
  longer.mutable_links(0)->set_length(1.5);
  EXPECT_NEAR(apply_edit(before, longer).joints(0).lower_m(0), -0.3, 1e-12);
}

TEST(Tree, RefusesWrongRootsAndJoints) {
  EXPECT_EQ(tree_complaint([](auto* c) { c->set_root(static_cast<v1::RootKind>(9)); }),
            "root: 9 is not allowed, must be one of FREE, PLANAR, FIXED");
  EXPECT_EQ(tree_complaint(
                [](auto* c) { c->mutable_joints(0)->set_kind(static_cast<v1::JointKind>(9)); }),
            "joints[0].kind: 9 is not allowed, must be one of HINGE, UNIVERSAL, BALL, SLIDER");
  EXPECT_EQ(tree_complaint([](auto* c) { c->mutable_joints(0)->add_lower_rad(-1); }),
            "joints[0]: a SLIDER has fields in rad; its own are in m, must be a joint without "
            "lower_rad, upper_rad, rest_rad, kp_nm, kd_nms and torque_limit_nm");
  EXPECT_EQ(tree_complaint([](auto* c) { c->mutable_joints(2)->set_kp_npm(3); }),
            "joints[2]: a HINGE has fields in m; its own are in rad, must be a joint without "
            "lower_m, upper_m, rest_m, kp_npm, kd_nspm and force_limit_n");
  EXPECT_EQ(tree_complaint([](auto* c) { c->mutable_joints(0)->clear_axis(); }),
            "joints[0].axis: has 0 entries, must be 3");
  EXPECT_EQ(tree_complaint([](auto* c) { c->mutable_joints(0)->set_rest_m(0, 0.3); }),
            "joints[0].upper_m[0]: 0.1 is not allowed, must be from 0.3 to 50 m");
  EXPECT_EQ(tree_complaint([](auto* c) { c->mutable_joints(1)->add_rest_rad(0); }),
            "joints[1].rest_rad: has 3 entries, must be 2");
  EXPECT_EQ(tree_complaint([](auto* c) { c->mutable_joints(0)->clear_upper_m(); }),
            "joints[0].upper_m: has 0 entries, must be 1");
  EXPECT_EQ(tree_complaint([](auto* c) { c->mutable_joints(2)->set_kd_nms(1); }),
            "joints[2].torque_limit_nm: 0 is not allowed, must be > 0 N m");
}

TEST(Tree, RefusesWrongShapesAndMaterials) {
  EXPECT_EQ(tree_complaint([](auto* c) {
              c->mutable_links(0)->mutable_shapes(0)->mutable_material()->set_friction(-0.1);
            }),
            "links[0].shapes[0].material.friction: -0.1 is not allowed, must be from 0 to 2");
  EXPECT_EQ(tree_complaint([](auto* c) {
              c->mutable_links(0)->mutable_shapes(0)->mutable_material()->set_restitution(1.5);
            }),
            "links[0].shapes[0].material.restitution: 1.5 is not allowed, must be from 0 to 1");
  EXPECT_EQ(tree_complaint([](auto* c) {
              c->mutable_links(0)->mutable_shapes(0)->mutable_sphere()->set_radius_m(0);
            }),
            "links[0].shapes[0].sphere.radius_m: 0 is not allowed, must be > 0 m");
  EXPECT_EQ(tree_complaint([](auto* c) {
              auto* cylinder = c->mutable_links(1)->mutable_shapes(0)->mutable_cylinder();
              *cylinder->mutable_to_m() = cylinder->from_m();
            }),
            "links[1].shapes[0].cylinder.to_m: 0 m from from_m is not allowed, must be at least "
            "1e-05 m from it");
  EXPECT_EQ(tree_complaint([](auto* c) {
              c->clear_limbs();
              for (auto& link : *c->mutable_links()) link.clear_shapes();
            }),
            "links[0].shapes: none is not allowed, must be at least one shape on one of the links");
}

TEST(Tree, RefusesWrongLimbs) {
  const auto limb = [](auto* c) { return c->mutable_limbs(0); };
  EXPECT_EQ(tree_complaint([&](auto* c) { limb(c)->set_links(1, "toe"); }),
            "limbs[0].links[1]: \"toe\" is not allowed, must be one of top, rod, foot, wheel");
  EXPECT_EQ(tree_complaint([&](auto* c) { limb(c)->set_links(0, "wheel"); }),
            "limbs[0].links[1]: \"foot\" is not attached to the link before it, must be a link "
            "attached to \"wheel\"");
  EXPECT_EQ(tree_complaint([&](auto* c) { limb(c)->clear_links(); }),
            "limbs[0].links: none is not allowed, must be at least one link");
  EXPECT_EQ(tree_complaint([&](auto* c) { limb(c)->clear_kind(); }),
            "limbs[0].kind: nothing is not allowed, must be one of LEG, ARM, TRUNK, HEAD, TAIL");
  EXPECT_EQ(tree_complaint([&](auto* c) { limb(c)->set_sole_links(3); }),
            "limbs[0].sole_links: 3 is not allowed, must be at most the number of its links, 2");
  EXPECT_EQ(tree_complaint([&](auto* c) {
              *c->add_limbs() = c->limbs(0);
              c->mutable_limbs(1)->set_name("other");
            }),
            "limbs[1].links[0]: \"rod\" is in the limb \"leg\" already, must be a link that is in "
            "no other limb");
  EXPECT_EQ(tree_complaint([&](auto* c) { c->mutable_links(2)->clear_shapes(); }),
            "links[2].shapes: none is not allowed, must be at least one shape to stand on");
}

TEST(Tree, RefusesWrongTies) {
  const auto tie = [](auto* c) { return c->mutable_ties(0); };
  EXPECT_EQ(tree_complaint([&](auto* c) { tie(c)->mutable_a()->set_id(3); }),
            "ties[0].a.id: 3 is not allowed, must be left out in the file of a body");
  EXPECT_EQ(tree_complaint([&](auto* c) { tie(c)->mutable_a()->set_link("hand"); }),
            "ties[0].a.link: \"hand\" is not allowed, must be one of top, rod, foot, wheel");
  EXPECT_EQ(tree_complaint([&](auto* c) { tie(c)->mutable_a()->set_link("foot"); }),
            "ties[0].b.link: \"foot\" is not allowed, must be a different link than `a`");
  EXPECT_EQ(tree_complaint([&](auto* c) { tie(c)->set_break_n(-1); }),
            "ties[0].break_n: -1 is not allowed, must be from 0 to 1000000 N");
  EXPECT_EQ(tree_complaint([&](auto* c) { tie(c)->clear_stiffness_npm(); }),
            "ties[0].stiffness_npm: 0 is not allowed, must be more than 0 N/m for a SPRING");
  EXPECT_EQ(tree_complaint([&](auto* c) { tie(c)->set_kind(v1::Tie::HINGE); }),
            "ties[0].axis: has 0 entries, must be 3");
  EXPECT_EQ(
      tree_complaint([&](auto* c) { tie(c)->set_kind(v1::Tie::BALL); }),
      "ties[0].length_m: 0.4 is not allowed, must be left out, because only a spring has a length");
}

}  // namespace
}  // namespace promenade
