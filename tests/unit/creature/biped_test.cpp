#include "creature/biped/biped.h"

#include <gtest/gtest.h>

#include <functional>

#include "creature/creature_builder.h"
#include "support.h"

namespace promenade {
namespace {

using test::human;
using test::joint_to;

/// Why the human, once `spoil` has been at it, is no biped.
std::string why_not(const std::function<void(v1::Creature*)>& spoil) {
  v1::Creature message = human().message;
  spoil(&message);
  const auto creature = build_creature(message);
  if (!creature) return creature.error().text();
  const auto biped = biped_of(*creature);
  return biped ? "a biped" : biped.error().message;
}

v1::Limb* find_limb(v1::Creature* creature, const std::string& name) {
  for (v1::Limb& limb : *creature->mutable_limbs()) {
    if (limb.name() == name) return &limb;
  }
  ADD_FAILURE() << "no limb " << name;
  return nullptr;
}

TEST(Biped, IsFoundByPartNamesWhereTheFileNamesNoLimbs) {
  v1::Creature without = human().message;
  without.clear_limbs();
  const auto old = build_creature(without), now = build_creature(human().message);
  ASSERT_TRUE(old.ok() && now.ok());
  ASSERT_EQ(old->limbs.size(), now->limbs.size());
  for (std::size_t i = 0; i < old->limbs.size(); ++i) {
    EXPECT_EQ(old->limbs[i].links, now->limbs[i].links) << old->limbs[i].name;
    EXPECT_EQ(old->limbs[i].soles, now->limbs[i].soles) << old->limbs[i].name;
  }
  EXPECT_EQ(biped_of(*old)->link, biped_of(*now)->link);
  EXPECT_EQ(old->leg_length, now->leg_length);
}

TEST(Biped, NamesOfLinksDoNotMatterWhereThereAreLimbs) {
  v1::Creature message = human().message;
  const auto before = build_creature(message);
  for (v1::Link& link : *message.mutable_links()) link.set_name(link.name() + "_x");
  for (v1::Joint& joint : *message.mutable_joints()) {
    joint.set_parent(joint.parent() + "_x");
    joint.set_child(joint.child() + "_x");
  }
  for (v1::Limb& limb : *message.mutable_limbs()) {
    for (std::string& link : *limb.mutable_links()) link += "_x";
  }
  const auto after = build_creature(message);
  ASSERT_TRUE(before.ok() && after.ok());
  EXPECT_EQ(biped_of(*before)->link, biped_of(*after)->link);
}

TEST(Biped, LeftIsWhatIsNamedSoOrElseWhatIsFurtherLeft) {
  v1::Creature message = human().message;
  const auto before = build_creature(message);
  find_limb(&message, "left_leg")->set_name("one");
  find_limb(&message, "right_leg")->set_name("other");
  std::swap(*find_limb(&message, "one"), *find_limb(&message, "other"));
  const auto after = build_creature(message);
  ASSERT_TRUE(before.ok() && after.ok());
  EXPECT_EQ(biped_of(*before)->link, biped_of(*after)->link);
}

TEST(Biped, ErrorsSayWhatIsMissing) {
  EXPECT_EQ(why_not([](auto*) {}), "a biped");
  EXPECT_EQ(
      why_not([](auto* c) { c->mutable_limbs()->DeleteSubrange(4, 1); }),
      "\"human\" is not a biped: it has 1 of kind LEG; allowed: two LEGs of thigh, shank, foot "
      "and toes");
  EXPECT_EQ(why_not([](auto* c) { c->mutable_limbs()->DeleteSubrange(0, 1); }),
            "\"human\" is not a biped: it has 0 of kind TRUNK; allowed: one TRUNK of pelvis, lower "
            "back and torso");
  EXPECT_EQ(
      why_not([](auto* c) { find_limb(c, "left_leg")->mutable_links()->RemoveLast(); }),
      "\"human\" is not a biped: the limb \"left_leg\" has 3 links; allowed: 4 for a left_leg");
  EXPECT_EQ(why_not([](auto* c) { find_limb(c, "left_leg")->set_sole_links(1); }),
            "\"human\" is not a biped: the limb \"left_leg\" has 1 sole links; allowed: 2, foot "
            "and toes");
  EXPECT_EQ(why_not([](auto* c) { joint_to(c, "left_thigh")->set_parent("lower_back"); }),
            "\"human\" is not a biped: \"left_thigh\" is attached to \"lower_back\"; allowed: the "
            "pelvis");
  EXPECT_EQ(why_not([](auto* c) { c->set_root(v1::PLANAR); }),
            "\"human\" is not a biped: \"pelvis\" has a joint of kind PLANAR; allowed: FREE for a "
            "pelvis");
}

}  // namespace
}  // namespace promenade
