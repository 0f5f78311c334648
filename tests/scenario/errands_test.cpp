// Experiments of changing commands: that they do what they say, and notice what goes wrong.
#include "study/trial/task/errands.h"

#include <vector>

#include "math/rotation.h"
#include "math/statistics.h"
#include "shared.h"
#include "study/trial/rig/parallel.h"
#include "study/trial/walk/obedience.h"
#include "study/trial/walk/turning.h"

namespace promenade {
namespace {

using namespace trial;

TEST(Errands, GoFarAndDependOnTheSeedAlone) {
  const Errands one = run_errands(human(), 20, 5), again = run_errands(human(), 20, 5);
  EXPECT_EQ(one.travelled, again.travelled);
  EXPECT_GE(one.commands, 4) << "one every 2 to 5 s";
  EXPECT_LE(one.commands, 20 / 0.2);
  EXPECT_GT(one.travelled, 2);
  EXPECT_NE(one.travelled, run_errands(human(), 20, 6).travelled);
}

TEST(Storm, CommandsFasterThanStepsAndDependsOnTheSeedAlone) {
  const Errands one = storm(human(), 3, 5);
  EXPECT_EQ(one.commands, 10);
  EXPECT_EQ(one.travelled, storm(human(), 3, 5).travelled);
  EXPECT_NE(one.travelled, storm(human(), 3, 6).travelled);
}

TEST(Idling, IsMostlyStanding) {
  const Errands idle = idle_about(human(), 60, 7);
  EXPECT_TRUE(idle.up) << "fell at " << idle.seconds;
  EXPECT_GT(idle.standing, 0.5 * idle.seconds);
  EXPECT_GE(idle.commands, 1) << "it starts now and then";
}

TEST(Obedience, OfTheHumanInTheNormalStyle) {
  for (int order = 0; order < kOrders; ++order) {
    const Obedience outcome = obey(human(), Order(order), 11);
    EXPECT_TRUE(outcome.up) << order_name(Order(order));
    EXPECT_TRUE(outcome.obeyed) << order_name(Order(order));
  }
}

TEST(Obedience, IsNotSeenWhereThereIsNone) {
  // Without its pendulum the human soon falls: an experiment that says "obeyed" then says nothing.
  Walker lame = human();
  v1::GbwcParameters parameters = lame.gbwc();
  parameters.mutable_placement()->set_pendulum(0);
  parameters.mutable_speed()->set_tuning(0);
  lame.set_gbwc(parameters);
  int obeyed = 0;
  for (int order = 0; order < kOrders; ++order) obeyed += obey(lame, Order(order), 12).obeyed;
  EXPECT_LT(obeyed, kOrders);
}

TEST(Turning, IsAsFastAsTheHeadingTurns) {
  constexpr double kAsked = 2;  // rad/s, at which the controller turns its heading
  std::vector<Turn> turns(24);
  run_parallel(int(turns.size()), 0, [&](int i) {
    const double speed = 0.3 + 0.1 * (i % 12), angle = (i % 2 ? 1 : -1) * (1.2 + 0.08 * i);
    turns[std::size_t(i)] = turn(human(), speed, angle, 10 * kRadFromDeg, 8, std::uint64_t(13 + i));
  });
  std::vector<double> rates;
  for (const Turn& one : turns) {
    EXPECT_TRUE(one.up);
    EXPECT_LT(0.8 * 1.2 / one.rate, one.settled + 0.5) << "eight tenths of it, before it settles";
    rates.push_back(one.rate);
  }
  EXPECT_GT(median(rates), 0.6 * kAsked);
  EXPECT_LT(median(rates), 1.1 * kAsked);
}

TEST(SharpTurns, NoLegSwingsThroughTheOther) {
  int steps = 0, through = 0;
  for (const char* style : {"normal", "crouch", "march"}) {
    const Walker walker = Walker::of(*shipped(), "human", style);
    const SharpTurns turns = turn_sharply(walker, fitting_speed(walker), 12, 15);
    EXPECT_TRUE(turns.up) << style;
    steps += turns.quality.steps;
    through += turns.quality.through;
  }
  // Without braking before a turn it is every second step.
  EXPECT_LE(through, 0.08 * steps);
  EXPECT_GT(steps, 100);
}

TEST(SharpTurns, AreSeen) {
  const SharpTurns turns = turn_sharply(human(), 0.5, 4, 14);
  EXPECT_NEAR(turns.quality.seconds, 10, turns.up ? 0.1 : 10);
  EXPECT_GT(turns.quality.steps, 5);
}

}  // namespace
}  // namespace promenade
