#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>

#include "support.h"

namespace promenade::physics {
namespace {

using Model = std::shared_ptr<const ArticulationModel>;

struct Kind {
  std::string name;
  Model model;
  double height;  // m, of the centre above level ground when at rest as placed
};

std::vector<Kind> kinds() {
  return {{"ball", test::ball_model(4, 0.12), 0.12},
          {"box", test::box_model(9, Vec3(0.2, 0.15, 0.1)), 0.1},
          {"capsule", test::capsule_model(5, 0.15, 0.08), 0.08},
          {"cylinder", test::cylinder_model(7, 0.2, 0.15), 0.2}};
}

GroundBlock block_at(const Vec3& position, const Vec3& half) {
  GroundBlock block;
  block.pose.position = position;
  block.half = half;
  return block;
}

HeightField field_of(double size, int points, const std::function<double(double, double)>& height) {
  HeightField field;
  field.size = Vec2(size, size);
  field.columns = field.rows = points;
  for (int row = 0; row < points; ++row) {
    for (int column = 0; column < points; ++column) {
      const double x = size * (double(column) / (points - 1) - 0.5);
      const double y = size * (double(row) / (points - 1) - 0.5);
      field.height.push_back(static_cast<float>(height(x, y)));
    }
  }
  return field;
}

struct LevelGround {
  std::string name;
  GroundPlan plan;
  double height;  // under the origin
};

/// Level ground under the origin, of every kind.
std::vector<LevelGround> grounds() {
  std::vector<LevelGround> all;
  all.push_back({"plane", {}, 0});
  GroundPlan block;
  block.blocks = {block_at(Vec3(0.1, 0, 0.2), Vec3(2, 2, 0.2))};
  all.push_back({"block", block, 0.4});
  GroundPlan still = block;
  BlockMotion waiting;
  waiting.path = {Vec3(0, 0, 5)};
  waiting.speed = 1;
  waiting.pause = 1000;
  still.blocks[0].motion = std::make_shared<const BlockMotion>(waiting);
  all.push_back({"block that waits", still, 0.4});
  GroundPlan field;
  field.plane = false;
  field.fields = {field_of(6, 25, [](double, double) { return 0.3; })};
  all.push_back({"field", field, double(0.3f)});
  GroundPlan pit;
  pit.pits = {{Vec2(0, 0), Vec2(3, 3), 0.7}};
  all.push_back({"pit", pit, -0.7});
  GroundPlan beside;
  beside.pits = {{Vec2(5, 0), Vec2(3, 12), 0}};
  all.push_back({"beside a pit", beside, 0});
  return all;
}

ArticulatedBody placed(const Model& model, const Vec3& position, const Quat& rotation) {
  ArticulatedBody body(model);
  Pose pose;
  pose.position = position;
  pose.rotation = rotation;
  body.set_state(ArticulatedBody::zero_state(*model, pose));
  return body;
}

void run(ArticulatedBody& body, const Ground& ground, double seconds) {
  for (int i = 0; i < std::lround(480 * seconds); ++i) test::step(body, ground, StepSettings{});
}

double deepest(const ArticulatedBody& body) {
  double depth = 0;
  for (const ContactPoint& point : body.contacts()) depth = std::max(depth, point.depth);
  return depth;
}

double speed(const ArticulatedBody& body) {
  return Eigen::Map<const Eigen::VectorXd>(body.state().velocity.data(), 6).norm();
}

TEST(ShapeOnGround, EveryShapeRestsOnEveryKindOfGround) {
  for (const LevelGround& level : grounds()) {
    const Ground ground(level.plan);
    for (const Kind& kind : kinds()) {
      SCOPED_TRACE(kind.name + " on " + level.name);
      ArticulatedBody body =
          placed(kind.model, Vec3(0, 0, level.height + kind.height + 0.02), Quat::Identity());
      run(body, ground, 3);
      EXPECT_NEAR(body.state().root.position.z(), level.height + kind.height, 1e-3);
      EXPECT_LT(deepest(body), 0.002);
      EXPECT_NEAR(test::contact_force(body).z(), 9.8 * kind.model->total_mass,
                  0.01 * 9.8 * kind.model->total_mass);
      double fastest = 0;
      for (int i = 0; i < 480; ++i) {
        test::step(body, ground, StepSettings{});
        fastest = std::max(fastest, speed(body));
      }
      EXPECT_LT(fastest, 2e-3);
      EXPECT_LT(body.state().root.position.head<2>().norm(), 2e-3);
      EXPECT_NEAR(ground.at(0, 0).height, level.height, 1e-12);
    }
  }
}

TEST(ShapeOnGround, QueryAndContactAgreeOnUnevenGround) {
  GroundPlan plan;
  plan.plane = false;
  plan.fields = {
      field_of(8, 81, [](double x, double y) { return 0.2 * std::sin(x) * std::cos(0.8 * y); })};
  plan.fields[0].yaw = 0.6;
  const Ground ground(plan);
  for (int i = 0; i < 40; ++i) {
    const double x = 2.5 * std::sin(2.1 * i), y = 2.5 * std::cos(1.3 * i);
    const GroundPoint point = ground.at(x, y);
    ASSERT_TRUE(point.there);
    // A small ball on it, 1 mm deep.
    ArticulatedBody body =
        placed(test::ball_model(0.1, 0.02), Vec3(x, y, point.height) + 0.019 * point.normal,
               Quat::Identity());
    test::step(body, ground, StepSettings{});
    ASSERT_EQ(body.contacts().size(), 1u);
    EXPECT_NEAR(body.contacts()[0].depth, 0.001, 1e-4);
    EXPECT_GT(body.contacts()[0].normal.dot(point.normal), 0.999);
  }
}

TEST(ShapeOnGround, BoxSlidesOnAPatchAsFarAsItsFrictionSays) {
  for (const double friction : {0.05, 0.3}) {
    GroundPlan plan;
    Patch patch;
    patch.center = Vec2(5, 0);
    patch.size = Vec2(14, 3);
    patch.material.friction = friction;
    plan.patches = {patch};
    const Ground ground(plan);
    const double start = friction < 0.1 ? 1.5 : 3;
    ArticulatedBody body =
        placed(test::box_model(5, Vec3(0.4, 0.4, 0.05)), Vec3(0, 0, 0.05 - 1e-4), Quat::Identity());
    ArticulationState state = body.state();
    state.velocity[0] = start;
    body.set_state(state);
    run(body, ground, 4);
    const double distance = start * start / (2 * friction * 9.8);
    EXPECT_NEAR(body.state().root.position.x(), distance, 0.01 * distance) << friction;
  }
}

TEST(ShapeOnGround, AShapesOwnFrictionCountsWithTheGrounds) {
  ArticulationModel model = *test::box_model(5, Vec3(0.4, 0.4, 0.05));
  model.links[0].shapes[0].material = Material{0.05, 0};  // of ice; on 0.8 that makes 0.2
  ArticulatedBody body =
      placed(test::finished(std::move(model)), Vec3(0, 0, 0.05 - 1e-4), Quat::Identity());
  ArticulationState state = body.state();
  state.velocity[0] = 2;
  body.set_state(state);
  run(body, Ground(), 2);
  const double distance = 4 / (2 * 0.2 * 9.8);
  EXPECT_NEAR(body.state().root.position.x(), distance, 0.01 * distance);
}

TEST(ShapeOnGround, MaterialsOfBodiesWithoutOneMakeTheirUsualFriction) {
  EXPECT_EQ(between_bodies(std::nullopt, std::nullopt).friction, 0.4);
  EXPECT_EQ(between_bodies(Material{0.1, 0.3}, std::nullopt).friction, std::sqrt(0.1 * 0.4));
  EXPECT_EQ(between_bodies(Material{0.1, 0.3}, Material{0.9, 0.1}).restitution, 0.3);
  EXPECT_EQ(on_ground(std::nullopt, Material{0.08, 0}).friction, 0.08);
}

TEST(ShapeOnGround, BallRollsThroughWavesAndKeepsItsEnergy) {
  GroundPlan plan;
  plan.plane = false;
  plan.fields = {
      field_of(12, 241, [](double x, double) { return 0.1 * std::cos(kTwoPi * x / 4); })};
  const Ground ground(plan);
  const double radius = 0.1, mass = 2;
  ArticulatedBody body =
      placed(test::ball_model(mass, radius), Vec3(0.5, 0, radius + 0.0707), Quat::Identity());
  run(body, ground, 0.2);
  const auto energy = [&] {
    return test::kinetic_energy(body) + mass * 9.8 * body.state().root.position.z();
  };
  const double before = energy();
  double fastest = 0;
  for (int i = 0; i < 480 * 6; ++i) {
    test::step(body, ground, StepSettings{});
    fastest = std::max(fastest, speed(body));
    ASSERT_LT(deepest(body), 0.003);
  }
  const double swing = mass * 9.8 * 0.17;  // from where it began down into the hollow
  EXPECT_LT(energy(), before + 0.01 * swing);
  EXPECT_GT(energy(), before - 0.25 * swing);
  EXPECT_GT(fastest, 1.2);
}

TEST(ShapeOnGround, BarrelRollsStraightWithoutHopping) {
  const double radius = 0.25;
  ArticulatedBody body = placed(test::cylinder_model(20, 0.35, radius), Vec3(0, 0, radius - 2e-4),
                                rotation_x(kPi / 2));
  ArticulationState state = body.state();
  state.velocity[0] = 1;
  state.velocity[4] = 1 / radius;
  body.set_state(state);
  double highest = 0;
  const Ground ground;
  for (int i = 0; i < 480 * 3; ++i) {
    test::step(body, ground, StepSettings{});
    highest = std::max(highest, body.state().root.position.z());
  }
  EXPECT_NEAR(body.state().root.position.x(), 3, 0.1);
  EXPECT_NEAR(body.state().root.position.y(), 0, 0.01);
  EXPECT_LT(highest, radius + 2e-4);
}

TEST(ShapeOnGround, ATippedCylinderRollsOnItsRimAndComesToRestFlat) {
  ArticulatedBody body = placed(test::cylinder_model(2, 0.01, 0.2), Vec3(0, 0, 0.16),
                                rotation_x(0.8) * rotation_y(0.1));
  ArticulationState state = body.state();
  state.velocity[5] = 6;
  body.set_state(state);
  run(body, Ground(), 12);
  EXPECT_NEAR(body.state().root.position.z(), 0.01, 1e-3);
  EXPECT_LT(speed(body), 0.01);
}

TEST(ShapeOnGround, PlankBridgesAPitAndABallFallsIn) {
  GroundPlan plan;
  plan.pits = {{Vec2(0, 0), Vec2(1, 4), 1}};
  const Ground ground(plan);
  // It overhangs the edges unevenly: what carries it are the edges.
  ArticulatedBody plank =
      placed(test::box_model(10, Vec3(0.8, 0.2, 0.03)), Vec3(0.1, 0, 0.04), Quat::Identity());
  run(plank, ground, 2);
  EXPECT_NEAR(plank.state().root.position.z(), 0.03, 1e-3);
  EXPECT_LT(speed(plank), 1e-3);
  ArticulatedBody ball = placed(test::ball_model(1, 0.1), Vec3(-1.5, 0, 0.1), Quat::Identity());
  ArticulationState state = ball.state();
  state.velocity[0] = 1.5;
  state.velocity[4] = 15;
  ball.set_state(state);
  run(ball, ground, 4);
  EXPECT_NEAR(ball.state().root.position.z(), -0.9, 2e-3);
  EXPECT_LT(std::abs(ball.state().root.position.x()), 0.41);
}

TEST(ShapeOnGround, ACrateLyingOverTheEdgeOfAPitIsCarriedByTheEdge) {
  GroundPlan plan;
  plan.pits = {{Vec2(1, 0), Vec2(2, 8), 1}};
  const Ground ground(plan);
  for (const double x : {-0.04, 0.05}) {  // its centre over the ground, over the pit
    ArticulatedBody crate =
        placed(test::box_model(6, Vec3(0.2, 0.2, 0.2)), Vec3(x, 0, 0.2), Quat::Identity());
    run(crate, ground, 3);
    if (x < 0) {
      EXPECT_NEAR(crate.state().root.position.z(), 0.2, 1e-3);
    } else {
      EXPECT_LT(crate.state().root.position.z(), -0.7);
    }
    EXPECT_LT(deepest(crate), 0.003);
  }
}

TEST(ShapeOnGround, WallsOfAPitHoldWhatIsThrownAgainstThem) {
  GroundPlan plan;
  plan.pits = {{Vec2(0, 0), Vec2(2, 2), 1.5}};
  const Ground ground(plan);
  for (const Kind& kind : kinds()) {
    SCOPED_TRACE(kind.name);
    ArticulatedBody body = placed(kind.model, Vec3(0, 0, -1), Quat::Identity());
    ArticulationState state = body.state();
    state.velocity[0] = 4;
    state.velocity[1] = 2.5;
    body.set_state(state);
    for (int i = 0; i < 480 * 4; ++i) {
      test::step(body, ground, StepSettings{});
      ASSERT_LT(body.state().root.position.head<2>().cwiseAbs().maxCoeff(), 0.96) << i;
    }
    EXPECT_LT(body.state().root.position.z(), -1.2);
  }
}

TEST(ShapeOnGround, FeetAtUsualSpeedsDoNotTunnelThroughAField) {
  GroundPlan plan;
  plan.plane = false;
  plan.fields = {field_of(6, 61, [](double x, double y) { return 0.1 * std::sin(3 * x) * y; })};
  const Ground ground(plan);
  for (const Kind& kind : kinds()) {
    SCOPED_TRACE(kind.name);
    ArticulatedBody body = placed(kind.model, Vec3(0.3, 0.5, 1), rotation_x(0.4));
    ArticulationState state = body.state();
    state.velocity[2] = -6;
    body.set_state(state);
    run(body, ground, 0.5);
    const Vec3& at = body.state().root.position;
    const GroundPoint under = ground.at(at.x(), at.y());
    ASSERT_TRUE(under.there);
    EXPECT_GT(at.z(), under.height + 0.05);
    EXPECT_LT(deepest(body), 0.01);
  }
}

}  // namespace
}  // namespace promenade::physics
