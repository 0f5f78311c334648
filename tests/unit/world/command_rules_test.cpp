// What the schema says of each kind of command. The lists stand here once more, as a right that is
// given by mistake is not found in any other way.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "world/command/command_codec.h"
#include "world/command/kind.h"

namespace promenade::world {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;
using Rules = v1::CommandRules;

std::vector<std::string> kinds_with(const std::function<bool(const Rules&)>& chosen) {
  std::vector<std::string> names;
  for (const CommandKind& kind : all_kinds()) {
    if (chosen(*kind.rules)) names.emplace_back(kind.name);
  }
  return names;
}

TEST(CommandRules, SayWhoMaySendWhat) {
  EXPECT_THAT(kinds_with([](const Rules& r) { return r.needs() == Rules::ADMIN; }),
              UnorderedElementsAre("pause", "resume", "single_step", "set_time_scale", "load_scene",
                                   "set_detail"));
  EXPECT_THAT(kinds_with([](const Rules& r) { return r.needs() == Rules::ADMIN_FOR_ALL; }),
              ElementsAre("reset"));
  EXPECT_THAT(
      kinds_with(&Rules::players),
      UnorderedElementsAre("set_velocity", "set_heading", "stop", "follow_path", "set_wander",
                           "set_style", "set_body", "set_gait", "leap", "push", "spawn"));
  EXPECT_THAT(kinds_with(&Rules::unscripted), UnorderedElementsAre("pause", "resume", "single_step",
                                                                   "set_time_scale", "load_scene"));
  EXPECT_THAT(kinds_with(&Rules::clock),
              UnorderedElementsAre("pause", "resume", "single_step", "set_time_scale"));
  EXPECT_THAT(kinds_with([](const Rules& r) { return r.makes() != Rules::NOTHING; }),
              UnorderedElementsAre("spawn", "spawn_thing"));
}

TEST(CommandRules, OfPlayersAreAboutTheOwnCharacter) {
  // A player's command is let through where it names the own character: one that names nobody, or
  // several, would be about others.
  for (const CommandKind& kind : all_kinds()) {
    if (!kind.rules->players() || kind.rules->makes() != Rules::NOTHING) continue;
    const auto* message = v1::Command::descriptor()->FindFieldByName(kind.name)->message_type();
    EXPECT_NE(message->FindFieldByName("character"), nullptr) << kind.name;
  }
}

TEST(CommandRules, OfSteeringAreToldByTheHandAlone) {
  for (const CommandKind& kind : all_kinds()) {
    if (!kind.rules->steers()) continue;
    EXPECT_EQ(kind.rules->deed(), "") << kind.name;
    const auto* message = v1::Command::descriptor()->FindFieldByName(kind.name)->message_type();
    EXPECT_NE(message->FindFieldByName("character"), nullptr) << kind.name;
  }
}

TEST(CommandRules, HaveDeedsWhosePlaceholdersAreKnown) {
  for (const CommandKind& kind : all_kinds()) {
    std::string deed = kind.rules->deed();
    for (const std::string known : {"{whom}", "{scene}"}) {
      if (const auto at = deed.find(known); at != std::string::npos) deed.erase(at, known.size());
    }
    EXPECT_EQ(deed.find_first_of("{}"), std::string::npos) << kind.name;
  }
}

}  // namespace
}  // namespace promenade::world
