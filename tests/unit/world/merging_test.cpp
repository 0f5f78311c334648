#include "world/command/merging.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <variant>
#include <vector>

#include "world/command/command_codec.h"
#include "world/library/definitions.h"
#include "world_fixture.h"

namespace promenade::world {
namespace {
using namespace testing;

v1::JointCurve* add_curve(v1::Style& style, const std::string& joint, v1::Axis axis, double value) {
  v1::JointCurve* curve = style.add_curves();
  curve->set_joint(joint);
  curve->set_axis(axis);
  v1::CurvePoint* point = curve->mutable_curve_deg()->add_points();
  point->set_phase(0.5);
  point->set_value(value);
  return curve;
}

v1::Style first_style() {
  v1::Style style;
  style.set_name("mine");
  style.set_lean_deg(2);
  style.set_crouch_deg(10);
  add_curve(style, "pelvis", v1::ROLL, 1);
  add_curve(style, "neck", v1::PITCH, 2);
  return style;
}

double value_of(const v1::Style& style, const std::string& joint) {
  for (const auto& curve : style.curves()) {
    if (curve.joint() == joint) return curve.curve_deg().points(0).value();
  }
  return -1;
}

Command command_of(const v1::Command& message) {
  auto command = command_from_proto(message);
  EXPECT_TRUE(std::holds_alternative<Command>(command));
  return std::get<Command>(command);
}

Command style_edit(const v1::Style& based_on, const v1::Style& style) {
  v1::Command message;
  message.mutable_set_style()->set_character(1);
  *message.mutable_set_style()->mutable_definition() = style;
  *message.mutable_set_style()->mutable_based_on() = based_on;
  return command_of(message);
}

Command whole_style(const v1::Style& style) {
  v1::Command message;
  message.mutable_set_style()->set_character(1);
  *message.mutable_set_style()->mutable_definition() = style;
  return command_of(message);
}

Command body_edit(const v1::Creature& based_on, const v1::Creature& body) {
  v1::Command message;
  message.mutable_set_body()->set_character(1);
  *message.mutable_set_body()->mutable_definition() = body;
  *message.mutable_set_body()->mutable_based_on() = based_on;
  return command_of(message);
}

const v1::Style& style_in(const Room& room) {
  return room.snapshot()->roster->entries[0].style_definition->message;
}

TEST(Merging, KeepsWhatOthersHaveChangedElsewhere) {
  const v1::Style base = first_style();
  v1::Style mine = base, theirs = base;
  mine.set_lean_deg(9);
  mine.mutable_curves(0)->mutable_curve_deg()->mutable_points(0)->set_value(11);
  theirs.set_crouch_deg(30);
  theirs.mutable_curves(1)->mutable_curve_deg()->mutable_points(0)->set_value(22);
  const v1::Style both = merged(base, mine, theirs);
  EXPECT_EQ(both.lean_deg(), 9);
  EXPECT_EQ(both.crouch_deg(), 30);
  EXPECT_EQ(value_of(both, "pelvis"), 11);
  EXPECT_EQ(value_of(both, "neck"), 22);
}

TEST(Merging, OfTwoValuesForOneThingTheLastCounts) {
  const v1::Style base = first_style();
  v1::Style mine = base, theirs = base;
  mine.set_lean_deg(9);
  theirs.set_lean_deg(-9);
  EXPECT_EQ(merged(base, mine, theirs).lean_deg(), 9);
  mine.set_lean_deg(0);  // a value that is not on the wire
  EXPECT_EQ(merged(base, mine, theirs).lean_deg(), 0);
}

TEST(Merging, CurvesComeAndGoByTheirJoint) {
  const v1::Style base = first_style();
  v1::Style mine = base, theirs = base;
  mine.mutable_curves()->DeleteSubrange(0, 1);  // the pelvis
  add_curve(mine, "lower_back", v1::YAW, 3);
  theirs.mutable_curves()->DeleteSubrange(1, 1);  // the neck
  add_curve(theirs, "upper_back", v1::YAW, 4);
  const v1::Style both = merged(base, mine, theirs);
  ASSERT_EQ(both.curves_size(), 2);
  EXPECT_EQ(value_of(both, "upper_back"), 4);
  EXPECT_EQ(value_of(both, "lower_back"), 3);
  mine.mutable_curves(0)->mutable_curve_deg()->mutable_points(0)->set_value(5);
  EXPECT_EQ(value_of(merged(base, mine, theirs), "neck"), 5) << "changed here, taken away there";
}

TEST(Merging, FactorsOfABodyGoByTheLink) {
  v1::Creature base;
  base.set_name("mine");
  base.set_base("human");
  v1::Creature mine = base, theirs = base;
  auto* shank = mine.mutable_edit()->add_links();
  shank->set_link("left_shank");
  shank->set_length(1.2);
  theirs.mutable_edit()->set_scale(0.9);
  auto* thigh = theirs.mutable_edit()->add_links();
  thigh->set_link("left_thigh");
  thigh->set_width(1.3);
  const v1::Creature both = merged(base, mine, theirs);
  EXPECT_EQ(both.edit().scale(), 0.9);
  ASSERT_EQ(both.edit().links_size(), 2);
  EXPECT_EQ(both.edit().links(0).width(), 1.3);
  EXPECT_EQ(both.edit().links(1).length(), 1.2);
}

// Each of two people draws numbers of his own and sends, never having seen what the other did.
TEST(Merging, FiveHundredEditsByTwoAtOnceLoseNothing) {
  Room room(test_library(), settings_for("pair"));
  const v1::Style start = first_style();
  ASSERT_FALSE(room.apply(whole_style(start)).error);
  v1::Style seen[2] = {start, start};
  std::mt19937 random(5);
  for (int i = 0; i < 500; ++i) {
    v1::Style& own = seen[i % 2];
    const v1::Style before = own;
    const double value = double(random() % 300) / 10;
    if (i % 2 == 0) {
      own.set_lean_deg(value);
    } else if (i % 3 == 0) {
      own.set_crouch_deg(value);
    } else {
      own.mutable_curves(1)->mutable_curve_deg()->mutable_points(0)->set_value(value);
    }
    ASSERT_FALSE(room.apply(style_edit(before, own)).error);
    const v1::Style& now = style_in(room);
    EXPECT_EQ(now.lean_deg(), seen[0].lean_deg()) << i;
    EXPECT_EQ(now.crouch_deg(), seen[1].crouch_deg()) << i;
    EXPECT_EQ(value_of(now, "neck"), value_of(seen[1], "neck")) << i;
    EXPECT_EQ(value_of(now, "pelvis"), 1) << i;
  }
}

TEST(Merging, TheAnswerTellsWhatWasThereBefore) {
  Room room(test_library(), settings_for("pair"));
  const v1::Style base = first_style();
  v1::Style next = base;
  const auto first = room.apply(whole_style(base));
  next.set_lean_deg(3);
  const auto second = room.apply(style_edit(base, next));
  EXPECT_NE(first.after, first.before);
  EXPECT_EQ(second.before, first.after);
  EXPECT_EQ(second.after, room.snapshot()->roster->entries[0].style_definition->digest);
}

TEST(Merging, BodiesOfTwoEditorsComeTogetherAlsoOnASavedBase) {
  Room room(test_library(), settings_for("pair"));
  auto saved = std::get<0>(define_creature(
      [] {
        v1::Creature body;
        body.set_name("tall");
        body.set_base("human");
        body.mutable_edit()->set_scale(1.1);
        return body;
      }(),
      *test_library(), ""));
  auto tall = std::make_shared<CreatureDefinition>(*saved);
  tall->origin = Origin::kSaved;
  ASSERT_FALSE(room.apply(SetBody{1, "tall", tall}).error);
  // An editor sees a body with a base as it was given.
  const v1::Creature base = tall->given;
  v1::Creature one = base, two = base;
  one.mutable_edit()->set_scale(0.95);
  auto* shank = two.mutable_edit()->add_links();
  shank->set_link("left_shank");
  shank->set_length(1.2);
  ASSERT_FALSE(room.apply(body_edit(base, one)).error);
  ASSERT_FALSE(room.apply(body_edit(base, two)).error);
  const v1::Creature& now = room.snapshot()->roster->entries[0].body_definition->given;
  EXPECT_EQ(now.edit().scale(), 0.95);
  ASSERT_EQ(now.edit().links_size(), 1);
  EXPECT_EQ(now.edit().links(0).length(), 1.2);
}

TEST(Merging, ABuiltInBodyIsAnEditOfItselfThatChangesNothing) {
  Room room(test_library(), settings_for("pair"));
  v1::Creature base;
  base.set_name("human");
  base.set_base("human");
  v1::Creature one = base, two = base;
  one.mutable_edit()->set_scale(0.95);
  auto* shank = two.mutable_edit()->add_links();
  shank->set_link("left_shank");
  shank->set_length(1.2);
  ASSERT_FALSE(room.apply(body_edit(base, one)).error);
  ASSERT_FALSE(room.apply(body_edit(base, two)).error);
  const v1::Creature& now = room.snapshot()->roster->entries[0].body_definition->given;
  EXPECT_EQ(now.edit().scale(), 0.95);
  EXPECT_EQ(now.edit().links(0).length(), 1.2);
}

TEST(Merging, AWrongOutcomeIsRefusedAndChangesNothing) {
  Room room(test_library(), settings_for("pair"));
  v1::Style base;
  base.set_name("mine");
  v1::Style full = base;
  for (int i = 0; i < 64; ++i) add_curve(full, "pelvis", v1::ROLL, 1);
  ASSERT_FALSE(room.apply(whole_style(full)).error);
  v1::Style more = base;
  add_curve(more, "neck", v1::PITCH, 1);
  const auto refused = room.apply(style_edit(base, more));
  ASSERT_TRUE(refused.error);
  EXPECT_EQ(refused.error->field.rfind("set_style.definition", 0), 0u) << refused.error->field;
  EXPECT_EQ(style_in(room).curves_size(), 64);
}

TEST(Merging, WhatIsRecordedNeedsNoMerging) {
  Room room(test_library(), settings_for("pair"));
  std::vector<Command> recorded;
  room.set_command_sink([&](std::uint64_t, const Command& c) { recorded.push_back(c); });
  const v1::Style base = first_style();
  v1::Style one = base, two = base;
  one.set_lean_deg(9);
  two.set_crouch_deg(33);
  room.apply(whole_style(base));
  room.apply(style_edit(base, one));
  room.apply(style_edit(base, two));
  Room again(test_library(), settings_for("pair"));
  for (const Command& c : recorded) {
    const v1::Command message = command_to_proto(c);
    EXPECT_FALSE(message.set_style().has_based_on());
    again.apply(command_of(message));
  }
  EXPECT_EQ(again.state_hash(), room.state_hash());
  EXPECT_EQ(style_in(again).crouch_deg(), 33);
}

TEST(Merging, WithoutABaseTheWholeDefinitionCounts) {
  Room room(test_library(), settings_for("pair"));
  v1::Style one = first_style(), two;
  two.set_name("two");
  room.apply(whole_style(one));
  room.apply(whole_style(two));
  EXPECT_EQ(style_in(room).lean_deg(), 0);
  EXPECT_EQ(style_in(room).curves_size(), 0);
  v1::Command message;
  message.mutable_set_style()->set_character(1);
  message.mutable_set_style()->set_style("normal");
  *message.mutable_set_style()->mutable_based_on() = one;
  EXPECT_TRUE(std::holds_alternative<CommandError>(command_from_proto(message)));
}

}  // namespace
}  // namespace promenade::world
