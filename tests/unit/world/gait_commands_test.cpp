// The commands set_gait and leap, and what is saved and shown of the gaits that characters play.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <vector>

#include "promenade/v1/checkpoint.pb.h"
#include "schema/message.h"
#include "world/command/command_codec.h"
#include "world/journal/journal_writer.h"
#include "world/journal/replay.h"
#include "world_fixture.h"

namespace promenade::world {
namespace {

using namespace testing;  // NOLINT: world::testing
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr CharacterId kMonster = 5, kCat = 3, kAnt = 6;  // of the scene toys

CommandResult give(Room& room, const std::string& json) {
  auto message = schema::parse_message<v1::Command>(json);
  if (!message) throw std::runtime_error(message.error().text());
  auto command = command_from_proto(*message);
  if (auto* wrong = std::get_if<CommandError>(&command)) {
    CommandResult result;
    result.error = std::move(*wrong);
    return result;
  }
  return room.apply(std::get<Command>(command));
}

std::string refusal(Room& room, const std::string& json) {
  const auto result = give(room, json);
  return result.error ? result.error->message : "taken";
}

const RosterEntry& entry_of(const Snapshot& snapshot, CharacterId id) {
  for (const RosterEntry& entry : snapshot.roster->entries) {
    if (entry.id == id) return entry;
  }
  throw std::runtime_error("nobody");
}

std::vector<float> shares_of(const Snapshot& snapshot, CharacterId id) {
  for (const GaitSnapshot& gait : snapshot.gaits) {
    if (gait.id == id) return gait.shares;
  }
  return {};
}

/// The cat's trot with its rack as a variant, and a chain that is the trot again.
v1::Gait mixed_trot() {
  v1::Gait out = own_library()->find_gait("cat_trot")->message;
  out.set_name("mixed");
  out.clear_variants();
  v1::GaitVariant* variant = out.add_variants();
  variant->set_name("rack");
  *variant->mutable_states() = own_library()->find_gait("cat_rack")->message.states();
  *out.mutable_chain() = out.states();
  *variant->mutable_chain() = out.states();
  return out;
}
std::string set_mixed(CharacterId id, const std::string& weights) {
  return R"({"set_gait": {"character": )" + std::to_string(id) + R"(, "definition": )" +
         schema::message_to_json(mixed_trot()) + R"(, "weights": )" + weights + "}}";
}

TEST(GaitCommands, AnotherGaitOfTheLibraryIsPlayedFromTheNextTickOn) {
  Room room(own_library(), settings_for("toys"));
  EXPECT_EQ(entry_of(*room.snapshot(), kCat).gait_definition->message.name(), "cat_trot");
  const CommandResult result = give(room, R"({"set_gait": {"character": 3, "gait": "cat_walk"}})");
  ASSERT_FALSE(result.error) << result.error->message;
  EXPECT_NE(result.before, result.after);
  const auto snapshot = room.snapshot();
  EXPECT_EQ(entry_of(*snapshot, kCat).gait_definition->message.name(), "cat_walk");
  EXPECT_EQ(entry_of(*snapshot, kCat).gait_definition->id, result.after);
  EXPECT_THAT(shares_of(*snapshot, kCat), ElementsAre(1.0f));
  Room other(own_library(), settings_for("toys"));
  EXPECT_NE(room.state_hash(), other.state_hash()) << "the gait is part of the state";
  const auto forward = [](Room& r) {
    const auto before = r.snapshot()->characters[kCat - 1].root.position;
    run(r, 6);
    return (r.snapshot()->characters[kCat - 1].root.position - before).norm();
  };
  EXPECT_LT(forward(room), 0.6 * forward(other)) << "it walks, and the other one trots";
}

TEST(GaitCommands, VariantsAreMixedByHand) {
  Room room(own_library(), settings_for("toys"));
  auto result = give(room, set_mixed(kCat, "[0.25, 0.75]"));
  ASSERT_FALSE(result.error) << result.error->message;
  run(room, 1);
  EXPECT_THAT(shares_of(*room.snapshot(), kCat), ElementsAre(0.25f, 0.75f));
  result = give(room, R"({"set_gait": {"character": 3, "weights": [1.5, -0.5]}})");
  ASSERT_FALSE(result.error) << result.error->message;
  EXPECT_EQ(result.after, 0u) << "the gait is the same";
  run(room, 1);
  EXPECT_THAT(shares_of(*room.snapshot(), kCat), ElementsAre(1.5f, -0.5f));
}

TEST(GaitCommands, ALeapGoesThroughTheChainOnce) {
  Room room(own_library(), settings_for("toys"));
  EXPECT_THAT(refusal(room, R"({"leap": {"character": 3}})"), HasSubstr("has no chain"));
  ASSERT_FALSE(give(room, set_mixed(kCat, "[]")).error);
  run(room, 1);
  ASSERT_FALSE(give(room, R"({"leap": {"character": 3}})").error);
  int begun = 0;
  bool leaps = false;
  for (int tick = 0; tick < 300; ++tick) {
    run(room, 1.0 / 60);
    const auto snapshot = room.snapshot();
    for (const GaitSnapshot& gait : snapshot->gaits) {
      if (gait.id != kCat) continue;
      begun += gait.leaps && !leaps;
      leaps = gait.leaps;
    }
  }
  EXPECT_EQ(begun, 1);
  EXPECT_FALSE(leaps);
}

bool feedback_off(const Snapshot& snapshot, CharacterId id) {
  for (const GaitSnapshot& gait : snapshot.gaits) {
    if (gait.id == id) return gait.feedback_off;
  }
  throw std::runtime_error("plays no gait");
}

TEST(GaitCommands, TheFeedbackIsSwitchedOffAndOnWhileTheGaitGoesOn) {
  Room room(own_library(), settings_for("toys"));
  run(room, 1.1);
  const auto before = room.snapshot();
  EXPECT_EQ(entry_of(*before, kMonster).gait_definition->message.name(), "monster_walk");
  EXPECT_FALSE(feedback_off(*before, kMonster));
  const CommandResult off =
      give(room, R"({"set_gait": {"character": 5, "feedback": false, "weights": [0.9, 0.1, 0]}})");
  ASSERT_FALSE(off.error) << off.error->message;
  EXPECT_EQ(off.after, 0u) << "the gait is the same";
  EXPECT_TRUE(feedback_off(*room.snapshot(), kMonster));
  EXPECT_FALSE(feedback_off(*room.snapshot(), kCat));
  run(room, 0.5);
  EXPECT_THAT(shares_of(*room.snapshot(), kMonster), ElementsAre(0.9f, 0.1f, 0.0f));
  EXPECT_EQ(room.snapshot()->roster, before->roster) << "nothing is to be fetched again";
  ASSERT_FALSE(give(room, R"({"set_gait": {"character": 5, "feedback": true}})").error);
  EXPECT_FALSE(feedback_off(*room.snapshot(), kMonster));
  EXPECT_THAT(shares_of(*room.snapshot(), kMonster), ElementsAre(0.9f, 0.1f, 0.0f));
}

TEST(GaitCommands, ASwitchOfTheFeedbackDoesNotBeginTheGaitAnew) {
  Room room(own_library(), settings_for("toys")), other(own_library(), settings_for("toys"));
  const auto phase = [](Room& r) { return r.snapshot()->characters[kMonster - 1].report.phase; };
  for (Room* one : {&room, &other}) run(*one, 1.1);
  ASSERT_GT(phase(room), 0.1);
  ASSERT_FALSE(give(room, R"({"set_gait": {"character": 5, "feedback": false}})").error);
  for (Room* one : {&room, &other}) run(*one, 0.2);
  // By time, which the share of a turn changes a little.
  EXPECT_NEAR(phase(room), phase(other), 0.02);
  EXPECT_NE(room.state_hash(), other.state_hash());
}

TEST(GaitCommands, WithoutItsFeedbackTheMonsterFallsOverAPushThatItSurvivesWithIt) {
  for (const bool on : {true, false}) {
    Room room(own_library(), settings_for("monster-walk"));
    ASSERT_FALSE(give(room, R"({"set_velocity": {"character": 1, "x_mps": 0.9}})").error);
    run(room, 3);
    ASSERT_FALSE(give(room, on ? R"({"set_gait": {"character": 1, "feedback": true}})"
                               : R"({"set_gait": {"character": 1, "feedback": false}})")
                     .error);
    ASSERT_FALSE(
        give(room, R"({"push": {"character": 1, "force_n": [0, 40, 0], "duration_s": 0.1}})")
            .error);
    bool fell = false;
    for (int tick = 0; tick < 480; ++tick) {
      run(room, 1.0 / 60);
      fell |= (room.snapshot()->characters[0].flags & kFlagFallen) != 0;
    }
    EXPECT_EQ(fell, !on) << (on ? "with" : "without") << " its feedback";
  }
}

TEST(GaitCommands, TheFeedbackStaysOffInASavedStateAndInAReplay) {
  const TemporaryDirectory directory;
  const auto path = directory.path() / "a.jsonl";
  Room room(own_library(), settings_for("toys"));
  JournalWriter journal(path, room.settings(), own_library()->digest());
  room.set_command_sink(
      [&](std::uint64_t tick, const Command& command) { journal.add(tick, command); });
  run(room, 1);
  ASSERT_FALSE(give(room, R"({"set_gait": {"character": 5, "feedback": false}})").error);
  run(room, 0.5);
  Room other(own_library(), settings_for("toys"));
  const auto error = other.restore(room.save());
  ASSERT_FALSE(error) << error->message;
  EXPECT_TRUE(feedback_off(*other.snapshot(), kMonster));
  for (Room* one : {&room, &other}) run(*one, 1);
  EXPECT_EQ(other.state_hash(), room.state_hash());
  // Given by name anew, it goes on without; then with it.
  ASSERT_FALSE(give(room, R"({"set_gait": {"character": 5, "gait": "monster_walk"}})").error);
  EXPECT_TRUE(feedback_off(*room.snapshot(), kMonster));
  run(room, 0.5);
  ASSERT_FALSE(
      give(room, R"({"set_gait": {"character": 5, "gait": "monster_walk", "feedback": true}})")
          .error);
  EXPECT_FALSE(feedback_off(*room.snapshot(), kMonster));
  run(room, 0.5);
  journal.close(room.tick_count(), room.state_hash());
  const auto result = replay(std::array{path}, own_library(), 1);
  ASSERT_TRUE(result.ok()) << result.error().text();
  EXPECT_TRUE(result->equal) << result->error;
  EXPECT_EQ(result->commands, 3u);
  EXPECT_EQ(result->hash, room.state_hash());
}

TEST(GaitCommands, TheSpeedThatIsReportedIsThatOfTheGait) {
  Room room(own_library(), settings_for("toys"));
  run(room, 6);
  const auto mean = [&](CharacterId id) {
    return room.snapshot()->characters[id - 1].report.mean_velocity.x();
  };
  const auto place = [&](CharacterId id) {
    return Vec2(room.snapshot()->characters[id - 1].report.com.head<2>());
  };
  const Vec2 cat = place(kCat), ant = place(kAnt);
  run(room, 1);  // its reported mean is of about this time
  EXPECT_NEAR(mean(kCat), (place(kCat) - cat).norm(), 0.1);
  EXPECT_NEAR(mean(kAnt), (place(kAnt) - ant).norm(), 0.05);
  EXPECT_GT(mean(kCat), 0.4);
  ASSERT_FALSE(give(room, R"({"stop": {"character": 3}})").error);
  run(room, 5);
  EXPECT_NEAR(mean(kCat), 0, 0.02);
}

/// Gives the cat a trot that is entered with one of its states after one of a bound's.
std::string set_entered(std::uint32_t leave, std::uint32_t enter) {
  v1::Gait gait = own_library()->find_gait("cat_trot")->message;
  gait.set_name("entered");
  gait.clear_entries();
  v1::GaitEntry* entry = gait.add_entries();
  entry->set_from("cat_bound");
  entry->set_leave(leave);
  entry->set_enter(enter);
  return R"({"set_gait": {"character": 3, "definition": )" + schema::message_to_json(gait) + "}}";
}

TEST(GaitCommands, AnotherGaitBeginsAtTheMomentThatItNames) {
  // A bound goes on until its named state is over, whatever is asked for meanwhile.
  const auto bounding = [] {
    auto room = std::make_unique<Room>(own_library(), settings_for("toys"));
    EXPECT_FALSE(give(*room, R"({"set_gait": {"character": 3, "gait": "cat_bound"}})").error);
    run(*room, 2);
    return room;
  };
  const auto place_after = [&](std::uint32_t leave, std::uint32_t enter, double seconds) {
    const auto room = bounding();
    EXPECT_FALSE(give(*room, set_entered(leave, enter)).error);
    run(*room, seconds);
    const auto& root = room->snapshot()->characters[kCat - 1].root.position;
    return std::array{root.x(), root.y(), root.z()};
  };
  // Another moment is another motion, by where the other is left and by where this is entered.
  EXPECT_NE(place_after(1, 2, 1), place_after(2, 2, 1));
  EXPECT_NE(place_after(1, 2, 1), place_after(1, 0, 1));
  // All the moments of the wait can be saved, and go on as if nothing had been.
  const auto room = bounding();
  ASSERT_FALSE(give(*room, set_entered(1, 2)).error);
  constexpr int kMoments = 12;
  constexpr double kApart = 0.05,
                   kAfter = 0.5;                // s: over the whole wait, which is a stride at most
  std::vector<std::unique_ptr<Room>> restored;  // at the time of the room, all
  for (int i = 0; i < kMoments; ++i) {
    restored.push_back(std::make_unique<Room>(own_library(), settings_for("toys")));
    const auto error = restored.back()->restore(room->save());
    ASSERT_FALSE(error) << error->message;
    for (const auto& one : restored) run(*one, kApart);
    run(*room, kApart);
  }
  run(*room, kAfter);
  for (int i = 0; i < kMoments; ++i) {
    run(*restored[std::size_t(i)], kAfter);
    EXPECT_EQ(restored[std::size_t(i)]->state_hash(), room->state_hash()) << i;
  }
  EXPECT_EQ(entry_of(*room->snapshot(), kCat).gait_definition->message.name(), "entered");
}

TEST(GaitCommands, EveryGaitOfTheCatBecomesEveryOther) {
  constexpr const char* kGaits[] = {"cat_trot", "cat_walk", "cat_rack", "cat_bound", "cat_gallop"};
  for (const char* from : kGaits) {
    for (const char* to : kGaits) {
      Room room(own_library(), settings_for("toys"));
      const auto set = [&](const char* name) {
        return give(room,
                    R"({"set_gait": {"character": 3, "gait": ")" + std::string(name) + "\"}}");
      };
      ASSERT_FALSE(set(from).error);
      run(room, 3.13);
      ASSERT_FALSE(set(to).error);
      run(room, 4);
      EXPECT_FALSE(room.snapshot()->characters[kCat - 1].flags & kFlagFallen)
          << from << " to " << to;
    }
  }
}

TEST(GaitCommands, AreRefusedWithWhatIsAllowed) {
  Room room(own_library(), settings_for("toys"));
  const std::uint64_t before = room.state_hash();
  EXPECT_THAT(refusal(room, R"({"set_gait": {"character": 3, "gait": "nobody"}})"),
              HasSubstr("cat_bound"));
  EXPECT_THAT(refusal(room, R"({"set_gait": {"character": 3, "gait": "ant_tripod"}})"),
              AllOf(HasSubstr("set_gait.gait.creature is \"ant\""), HasSubstr("\"cat\"")));
  EXPECT_THAT(refusal(room, R"({"set_gait": {"character": 3}})"), HasSubstr("set_gait.gait"));
  EXPECT_THAT(refusal(room, R"({"set_gait": {"character": 3, "weights": [0.5, 0.4]}})"),
              AllOf(HasSubstr("the sum 0.9"), HasSubstr("whose sum is 1")));
  EXPECT_THAT(refusal(room, R"({"set_gait": {"character": 3, "weights": [0.5, 0.5]}})"),
              AllOf(HasSubstr("2 numbers"), HasSubstr("allowed: 4,")));
  EXPECT_THAT(refusal(room, R"({"set_gait": {"character": 3, "weights": [9, -8]}})"),
              HasSubstr("set_gait.weights[0] is 9"));
  EXPECT_THAT(refusal(room, R"({"set_gait": {"character": 99, "gait": "cat_walk"}})"),
              HasSubstr("99"));
  v1::Gait odd = mixed_trot();
  odd.mutable_states(1)->set_duration_s(0);
  EXPECT_THAT(
      refusal(room, R"({"set_gait": {"character": 3, "definition": )" +
                        schema::message_to_json(odd) + "}}"),
      AllOf(HasSubstr("set_gait.definition.states[1].duration_s is 0"), HasSubstr("0.005")));
  EXPECT_THAT(refusal(room, set_entered(0, 4)),
              AllOf(HasSubstr("set_gait.definition.entries[0].enter is 4"), HasSubstr("0 to 3")));
  EXPECT_THAT(refusal(room, set_entered(16, 0)), HasSubstr("entries[0].leave is 16"));
  EXPECT_EQ(room.state_hash(), before);
  ASSERT_FALSE(room.apply(SetController{kCat, "hold"}).error);
  EXPECT_THAT(refusal(room, R"({"set_gait": {"character": 3, "gait": "cat_walk"}})"),
              HasSubstr("a character driven by posegraph"));
}

TEST(GaitCommands, AGaitIsKeptThroughAnotherControllerAndThroughASavedState) {
  Room room(own_library(), settings_for("toys"));
  ASSERT_FALSE(give(room, set_mixed(kCat, "[0.5, 0.5]")).error);
  ASSERT_FALSE(give(room, R"({"set_gait": {"character": 5, "gait": "monster_walk"}})").error);
  run(room, 1.1);
  ASSERT_FALSE(room.apply(SetController{kCat, "limp"}).error);
  ASSERT_FALSE(room.apply(SetController{kMonster, "limp"}).error);
  run(room, 0.3);
  ASSERT_FALSE(room.apply(SetController{kCat, "posegraph"}).error);
  EXPECT_EQ(entry_of(*room.snapshot(), kCat).gait_definition->message.name(), "mixed");
  Room other(own_library(), settings_for("toys"));
  const auto error = other.restore(room.save());
  ASSERT_FALSE(error) << error->message;
  EXPECT_EQ(other.state_hash(), room.state_hash());
  for (Room* one : {&room, &other}) {
    ASSERT_FALSE(one->apply(SetController{kMonster, "posegraph"}).error);
    run(*one, 2);
  }
  EXPECT_EQ(other.state_hash(), room.state_hash());
  EXPECT_EQ(entry_of(*other.snapshot(), kMonster).gait_definition->message.name(), "monster_walk");
}

TEST(GaitCommands, AGaitGoesOnInABodyThatIsEdited) {
  Room room(own_library(), settings_for("toys"));
  ASSERT_FALSE(give(room, R"({"set_gait": {"character": 3, "gait": "cat_walk"}})").error);
  run(room, 0.5);
  ASSERT_FALSE(give(room, R"({"set_body": {"character": 3, "definition":
      {"name": "long_cat", "base": "cat", "edit": {"scale": 1.1}}}})")
                   .error);
  run(room, 0.5);
  EXPECT_EQ(entry_of(*room.snapshot(), kCat).gait_definition->message.name(), "cat_walk");
  Room other(own_library(), settings_for("toys"));
  const auto error = other.restore(room.save());
  ASSERT_FALSE(error) << error->message;
  run(room, 1);
  run(other, 1);
  EXPECT_EQ(other.state_hash(), room.state_hash());
}

}  // namespace
}  // namespace promenade::world
