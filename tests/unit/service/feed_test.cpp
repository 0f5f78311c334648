#include "service/viewers/feed.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <numeric>
#include <optional>
#include <set>
#include <string>

#include "api/replies.h"
#include "promenade/v1/wire.pb.h"
#include "stage.h"

namespace promenade::service {
namespace {

v1::ServerMessage message_of(const net::Outgoing& out) {
  v1::ServerMessage message;
  EXPECT_TRUE(message.ParseFromString(*out.shared + out.tail));
  return message;
}

/// The next message; a long one is put together from its parts. Nothing: there is none.
std::optional<v1::ServerMessage> next_whole(Feed& feed) {
  std::string parts;
  while (const auto out = feed.next(0)) {
    v1::ServerMessage message = message_of(*out);
    if (!message.has_part()) return message;
    parts += message.part().data();
    if (message.part().left() > 0) continue;
    EXPECT_TRUE(message.ParseFromString(parts));
    return message;
  }
  return std::nullopt;
}

// The kinds of all messages until there is none, by their numbers in ServerMessage.
std::vector<v1::ServerMessage::KindCase> kinds_of(Feed& feed) {
  std::vector<v1::ServerMessage::KindCase> kinds;
  while (const auto message = next_whole(feed)) kinds.push_back(message->kind_case());
  return kinds;
}

using Told = v1::ServerMessage;

TEST(Feed, BeginsWithWhatFramesNeedAndThenTellsTheCatalogue) {
  Stage stage("seesaw");
  Feed feed(saved());
  EXPECT_EQ(kinds_of(feed), std::vector<Told::KindCase>{Told::kCatalogue});
  Feed fresh(saved());
  fresh.publish(stage.publication());
  const auto kinds = kinds_of(fresh);
  ASSERT_GE(kinds.size(), 4u);
  EXPECT_EQ(kinds[0], Told::kScene);
  EXPECT_EQ(kinds[1], Told::kRoster);
  EXPECT_EQ(kinds[2], Told::kFrame);
  EXPECT_EQ(kinds[3], Told::kCatalogue);
}

TEST(Feed, TellsAViewerThatIsBehindTheNewestStateInOneChange) {
  Stage stage;
  Feed feed(saved());
  feed.publish(stage.publication());
  kinds_of(feed);
  for (int i = 0; i < 20; ++i) {
    stage.room.apply(world::Spawn{"child", "", Vec2(i, 5), 0, false});
    stage.room.tick();
    EXPECT_EQ(feed.publish(stage.publication()), i > 0) << "frames that were not taken";
  }
  const auto out = feed.next(19);
  ASSERT_TRUE(out);
  const v1::RosterChange change = message_of(*out).roster_change();
  EXPECT_EQ(change.entries_size(), 20);
  const auto frame = feed.next(19);
  ASSERT_TRUE(frame);
  EXPECT_TRUE(frame->state);
  EXPECT_EQ(message_of(*frame).frame().roster_version(), change.version());
  EXPECT_EQ(message_of(*frame).frame().dropped(), 19u);
  EXPECT_FALSE(feed.next(19));
}

TEST(Feed, OfAnotherEpochTellsItsSceneBeforeItsRoster) {
  Stage stage;
  Feed feed(saved());
  feed.publish(stage.publication());
  ASSERT_EQ(next_whole(feed)->kind_case(), Told::kScene);
  // Another scene comes while the roster of the first one has not been told.
  stage.room.apply(world::LoadScene{"door"});
  feed.publish(stage.publication());
  const auto scene = next_whole(feed);
  EXPECT_EQ(scene->scene().scene().name(), "door");
  EXPECT_EQ(next_whole(feed)->roster().version(), stage.last->version);
}

TEST(Feed, LetsNothingButOneMessageComeBetweenTwoFrames) {
  Stage stage;
  Feed feed(saved());
  feed.publish(stage.publication());
  kinds_of(feed);
  std::vector<std::uint64_t> ids;
  for (const std::string& name : data()->bodies().names()) {
    ids.push_back(data()->find_creature(name)->id);
  }
  ids.push_back(12345);  // nobody's
  ASSERT_TRUE(feed.ask(ids));
  feed.catalogue_changed();
  feed.tell(net::make_bytes(api::encode_event(world::RoomEvent{})));
  std::size_t bodies = 0, unknown = 0, others = 0;
  for (int i = 0, since_frame = 0; i < 100; ++i) {
    stage.room.tick();
    feed.publish(stage.publication());  // a frame is due whenever the connection is free
    const auto out = feed.next(0);
    ASSERT_TRUE(out);
    since_frame = out->state ? 0 : since_frame + 1;
    ASSERT_LE(since_frame, 1) << i;
    if (out->state) continue;
    ++others;
    const auto message = message_of(*out);
    bodies += message.has_body() && message.body().has_creature();
    unknown += message.has_body() && !message.body().has_creature();
  }
  EXPECT_EQ(bodies, data()->bodies().size());
  EXPECT_EQ(unknown, 1u);
  EXPECT_EQ(others, ids.size() + 1) << "the event, too; the catalogue is the one that was told";
}

TEST(Feed, KeepsTheNewestEventsAndSaysHowManyItLeftOut) {
  Feed feed(saved());
  kinds_of(feed);
  for (std::uint64_t i = 0; i < 100; ++i) {
    world::RoomEvent event;
    event.tick = i;
    feed.tell(net::make_bytes(api::encode_event(event)));
  }
  const auto notice = message_of(*feed.next(0)).event();
  EXPECT_EQ(notice.kind(), v1::Event::NOTICE);
  EXPECT_NE(notice.text().find("36 events"), std::string::npos) << notice.text();
  for (std::uint64_t i = 36; i < 100; ++i) EXPECT_EQ(message_of(*feed.next(0)).event().tick(), i);
  EXPECT_FALSE(feed.next(0));
}

TEST(Feed, TakesOnlySoManyBodiesAtOnce) {
  Feed feed(saved());
  EXPECT_TRUE(feed.ask(std::vector<std::uint64_t>(64, 7)));
  EXPECT_EQ(feed.bodies_waiting(), 1u) << "one body, asked for 64 times";
  std::vector<std::uint64_t> ids(Feed::kMaxBodies - 1);
  std::iota(ids.begin(), ids.end(), 100);
  EXPECT_TRUE(feed.ask(ids));
  EXPECT_FALSE(feed.ask(std::vector<std::uint64_t>{1}));
  EXPECT_EQ(feed.bodies_waiting(), Feed::kMaxBodies);
}

TEST(Feed, TellsOfVisitorsByChangesAndOfTheirAttentionOnlyTheNewest) {
  Stage stage;
  Feed feed(saved());
  feed.publish(stage.publication());
  kinds_of(feed);
  Company company;
  const auto start = net::Clock::now();
  company.enter("a", "Anna");
  const auto first = company.news(start);
  company.enter("b", "Ben");
  company.attend("b", {{}, {1, 2, 3}}, start);
  const auto second = company.news(start + Company::kListEvery);
  company.attend("b", {{}, {4, 5, 6}}, start);
  const auto third = company.news(start + std::chrono::milliseconds(400));
  feed.tell_company(first.visitors, first.attention);
  EXPECT_EQ(message_of(*feed.next(0)).visitors().visitors_size(), 1);
  feed.tell_company(second.visitors, second.attention);
  feed.tell_company(first.visitors, nullptr);  // in the wrong order
  feed.tell_company(third.visitors, third.attention);
  EXPECT_EQ(message_of(*feed.next(0)).visitors_change().visitors(0).name(), "Ben");
  EXPECT_EQ(message_of(*feed.next(0)).attention().visitors(0).pointer(0), 4);
  EXPECT_FALSE(feed.has_next());
  EXPECT_FALSE(feed.next(0));
}

TEST(Feed, LeavesActsOutWhereTheViewerIsBehind) {
  Stage stage;
  Feed feed(saved());
  feed.publish(stage.publication());
  kinds_of(feed);
  for (std::uint32_t i = 0; i < 40; ++i) {
    v1::ServerMessage message;
    message.mutable_act()->set_character(i);
    feed.tell_act(net::make_bytes(message.SerializeAsString()));
  }
  for (std::uint32_t i = 40 - Feed::kMaxActs; i < 40; ++i) {
    EXPECT_EQ(message_of(*feed.next(0)).act().character(), i);
  }
  EXPECT_FALSE(feed.next(0));
}

// Every message that is not a frame, of every scene of the program and of a room as full as it
// gets.
TEST(Feed, SendsNothingLargerThanTheLimitButFrames) {
  const auto expect_small = [](Stage& stage, const std::string& what) {
    Feed feed(saved());
    feed.publish(stage.publication());
    std::set<std::uint64_t> ids;
    for (const auto& entry : stage.last->entries) ids.insert(entry.body_definition->id);
    for (const auto& entry : stage.last->things) ids.insert(entry.body_definition->id);
    EXPECT_TRUE(feed.ask(std::vector<std::uint64_t>(ids.begin(), ids.end())));
    std::size_t messages = 0;
    while (const auto out = feed.next(0)) {
      ++messages;
      if (!out->state) {
        EXPECT_LE(out->shared->size(), stream::kMaxWholeBytes) << what;
      }
    }
    EXPECT_GT(messages, 3u) << what;
  };
  for (const std::string& scene : data()->scene_names()) {
    Stage stage(scene);
    expect_small(stage, scene);
  }
  Stage full;
  for (int i = 1; i < 1000; ++i) {
    const world::Spawn spawn{"child", "", Vec2(i % 32 - 16, i / 32 - 16), 0, false};
    ASSERT_FALSE(full.room.apply(spawn).error);
  }
  for (int i = 0; i < 2000; ++i) {
    world::SpawnThing thing;
    thing.thing = "crate";
    thing.position = Vec3(i % 45 * 2, 100 + i / 45 * 2, 0.3);
    ASSERT_FALSE(full.room.apply(thing).error);
  }
  for (int i = 0; i < 1000; ++i) {
    world::Grip grip;
    grip.a.id = world::CharacterId(1001 + i);
    ASSERT_FALSE(full.room.apply(grip).error);
  }
  expect_small(full, "full");
}

}  // namespace
}  // namespace promenade::service
