// Coded frames of real rooms, through a feed: what a viewer's decoder makes of them beside the
// truth.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <string>
#include <vector>

#include "promenade/v1/wire.pb.h"
#include "service/viewers/feed.h"
#include "stage.h"
#include "stream/coded/frame_decoder.h"
#include "stream/frame.h"
#include "stream/quantize.h"

namespace promenade::service {
namespace {

// A viewer with a decoder at the other end of a feed.
class Watcher {
 public:
  Watcher() : feed(saved()) {}

  /// Everything that there is to tell. @return the last frame, decoded or whole
  v1::Frame take() {
    v1::Frame frame;
    while (const auto out = feed.next(0)) {
      v1::ServerMessage message;
      EXPECT_TRUE(message.ParseFromString(*out->shared + out->tail));
      if (!message.has_frame()) continue;
      frame = message.frame();
      was_coded = !frame.coded().empty();
      coded_bytes = frame.coded().size();
      if (was_coded) {
        if (last != description) follow();
        read = decoder.decode(frame);
      }
    }
    return frame;
  }
  void see(Stage& stage) {
    const auto publication = stage.publication();
    feed.publish(publication);
    description = publication->description();
    truth.ParseFromString(*publication->frame());
    snapshot = stage.room.snapshot();
  }
  void follow() {
    last = description;
    std::vector<stream::TrackedMember> members;
    for (const auto& entry : description->roster().value().entries) {
      members.push_back({entry.id, entry.coordinates});
    }
    decoder.follow(std::move(members));
  }

  Feed feed;
  stream::CodedFrameDecoder decoder;
  std::shared_ptr<const Description> description, last;
  std::shared_ptr<const world::Snapshot> snapshot;
  v1::ServerMessage truth;
  bool was_coded = false, read = false;
  std::size_t coded_bytes = 0;
};

stream::View view_from(const Vec3& eye) {
  stream::View view;
  view.eye = eye;
  view.forward = Vec3(-eye.x(), -eye.y(), 0.9 - eye.z()).normalized();
  view.height_rad = 0.56;
  return view;
}

// The room is small, so all joints are told; a character told in a frame is within half a quantum
// of each number of the whole frame.
void expect_close(const Watcher& watcher, const v1::Frame& got, double pixel_rad, const Vec3& eye) {
  const v1::Frame& want = watcher.truth.frame();
  ASSERT_EQ(got.flags_size(), want.flags_size());
  ASSERT_EQ(got.joint_size(), want.joint_size());
  int joint = 0;
  for (int k = 0; k < got.flags_size(); ++k) {
    const auto n = std::size_t(k);
    const int dof = int(watcher.snapshot->roster->entries[n].coordinates);
    const double distance = (watcher.snapshot->characters[n].root.position - eye).norm();
    const double quantum = std::max(1.0, pixel_rad * distance / 0.0027);
    const bool told = watcher.decoder.told()[n];
    if (told) {
      for (int axis = 0; axis < 3; ++axis) {
        ASSERT_LE(std::abs(got.root_position(3 * k + axis) - want.root_position(3 * k + axis)),
                  0.5 * quantum);
      }
      for (int j = joint; j < joint + dof; ++j) {
        ASSERT_LE(std::abs(got.joint(j) - want.joint(j)), 0.5 * quantum) << k << ", " << j;
      }
      ASSERT_EQ(got.flags(k), want.flags(k));
    }
    joint += dof;
  }
}

// Dancers bump into each other, are pushed over and get up again; some go, some come, one
// becomes a giant: the decoder follows.
TEST(CodedFeed, FollowsARoomThroughFallsChangesOfBodiesAndWhoComesAndGoes) {
  Stage stage("dancers");
  Watcher watcher;
  const Vec3 eye(6, -9, 2.2);
  const stream::View view = view_from(eye);
  watcher.feed.look(view, false);
  int fallen = 0, upright_again = 0, told = 0, frames = 0;
  std::vector<std::uint32_t> before;
  for (int tick = 0; tick < 1000; ++tick) {
    if (tick == 200 || tick == 320) {
      const auto now = stage.room.snapshot();
      for (const auto& one : now->characters) {
        if (one.id % 3 == 0) continue;
        world::Push push{one.id, "", Vec3::Zero(), Vec3(900, 500, 0), 0.2};
        ASSERT_FALSE(stage.room.apply(push).error);
      }
    }
    if (tick == 800) {
      ASSERT_FALSE(stage.room.apply(world::Remove{3}).error);
    }
    if (tick == 810) {
      ASSERT_FALSE(stage.room.apply(world::Spawn{"child", "", Vec2(4, 4), 0, true}).error);
      ASSERT_FALSE(stage.room.apply(world::Spawn{"cat", "", Vec2(-6, 4), 0, false}).error);
    }
    if (tick == 820) {
      ASSERT_FALSE(stage.room.apply(world::SetBody{5, "giant"}).error);
    }
    stage.room.tick();
    if (tick % 2 != 0) continue;
    watcher.see(stage);
    const v1::Frame frame = watcher.take();
    ASSERT_TRUE(watcher.was_coded);
    ASSERT_TRUE(watcher.read) << tick;
    expect_close(watcher, frame, view.pixel_rad(), eye);
    if (testing::Test::HasFatalFailure()) FAIL() << "at tick " << tick;
    ++frames;
    for (int k = 0; k < frame.flags_size(); ++k) {
      told += watcher.decoder.told()[std::size_t(k)];
      const bool is = frame.flags(k) & world::kFlagFallen;
      fallen += is;
      if (std::size_t(k) < before.size() && tick < 790) {
        upright_again += !is && (before[std::size_t(k)] & world::kFlagFallen);
      }
    }
    before.assign(frame.flags().begin(), frame.flags().end());
  }
  EXPECT_GT(fallen, 50) << "frames of people who lie";
  EXPECT_GT(upright_again, 1);
  EXPECT_GT(told, frames * 5);
}

TEST(CodedFeed, CodesOnlyForWhoAsksAndUntilTheyAskNoMore) {
  Stage stage("dancers");
  Watcher watcher, other;
  const auto step = [&] {
    stage.room.tick();
    watcher.see(stage);
    other.see(stage);
  };
  step();
  EXPECT_EQ(watcher.take().flags_size(), 16);
  EXPECT_FALSE(watcher.was_coded);
  watcher.feed.look(view_from(Vec3(5, 5, 2)), false);
  for (int i = 0; i < 5; ++i) {
    step();
    const v1::Frame whole = other.take();
    EXPECT_FALSE(other.was_coded);
    EXPECT_EQ(whole.SerializeAsString(), other.truth.frame().SerializeAsString());
    EXPECT_EQ(watcher.take().flags_size(), 16);
    EXPECT_TRUE(watcher.was_coded);
    EXPECT_TRUE(watcher.read);
  }
  watcher.feed.look_no_more();
  step();
  EXPECT_EQ(watcher.take().joint_size(), watcher.truth.frame().joint_size());
  EXPECT_FALSE(watcher.was_coded);
}

// A connection that cannot take more skips frames: none of them was made, so none is missed.
TEST(CodedFeed, CanBeReadWhereFramesAreSkipped) {
  Stage stage("dancers");
  Watcher watcher;
  const Vec3 eye(5, 5, 2);
  watcher.feed.look(view_from(eye), false);
  for (int i = 0; i < 100; ++i) {
    stage.room.tick();
    watcher.see(stage);
    if (i % 7 != 3 && i % 11 != 5) continue;
    const v1::Frame frame = watcher.take();
    ASSERT_TRUE(watcher.read) << i;
    expect_close(watcher, frame, view_from(eye).pixel_rad(), eye);
  }
}

// Things, and everything else that is no character, are as in whole frames.
TEST(CodedFeed, TellsThingsAsWholeFramesDo) {
  Stage stage("playground");
  Watcher watcher;
  watcher.feed.look(view_from(Vec3(5, 5, 2)), false);
  int moving = 0;
  for (int i = 0; i < 60; ++i) {
    stage.room.tick();
    watcher.see(stage);
    v1::Frame frame = watcher.take();
    ASSERT_TRUE(watcher.read);
    moving += frame.thing_size();
    v1::Frame rest = watcher.truth.frame();
    for (v1::Frame* one : {&frame, &rest}) {
      one->clear_root_position();
      one->clear_root_rotation();
      one->clear_joint();
      one->clear_flags();
      one->clear_limb_contacts();
      one->clear_presence();
    }
    ASSERT_EQ(frame.SerializeAsString(), rest.SerializeAsString());
  }
  EXPECT_GT(moving, 60);
}

TEST(CodedFeed, BeginsAnewWhenItIsAskedToAndInAnotherScene) {
  Stage stage("dancers");
  Watcher watcher;
  watcher.feed.look(view_from(Vec3(5, 5, 2)), false);
  const auto frame = [&] {
    stage.room.tick();
    watcher.see(stage);
    return watcher.take();
  };
  frame();
  const std::size_t first = watcher.coded_bytes;
  for (int i = 0; i < 10; ++i) frame();
  EXPECT_LT(watcher.coded_bytes, first * 2 / 3);
  watcher.feed.look(view_from(Vec3(5, 5, 2)), true);
  watcher.decoder = {};
  watcher.last = nullptr;
  frame();
  EXPECT_TRUE(watcher.read);
  EXPECT_GT(watcher.coded_bytes, first * 2 / 3);
  stage.room.apply(world::LoadScene{"hundred"});
  watcher.decoder = {};
  EXPECT_EQ(frame().flags_size(), 100);
  EXPECT_TRUE(watcher.read);
}

constexpr auto kFrame = std::chrono::milliseconds(33);

// A client that asks with each view gets one a second, and can read what comes between.
TEST(CodedFeed, GivesFramesThatNeedNoEarlierOneOnceASecondHoweverOftenTheyAreAskedFor) {
  Stage stage("dancers");
  Watcher watcher;
  auto now = net::Clock::now();
  int keys = 0, frames = 0;
  std::size_t between = 0, most = 0;
  for (int i = 0; i < 300; ++i, now += kFrame) {
    stage.room.tick();
    watcher.see(stage);
    // Off and on again is no way around it.
    if (i % 20 == 10) watcher.feed.look_no_more();
    watcher.feed.look(view_from(Vec3(5, 5, 2)), true);
    while (const auto out = watcher.feed.next(0, now)) {
      v1::ServerMessage message;
      ASSERT_TRUE(message.ParseFromString(*out->shared + out->tail));
      if (!message.has_frame()) continue;
      const std::string coded = message.frame().coded();
      ++frames;
      if (coded.empty()) continue;
      const bool key = coded[0] & stream::kCodedKey;
      keys += key;
      if (key) most = std::max(most, coded.size());
      if (!key) between = std::max(between, coded.size());
    }
  }
  EXPECT_EQ(frames, 300);
  EXPECT_GE(keys, 9);
  EXPECT_LE(keys, 14);
  EXPECT_LT(between, most);
}

TEST(CodedFeed, PutsFramesOffWhileItsShareIsUsedUpAndMakesTheNewestAfterwards) {
  Stage stage("dancers");
  EncodingBudget budget(2);
  auto now = net::Clock::now();
  Watcher costly, other, whole;
  for (Watcher* one : {&costly, &other, &whole}) {
    one->feed.charge_to(budget.share_of(one == &costly ? "a" : "b", now));
    if (one != &whole) one->feed.look(view_from(Vec3(5, 5, 2)), false);
  }
  const auto others_use = budget.share_of("a", now);
  const auto frames_of = [&](Watcher& one) {
    one.feed.publish(stage.publication(), now);
    int frames = 0;
    while (one.feed.has_next(now)) {
      const auto out = one.feed.next(0, now);
      if (!out) break;
      frames += out->state;
    }
    return frames;
  };
  EXPECT_EQ(frames_of(costly), 1);
  others_use->charge(1);  // another viewer of the address; it takes four seconds to make up for
  std::array<int, 3> frames{};
  for (int i = 0; i < 60; ++i, now += kFrame) {
    stage.room.tick();
    frames[0] += frames_of(costly);
    frames[1] += frames_of(other);
    frames[2] += frames_of(whole);
  }
  EXPECT_EQ(frames, (std::array<int, 3>{0, 60, 60}));
  EXPECT_GE(costly.feed.take_put_off(), 59u);
  EXPECT_EQ(costly.feed.take_put_off(), 0u);
  now += std::chrono::seconds(4);
  stage.room.tick();
  EXPECT_EQ(frames_of(costly), 1);
  // Whole frames are made once for all and charged to nobody.
  others_use->charge(10);
  costly.feed.look_no_more();
  EXPECT_EQ(frames_of(costly), 1);
}

// A watched character is told whole wherever the camera looks; the camera decides about others.
TEST(CodedFeed, GoesByTheCameraButForThoseWhoAreWatched) {
  Stage stage;
  for (int i = 1; i < 300; ++i) {
    const world::Spawn spawn{"child", "",    Vec2(3 * (i % 20), 3 * (i / 20)), 0, false, nullptr,
                             nullptr, "hold"};
    ASSERT_FALSE(stage.room.apply(spawn).error);
  }
  Watcher watcher;
  const auto near = [&](const stream::View& view) {
    watcher.feed.look(view, false);
    for (int i = 0; i < 40; ++i) {
      stage.room.tick();
      watcher.see(stage);
      watcher.take();
      EXPECT_TRUE(watcher.read);
    }
    std::vector<std::size_t> out;
    const auto& tiers = watcher.decoder.tiers();
    for (std::size_t k = 0; k < tiers.size(); ++k) {
      if (tiers[k] == stream::Tier::kNear) out.push_back(k);
    }
    return out;
  };
  stream::View view;
  view.eye = Vec3(-40, 20, 1.7);
  view.forward = Vec3(-1, 0, 0);
  watcher.see(stage);
  watcher.take();
  watcher.feed.watch({stage.room.snapshot()->characters[150].id});
  EXPECT_EQ(near(view), std::vector<std::size_t>{150});
  view.eye = Vec3(-10, 20, 1.7);
  view.forward = Vec3(1, 0, 0);
  EXPECT_GT(near(view).size(), 10u);
}

}  // namespace
}  // namespace promenade::service
