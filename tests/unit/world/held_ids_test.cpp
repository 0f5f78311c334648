// Tests which numbers of a command are ids: the schema says it, and scenes are renumbered by it.
#include "world/command/held_ids.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "promenade/v1/command.pb.h"
#include "world_fixture.h"

namespace promenade::world {
namespace {

using namespace testing;  // NOLINT: world::testing
using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// All messages that a message can have in it, with itself.
std::set<const Descriptor*> messages_of(const Descriptor* root) {
  std::set<const Descriptor*> found;
  std::vector<const Descriptor*> open{root};
  while (!open.empty()) {
    const Descriptor* one = open.back();
    open.pop_back();
    if (!found.insert(one).second) continue;
    for (int i = 0; i < one->field_count(); ++i)
      if (const Descriptor* child = one->field(i)->message_type()) open.push_back(child);
  }
  return found;
}

bool is_whole_number(const FieldDescriptor& field) {
  switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_INT32:
    case FieldDescriptor::CPPTYPE_INT64:
    case FieldDescriptor::CPPTYPE_UINT32:
    case FieldDescriptor::CPPTYPE_UINT64:
      return true;
    default:
      return false;
  }
}

TEST(HeldIds, EveryWholeNumberOfACommandSaysWhatItHolds) {
  std::vector<std::string> unsaid, not_32_bits;
  int ids = 0;
  for (const Descriptor* message : messages_of(v1::Command::descriptor())) {
    for (int i = 0; i < message->field_count(); ++i) {
      const FieldDescriptor& field = *message->field(i);
      if (!is_whole_number(field)) continue;
      const v1::Holds holds = field.options().GetExtension(v1::holds);
      if (holds == v1::HOLDS_UNSAID) unsaid.push_back(field.full_name());
      if (holds != v1::HOLDS_BODY && holds != v1::HOLDS_TIE) continue;
      ++ids;
      if (field.cpp_type() != FieldDescriptor::CPPTYPE_UINT32)
        not_32_bits.push_back(field.full_name());
    }
  }
  EXPECT_THAT(unsaid, IsEmpty());
  EXPECT_THAT(not_32_bits, IsEmpty());
  EXPECT_GT(ids, 25);  // the walk has found the commands
}

v1::Command parsed(const std::string& json) {
  auto message = schema::parse_message<v1::Command>(json);
  EXPECT_TRUE(message.ok()) << json;
  return message.ok() ? *message : v1::Command();
}

std::vector<std::uint32_t> numbers(const v1::Command& message) {
  std::vector<std::uint32_t> out;
  for (const HeldId& held : ids_in(message)) out.push_back(held.id);
  return out;
}

std::vector<std::uint32_t> numbers_of_renumbered(const std::string& json) {
  const auto command = command_from_proto(parsed(json));
  EXPECT_TRUE(std::holds_alternative<Command>(command)) << json;
  return numbers(command_to_proto(renumbered(std::get<Command>(command), 101, 51)));
}

TEST(HeldIds, AreFoundWithTheirPaths) {
  const auto ids = ids_in(parsed(R"({"set_tasks": {"character": 3, "begin_at": 1, "tasks": [
      {"take_over": {}}, {"hand_over": {"to": 2}}]}})"));
  ASSERT_EQ(ids.size(), 2u);
  EXPECT_EQ(ids[0].field, "set_tasks.character");
  EXPECT_EQ(ids[1].field, "set_tasks.tasks[1].hand_over.to");
  EXPECT_EQ(ids[1].id, 2u);
}

TEST(HeldIds, OfEveryTaskAreRenumbered) {
  EXPECT_THAT(numbers_of_renumbered(R"({"set_tasks": {"character": 1, "tasks": [
      {"reach": {"thing": 2, "link": 1, "point_m": [0, 0, 0]}}, {"pick_up": {"thing": 4}}, {"put_down": {"on": 5}},
      {"carry": {"thing": 6, "on": 7}}, {"push_to": {"thing": 8, "position_m": [0, 0]}},
      {"pull_to": {"thing": 9, "position_m": [0, 0]}}, {"hand_over": {"to": 10}},
      {"take_over": {"from": 11}}, {"take_over": {}}]}})"),
              ElementsAre(101, 102, 104, 105, 106, 107, 108, 109, 110, 111));
  EXPECT_THAT(numbers_of_renumbered(R"({"share_tasks": {"characters": [1, 2], "tasks": [
      {"carry": {"thing": 3, "position_m": [0, 0]}}]}})"),
              ElementsAre(101, 102, 103));
}

TEST(HeldIds, OfTiesCountBesideThoseOfBodies) {
  EXPECT_THAT(numbers_of_renumbered(R"({"release": {"id": 2}})"), ElementsAre(52));
  EXPECT_THAT(numbers_of_renumbered(R"({"release": {"character": 2}})"), ElementsAre(102));
  EXPECT_THAT(numbers_of_renumbered(R"({"tie": {"tie": {"kind": "BALL", "a": {"id": 1},
      "b": {"point_m": [0, 0, 1]}}}})"),
              ElementsAre(101));
}

constexpr const char* kHanding = R"(
    "characters": [{"body": "human", "style": "normal", "position_m": [0, 0]},
                   {"body": "human", "style": "normal", "position_m": [3.5, 0]}],
    "things": [{"thing": "small_crate", "position_m": [1.2, 0.3]}],
    "script": [{"at_s": 0, "command": {"set_tasks": {"character": 1, "tasks": [
        {"pick_up": {"thing": 3}}, {"hand_over": {"to": 2}}]}}},
      {"at_s": 0, "command": {"set_tasks": {"character": 2, "tasks": [
        {"take_over": {"from": 1}}]}}}])";

TEST(HeldIds, AHandingSceneWorksInARoomThatHasCountedOn) {
  auto library = library_with({{"handing", kHanding}});
  ASSERT_TRUE(bool(library)) << library.error().text();
  RoomSettings settings;
  settings.scene = "handing";
  Room room(*library, settings);
  ASSERT_FALSE(room.apply(LoadScene{"handing"}).error);
  std::vector<std::string> told;
  for (int i = 0; i < 5; ++i)
    for (const RoomEvent& event : room.tick()) told.push_back(event.text);
  EXPECT_THAT(told, Not(Contains(HasSubstr("script"))));
  const auto snapshot = room.snapshot();
  ASSERT_EQ(snapshot->task_lists.size(), 2u);
  EXPECT_EQ(snapshot->task_lists[0].id, 1001u);
  EXPECT_EQ(snapshot->task_lists[0].tasks[1].somebody, 1002u);
  EXPECT_EQ(snapshot->task_lists[1].tasks[0].somebody, 1001u);
}

TEST(HeldIds, ASceneThatNamesSomebodyItDoesNotHaveIsRefused) {
  std::string wrong = kHanding;
  wrong.replace(wrong.find(R"("to": 2)"), 7, R"("to": 9)");
  const auto library = library_with({{"handing", wrong}});
  ASSERT_FALSE(bool(library));
  EXPECT_THAT(library.error().text(),
              HasSubstr("script[0].command.set_tasks.tasks[1].hand_over.to"));
}

}  // namespace
}  // namespace promenade::world
