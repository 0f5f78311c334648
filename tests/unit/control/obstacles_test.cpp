#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "control/gbwc/gbwc.h"
#include "control/gbwc/style_library.h"
#include "creature/creature_library.h"
#include "creature/fallen.h"
#include "schema/message.h"
#include "support/paths.h"

namespace promenade::control {
namespace {

constexpr double kStep = 1.0 / 480;

physics::GroundBlock across(double near, double depth, double bottom, double top) {
  physics::GroundBlock block;
  block.half = Vec3(0.5 * depth, 3, 0.5 * (top - bottom));
  block.pose.position = Vec3(near + 0.5 * depth, 0, 0.5 * (bottom + top));
  return block;
}

/// Somebody who walks along x at 0.6 m/s, from a floor `floor` m high.
struct OnTheWay {
  explicit OnTheWay(std::vector<physics::GroundBlock> blocks, double floor = 0,
                    const std::string& style = "normal", const std::string& name = "human")
      : ground(std::move(blocks)) {
    const auto bodies = CreatureLibrary::load(test::data_dir() / "creatures").value();
    const auto styles = StyleLibrary::load(test::data_dir() / "styles").value();
    const auto parameters = std::make_shared<const GbwcParameters>(
        schema::load_message<GbwcParameters>(test::data_dir() / "controllers/gbwc.json")
            .value()
            .message);
    body = bodies.find(name)->body;
    physics = std::make_unique<physics::ArticulatedBody>(body->model);
    controller =
        std::make_unique<Gbwc>(body, styles.find(style), parameters, styles.find("normal"));
    set_upright(floor);
    goal.stand = false;
    goal.velocity = Vec2(0.6, 0);
  }
  void set_upright(double floor) {
    Pose root;
    root.position.z() = floor + body->standing_height + 0.001;
    physics->set_state(physics::ArticulatedBody::zero_state(*body->model, root));
    controller->reset(*physics, goal);
  }
  /// @return whether it is still up
  bool run(double seconds) {
    for (int i = 0; i < seconds / kStep; ++i) {
      controller->update(*physics, ground, goal, kStep);
      physics::StepSettings settings;
      settings.dt = kStep;
      physics::ArticulatedBody* one = physics.get();
      physics::step_island({&one, 1}, ground, settings, workspace);
      const auto contacts = physics->contacts();
      touched = touched || std::any_of(contacts.begin(), contacts.end(), [&](const auto& c) {
                  return !body->model->links[std::size_t(c.link)].is_foot;
                });
      const auto& links = physics->links();
      const int head = biped_of(*body).value().link[kHead];
      lowest_head = std::min(lowest_head, links[std::size_t(head)].position.z());
      if (has_fallen(*body, *physics, ground)) return false;
    }
    return true;
  }
  double x() const { return controller->report().com.x(); }

  std::shared_ptr<const Creature> body;
  physics::Ground ground;
  physics::Workspace workspace;
  Goal goal;
  std::unique_ptr<physics::ArticulatedBody> physics;
  std::unique_ptr<Gbwc> controller;
  bool touched = false;    // by anything but the feet
  double lowest_head = 9;  // m
};

TEST(Obstacles, ThinOneIsSteppedOver) {
  OnTheWay walker({across(2.4, 0.1, 0, 0.2)});
  EXPECT_TRUE(walker.run(12));
  EXPECT_GT(walker.x(), 3.4);
  EXPECT_FALSE(walker.touched);
}

TEST(Obstacles, NothingButFeetTouchesAnythingOverDeepOnes) {
  int clean = 0, tries = 0;
  for (const double near : {2.0, 2.1, 2.2, 2.3, 2.4, 2.5, 2.6, 2.7}) {
    OnTheWay walker({across(near, 0.3, 0, 0.3)});
    ++tries;
    clean += walker.run(12) && walker.x() > near + 1 && !walker.touched;
  }
  EXPECT_GE(4 * clean, 3 * tries);
}

TEST(Obstacles, OnesRightAheadAreSteppedOverFromAStand) {
  for (const double high : {0.15, 0.3}) {
    int clean = 0, tries = 0;
    for (const double near : {0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.1, 1.2, 1.3}) {
      OnTheWay walker({across(near, 0.15, 0, high)});
      ++tries;
      clean += walker.run(12) && walker.x() > near + 1 && !walker.touched;
    }
    EXPECT_GE(5 * clean, 4 * tries) << high << " m high";
  }
}

TEST(Obstacles, AreMetInThePlainStyleWhateverTheOwn) {
  for (const char* style : {"bow_legged", "careful", "crouch", "tiptoe"}) {
    OnTheWay walker({across(2.4, 0.2, 0, 0.2)}, 0, style);
    EXPECT_TRUE(walker.run(14)) << style;
    EXPECT_GT(walker.x(), 3.4) << style;
    EXPECT_FALSE(walker.touched) << style;
  }
}

TEST(Obstacles, BehindThemTheOwnStyleIsBack) {
  OnTheWay walker({across(6, 0.2, 0, 0.2)}, 0, "crouch");
  const auto height = [&](double until) {  // of the COM, when it comes there
    while (walker.x() < until && walker.run(0.1)) {
    }
    return walker.controller->report().com.z();
  };
  const double before = height(2), ahead_of_it = height(5.6), behind = height(10);
  EXPECT_GT(ahead_of_it, before + 0.02);
  EXPECT_LT(behind, ahead_of_it - 0.02);
}

TEST(Obstacles, WhoIsSetUprightBeforeOneBeginsInTheOwnStyle) {
  OnTheWay walked({across(3, 0.2, 0, 0.2)}, 0, "crouch");
  while (walked.x() < 2 && walked.run(0.1)) {
  }
  OnTheWay fresh({across(3, 0.2, 0, 0.2)}, 0, "crouch");
  for (OnTheWay* one : {&walked, &fresh}) {
    one->goal = Goal{};
    one->set_upright(0);
    one->run(1);
  }
  EXPECT_EQ(walked.controller->report().com, fresh.controller->report().com);
}

TEST(Obstacles, SeveralOnEndAreSteppedOver) {
  int clean = 0, tries = 0;
  for (const double gap : {1.0, 1.15, 1.3, 1.45, 1.6, 1.75, 1.9, 2.05}) {
    OnTheWay walker(
        {across(2, 0.1, 0, 0.2), across(2 + gap, 0.2, 0, 0.2), across(2 + 2.1 * gap, 0.3, 0, 0.2)});
    ++tries;
    clean += walker.run(30) && walker.x() > 2 + 2.1 * gap + 1 && !walker.touched;
  }
  EXPECT_GE(4 * clean, 3 * tries);
}

TEST(Obstacles, HighOnesAreSteppedOverWhereTheyAreThin) {
  int clean = 0, tries = 0;
  for (const double near : {2.0, 2.1, 2.2, 2.3, 2.4, 2.5, 2.6, 2.7}) {
    OnTheWay walker({across(near, 0.2, 0, 0.45)});
    ++tries;
    clean += walker.run(14) && walker.x() > near + 1 && !walker.touched;
  }
  EXPECT_GE(4 * clean, 3 * tries);
  OnTheWay walker({across(2.4, 0.35, 0, 0.45)});
  EXPECT_TRUE(walker.run(12));
  EXPECT_LT(walker.x(), 2.4);
  EXPECT_FALSE(walker.touched);
}

TEST(Obstacles, OneAsHighAsTheKneesIsAWall) {
  OnTheWay walker({across(2.4, 0.1, 0, 0.5)});
  EXPECT_TRUE(walker.run(12));
  EXPECT_LT(walker.x(), 2.4);
  EXPECT_FALSE(walker.touched);
}

TEST(Obstacles, HeadIsLoweredUnderABarAndComesUpBehindIt) {
  const double underside = 1.35;  // m, under which the head is 1.55 m high
  OnTheWay walker({across(2.4, 0.1, underside, underside + 0.1)});
  EXPECT_TRUE(walker.run(12));
  EXPECT_GT(walker.x(), 3.4);
  EXPECT_FALSE(walker.touched);
  EXPECT_LT(walker.lowest_head, underside);
  walker.lowest_head = 9;
  walker.run(1);
  EXPECT_GT(walker.lowest_head, 1.45);
}

TEST(Obstacles, BarTooLowToDuckUnderIsAWall) {
  OnTheWay walker({across(2.4, 0.1, 0.9, 1.0)});
  EXPECT_TRUE(walker.run(12));
  EXPECT_LT(walker.x(), 2.4);
}

// A walk in usual steps fell over in the deepest bend.
TEST(Obstacles, LowTunnelIsWalkedThrough) {
  OnTheWay walker({across(2.4, 3, 1.12, 1.2)});
  EXPECT_TRUE(walker.run(17));
  EXPECT_GT(walker.x(), 6);
  EXPECT_FALSE(walker.touched);
}

// Before, a body with its mass at its hips sat down behind its feet.
TEST(Obstacles, HeavyHipsBendTheKneesLessUnderABar) {
  OnTheWay walker({across(2.4, 0.1, 1.4, 1.5)}, 0, "normal", "beast1");
  EXPECT_TRUE(walker.run(12));
  EXPECT_GT(walker.x(), 3.4);
  EXPECT_FALSE(walker.touched);
}

TEST(Obstacles, BarIsAWallForWhoDoesNotBendAsFar) {
  OnTheWay walker({across(2.4, 0.1, 1.22, 1.3)}, 0, "normal", "beast1");  // 70 % of its height
  EXPECT_TRUE(walker.run(12));
  EXPECT_GT(walker.x(), 1);
  EXPECT_LT(walker.x(), 2.4);
  EXPECT_FALSE(walker.touched);
}

TEST(Obstacles, WhoWalksBackwardBendsUnderABarInTime) {
  OnTheWay walker({across(-2.5, 0.1, 1.4, 1.5)});
  walker.goal.velocity = Vec2(-0.4, 0);
  EXPECT_TRUE(walker.run(12));
  EXPECT_LT(walker.x(), -3.3);
  EXPECT_FALSE(walker.touched);
}

// Hips bent as far as elsewhere did not let the thigh come up, and straight knees tipped the body
// forward.
TEST(Obstacles, OneBeforeABarIsSteppedOverInTheBend) {
  int clean = 0;
  for (const double apart : {-0.6, -0.3, 0.0, 0.3, 0.6}) {
    OnTheWay walker({across(2.4, 0.1, 1.3, 1.4), across(2.4 + apart, 0.15, 0, 0.2)});
    clean += walker.run(15) && walker.x() > 3.4 && !walker.touched;
  }
  EXPECT_GE(clean, 4);
}

constexpr double kStairTread = 0.3;  // m
constexpr int kStairs = 5;

/// Of seven starts before a flight, those that get past it with nothing but the feet touching it.
int clean_flights(double rise, bool up) {
  constexpr double kTop = 8, kBehind = 3;  // m
  int clean = 0;
  for (const double edge : {1.9, 2.05, 2.2, 2.35, 2.5, 2.65, 2.8}) {
    std::vector<physics::GroundBlock> stairs;
    if (!up) stairs.push_back(across(-kBehind, kBehind + edge, 0, kStairs * rise));
    for (int i = 0; i < kStairs; ++i) {
      const double at = edge + i * kStairTread, high = rise * (up ? i + 1 : kStairs - 1 - i);
      const double depth = up ? kTop - at : kStairTread;
      if (high > 0) stairs.push_back(across(at, depth, 0, high));
    }
    OnTheWay walker(stairs, up ? 0 : kStairs * rise);
    walker.goal.velocity = Vec2(0.5, 0);
    clean += walker.run(14) && walker.x() > edge + kStairs * kStairTread && !walker.touched;
  }
  return clean;
}

// Toes that hung caught on the last tread, and the step ended there.
TEST(Obstacles, FootThatComesOffTheLastHighStairClearsItsEdge) {
  constexpr double kRise = 0.25, kLanding = 1.2;  // m
  constexpr int kTreads = 5;
  int clean = 0;
  for (const double edge : {1.9, 2.05, 2.2, 2.35, 2.5, 2.65, 2.8}) {
    std::vector<physics::GroundBlock> stairs{across(-3, 3 + edge, 0, 2 * kTreads * kRise)};
    double at = edge;
    for (int i = 1; i < 2 * kTreads; ++i) {
      const double depth = i == kTreads ? kLanding : kStairTread;
      stairs.push_back(across(at, depth, 0, (2 * kTreads - i) * kRise));
      at += depth;
    }
    OnTheWay walker(stairs, 2 * kTreads * kRise);
    clean += walker.run(20) && walker.x() > at + kStairTread && !walker.touched;
  }
  EXPECT_GE(clean, 6);
}

TEST(Obstacles, FlightsOfStairsAreClimbedFootOverFoot) {
  EXPECT_GE(clean_flights(0.15, true), 5);
  EXPECT_GE(clean_flights(0.2, true), 5);
}

TEST(Obstacles, FlightsOfStairsAreDescendedFootOverFoot) {
  EXPECT_GE(clean_flights(0.15, false), 5);
  EXPECT_GE(clean_flights(0.2, false), 5);
}

}  // namespace
}  // namespace promenade::control
