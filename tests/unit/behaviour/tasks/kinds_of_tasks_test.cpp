// Each kind of task, done by somebody without physics.
#include <gtest/gtest.h>

#include <string>

#include "behaviour/tasks/kinds/any_skill.h"
#include "tasks/worksite.h"

namespace promenade::behaviour::tasks {
namespace {

using testing::Worksite;

constexpr ThingId kBox = 5, kShelf = 6;

/// One task on such a site.
struct Job {
  Worksite site;
  Work work;
  AnySkill skill;
  Task task;
  double seconds = 0;  // that it has taken

  explicit Job(TaskKind kind) {
    task.kind = kind;
    skill.begin(kind);
  }
  control::Goal update() {
    const Self self = site.self();
    const Surroundings around = site.around();
    const Now now{self, around, site, site.parameters(), site.body(), Worksite::kStep};
    work.attempt.clock += Worksite::kStep;
    seconds += Worksite::kStep;
    control::Goal goal = skill.get()->update(now, task, work);
    site.follow(goal, work.orders);
    work.orders.fill(HandOrder{});
    return goal;
  }
  bool lose() {
    const Self self = site.self();
    const Surroundings around = site.around();
    return skill.get()->lose({self, around, site, site.parameters(), site.body(), 0}, work);
  }
  /// @return how it ended: "done", or why it failed; "": it goes on after `most` seconds
  std::string run(double most = 60) {
    while (work.goes_on() && seconds < most) update();
    if (work.goes_on()) return "";
    return work.outcome.kind == Outcome::Kind::kDone ? "done" : work.outcome.why;
  }
  void go_to(double x, double y) {
    task.point = Vec3(x, y, 0);
    task.coordinates = 2;
  }
  ThingSeen& box() {
    task.thing = kBox;
    return site.put_box(kBox, Vec3(2, 0.4, 0.2), Vec3(0.2, 0.2, 0.2), 4);
  }
  /// Has the box in both hands, before the chest.
  void hold_box() {
    box();
    Job lifting(TaskKind::kPickUp);
    lifting.task.thing = kBox;
    lifting.site = site;
    ASSERT_EQ(lifting.run(), "done");
    site = lifting.site;
    work = lifting.work;
    work.outcome = Outcome{};
    work.attempt = Attempt{};
    work.walk.begin_task();
  }
};

TEST(GoTo, EndsAtThePlaceFacingAsAsked) {
  Job job(TaskKind::kGoTo);
  job.go_to(3, 1);
  job.task.turned = true;
  job.task.heading = 1;
  EXPECT_EQ(job.run(), "done");
  EXPECT_LT((job.site.position() - Vec2(3, 1)).norm(), 0.12);
  EXPECT_NEAR(job.site.heading(), 1, 0.25);
}

TEST(GoTo, PassesAPlaceWithMoreToDo) {
  Job stops(TaskKind::kGoTo), passes(TaskKind::kGoTo);
  stops.go_to(3, 0);
  passes.go_to(3, 0);
  passes.work.more_to_do = true;
  EXPECT_EQ(stops.run(), "done");
  EXPECT_EQ(passes.run(), "done");
  EXPECT_LT(passes.seconds, stops.seconds - 0.5);
}

TEST(SitOut, TakesItsTime) {
  Job job(TaskKind::kSitOut);
  job.task.seconds = 2;
  EXPECT_EQ(job.run(), "done");
  EXPECT_NEAR(job.seconds, 2, 0.05);
}

TEST(Reach, BringsTheNearerPalmToAPoint) {
  Job job(TaskKind::kReach);
  job.task.point = Vec3(2, 0.5, 1.2);
  job.task.coordinates = 3;
  EXPECT_EQ(job.run(), "done");
  EXPECT_LT((job.site.body().palm[kLeft] - job.task.point).norm(), 0.03);
}

TEST(Reach, RefusesWhatIsTooHigh) {
  Job job(TaskKind::kReach);
  job.task.point = Vec3(2, 0, 2.6);
  job.task.coordinates = 3;
  EXPECT_EQ(job.run(), "it is too high");
  EXPECT_LT(job.seconds, 0.1);
}

TEST(Reach, GripsIfAsked) {
  Job job(TaskKind::kReach);
  job.box().position.z() = 1.2;
  job.task.grip = true;
  job.task.hand = HandChoice::kRight;
  EXPECT_EQ(job.run(), "done");
  EXPECT_EQ(job.site.body().holds[kRight], kBox);
  EXPECT_EQ(job.site.body().holds[kLeft], 0u);
}

TEST(PickUp, HasTheThingBeforeTheChest) {
  Job job(TaskKind::kPickUp);
  job.box();
  EXPECT_EQ(job.run(), "done");
  EXPECT_EQ(job.work.carried.thing, kBox);
  EXPECT_GT(job.site.things[kBox].position.z(), 0.7);
  EXPECT_FALSE(job.work.carried.handed);
}

TEST(PickUp, SaysWhyItCannot) {
  const auto why = [](void (*change)(Job&)) {
    Job job(TaskKind::kPickUp);
    job.box();
    change(job);
    return job.run();
  };
  EXPECT_EQ(why([](Job& job) { job.site.things[kBox].mass = 60; }), "it is too heavy");
  EXPECT_EQ(why([](Job& job) { job.site.things[kBox].fixed = true; }), "it is fixed");
  EXPECT_EQ(why([](Job& job) { job.site.burdened = kBox; }), "something stands on it");
  EXPECT_EQ(why([](Job& job) { job.site.taken[kBox] = 7; }), "somebody else has it");
  EXPECT_EQ(why([](Job& job) { job.site.things[kBox].half.setConstant(0.9); }),
            "there is no place to stand before it");
  EXPECT_EQ(why([](Job& job) { job.site.things.clear(); }), "it is not there any more");
}

TEST(PickUp, StepsBackFromAShelf) {
  Job job(TaskKind::kPickUp);
  job.box().position = Vec3(2, 0, 1.0);
  job.site.put_box(kShelf, Vec3(2, 0, 0.4), Vec3(0.3, 0.6, 0.4), 100);
  EXPECT_EQ(job.run(), "done");
  EXPECT_LT(job.site.position().x(), 1.4);
}

TEST(PutDown, BringsItToItsPlaceAndLetsGo) {
  Job job(TaskKind::kPutDown);
  job.hold_box();
  job.go_to(-1, 0.5);
  EXPECT_EQ(job.run(), "done");
  EXPECT_EQ(job.work.carried.thing, 0u);
  EXPECT_EQ(job.site.body().holds[kLeft], 0u);
  const Vec3 at = job.site.things[kBox].position;
  EXPECT_LT((at.head<2>() - Vec2(-1, 0.5)).norm(), 0.06);
  EXPECT_NEAR(at.z(), 0.2, 0.02);
}

TEST(PutDown, DoesNotPutIntoTheAir) {
  Job job(TaskKind::kPutDown);
  job.hold_box();
  job.task.point = Vec3(-1, 0.5, 0.8);
  job.task.coordinates = 3;
  EXPECT_EQ(job.run(), "there is nothing to put it on at that height");
  EXPECT_EQ(job.work.carried.thing, kBox);
}

TEST(PutDown, NeedsSomethingInTheHands) {
  Job job(TaskKind::kPutDown);
  EXPECT_EQ(job.run(), "nothing is carried");
}

TEST(Carry, IsPickingUpAndThenPuttingDown) {
  Job job(TaskKind::kCarry);
  job.box();
  job.go_to(-1, 0.5);
  EXPECT_FALSE(job.skill.get()->places());
  EXPECT_EQ(job.run(), "done");
  EXPECT_TRUE(job.skill.get()->places());
  EXPECT_LT((job.site.things[kBox].position.head<2>() - Vec2(-1, 0.5)).norm(), 0.06);
}

TEST(Carry, PicksUpWhatItLoses) {
  Job job(TaskKind::kCarry);
  job.box();
  job.go_to(-4, 0.5);
  for (int loss = 1; loss <= 4; ++loss) {
    while (!job.skill.get()->places() && job.seconds < 200) job.update();
    ASSERT_TRUE(job.skill.get()->places());
    job.work.carried = Carried{};
    job.site.seen().holds = {0, 0};
    job.site.things[kBox].position.z() = 0.2;
    EXPECT_TRUE(job.lose());
    if (loss < 4) {
      EXPECT_TRUE(job.work.goes_on());
      EXPECT_EQ(job.skill.get()->phase(), Skill::Phase::kBegins);
    }
  }
  EXPECT_STREQ(job.work.outcome.why, "it is dropped again and again");
}

TEST(HandOver, WaitsUntilTheTakerHasTheWeight) {
  Job job(TaskKind::kHandOver);
  job.hold_box();
  job.task.somebody = Worksite::kOther;
  job.site.other.works = job.site.other.physical = true;
  job.site.other.takes = Takes::kNow;
  job.site.other.feet = Vec2(-2, 0);
  job.site.other.arm = 0.65;
  job.site.other.mass = 70;
  job.update();
  EXPECT_EQ(job.skill.get()->handing().asks(), Worksite::kOther);
  while (job.skill.get()->handing().stage != Handing::Stage::kOffers && job.seconds < 30)
    job.update();
  ASSERT_EQ(job.skill.get()->handing().stage, Handing::Stage::kOffers);
  EXPECT_EQ(job.skill.get()->handing().asks(), 0u);
  Handing& taker = job.site.other.handing;
  taker = {1, kBox, Handing::Stage::kHolds};
  for (int i = 0; i < 200; ++i) job.update();
  EXPECT_EQ(job.work.carried.thing, kBox) << "the taker has not the weight yet";
  const control::Goal goal = job.update();
  EXPECT_EQ(goal.hand[kLeft].effort.z(), 0) << "but this one has given it over";
  taker.stage = Handing::Stage::kHas;
  EXPECT_EQ(job.run(), "done");
  EXPECT_EQ(job.work.carried.thing, 0u);
}

TEST(HandOver, IsRefusedByWhoCannotTake) {
  const auto why = [](void (*change)(SomebodySeen&)) {
    Job job(TaskKind::kHandOver);
    job.hold_box();
    job.task.somebody = Worksite::kOther;
    SomebodySeen& other = job.site.other;
    other.works = other.physical = true;
    other.takes = Takes::kNow;
    other.mass = 70;
    change(other);
    return job.run(1);
  };
  EXPECT_EQ(why([](SomebodySeen& other) { other.works = false; }), "they cannot take it");
  EXPECT_EQ(why([](SomebodySeen& other) { other.takes = Takes::kNever; }),
            "they are at something else");
  EXPECT_EQ(why([](SomebodySeen& other) { other.holds = {3, 0}; }), "their hands are full");
  EXPECT_EQ(why([](SomebodySeen& other) { other.mass = 5; }), "it is too heavy for them");
}

TEST(TakeOver, TakesWhatIsHeldOutAndKeepsIt) {
  Job job(TaskKind::kTakeOver);
  SomebodySeen& giver = job.site.other;
  giver.works = giver.physical = true;
  giver.feet = Vec2(1.0, 0);
  giver.handing = {1, kBox, Handing::Stage::kOffers};
  giver.holds = {kBox, kBox};
  job.site.gives = true;
  job.site.put_box(kBox, Vec3(0.5, 0, 1.1), Vec3(0.15, 0.15, 0.15), 4);
  while (job.skill.get()->handing().stage != Handing::Stage::kHas && job.seconds < 20) job.update();
  ASSERT_EQ(job.skill.get()->handing().stage, Handing::Stage::kHas);
  EXPECT_EQ(job.work.carried.thing, 0u) << "the giver has it still";
  giver.holds = {0, 0};
  EXPECT_EQ(job.run(), "done");
  EXPECT_EQ(job.work.carried.thing, kBox);
  EXPECT_TRUE(job.work.carried.handed);
}

TEST(TakeOver, GivesUpWhenNobodyComes) {
  Job job(TaskKind::kTakeOver);
  EXPECT_EQ(job.run(200), "nobody hands anything over");
  EXPECT_NEAR(job.seconds, 120, 1);
}

TEST(Move, PushesTowardsTheGoal) {
  Job job(TaskKind::kPushTo);
  job.box() = {};
  job.site.put_box(kBox, Vec3(2, 0, 0.5), Vec3(0.4, 0.4, 0.5), 40).friction = 0.2;
  job.go_to(5, 0);
  control::Goal goal;
  while (goal.hand[kLeft].effort.x() == 0 && job.seconds < 30) goal = job.update();
  for (int i = 0; i < 60; ++i) goal = job.update();
  EXPECT_GT(goal.hand[kLeft].effort.x(), 5);
  EXPECT_GT(goal.hand[kRight].effort.x(), 5);
  EXPECT_GT(goal.velocity.x(), 0);
  EXPECT_TRUE(job.skill.get()->takes_hold());
}

TEST(Move, PullsTheOtherWay) {
  Job job(TaskKind::kPullTo);
  job.box() = {};
  job.site.put_box(kBox, Vec3(2, 0, 0.5), Vec3(0.4, 0.4, 0.5), 40).friction = 0.2;
  job.go_to(-1, 0);
  control::Goal goal;
  while (goal.hand[kLeft].effort.x() == 0 && job.seconds < 30) goal = job.update();
  for (int i = 0; i < 60; ++i) goal = job.update();
  EXPECT_LT(goal.hand[kLeft].effort.x(), -5);
  EXPECT_EQ(goal.hand[kLeft].frame, control::HandGoal::Frame::kHolds);
}

TEST(Skills, ComeBackFromTheirSavedState) {
  for (const TaskKind kind : {TaskKind::kGoTo, TaskKind::kReach, TaskKind::kPickUp,
                              TaskKind::kCarry, TaskKind::kPushTo, TaskKind::kSitOut}) {
    Job job(kind);
    job.box();
    job.task.coordinates = 0;
    job.task.seconds = 3;
    job.task.point = Vec3(3, 0, 0);
    if (kind == TaskKind::kPushTo) job.site.things[kBox].half = Vec3(0.4, 0.4, 0.5);
    for (int i = 0; i < 150; ++i) job.update();
    StateVisitor::Buffer saved;
    StateVisitor writer = StateVisitor::writer(saved);
    job.skill.get()->visit(writer);
    job.work.visit(writer);
    Job other(kind);
    other.site = job.site;
    other.task = job.task;
    StateVisitor reader = StateVisitor::reader(saved);
    other.skill.get()->visit(reader);
    other.work.visit(reader);
    EXPECT_EQ(reader.error(), "");
    EXPECT_EQ(reader.left(), 0u);
    for (int i = 0; i < 100 && job.work.goes_on(); ++i) {
      job.update();
      other.update();
      ASSERT_EQ(job.site.position(), other.site.position()) << task_name(kind);
      ASSERT_EQ(job.site.body().palm[kLeft], other.site.body().palm[kLeft]) << task_name(kind);
    }
  }
}

}  // namespace
}  // namespace promenade::behaviour::tasks
