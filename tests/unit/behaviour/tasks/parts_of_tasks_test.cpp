// Parts that several kinds of tasks share, each alone.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "behaviour/tasks/parameters.h"
#include "behaviour/tasks/parts/hauling.h"
#include "behaviour/tasks/parts/leaving.h"
#include "behaviour/tasks/parts/load.h"
#include "behaviour/tasks/parts/put_thing.h"
#include "behaviour/tasks/parts/reach_place.h"
#include "behaviour/tasks/parts/stand_before.h"
#include "behaviour/tasks/parts/waiting.h"
#include "behaviour/tasks/task_list.h"
#include "schema/message.h"
#include "tasks/worksite.h"

namespace promenade::behaviour::tasks {
namespace {

using ::testing::HasSubstr;
using testing::Worksite;
using Frame = control::HandGoal::Frame;

constexpr ThingId kBox = 5, kShelf = 6;

/// A look at a site. It refers to the site's parts, so it is made where it is used.
struct Look {
  explicit Look(const Worksite& site) : self(site.self()), around(site.around()), site_(site) {}
  Now now() const {
    return {self, around, site_, site_.parameters(), site_.body(), Worksite::kStep};
  }

  Self self;
  Surroundings around;

 private:
  const Worksite& site_;
};

Task task_to(double x) {
  Task task;
  task.kind = TaskKind::kGoTo;
  task.coordinates = 2;
  task.point = Vec3(x, 0, 0);
  return task;
}

TEST(HandPath, LeavesAndArrivesWithoutAJerk) {
  const Worksite site;
  const v1::HandPathParameters& p = site.parameters().hand_path();
  HandPath path;
  path.begin(Vec3(1, 0, 1), 2);
  control::HandGoal at = path.move(p, Frame::kChest, Vec3(1, 1, 1), Vec3::Zero(), 0);
  EXPECT_EQ(at.at, Vec3(1, 0, 1));
  EXPECT_EQ(at.velocity, Vec3(0, 0, 0));
  at = path.move(p, Frame::kChest, Vec3(1, 1, 1), Vec3::Zero(), 1);
  EXPECT_NEAR(at.at.y(), 0.5, 1e-9);
  EXPECT_FALSE(path.arrived());
  at = path.move(p, Frame::kChest, Vec3(1, 1, 1), Vec3::Zero(), 1);
  EXPECT_TRUE(path.arrived());
  EXPECT_NEAR((at.at - Vec3(1, 1, 1)).norm(), 0, 1e-9);
  EXPECT_NEAR(at.velocity.norm(), 0, 1e-9);
}

TEST(HandPath, RisesBeforeItGoesLevelInTheWorld) {
  const Worksite site;
  HandPath path;
  path.begin(Vec3(0, 0, 0), 1);
  const control::HandGoal at =
      path.move(site.parameters().hand_path(), Frame::kWorld, Vec3(1, 0, 1), Vec3::Zero(), 0.3);
  EXPECT_GT(at.at.z(), 0.3);
  EXPECT_EQ(at.at.x(), 0);
}

TEST(TaskList, ForgetsWhatIsDoneUnlessItRepeats) {
  for (const bool repeats : {false, true}) {
    TaskList list({task_to(1), task_to(2)}, repeats);
    list.advance();
    list.append({task_to(3)});
    EXPECT_EQ(list.all().size(), repeats ? 3u : 2u);
    EXPECT_EQ(list.present(), task_to(2));
    EXPECT_FALSE(list.present_is_last());
    list.advance();
    EXPECT_TRUE(list.present_is_last());
    list.advance();
    EXPECT_EQ(list.has_work(), repeats);
  }
}

TEST(TaskList, RefusesASavedPlaceBehindItsEnd) {
  TaskList list({task_to(1)}, false);
  StateVisitor::Buffer saved;
  write_state(list, saved);
  saved.back() = 2;
  StateVisitor reader = StateVisitor::reader(saved);
  list.visit(reader);
  EXPECT_EQ(reader.error(), "does a task that it does not have");
}

/// How it goes with a thing that was put down at (1, 0), for so many seconds.
struct Resting {
  Worksite site;
  Work work;
  PutThing put;

  Resting() {
    site.put_box(kBox, Vec3(1, 0, 1.0), Vec3(0.2, 0.2, 0.2), 4);
    site.put_box(kShelf, Vec3(1, 0, 0.4), Vec3(0.4, 0.4, 0.4), 40);
    put.put(Look(site).now(), kBox, kShelf, Vec3(1, 0, 0.8));
  }
  std::string run(double seconds) {
    for (double t = 0; t < seconds && work.goes_on(); t += Worksite::kStep) {
      work.attempt.clock += Worksite::kStep;
      put.see_it_rest(Look(site).now(), work);
    }
    if (work.goes_on()) return "";
    return work.outcome.kind == Outcome::Kind::kDone ? "done" : work.outcome.why;
  }
};

TEST(PutThing, IsPutOnceItHasRested) {
  Resting resting;
  EXPECT_EQ(resting.run(0.2), "");
  EXPECT_EQ(resting.run(0.2), "done");
}

TEST(PutThing, SaysWhatBecameOfIt) {
  Resting fell, rolled, sways;
  fell.site.things[kBox].position.z() = 0.2;
  EXPECT_EQ(fell.run(1), "it did not stay there: it fell down");
  rolled.site.things[kBox].position.x() += 0.3;
  EXPECT_EQ(rolled.run(1), "it did not stay there: it moved away");
  sways.site.things[kBox].omega.x() = 1;
  EXPECT_EQ(sways.run(10), "it does not come to rest there");
  EXPECT_NEAR(sways.work.attempt.clock, 3, 0.1);
}

TEST(PutThing, MayGoAlongWithWhatItStandsOn) {
  Resting resting;
  for (const ThingId id : {kBox, kShelf}) {
    resting.site.things[id].position.x() += 0.5;
    resting.site.things[id].velocity.x() = 0.5;
  }
  EXPECT_EQ(resting.run(1), "done");
}

/// Forces of somebody at the origin who pushes a box before them to +x.
struct Pushing {
  Worksite site;
  HaulForces forces;
  HaulStance stance;

  Pushing() {
    site.put_box(kBox, Vec3(0.9, 0, 0.5), Vec3(0.4, 0.4, 0.5), 60).friction = 0.2;
    site.seen().palm = {Vec3(0.5, 0.2, 1), Vec3(0.5, -0.2, 1)};
  }
  std::array<Vec3, 2> after(double clock, const Motion& wanted, double stuck = 0) {
    const Look look(site);
    const Haul haul{
        hauling_of(look.now(), TaskKind::kPushTo), site.things[kBox], 0, clock, 4, stuck};
    return forces.update(look.now(), haul, wanted, stance);
  }
};

TEST(Hauling, OvercomesTheFrictionOfWhatSlidesAsFastAsItShould) {
  Pushing pushing;
  pushing.site.things[kBox].velocity.x() = 0.2;
  const auto forces = pushing.after(4, {Vec2(0.2, 0), 0});
  EXPECT_NEAR((forces[kLeft] + forces[kRight]).x(), 0.2 * 60 * 9.81, 0.5);
  EXPECT_NEAR(forces[kLeft].x(), forces[kRight].x(), 1e-9);
}

TEST(Hauling, ComesSlowlyAndGrowsAgainstWhatIsStuck) {
  const Motion wanted{Vec2(0.2, 0), 0};
  const double soon = Pushing().after(0.4, wanted)[kLeft].x();
  const double later = Pushing().after(4, wanted)[kLeft].x();
  const double stuck = Pushing().after(4, wanted, 3)[kLeft].x();
  EXPECT_LT(soon, 0.3 * later);
  EXPECT_GT(stuck, 1.1 * later);
}

TEST(Hauling, TurnsAThingByUnequalForces) {
  const auto forces = Pushing().after(4, {Vec2(0.2, 0), 0.2});
  EXPECT_GT(forces[kRight].x(), forces[kLeft].x() + 1);  // turns it to the left
}

TEST(StandBefore, KeepsTheToesFreeOfTheThing) {
  Worksite site;
  const ThingSeen box = site.put_box(kBox, Vec3(2, 0, 0.2), Vec3(0.2, 0.2, 0.2), 4);
  const BoxSide side = side_towards(box, Vec2(1, 0));
  Stand stand;
  ASSERT_TRUE(stand_before(Look(site).now(), Vec2(2, 0), side, kBox, 0.1, &stand));
  EXPECT_NEAR(stand.place.x(), 2 - 0.2 - 0.2 - 0.1, 1e-9);
  EXPECT_NEAR(stand.heading, 0, 1e-9);
  site.put_box(kShelf, Vec3(0.7, 0, 0.5), Vec3(1.0, 0.5, 0.5), 40);
  EXPECT_FALSE(stand_before(Look(site).now(), Vec2(2, 0), side, kBox, 0.1, &stand));
}

TEST(StandBefore, AStoopDoesNotComeDownToWhatIsFarOff) {
  const Worksite site;
  Stand stand;
  EXPECT_FALSE(too_low(Look(site).now(), stand, Vec3(0.5, 0, 0.1), 0.4));
  EXPECT_TRUE(too_low(Look(site).now(), stand, Vec3(1.2, 0, 0.1), 0.4));
}

TEST(ReachPlace, StandsNearerToWhatIsHigh) {
  const Worksite site;
  const Look look(site);
  const Now now = look.now();
  EXPECT_GT(distance_for(now, 1.3), distance_for(now, 1.75));
  EXPECT_GT(distance_for(now, 1.75), distance_for(now, 1.9) - 1e-9);
  EXPECT_GT(distance_for(now, 0.1), site.body().toes);
}

TEST(Load, SlowsWaysAndIsLightByItsDrag) {
  const Worksite site;
  const Look look(site);
  EXPECT_DOUBLE_EQ(heaviness(look.now(), 0), 1);
  EXPECT_DOUBLE_EQ(heaviness(look.now(), 7), 1.5);
  EXPECT_EQ(lightness(look.now(), 0.3), 0);
  EXPECT_DOUBLE_EQ(lightness(look.now(), 0.1), 0.5);
}

TEST(Walk, IsSlowerWithALoad) {
  const Worksite site;
  const auto speed = [&](const Carried& carried) {
    Walk walk(0);
    walk.stand().place = Vec2(10, 0);
    const Look look(site);
    walk.set_out(look.now());
    control::Goal goal;
    for (int i = 0; i < 120; ++i) goal = walk.update(look.now(), carried, 0, 0);
    return goal.velocity.x();
  };
  Carried crate;
  crate.thing = kBox;
  crate.mass = 14;
  EXPECT_NEAR(speed(crate) / speed(Carried{}), 0.7, 0.02);
}

TEST(Walk, GoesRoundWhatIsBetween) {
  const Worksite site;
  const std::array<Neighbour, 1> box{Neighbour{Vec2(1.5, 0.1), Vec2::Zero(), 0.4, false}};
  Look look(site);
  look.around.neighbours = box;
  Walk walk(0);
  walk.stand().place = Vec2(4, 0);
  walk.set_out(look.now());
  control::Goal goal;
  for (int i = 0; i < 120; ++i) goal = walk.update(look.now(), Carried{}, 0, 0);
  EXPECT_LT(goal.heading, -0.2);  // to the right of it
}

TEST(Walk, TakesTooLongAfterHalfAMinuteAndTheTimeOfASlowWay) {
  const Worksite site;
  const Look look(site);
  Walk walk(0);
  walk.stand().place = Vec2(3, 0);
  walk.set_out(look.now());
  EXPECT_FALSE(walk.takes_too_long(look.now(), 0, 39.9));
  EXPECT_TRUE(walk.takes_too_long(look.now(), 0, 40.1));
}

TEST(Waiting, TellsWhetherItIsNew) {
  Waiting waiting;
  EXPECT_FALSE(waiting.wait_at(std::nullopt));
  EXPECT_TRUE(waiting.wait_at(Vec2(1, 0)));
  EXPECT_FALSE(waiting.wait_at(Vec2(2, 0)));
  EXPECT_TRUE(waiting.waits());
  EXPECT_TRUE(waiting.wait_at(std::nullopt));
}

TEST(Leaving, LetsGoOfWhatIsCarriedAndTakesTheHandsAway) {
  Worksite site;
  site.seen().palm = {Vec3(0.4, 0.2, 1), Vec3(0.4, -0.2, 1)};
  Work work;
  work.carried.thing = kBox;
  LeavingHands hands;
  hands.let_go(Look(site).now(), 0.5, work);
  EXPECT_EQ(work.carried.thing, 0u);
  EXPECT_EQ(work.orders[kLeft].kind, HandOrder::Kind::kLetGo);
  EXPECT_EQ(work.orders[kLeft].thing, kBox);
  control::Goal goal;
  int steps = 0;
  while (!hands.update(Look(site).now(), &goal) && steps < 100) ++steps;
  EXPECT_NEAR(steps, 29, 1);
  EXPECT_GT(goal.hand[kLeft].at.y(), 0.25);
  EXPECT_LT(goal.hand[kRight].at.y(), -0.25);
}

TEST(Leaving, StepsBackOnlyWhereSomethingIsAhead) {
  Worksite site;
  Work work;
  EXPECT_TRUE(free_ahead(Look(site).now(), work.walk.stand(), 0));
  site.put_box(kShelf, Vec3(0.7, 0, 0.4), Vec3(0.2, 0.5, 0.4), 40);
  EXPECT_FALSE(free_ahead(Look(site).now(), work.walk.stand(), 0));
  EXPECT_TRUE(step_back(Look(site).now(), work).stand) << "it comes up first";
  work.attempt.clock = 1;
  EXPECT_LT(step_back(Look(site).now(), work).velocity.x(), -0.1);
  EXPECT_FALSE(stepped_back(Look(site).now(), work));
  site.place(Vec2(-0.4, 0), 0);
  EXPECT_TRUE(stepped_back(Look(site).now(), work));
}

TEST(TaskParameters, OfWaysOfHandsGoTogether) {
  const auto own = test::data_dir() / "tasks.json";
  std::string text = *schema::read_file(own);
  const std::string key = "\"far_up_m\": 0.3";
  const auto at = text.find(key);
  ASSERT_NE(at, std::string::npos);
  text.replace(at, key.size(), "\"far_up_m\": 0.05");
  const auto file = std::filesystem::temp_directory_path() / "promenade_tasks_test.json";
  std::ofstream(file) << text;
  const auto loaded = load_parameters(file);
  std::filesystem::remove(file);
  ASSERT_FALSE(loaded.ok());
  EXPECT_THAT(loaded.error().text(), HasSubstr("hand_path.far_up_m: 0.05 is not allowed"));
}

}  // namespace
}  // namespace promenade::behaviour::tasks
