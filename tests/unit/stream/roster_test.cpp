#include "stream/roster.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "promenade/v1/wire.pb.h"
#include "stream/catalogue.h"
#include "stream/parts.h"
#include "support/sample_snapshot.h"

namespace promenade::stream {
namespace {

v1::ServerMessage read_message(const std::string& bytes) {
  v1::ServerMessage message;
  EXPECT_TRUE(message.ParseFromString(bytes));
  EXPECT_TRUE(message.GetReflection()->GetUnknownFields(message).empty());
  return message;
}

// Does what a client does with the lists of a change.
template <typename List, typename Ids>
void take(const Ids& removed, const List& fresh, List* known) {
  std::map<std::uint32_t, typename List::value_type> by_id;
  for (const auto& one : *known) by_id[one.id()] = one;
  for (const std::uint32_t id : removed) by_id.erase(id);
  for (const auto& one : fresh) by_id[one.id()] = one;
  known->Clear();
  for (const auto& [id, one] : by_id) *known->Add() = one;
}
v1::Roster changed(v1::Roster roster, const v1::RosterChange& change) {
  EXPECT_EQ(roster.version(), change.from_version());
  roster.set_version(change.version());
  take(change.removed(), change.entries(), roster.mutable_entries());
  take(change.removed(), change.things(), roster.mutable_things());
  take(change.removed_ties(), change.ties(), roster.mutable_ties());
  return roster;
}

TEST(Roster, NamesCharactersInTheFramesOrder) {
  const v1::Roster roster =
      read_message(encode_roster(*testing::sample_snapshot().roster)).roster();
  EXPECT_EQ(roster.version(), 7u);
  ASSERT_EQ(roster.entries_size(), 3);
  EXPECT_EQ(roster.entries(1).id(), 2u);
  EXPECT_EQ(roster.entries(1).body(), 0xf000'0000'0000'0002u);
  EXPECT_TRUE(roster.entries(1).body_edited());
  EXPECT_FALSE(roster.entries(0).body_edited());
  EXPECT_EQ(roster.entries(1).style(), "sneak");
  EXPECT_EQ(roster.entries(1).color(), "#00ff80");
  EXPECT_EQ(roster.entries(1).dof(), 3u);
}

TEST(RosterChange, AppliedToTheOldRosterGivesTheNewOne) {
  std::mt19937 random(7);
  const auto chance = [&random](int one_in) { return random() % unsigned(one_in) == 0; };
  const auto sample = testing::sample_snapshot().roster;
  world::Roster roster = *sample;
  std::uint32_t next_id = 100, next_tie = 1;
  world::Roster kept = roster;  // the roster of a viewer that misses some versions
  std::size_t largest = 0;
  for (int round = 0; round < 300; ++round) {
    ++roster.version;
    std::erase_if(roster.entries, [&](const auto&) { return chance(8); });
    std::erase_if(roster.things, [&](const auto&) { return chance(8); });
    std::erase_if(roster.ties, [&](const auto&) { return chance(5); });
    for (auto& entry : roster.entries) {
      if (chance(4)) entry.body_definition = sample->entries[random() % 2].body_definition;
      if (chance(4)) entry.color = chance(2) ? "#000000" : "#ffffff";
    }
    for (int i = 0; i < 3; ++i) {
      roster.entries.push_back({next_id++, 0, "march", "", "gbwc", 3});
      roster.things.push_back({next_id++, 0, "#101010", 0, sample->entries[0].body_definition});
      world::TieEntry tie;
      tie.id = next_tie++;
      tie.a.id = next_id - 1;
      tie.a.link = "root";
      tie.b.point = Vec3(1, 2, 3);
      roster.ties.push_back(tie);
    }
    if (!chance(3)) continue;  // this viewer skips the version
    const std::string bytes = encode_roster_change(kept, roster);
    largest = std::max(largest, bytes.size());
    const v1::Roster now =
        changed(read_message(encode_roster(kept)).roster(), read_message(bytes).roster_change());
    ASSERT_EQ(now.SerializeAsString(),
              read_message(encode_roster(roster)).roster().SerializeAsString());
    kept = roster;
  }
  EXPECT_GT(largest, 100u);
}

TEST(RosterChange, OfOneBodyIsSmallHoweverManyAreHere) {
  world::Roster before = *testing::sample_snapshot().roster;
  for (std::uint32_t id = 100; id < 1100; ++id) {
    before.entries.push_back({id, 0, "normal", "#c0ffee", "gbwc", 31});
  }
  world::Roster after = before;
  ++after.version;
  after.entries[500].body_definition = before.entries[1].body_definition;
  EXPECT_LT(encode_roster_change(before, after).size(), 80u);
  EXPECT_GT(encode_roster(after).size(), 20000u);
}

TEST(RosterChange, HasTheWholeCourseWhereSomethingInItHasChanged) {
  world::Roster before = *testing::sample_snapshot().roster;
  EXPECT_FALSE(read_message(encode_roster(before)).roster().has_course());
  v1::CourseBlocks blocks;
  for (const double x : {1, 2}) blocks.add_blocks()->add_center_m(x);
  before.course = blocks.SerializeAsString();
  EXPECT_EQ(read_message(encode_roster(before)).roster().course().blocks_size(), 2);
  world::Roster after = before;
  ++after.version;
  EXPECT_FALSE(read_message(encode_roster_change(before, after)).roster_change().has_course());
  blocks.mutable_blocks(1)->set_center_m(0, 3);
  after.course = blocks.SerializeAsString();
  const auto change = read_message(encode_roster_change(before, after)).roster_change();
  EXPECT_EQ(change.course().SerializeAsString(), after.course);
}

TEST(Body, IsSentAsItIsKept) {
  const auto definition = testing::sample_snapshot().roster->entries[1].body_definition;
  const v1::Body body = read_message(encode_body(definition->id, definition.get())).body();
  EXPECT_EQ(body.id(), definition->id);
  EXPECT_EQ(body.creature().name(), "second");
  world::CreatureDefinition driven = *definition;
  driven.facts = {{"hold", "limp"}, behaviour::tasks::HandLimits{10, 0.5, 2}};
  const v1::Body told = read_message(encode_body(driven.id, &driven)).body();
  EXPECT_THAT(told.families(), ::testing::ElementsAre("hold", "limp"));
  EXPECT_EQ(told.hands().reach_up_m(), 2);
  EXPECT_EQ(told.creature().SerializeAsString(), body.creature().SerializeAsString());
  const v1::Body none = read_message(encode_body(5, nullptr)).body();
  EXPECT_EQ(none.id(), 5u);
  EXPECT_FALSE(none.has_creature());
}

TEST(CatalogueChange, HasWhatIsNewChangedAndGone) {
  v1::Catalogue before, after;
  before.set_revision(4);
  after.set_revision(9);
  for (const char* name : {"a", "b", "c"}) before.add_styles()->set_name(name);
  for (const char* name : {"b", "c", "d"}) after.add_styles()->set_name(name);
  after.mutable_styles(1)->set_version(2);
  before.add_bodies()->set_name("old");
  const v1::CatalogueChange change =
      read_message(encode_catalogue_change(before, after)).catalogue_change();
  EXPECT_EQ(change.from_revision(), 4u);
  EXPECT_EQ(change.revision(), 9u);
  ASSERT_EQ(change.styles_size(), 2);
  EXPECT_EQ(change.styles(0).name(), "c");
  EXPECT_EQ(change.styles(1).name(), "d");
  ASSERT_EQ(change.removed_styles_size(), 1);
  EXPECT_EQ(change.removed_styles(0), "a");
  EXPECT_EQ(change.removed_bodies(0), "old");
  EXPECT_EQ(change.bodies_size(), 0);
}

TEST(Parts, JoinedAreTheMessageAndNoneIsLargerThanTheLimit) {
  for (const std::size_t size : {std::size_t{1}, kMaxWholeBytes, kMaxWholeBytes + 1,
                                 2 * kMaxWholeBytes, std::size_t{300'000}}) {
    std::string message(size, ' ');
    for (std::size_t i = 0; i < size; ++i) message[i] = static_cast<char>(i * 37 + i / 251);
    const auto parts = in_parts(message);
    if (size <= kMaxWholeBytes) {
      ASSERT_EQ(parts.size(), 1u);
      EXPECT_EQ(parts[0], message);
      continue;
    }
    std::string joined;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      EXPECT_LE(parts[i].size(), kMaxWholeBytes);
      const v1::Part part = read_message(parts[i]).part();
      EXPECT_EQ(part.left(), parts.size() - 1 - i);
      joined += part.data();
    }
    EXPECT_EQ(joined, message);
  }
}

}  // namespace
}  // namespace promenade::stream
