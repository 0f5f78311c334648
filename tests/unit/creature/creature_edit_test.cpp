#include "creature/creature_edit.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "creature/biped/biped.h"
#include "creature/creature_builder.h"
#include "creature/creature_checks.h"
#include "support.h"

namespace promenade {
namespace {

using test::find_link;
using test::human;
using test::joint_to;

v1::BodyEdit scaled(double factor) {
  v1::BodyEdit edit;
  edit.set_scale(factor);
  return edit;
}

v1::BodyEdit link_edit(const std::string& link, double length, double width, double density = 0) {
  v1::BodyEdit edit;
  v1::LinkEdit* out = edit.add_links();
  out->set_link(link);
  out->set_length(length);
  out->set_width(width);
  out->set_density(density);
  return edit;
}

Creature built(const v1::Creature& character) {
  auto body = build_creature(character);
  EXPECT_TRUE(body.ok()) << body.error().text();
  return body.ok() ? *std::move(body) : Creature();
}

TEST(BodyEdit, NothingToDoChangesNothing) {
  const v1::Creature base = in_model_order(human().message);
  const v1::Creature same = apply_edit(base, v1::BodyEdit());
  EXPECT_EQ(schema::message_to_json(same), schema::message_to_json(apply_edit(base, scaled(1))));
  for (int i = 0; i < base.links_size(); ++i) {
    EXPECT_DOUBLE_EQ(same.links(i).mass_kg(), base.links(i).mass_kg());
    for (int k = 0; k < 3; ++k) {
      EXPECT_NEAR(same.links(i).inertia_kgm2(k), base.links(i).inertia_kgm2(k), 1e-15);
    }
  }
  for (int i = 0; i < base.joints_size(); ++i) {
    EXPECT_DOUBLE_EQ(same.joints(i).kp_nm(), base.joints(i).kp_nm());
    EXPECT_DOUBLE_EQ(same.joints(i).kd_nms(), base.joints(i).kd_nms());
  }
}

// Uniform scaling at constant density: lengths s, masses s^3, moments s^5, kp M'/M = s^3, kd s^4
// for the same damping ratio, torque limits s^4.
TEST(BodyEdit, UniformScaleFollowsThePowerLaws) {
  const v1::Creature base = in_model_order(human().message);
  for (const double s : {0.5, 0.6, 1.45, 3.0}) {
    const v1::Creature out = apply_edit(base, scaled(s));
    for (int i = 0; i < base.links_size(); ++i) {
      EXPECT_NEAR(out.links(i).mass_kg() / base.links(i).mass_kg(), std::pow(s, 3), 1e-9);
      for (int k = 0; k < 3; ++k) {
        EXPECT_NEAR(out.links(i).inertia_kgm2(k) / base.links(i).inertia_kgm2(k), std::pow(s, 5),
                    1e-8);
      }
    }
    EXPECT_NEAR(out.links(0).shapes(0).capsule().radius_m(), 0.07 * s, 1e-12);
    for (int i = 0; i < base.joints_size(); ++i) {
      const v1::Joint &before = base.joints(i), &after = out.joints(i);
      EXPECT_NEAR(after.kp_nm() / before.kp_nm(), std::pow(s, 3), 1e-9);
      EXPECT_NEAR(after.kd_nms() / before.kd_nms(), std::pow(s, 4), 1e-8);
      EXPECT_NEAR(after.torque_limit_nm() / before.torque_limit_nm(), std::pow(s, 4), 1e-8);
      for (int k = 0; k < 3; ++k) {
        EXPECT_NEAR(after.at_parent_m(k), before.at_parent_m(k) * s, 1e-12);
        EXPECT_NEAR(after.at_child_m(k), before.at_child_m(k) * s, 1e-12);
      }
    }
    const Creature small = built(base), large = built(out);
    EXPECT_NEAR(biped_of(large)->leg_length[0], biped_of(small)->leg_length[0] * s, 1e-9);
    EXPECT_NEAR(large.standing_height, small.standing_height * s, 1e-9);
    EXPECT_NEAR(large.standing_com_height, small.standing_com_height * s, 1e-9);
    EXPECT_NEAR(biped_of(large)->ankle_height[1], biped_of(small)->ankle_height[1] * s, 1e-9);
  }
}

TEST(BodyEdit, LengthMovesTheNextJointAndKeepsDensity) {
  v1::Creature base = in_model_order(human().message);
  v1::Creature out = apply_edit(base, link_edit("left_thigh", 1.5, 1.2));
  const Creature before = built(base), after = built(out);
  // The thigh is 0.40 m of the leg.
  EXPECT_NEAR(joint_to(&out, "left_thigh")->at_child_m(2), 1.5 * 0.17, 1e-12);
  EXPECT_NEAR(joint_to(&out, "left_shank")->at_parent_m(2), -1.5 * 0.23, 1e-12);
  EXPECT_NEAR(biped_of(after)->leg_length[0], std::hypot(0.86 + 0.5 * 0.40, 0.01), 1e-9);
  EXPECT_EQ(biped_of(after)->leg_length[1], biped_of(before)->leg_length[1]);
  EXPECT_NEAR(find_link(&out, "left_thigh")->mass_kg(), 6.6 * 1.5 * 1.2 * 1.2, 1e-9);
  EXPECT_EQ(find_link(&out, "right_thigh")->mass_kg(), 6.6);
  EXPECT_NEAR(find_link(&out, "left_thigh")->shapes(0).capsule().radius_m(), 0.05 * 1.2, 1e-12);
  EXPECT_NEAR(find_link(&out, "left_thigh")->shapes(0).capsule().to_m(2), -0.19 * 1.5, 1e-12);
  // Second moments: along z times length^2, across times width^2.
  const double mass = 1.5 * 1.2 * 1.2, along = 0.15 - 0.011, across = 0.011;
  EXPECT_NEAR(find_link(&out, "left_thigh")->inertia_kgm2(0),
              mass * (along * 1.5 * 1.5 + across * 1.2 * 1.2), 1e-9);
  EXPECT_NEAR(find_link(&out, "left_thigh")->inertia_kgm2(2), mass * 2 * across * 1.2 * 1.2, 1e-9);
  // It stands on the longer leg.
  EXPECT_NEAR(after.standing_height, 0.95 + 0.2, 1e-9);
}

TEST(BodyEdit, LongAxesAreThoseOfTheBody) {
  v1::Creature base = in_model_order(human().message);
  v1::Creature foot = apply_edit(base, link_edit("left_foot", 2, 1));
  EXPECT_NEAR(find_link(&foot, "left_foot")->shapes(0).box().half_m(0), 2 * 0.095, 1e-12);
  EXPECT_NEAR(find_link(&foot, "left_foot")->shapes(0).box().half_m(2), 0.0225, 1e-12);
  v1::Creature pelvis = apply_edit(base, link_edit("pelvis", 1, 1.5));
  EXPECT_NEAR(joint_to(&pelvis, "left_thigh")->at_parent_m(1), 1.5 * 0.08, 1e-12);  // hips apart
  EXPECT_NEAR(joint_to(&pelvis, "left_thigh")->at_parent_m(2), -0.03, 1e-12);
  v1::Creature torso = apply_edit(base, link_edit("torso", 1.5, 1));
  EXPECT_NEAR(joint_to(&torso, "head")->at_parent_m(2), 1.5 * 0.16, 1e-12);
  EXPECT_NEAR(joint_to(&torso, "left_upper_arm")->at_parent_m(1), 0.16, 1e-12);
}

TEST(BodyEdit, GainsFollowTheMassOfTheWholeBody) {
  v1::Creature base = in_model_order(human().message);
  joint_to(&base, "left_shank")->set_kd_nms(0);
  v1::Creature out = apply_edit(base, link_edit("pelvis", 2, 2));
  const double ratio = (70.4 + 7 * 12.9) / 70.4;
  EXPECT_NEAR(joint_to(&out, "head")->kp_nm(), 10 * ratio, 1e-9);
  // The body beyond the neck is as before, so damping grows with sqrt(kp) only.
  EXPECT_NEAR(joint_to(&out, "head")->kd_nms(), 3 * std::sqrt(ratio), 1e-9);
  EXPECT_NEAR(joint_to(&out, "head")->torque_limit_nm(), 30 * ratio * std::cbrt(ratio), 1e-6);
  EXPECT_EQ(joint_to(&out, "left_shank")->kd_nms(), 0);
  const Creature body = built(out);
  EXPECT_NEAR(body.gains[static_cast<std::size_t>(biped_of(body)->link[kLeftShank])].kd,
              2 * std::sqrt(300 * ratio), 1e-9);
}

TEST(BodyEdit, DensityChangesMassAndNotSize) {
  v1::Creature base = in_model_order(human().message);
  v1::Creature out = apply_edit(base, link_edit("torso", 0, 0, 2));
  EXPECT_NEAR(find_link(&out, "torso")->mass_kg(), 31, 1e-9);
  EXPECT_NEAR(find_link(&out, "torso")->inertia_kgm2(0), 0.62, 1e-9);
  EXPECT_EQ(find_link(&out, "torso")->shapes(0).capsule().radius_m(), 0.12);
  const double ratio = (70.4 + 15.5) / 70.4;
  EXPECT_NEAR(joint_to(&out, "left_shank")->torque_limit_nm(), 200 * ratio, 1e-9);
}

TEST(BodyEdit, JointOffsetMovesTheJointAndNothingElse) {
  v1::Creature base = in_model_order(human().message);
  v1::BodyEdit edit;
  edit.add_joints()->set_joint("left_knee");
  for (const double value : {0.0, 0.0, 0.1}) edit.mutable_joints(0)->add_offset_m(value);
  v1::Creature out = apply_edit(base, edit);
  EXPECT_NEAR(joint_to(&out, "left_shank")->at_parent_m(2), -0.13, 1e-12);
  EXPECT_NEAR(joint_to(&out, "left_shank")->at_child_m(2), 0.32, 1e-12);
  const Creature before = built(base), after = built(out);
  EXPECT_NEAR(biped_of(after)->leg_length[0], biped_of(before)->leg_length[0], 1e-12);
  EXPECT_NEAR(after.standing_height, before.standing_height, 1e-12);
}

TEST(BodyEdit, ChecksRangesAndNames) {
  const v1::Creature base = human().message;
  const auto complaint = [&](const v1::BodyEdit& edit) {
    const auto error = check_edit(base, edit, {});
    return error ? error->text() : "none";
  };
  EXPECT_EQ(complaint(scaled(0)), "none");
  EXPECT_EQ(complaint(scaled(5)), "edit.scale: 5 is not allowed, must be from 0.3 to 3");
  EXPECT_EQ(complaint(scaled(std::nan(""))),
            "edit.scale: nan is not allowed, must be from 0.3 to 3");
  EXPECT_EQ(complaint(link_edit("tail", 1, 1)),
            "edit.links[0].link: \"tail\" is not allowed, must be a link of \"human\"");
  EXPECT_EQ(complaint(link_edit("torso", 0.1, 1)),
            "edit.links[0].length: 0.1 is not allowed, must be from 0.3 to 3");
  EXPECT_EQ(complaint(link_edit("torso", 1, 1, 11)),
            "edit.links[0].density: 11 is not allowed, must be from 0.1 to 10");
  v1::BodyEdit twice = link_edit("torso", 1, 1);
  *twice.add_links() = twice.links(0);
  EXPECT_EQ(complaint(twice), "edit.links[1].link: \"torso\" is edited twice, must be given once");
  v1::BodyEdit joint;
  joint.add_joints()->set_joint("left_knee");
  EXPECT_EQ(complaint(joint), "edit.joints[0].offset_m: has 0 entries, must be 3");
  joint.mutable_joints(0)->set_joint("gill");
  EXPECT_EQ(complaint(joint),
            "edit.joints[0].joint: \"gill\" is not allowed, must be a joint of \"human\"");
}

TEST(RandomEdit, GivesBodiesWithinItsPromise) {
  const v1::Creature base = in_model_order(human().message);
  double most_unequal = 1;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const v1::BodyEdit edit = random_edit(seed);
    ASSERT_FALSE(check_edit(base, edit, {})) << seed;
    std::map<std::string, double> lengths;
    for (const v1::LinkEdit& link : edit.links()) {
      EXPECT_GE(link.length(), 0.6 - 1e-12);
      EXPECT_LE(link.length(), 1.5);
      lengths[link.link()] = link.length();
    }
    EXPECT_EQ(lengths.at("left_upper_arm"), lengths.at("right_upper_arm"));
    const double ratio = lengths.at("left_thigh") / lengths.at("right_thigh");
    EXPECT_LE(std::max(ratio, 1 / ratio), 1.15 + 1e-12);
    EXPECT_NEAR(ratio, lengths.at("left_shank") / lengths.at("right_shank"), 1e-12);
    most_unequal = std::max({most_unequal, ratio, 1 / ratio});
    const auto body = build_creature(apply_edit(base, edit));
    EXPECT_TRUE(body.ok()) << seed << ": " << body.error().text();
  }
  EXPECT_GT(most_unequal, 1.13);
}

TEST(RandomEdit, SameSeedSameBody) {
  EXPECT_EQ(random_edit(7).SerializeAsString(), random_edit(7).SerializeAsString());
  EXPECT_NE(random_edit(7).SerializeAsString(), random_edit(8).SerializeAsString());
}

}  // namespace
}  // namespace promenade
