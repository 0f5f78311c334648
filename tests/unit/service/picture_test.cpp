#include "service/rooms/picture.h"

#include <gtest/gtest.h>

#include <cmath>

#include "stage.h"

namespace promenade::service {
namespace {

void look(const Stage& stage, Picture& picture) {
  const auto snapshot = stage.room.make_snapshot();
  picture.add(*snapshot, &data()->find_scene(snapshot->roster->scene)->message);
}

v1::LobbyPicture read(const std::string& bytes) {
  v1::LobbyPictures pictures;
  EXPECT_TRUE(pictures.ParseFromString(bytes));
  EXPECT_EQ(pictures.rooms_size(), 1);
  return pictures.rooms(0);
}

// Bytes of points of the k-th body that is shown, from the root; m.
std::vector<Vec3> points_of(const v1::LobbyPicture& picture, const v1::LobbyMoment& moment, int k) {
  std::size_t at = 0;
  for (int i = 0; i < moment.body_size(); ++i) {
    const v1::LobbyFigure& figure = picture.figures(
        static_cast<int>(picture.bodies(static_cast<int>(moment.body(i))).figure()));
    if (figure.half_m_size() > 0) continue;
    std::vector<Vec3> points;
    for (int p = 0; p < figure.parent_size(); ++p, at += 3) {
      points.emplace_back();
      for (int axis = 0; axis < 3; ++axis) {
        points.back()[axis] =
            figure.unit_m() *
            static_cast<signed char>(moment.points()[at + static_cast<std::size_t>(axis)]);
      }
    }
    if (i == k) return points;
  }
  return {};
}

TEST(Picture, HasTheJointsOfABipedWhereTheyAre) {
  Stage stage("one");
  Picture picture("main", stage.room.tick_seconds());
  look(stage, picture);
  const v1::LobbyPicture out = read(picture.encode(false));
  EXPECT_EQ(out.room(), "main");
  EXPECT_FALSE(out.asleep());
  ASSERT_EQ(out.bodies_size(), 1);
  ASSERT_EQ(out.figures_size(), 1);
  ASSERT_EQ(out.moments_size(), 1);
  const v1::LobbyFigure& figure = out.figures(0);
  const auto points = points_of(out, out.moments(0), 0);
  ASSERT_EQ(static_cast<int>(points.size()), figure.parent_size());
  ASSERT_EQ(figure.parent_size(), figure.radius_mm_size());
  EXPECT_GE(points.size(), 10u) << "knees, feet, elbows, hands, a head";
  double low = 0, high = 0;
  for (const Vec3& point : points) {
    low = std::min(low, point.z());
    high = std::max(high, point.z());
  }
  // The root is some 0.95 m above the ground; the middle of a head is 0.6 to 0.8 m above that.
  EXPECT_NEAR(low, -0.92, 0.12);
  EXPECT_NEAR(high, 0.7, 0.15);
  for (int i = 0; i < figure.parent_size(); ++i) {
    EXPECT_LE(figure.parent(i), static_cast<std::uint32_t>(i)) << "parents come first";
  }
  // It stands on the picture's ground.
  EXPECT_NEAR(0.01 * out.moments(0).position_cm(2), 0.95, 0.1);
}

TEST(Picture, KeepsTheNewestMomentsAndSeesSomebodyWalk) {
  Stage stage("one");
  ASSERT_FALSE(stage.room.apply(world::SetVelocity{1, Vec2(1, 0), world::Frame::kCharacter}).error);
  Picture picture("main", stage.room.tick_seconds());
  for (int i = 0; i < 10; ++i) {
    look(stage, picture);
    for (int tick = 0; tick < 12; ++tick) stage.room.tick();
  }
  const v1::LobbyPicture out = read(picture.encode(false));
  ASSERT_EQ(out.moments_size(), static_cast<int>(Picture::kMoments));
  EXPECT_EQ(out.moments(out.moments_size() - 1).tick(), picture.tick());
  const auto x = [&](int moment) { return out.moments(moment).position_cm(0); };
  EXPECT_GT(x(out.moments_size() - 1), x(0) + 20) << "cm in a second";
}

TEST(Picture, OfManyStaysWithinItsSizeAndShowsThoseInTheMiddle) {
  for (const char* scene : {"hundred", "square", "zoo", "dominoes", "playground"}) {
    Stage stage(scene);
    Picture picture(std::string(40, 'x'), stage.room.tick_seconds());
    for (std::size_t i = 0; i < Picture::kMoments; ++i) {
      look(stage, picture);
      for (int tick = 0; tick < 6; ++tick) stage.room.tick();
    }
    const std::string bytes = picture.encode(false);
    EXPECT_LE(bytes.size(), Picture::kMaxBytes) << scene;
    const v1::LobbyPicture out = read(bytes);
    EXPECT_GE(out.bodies_size(), 5) << scene;
    EXPECT_GT(out.radius_m(), 0) << scene;
    std::printf(
        "%s: %zu bytes, %d of %zu bodies\n", scene, bytes.size(), out.bodies_size(),
        stage.room.make_snapshot()->characters.size() + stage.room.make_snapshot()->things.size());
  }
}

TEST(Picture, ShowsThingsAsBoxesAndGround) {
  Stage stage("one");
  world::SpawnThing crate;
  crate.thing = "crate";
  ASSERT_FALSE(stage.room.apply(crate).error);
  stage.room.tick();
  Picture picture("main", stage.room.tick_seconds());
  look(stage, picture);
  const v1::LobbyPicture out = read(picture.encode(true));
  EXPECT_TRUE(out.asleep());
  ASSERT_EQ(out.bodies_size(), 2);
  const v1::LobbyFigure& figure = out.figures(static_cast<int>(out.bodies(1).figure()));
  EXPECT_TRUE(figure.thing());
  ASSERT_EQ(figure.half_m_size(), 3);
  EXPECT_EQ(out.moments(0).rotation_size(), 1);
  Stage steps("steps");
  Picture ground("main", steps.room.tick_seconds());
  look(steps, ground);
  EXPECT_GT(read(ground.encode(false)).blocks_size(), 0);
}

}  // namespace
}  // namespace promenade::service
