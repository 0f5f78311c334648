#include "creature/creature_builder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "creature/biped/biped.h"
#include "support.h"

namespace promenade {
namespace {

using test::find_link;
using test::human;
using test::joint_to;

/// The error of the human once `spoil` has changed it.
std::string complaint(const std::function<void(v1::Creature*)>& spoil) {
  auto loaded = human();
  spoil(&loaded.message);
  const auto body = build_creature(loaded.message);
  return body.ok() ? "none" : body.error().text();
}

TEST(BodyBuilder, BuildsTheHumanOfTheSource) {
  const auto loaded = human();
  const auto body = build_creature(loaded.message, loaded.source);
  ASSERT_TRUE(body.ok()) << body.error().text();
  EXPECT_EQ(body->model->links.size(), 16u);
  EXPECT_EQ(body->model->dof_count, 37);
  EXPECT_NEAR(body->total_mass, 70.4, 1e-9);
  EXPECT_NEAR(body->model->total_mass, 70.4, 1e-9);
  // Thigh 0.40 and shank 0.46 with the ankle 1 cm to the side; sole 6 cm under the ankle.
  const Biped biped = biped_of(*body).value();
  for (std::size_t side = 0; side < 2; ++side) {
    EXPECT_NEAR(biped.leg_length[side], std::hypot(0.86, 0.01), 1e-9);
    EXPECT_NEAR(biped.ankle_height[side], 0.06, 1e-9);
  }
  EXPECT_NEAR(body->leg_scale(), 1, 1e-3);
  EXPECT_NEAR(body->standing_height, 0.95, 1e-9);
  EXPECT_GT(body->standing_com_height, 0.9);
  EXPECT_LT(body->standing_com_height, 1.05);
}

TEST(BodyBuilder, FindsEveryPartAndHangsItOnItsParent) {
  const auto body = build_creature(human().message);
  ASSERT_TRUE(body.ok());
  const Biped biped = biped_of(*body).value();
  for (int p = 0; p < kPartCount; ++p) {
    const Part part = static_cast<Part>(p);
    const int link = biped.link[static_cast<std::size_t>(p)];
    ASSERT_GE(link, 0) << part_name(part);
    EXPECT_EQ(body->link_names[static_cast<std::size_t>(link)], part_name(part));
    EXPECT_EQ(body->find_link(part_name(part)), link);
    const auto& model = body->model->links[static_cast<std::size_t>(link)];
    EXPECT_EQ(model.joint, part_joint(part));
    EXPECT_LT(model.parent, link);
    if (part != kPelvis) {
      EXPECT_EQ(model.parent, biped.link[static_cast<std::size_t>(part_parent(part))]);
    }
    const bool foot = part >= kLeftFoot;
    EXPECT_EQ(model.is_foot, foot) << part_name(part);
  }
  EXPECT_EQ(body->find_link("tail"), -1);
  EXPECT_EQ(body->find_joint(""), -1);
  EXPECT_EQ(body->find_joint("left_knee"), biped.link[kLeftShank]);
}

// Arms hang in the zero pose and forward is x: these signs are what controllers and styles rest on.
TEST(BodyBuilder, HumanBendsTheWayPeopleDo) {
  const auto body = build_creature(human().message);
  ASSERT_TRUE(body.ok());
  const Biped biped = biped_of(*body).value();
  const auto link = [&](Part part) {
    return body->model->links[static_cast<std::size_t>(biped.link[part])];
  };
  EXPECT_EQ(link(kLeftShank).axis, Vec3::UnitY());
  EXPECT_EQ(link(kLeftShank).lower[0], 0);  // the shank swings back only
  EXPECT_EQ(link(kLeftShank).upper[0], 2.5);
  EXPECT_EQ(link(kLeftLowerArm).upper[0], 0);  // the forearm forward only
  EXPECT_LT(link(kLeftThigh).lower[1], -1.8);  // more forward than back
  EXPECT_LT(link(kLeftToes).lower[0], -0.5);   // toes turn up more than down
  EXPECT_GT(link(kLeftUpperArm).upper[0], 2);  // the left arm lifts to the left, +roll
  EXPECT_LT(link(kRightUpperArm).lower[0], -2);
  EXPECT_GT(link(kLeftUpperArm).at_child.z(), 0);  // the shoulder is above the arm
  EXPECT_GT(link(kLeftFoot).shapes[0].a.x() + link(kLeftFoot).shapes[0].b.x(), 0.06);
  EXPECT_GT(link(kLeftThigh).at_parent.y(), 0);
  // Long axes are z, so the moment about z is the small one.
  for (const Part part : {kLeftUpperArm, kLeftLowerArm, kLeftThigh, kLeftShank}) {
    EXPECT_LT(link(part).inertia.z(), 0.5 * link(part).inertia.x()) << part_name(part);
  }
}

TEST(BodyBuilder, TakesGainsFromTheFileAndFillsAbsentDamping) {
  auto loaded = human();
  joint_to(&loaded.message, "left_shank")->set_kd_nms(0);
  joint_to(&loaded.message, "left_shank")->set_kp_nm(400);
  const auto body = build_creature(loaded.message);
  ASSERT_TRUE(body.ok());
  const Biped biped = biped_of(*body).value();
  const auto gains = [&](Part part) {
    return body->gains[static_cast<std::size_t>(biped.link[part])];
  };
  EXPECT_DOUBLE_EQ(gains(kLeftShank).kd, 40);  // 2 sqrt(kp)
  EXPECT_EQ(gains(kRightShank).kd, 35);
  EXPECT_EQ(gains(kLeftFoot).kp, 50);
  EXPECT_EQ(gains(kLeftFoot).scale, Vec3(0.2, 1, 0.2));
  EXPECT_EQ(gains(kLeftThigh).scale, Vec3::Ones());
  EXPECT_TRUE(gains(kLeftThigh).limit.isApprox(Vec3(200, 200, 60)));
  EXPECT_EQ(gains(kLeftShank).limit, Vec3::Constant(200));
}

TEST(BodyBuilder, PutsParentsFirstWhateverTheFilesOrder) {
  auto loaded = human();
  auto* links = loaded.message.mutable_links();
  std::reverse(links->begin() + 1, links->end());
  const auto body = build_creature(loaded.message);
  ASSERT_TRUE(body.ok()) << body.error().text();
  for (std::size_t i = 1; i < body->model->links.size(); ++i) {
    EXPECT_LT(body->model->links[i].parent, static_cast<int>(i));
  }
  const v1::Creature ordered = in_model_order(loaded.message);
  for (int i = 0; i < ordered.joints_size(); ++i) {
    EXPECT_EQ(ordered.joints(i).child(), ordered.links(i + 1).name());
    EXPECT_EQ(body->link_names[static_cast<std::size_t>(i) + 1], ordered.links(i + 1).name());
  }
  EXPECT_NEAR(body->standing_height, 0.95, 1e-9);
}

TEST(BodyBuilder, TakesLinksThatNoPartNeeds) {
  auto loaded = human();
  v1::Link* tail = loaded.message.add_links();
  *tail = *find_link(&loaded.message, "left_toes");
  tail->set_name("tail");
  v1::Joint* joint = loaded.message.add_joints();
  *joint = *joint_to(&loaded.message, "left_toes");
  joint->set_name("tail");
  joint->set_parent("pelvis");
  joint->set_child("tail");
  const auto body = build_creature(loaded.message);
  ASSERT_TRUE(body.ok()) << body.error().text();
  EXPECT_EQ(body->model->dof_count, 38);
  EXPECT_FALSE(body->model->links[static_cast<std::size_t>(body->find_link("tail"))].is_foot);
}

TEST(BodyBuilder, RefusesImpossibleLinks) {
  EXPECT_EQ(complaint([](auto* c) { c->mutable_links(3)->set_mass_kg(-2); }),
            "links[3].mass_kg: -2 is not allowed, must be > 0 kg");
  EXPECT_EQ(complaint([](auto* c) { c->mutable_links(3)->clear_mass_kg(); }),
            "links[3].mass_kg: 0 is not allowed, must be > 0 kg");
  EXPECT_EQ(complaint([](auto* c) {
              c->mutable_links(0)->set_mass_kg(std::numeric_limits<double>::quiet_NaN());
            }),
            "links[0].mass_kg: nan is not allowed, must be > 0 kg");
  EXPECT_EQ(complaint([](auto* c) { c->mutable_links(1)->set_inertia_kgm2(2, 0); }),
            "links[1].inertia_kgm2[2]: 0 is not allowed, must be > 0 kg m^2");
  EXPECT_EQ(complaint([](auto* c) { c->mutable_links(1)->set_inertia_kgm2(0, 1); }),
            "links[1].inertia_kgm2[0]: 1 is not allowed, must be at most the sum of the other two, "
            "0.18");
  EXPECT_EQ(complaint([](auto* c) { c->mutable_links(1)->add_inertia_kgm2(1); }),
            "links[1].inertia_kgm2: has 4 entries, must be 3");
  EXPECT_EQ(complaint([](auto* c) {
              c->mutable_links(1)->mutable_shapes(0)->mutable_capsule()->set_radius_m(0);
            }),
            "links[1].shapes[0].capsule.radius_m: 0 is not allowed, must be > 0 m");
  EXPECT_EQ(complaint([](auto* c) {
              find_link(c, "left_foot")->mutable_shapes(0)->mutable_box()->set_half_m(1, -0.1);
            }),
            "links[10].shapes[0].box.half_m[1]: -0.1 is not allowed, must be > 0 m");
  EXPECT_EQ(complaint([](auto* c) { c->mutable_links(1)->add_shapes(); }),
            "links[1].shapes[1]: is empty, must be a capsule, a box, a sphere or a cylinder");
  EXPECT_EQ(complaint([](auto* c) { find_link(c, "right_foot")->clear_shapes(); }),
            "links[14].shapes: none is not allowed, must be at least one shape to stand on");
}

TEST(BodyBuilder, RefusesImpossibleJoints) {
  EXPECT_EQ(complaint([](auto* c) { c->mutable_joints(0)->set_lower_rad(1, 0.5); }),
            "joints[0].lower_rad[1]: 0.5 is not allowed, must be from -6.3 to 0 rad");
  EXPECT_EQ(complaint([](auto* c) {
              c->mutable_joints(0)->set_lower_rad(1, 0);
              c->mutable_joints(0)->set_upper_rad(1, 0);
            }),
            "joints[0].lower_rad[1]: 0 is not allowed, must be below upper_rad, 0");
  EXPECT_EQ(complaint([](auto* c) { joint_to(c, "left_shank")->add_upper_rad(1); }),
            "joints[8].upper_rad: has 2 entries, must be 1");
  EXPECT_EQ(complaint([](auto* c) { joint_to(c, "left_shank")->set_axis(0, 1); }),
            "joints[8].axis: length 1.41421356 is not allowed, must be of length 1");
  EXPECT_EQ(complaint([](auto* c) { joint_to(c, "left_thigh")->add_axis(1); }),
            "joints[7].axis: an axis is not allowed, must be left out, because only a hinge or a "
            "slider has an axis");
  EXPECT_EQ(
      complaint([](auto* c) { c->mutable_joints(2)->clear_kind(); }),
      "joints[2].kind: nothing is not allowed, must be one of HINGE, UNIVERSAL, BALL, SLIDER");
  EXPECT_EQ(complaint([](auto* c) { joint_to(c, "left_shank")->set_axis(1, 1.5); }),
            "joints[8].axis: length 1.5 is not allowed, must be of length 1");
  EXPECT_EQ(complaint([](auto* c) { joint_to(c, "left_shank")->set_axis(1, std::nan("")); }),
            "joints[8].axis: length nan is not allowed, must be of length 1");
  EXPECT_EQ(complaint([](auto* c) { c->mutable_joints(2)->set_kp_nm(-1); }),
            "joints[2].kp_nm: -1 is not allowed, must be from 0 to 1000000 N m/rad");
  EXPECT_EQ(complaint([](auto* c) { c->mutable_joints(2)->clear_torque_limit_nm(); }),
            "joints[2].torque_limit_nm: 0 is not allowed, must be > 0 N m");
  EXPECT_EQ(complaint([](auto* c) { c->mutable_joints(2)->clear_at_child_m(); }),
            "joints[2].at_child_m: has 0 entries, must be 3");
  EXPECT_EQ(complaint([](auto* c) { c->mutable_joints(2)->set_gain_scale(0, -1); }),
            "joints[2].gain_scale[0]: -1 is not allowed, must be from 0 to 100");
  EXPECT_EQ(complaint([](auto* c) { c->mutable_joints(2)->add_torque_limit_scale(1); }),
            "joints[2].torque_limit_scale: has 1 entry, must be 3");
  EXPECT_EQ(complaint([](auto* c) {
              for (const double scale : {1.0, 0.0, 1.0}) {
                c->mutable_joints(2)->add_torque_limit_scale(scale);
              }
            }),
            "joints[2].torque_limit_scale[1]: 0 is not allowed, must be from 0.001 to 100");
}

TEST(BodyBuilder, RefusesWhatIsNotOneTree) {
  EXPECT_EQ(complaint([](auto* c) { c->mutable_links(2)->set_name("head"); }),
            "links[3].name: \"head\" is the name of links[2] already, must be another name");
  EXPECT_EQ(complaint([](auto* c) { c->mutable_joints(1)->set_parent("neck"); }),
            "joints[1].parent: \"neck\" is not allowed, must be a link's name");
  EXPECT_EQ(complaint([](auto* c) { c->mutable_joints(1)->set_child("pelvis"); }),
            "joints[1].child: \"pelvis\" is not allowed, must be a link other than the root");
  EXPECT_EQ(complaint([](auto* c) { c->mutable_joints(2)->set_child("torso"); }),
            "joints[2].child: \"torso\" is the child of joints[1] already, must be the child of "
            "one joint");
  EXPECT_EQ(complaint([](auto* c) { c->mutable_joints()->DeleteSubrange(2, 1); }),
            "links[3]: \"head\" is attached to nothing, must be the child of one joint");
  EXPECT_EQ(complaint([](auto* c) { c->mutable_joints(0)->set_parent("torso"); }),
            "joints[1].parent: the joints make a cycle, lower_back -> torso -> lower_back, must be "
            "a link that is not attached to this one");
  EXPECT_EQ(complaint([](auto* c) { c->mutable_joints(2)->set_parent("head"); }),
            "joints[2].parent: the joints make a cycle, head -> head, must be a link that is not "
            "attached to this one");
  EXPECT_EQ(complaint([](auto* c) {
              // The cycle is above the link that the search starts from.
              joint_to(c, "left_upper_arm")->set_parent("left_lower_arm");
              c->mutable_joints(0)->set_parent("left_upper_arm");
            }),
            "joints[4].parent: the joints make a cycle, lower_back -> left_upper_arm -> "
            "left_lower_arm -> left_upper_arm, must be a link that is not attached to this one");
}

TEST(BodyBuilder, RefusesNoLinksAndTooMany) {
  EXPECT_EQ(complaint([](auto* c) { c->clear_links(); }),
            "links: none is not allowed, must be the links of a body, or a `base` instead");
  EXPECT_EQ(complaint([](auto* c) {
              for (int i = 0; i < 30; ++i) *c->add_links() = c->links(3);
            }),
            "links: 46 links is not allowed, must be at most 32");
}

TEST(BodyBuilder, RefusesBadLabels) {
  EXPECT_EQ(complaint([](auto* c) { c->set_name("The Human"); }),
            "name: \"The Human\" is not allowed, must be 1 to 40 of the characters a-z, 0-9, '_' "
            "and '-'");
  EXPECT_EQ(complaint([](auto* c) { c->set_color("red"); }),
            "color: \"red\" is not allowed, must be a color as in \"#a0b1c2\"");
}

TEST(BodyBuilder, ErrorsNameFileAndLine) {
  auto loaded = human();
  loaded.message.mutable_links(3)->set_mass_kg(-2);
  const auto body = build_creature(loaded.message, loaded.source);
  ASSERT_FALSE(body.ok());
  EXPECT_EQ(body.error().file, loaded.source.file);
  EXPECT_EQ(body.error().line, loaded.source.line("links[3].mass_kg"));
  EXPECT_GT(body.error().line, 6);
}

TEST(BodyBuilder, RefusesLegsThatDoNotReachDown) {
  EXPECT_NE(complaint([](auto* c) {
              joint_to(c, "left_foot")->set_at_child_m(2, -1);  // the ankle below the sole
            }).find("the leg \"left_leg\" does not reach down"),
            std::string::npos);
}

}  // namespace
}  // namespace promenade
