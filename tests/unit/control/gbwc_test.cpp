#include "control/gbwc/gbwc.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "control/gbwc/style_library.h"
#include "creature/creature_library.h"
#include "math/random.h"
#include "math/rotation.h"
#include "schema/message.h"
#include "study/bench/allocation_counter.h"
#include "support/paths.h"

namespace promenade::control {
namespace {

using physics::ArticulatedBody;
using physics::ArticulationState;

constexpr double kStep = 1.0 / 480;

/// One human with a controller on level ground.
struct Human {
  explicit Human(const std::string& style_name = "normal") {
    static const auto bodies = CreatureLibrary::load(test::data_dir() / "creatures").value();
    static const auto styles = StyleLibrary::load(test::data_dir() / "styles").value();
    static const auto parameters = std::make_shared<const GbwcParameters>(
        schema::load_message<GbwcParameters>(test::data_dir() / "controllers/gbwc.json")
            .value()
            .message);
    body = bodies.find("human")->body;
    physics = std::make_unique<ArticulatedBody>(body->model);
    controller = std::make_unique<Gbwc>(body, styles.find(style_name), parameters);
    physics->set_state(upright());
    controller->reset(*physics, goal);
  }
  ArticulationState upright() const {
    Pose root;
    root.position.z() = body->standing_height + 0.001;
    return ArticulatedBody::zero_state(*body->model, root);
  }
  void update(double dt = kStep) { controller->update(*physics, ground, goal, dt); }
  void step(double dt = kStep) {
    update(dt);
    move(dt);
  }
  void move(double dt) {
    physics::StepSettings settings;
    settings.dt = dt;
    ArticulatedBody* one = physics.get();
    physics::step_island({&one, 1}, ground, settings, workspace);
  }
  void run(double seconds) {
    for (int i = 0; i < seconds / kStep; ++i) step();
  }
  bool drives_finite() const {
    for (const physics::JointDrive& d : physics->drives()) {
      if (!d.target.coeffs().allFinite() || !d.target_angle.allFinite() ||
          !d.target_velocity.allFinite() || !d.kp.allFinite() || !d.kd.allFinite() ||
          !d.feedforward.allFinite()) {
        return false;
      }
    }
    return true;
  }

  std::shared_ptr<const Creature> body;
  physics::Ground ground;
  physics::Workspace workspace;
  Goal goal;
  std::unique_ptr<ArticulatedBody> physics;
  std::unique_ptr<Gbwc> controller;
};

// Law: 1/2 v^2 + g h = g sqrt(h^2 + d^2), the pendulum over a support d ahead comes to rest
// upright.
TEST(CaptureDistance, StopsThePendulumUpright) {
  for (const double h : {0.5, 0.95, 1.3}) {
    for (const double v : {0.05, 0.6, 1.7, 4.0}) {
      const double d = capture_distance(v, h);
      EXPECT_NEAR(9.8 * std::hypot(h, d), 0.5 * v * v + 9.8 * h, 1e-9) << h << ' ' << v;
    }
  }
}

TEST(CaptureDistance, IsOddAndLinearWhereSlow) {
  EXPECT_EQ(capture_distance(0, 1), 0);
  EXPECT_DOUBLE_EQ(capture_distance(-0.8, 0.9), -capture_distance(0.8, 0.9));
  EXPECT_NEAR(capture_distance(1e-4, 0.98), 1e-4 * std::sqrt(0.98 / 9.8), 1e-11);
}

/// The same pose and motion seen in the mirror of the plane y = 0.
ArticulationState mirrored(const Creature& body, const ArticulationState& s) {
  std::vector<std::size_t> twin(s.joint.size());
  for (std::size_t i = 0; i < twin.size(); ++i) twin[i] = i;
  for (const Part left :
       {kLeftUpperArm, kLeftLowerArm, kLeftThigh, kLeftShank, kLeftFoot, kLeftToes}) {
    const auto l = std::size_t(biped_of(body)->link[left]),
               r = std::size_t(biped_of(body)->link[left + 1]);
    twin[l] = r;
    twin[r] = l;
  }
  const auto mirror = [](const Quat& q) { return Quat(q.w(), -q.x(), q.y(), -q.z()); };
  ArticulationState m = s;
  m.root.position.y() = -s.root.position.y();
  m.root.rotation = mirror(s.root.rotation);
  for (const int k : {1, 3, 5}) m.velocity[std::size_t(k)] = -s.velocity[std::size_t(k)];
  for (std::size_t i = 1; i < twin.size(); ++i) {
    const physics::LinkModel& to = body.model->links[twin[i]];
    const physics::LinkModel& from = body.model->links[i];
    m.joint[twin[i]] = mirror(s.joint[i]);
    m.angle[twin[i]] = s.angle[i];
    for (int k = 0; k < physics::dof_of(from.joint); ++k) {
      m.velocity[std::size_t(to.dof + k)] = s.velocity[std::size_t(from.dof + k)];
    }
    if (from.joint == physics::JointKind::kBall) {
      m.velocity[std::size_t(to.dof)] *= -1;
      m.velocity[std::size_t(to.dof + 2)] *= -1;
    } else if (from.joint == physics::JointKind::kUniversal) {
      m.angle[twin[i]].x() = -s.angle[i].x();
      m.velocity[std::size_t(to.dof)] *= -1;
    }
  }
  return m;
}

TEST(Gbwc, PlacesTheFeetAlikeOnBothSides) {
  Random random(3);
  for (int trial = 0; trial < 50; ++trial) {
    Human left, right;
    ArticulationState s = left.upright();
    // Thrown to the left, so that it steps at once.
    s.velocity[0] = random.uniform(-1, 1);
    s.velocity[1] = random.uniform(0.7, 1.2);
    for (std::size_t i = 6; i < s.velocity.size(); ++i) s.velocity[i] = random.uniform(-0.3, 0.3);
    for (const Part knee : {kLeftShank, kRightShank}) {
      s.angle[std::size_t(biped_of(*left.body)->link[knee])].x() = random.uniform(0, 0.4);
    }
    left.physics->set_state(s);
    right.physics->set_state(mirrored(*right.body, s));
    for (Human* one : {&left, &right}) {
      one->goal.stand = false;
      one->controller->reset(*one->physics, one->goal);
      one->update();
    }
    const ControlReport& a = left.controller->report();
    const ControlReport& b = right.controller->report();
    ASSERT_FALSE(a.standing) << "thrown sideways it must step";
    ASSERT_FALSE(b.standing);
    EXPECT_NE(a.left_stance, b.left_stance);
    EXPECT_NEAR(a.foot_target.x(), b.foot_target.x(), 1e-9);
    EXPECT_NEAR(a.foot_target.y(), -b.foot_target.y(), 1e-9);
    EXPECT_NEAR(a.foot_target.z(), b.foot_target.z(), 1e-9);
    // The torques mirror too: knees alike, thighs with roll and yaw turned round.
    for (int side : {kLeft, kRight}) {
      const auto l = std::size_t(biped_of(*left.body)->link[kLeftShank + side]);
      const auto r = std::size_t(biped_of(*right.body)->link[kLeftShank + 1 - side]);
      EXPECT_NEAR(left.physics->drives()[l].target_angle.x(),
                  right.physics->drives()[r].target_angle.x(), 1e-9);
      const auto lt = std::size_t(biped_of(*left.body)->link[kLeftThigh + side]);
      const auto rt = std::size_t(biped_of(*right.body)->link[kLeftThigh + 1 - side]);
      const Vec3 f = left.physics->drives()[lt].feedforward;
      const Vec3 g = right.physics->drives()[rt].feedforward;
      EXPECT_LT((f - Vec3(-g.x(), g.y(), -g.z())).norm(), 1e-6);
    }
  }
}

TEST(Gbwc, StepsTowardsWhereItIsThrown) {
  for (const double vy : {1.0, -1.0}) {
    Human human;
    ArticulationState s = human.upright();
    s.velocity[1] = vy;
    human.physics->set_state(s);
    human.controller->reset(*human.physics, human.goal);
    human.update();
    const ControlReport& r = human.controller->report();
    ASSERT_FALSE(r.standing);
    // The leg on the side to which it falls takes the step, and steps beyond the COM.
    EXPECT_EQ(r.left_stance, vy < 0);
    EXPECT_GT((r.foot_target - r.com).y() * vy, 0.1);
  }
}

TEST(Gbwc, FasterMeansFurther) {
  double last = -1e9;
  for (const double vx : {0.6, 1.0, 1.5, 2.0}) {
    Human human;
    ArticulationState s = human.upright();
    s.velocity[0] = vx;
    human.physics->set_state(s);
    human.controller->reset(*human.physics, human.goal);
    human.update();
    const ControlReport& r = human.controller->report();
    if (r.standing) continue;
    EXPECT_GT((r.foot_target - r.com).x(), last);
    last = (r.foot_target - r.com).x();
  }
  EXPECT_GT(last, 0.2);
}

TEST(Gbwc, GivesFiniteNumbersInAnyState) {
  Random random(11);
  for (int trial = 0; trial < 500; ++trial) {
    Human human;
    ArticulationState s = human.upright();
    const double wild = trial < 250 ? 1 : 20;
    s.root.position =
        Vec3(random.uniform(-100, 100), random.uniform(-100, 100), random.uniform(-0.5, 3));
    s.root.rotation = quat_from_rotation_vector(
        Vec3(random.uniform(-3, 3), random.uniform(-3, 3), random.uniform(-3, 3)));
    for (std::size_t i = 1; i < s.joint.size(); ++i) {
      s.joint[i] = quat_from_rotation_vector(
          Vec3(random.uniform(-2, 2), random.uniform(-2, 2), random.uniform(-2, 2)));
      s.angle[i] = Vec2(random.uniform(-3, 3), random.uniform(-3, 3));
    }
    for (double& v : s.velocity) v = wild * random.uniform(-5, 5);
    human.physics->set_state(s);
    human.goal.velocity = Vec2(random.uniform(-3, 3), random.uniform(-3, 3));
    human.goal.heading = random.uniform(-10, 10);
    human.goal.stand = random.chance(0.3);
    human.controller->reset(*human.physics, human.goal);
    for (int i = 0; i < 3; ++i) {
      human.step();
      ASSERT_TRUE(human.drives_finite()) << "trial " << trial << ", update " << i;
    }
  }
}

TEST(Gbwc, SameStateAndGoalGiveTheSameFuture) {
  Human a, b;
  for (Human* one : {&a, &b}) {
    one->goal.stand = false;
    one->goal.velocity = Vec2(0.7, 0.1);
    one->run(2);
    one->goal.heading = 1;
    one->run(1);
  }
  StateVisitor::Buffer state_a, state_b;
  write_state(*a.controller, state_a);
  write_state(*b.controller, state_b);
  EXPECT_EQ(state_a, state_b);
  EXPECT_EQ(a.physics->state().velocity, b.physics->state().velocity);
  EXPECT_GT(a.controller->report().steps, 2u);
}

bool same_drives(std::span<const physics::JointDrive> a, std::span<const physics::JointDrive> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
    return x.target.coeffs() == y.target.coeffs() && x.target_angle == y.target_angle &&
           x.target_velocity == y.target_velocity && x.kp == y.kp && x.kd == y.kd &&
           x.feedforward == y.feedforward;
  });
}

TEST(Gbwc, DecidesAsOftenAndFeelsAsLongWhateverTheStep) {
  for (const int steps_each : {1, 2, 4}) {
    const double step = kStep / steps_each;
    Human human;
    human.goal.stand = false;
    human.goal.velocity = Vec2(0.8, 0);
    std::array<Vec3, 2> felt{Vec3::Zero(), Vec3::Zero()};
    int since = 0, compared = 0;
    for (int i = 0; i < 480 * 2 * steps_each; ++i) {
      const auto loads = foot_loads(biped_of(*human.body).value(), *human.physics);
      for (const std::size_t side : {0u, 1u}) felt[side] += loads[side].force;
      ++since;
      const auto drives = human.physics->drives();
      const std::vector<physics::JointDrive> before(drives.begin(), drives.end());
      human.update(step);
      const bool due = i % steps_each == 0;
      ASSERT_EQ(!due, same_drives(before, human.physics->drives())) << i << " of " << steps_each;
      if (due) {
        for (const std::size_t side : {0u, 1u}) {
          const Vec3 mean = felt[side] / since;
          ASSERT_LT((human.controller->report().foot_force[side] - mean).norm(),
                    1e-9 * (1 + mean.norm()));
          compared += mean.z() > 100;
          felt[side].setZero();
        }
        since = 0;
      }
      human.move(step);
    }
    EXPECT_GT(compared, 500);
    EXPECT_GE(human.controller->report().steps, 1u);
  }
}

TEST(Gbwc, DecidesAtEachStepThatIsLonger) {
  Human human;
  human.goal.stand = false;
  human.goal.velocity = Vec2(0.8, 0);
  for (int i = 0; i < 20; ++i) {
    const auto drives = human.physics->drives();
    const std::vector<physics::JointDrive> before(drives.begin(), drives.end());
    human.step(1.0 / 240);
    ASSERT_FALSE(same_drives(before, human.physics->drives())) << i;
  }
}

TEST(Gbwc, DecidesAsOftenOnAverageWhereStepsDoNotFit) {
  for (const int hz : {500, 540, 600, 2000}) {
    Human human;
    int decided = 0;
    for (int i = 0; i < 2 * hz; ++i) {
      const auto drives = human.physics->drives();
      for (physics::JointDrive& drive : drives) drive.kp.x() = -1;
      human.update(1.0 / hz);
      decided += drives[1].kp.x() != -1;
    }
    EXPECT_NEAR(decided, 2 * 480, 2) << hz;
  }
}

TEST(Gbwc, WhatItFeelsBetweenDecisionsIsPartOfItsState) {
  Human human;
  human.run(0.5);
  const auto state = [&] {
    StateVisitor::Buffer out;
    write_state(*human.controller, out);
    return out;
  };
  human.update(kStep / 2);
  const auto decided = state();
  human.update(kStep / 2);
  EXPECT_NE(state(), decided);
}

TEST(Gbwc, HasItsBodySteppedFinelyInTroubleAndNotOnCourse) {
  Human human;
  human.goal.stand = false;
  human.goal.velocity = Vec2(0.8, 0);
  int fine = 0;
  const auto run = [&](double seconds, const Vec3& force) {
    fine = 0;
    for (int i = 0; i < seconds / kStep; ++i) {
      const int torso = biped_of(*human.body)->link[kTorso];
      human.physics->add_force({torso, human.physics->links()[torso].position, force});
      human.step();
      fine += human.physics->fine();
    }
  };
  run(4, Vec3::Zero());  // until it walks
  run(4, Vec3::Zero());
  EXPECT_EQ(fine, 0);
  run(0.2, Vec3(0, 300, 0));
  EXPECT_GT(fine, 20);
  run(4, Vec3::Zero());  // until it has recovered
  run(4, Vec3::Zero());
  EXPECT_EQ(fine, 0);
  EXPECT_GT(human.physics->state().root.position.z(), 0.8 * human.body->standing_height);
}

TEST(Gbwc, AllocatesNothingWhileWalking) {
  Human human;
  human.goal.stand = false;
  human.goal.velocity = Vec2(0.8, 0);
  human.run(4);  // contact buffers grow
  ASSERT_GT(human.controller->report().steps, 3u);
  const AllocationCounter counter;
  human.run(2);
  EXPECT_EQ(counter.count(), 0u);
}

TEST(Gbwc, AllocationsAreCounted) {
  const AllocationCounter counter;
  const auto one = std::make_unique<std::vector<double>>(10);
  EXPECT_GE(counter.count(), 2u);
}

TEST(Gbwc, ResetStartsAfresh) {
  Human walked, fresh;
  walked.goal.stand = false;
  walked.goal.velocity = Vec2(0.8, 0);
  walked.run(3);
  walked.goal = fresh.goal;
  walked.physics->set_state(walked.upright());
  walked.controller->reset(*walked.physics, walked.goal);
  EXPECT_TRUE(walked.controller->report().standing);
  EXPECT_EQ(walked.controller->report().steps, 0u);
  // Its past must not show in what it does now.
  for (Human* one : {&walked, &fresh}) one->run(1);
  EXPECT_EQ(walked.controller->report().com, fresh.controller->report().com);
}

TEST(Gbwc, WalksBentAsFarAsItIsAsked) {
  const auto height = [](double bend) {
    Human human;
    human.goal.stand = false;
    human.goal.velocity = Vec2(-0.2, 0);
    human.goal.bend = bend;
    human.run(6);
    return human.physics->links()[std::size_t(biped_of(*human.body)->link[kHead])].position.z();
  };
  const double upright = height(0);
  EXPECT_GT(upright, 1.4);
  EXPECT_LT(height(0.25), upright - 0.04);
  const double bent = height(0.5);
  EXPECT_LT(bent, upright - 0.15);
  EXPECT_GT(bent, 1);  // it is still up
}

TEST(Gbwc, HoldsTheHeadingItIsGiven) {
  Human human;
  human.goal.stand = false;
  human.goal.velocity = Vec2(0.5, 0);
  human.run(6);
  EXPECT_NEAR(human.controller->report().heading, 0, 15 * kRadFromDeg);
  EXPECT_NEAR(human.controller->report().mean_velocity.x(), 0.5, 0.15);
}

}  // namespace
}  // namespace promenade::control
