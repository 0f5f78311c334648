// Leaps: what a toy sees ahead, which leap passes over it, and what its leaps are measured to pass
// over.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include "control/posegraph/gait.h"
#include "control/posegraph/gait_library.h"
#include "control/posegraph/hurdle_eye.h"
#include "control/registry.h"
#include "objectives.h"
#include "search/gaits/gait_problem.h"
#include "search/gaits/leap_reaches.h"
#include "study/trial/gait/hurdle_trial.h"

namespace promenade::search {
namespace {

using control::posegraph::Gait;
using control::posegraph::Hurdle;
using control::posegraph::look_ahead;
using control::posegraph::size_over;
using ::testing::HasSubstr;

constexpr const char* kLeaper = "luxo_skip";

v1::Gait leaper() { return shipped().gaits().find(kLeaper)->message; }

trial::GaitTrial trial_of_lamp() {
  return trial::GaitTrial(shipped().bodies().find("luxo")->body,
                          shipped().controllers().parameters(*control::find_family("posegraph")));
}

std::string fault_of(const v1::Gait& gait) {
  const auto built =
      control::posegraph::build_gait(gait, *shipped().bodies().find("luxo")->body, {});
  return built ? "no error" : built.error().text();
}

physics::GroundBlock block_at(double x, double depth, double height) {
  physics::GroundBlock block;
  block.pose.position = Vec3(x, 0, height / 2);
  block.half = Vec3(depth / 2, 1, height / 2);
  return block;
}

TEST(HurdleEye, SeesTheNearestThingAheadThatIsHighEnough) {
  const physics::Ground ground(
      {block_at(0.4, 0.1, 0.02), block_at(1, 0.1, 0.2), block_at(1.5, 0.1, 0.3)});
  const auto seen = look_ahead({ground}, Vec2(0, 0), 0, 0.05, 2);
  ASSERT_TRUE(seen);
  EXPECT_NEAR(seen->near, 0.95, 0.011);
  EXPECT_NEAR(seen->far, 1.05, 0.011);
  EXPECT_NEAR(seen->height, 0.2, 1e-9);
  EXPECT_FALSE(look_ahead({ground}, Vec2(0, 0), 3.14159, 0.05, 2)) << "it is behind";
  EXPECT_FALSE(look_ahead({ground}, Vec2(0, 0), 0, 0.05, 0.9)) << "it is too far away";
  EXPECT_FALSE(look_ahead({ground}, Vec2(0, 0), 0, 0.5, 2)) << "nothing is so high";
}

TEST(HurdleEye, TakesAStepThatDoesNotEndForNoHurdle) {
  const physics::Ground ground({block_at(6, 10, 0.2)});
  EXPECT_FALSE(look_ahead({ground}, Vec2(0, 0), 0, 0.05, 2));
}

TEST(HurdleEye, ChoosesTheLeapThatHasTheHurdleInItsMiddle) {
  Gait gait;
  gait.variants.resize(2);
  gait.variants[0].size = 0.5;
  gait.variants[0].reaches = {{0.1, 0.1, 0.5}, {0.2, 0.2, 0.4}};
  gait.variants[1].reaches = {{0.1, 0.2, 1}, {0.2, 0.3, 0.9}};
  EXPECT_EQ(size_over(gait, {0.25, 0.3, 0.1}), 0.5);
  EXPECT_EQ(size_over(gait, {0.5, 0.6, 0.2}), 1);
  EXPECT_FALSE(size_over(gait, {0.5, 0.6, 0.21})) << "too high";
  EXPECT_FALSE(size_over(gait, {0.85, 0.9, 0.2})) << "it would touch behind";
  EXPECT_FALSE(size_over(gait, {0.01, 0.06, 0.1})) << "too near";
}

TEST(Leaps, OfTheLampClearHurdlesThatItSees) {
  const trial::GaitTrial trial = trial_of_lamp();
  trial::Hurdles hurdles;
  hurdles.count = 3;
  const auto gait = shipped().gaits().find(kLeaper)->gait;
  const auto run = trial::run_hurdles(trial, gait, hurdles, 11);
  EXPECT_EQ(std::count(run.begin(), run.end(), trial::HurdleEnd::kCleared), 3);

  v1::Gait sightless = leaper();
  for (v1::GaitVariant& one : *sightless.mutable_variants()) one.clear_reaches();
  const auto without = control::posegraph::build_gait(sightless, trial.creature(), {});
  ASSERT_TRUE(without.ok()) << without.error().text();
  EXPECT_TRUE(gait->leaps_by_itself());
  EXPECT_FALSE((*without)->leaps_by_itself());
  const auto stopped = trial::run_hurdles(trial, *without, hurdles, 11);
  EXPECT_EQ(std::count(stopped.begin(), stopped.end(), trial::HurdleEnd::kCleared), 0);
}

TEST(Leaps, PassOverLessOfAHigherHurdleAndTheFileSaysNoMore) {
  const auto gait = shipped().gaits().find(kLeaper)->gait;
  const auto full = std::size_t(gait->leap_of(1));
  const auto found = find_reaches(trial_of_lamp(), gait, full, 0.2, 3, 500, 2);
  ASSERT_EQ(found.size(), 5u);
  for (auto one = found.begin(); one != found.end(); ++one) {
    EXPECT_EQ(one->up, 3);
    EXPECT_FALSE(one->empty());
    if (one == found.begin()) continue;
    EXPECT_GT(one->reach.from, (one - 1)->reach.from);
    EXPECT_LT(one->reach.to, (one - 1)->reach.to);
  }
  for (const auto& of_file : gait->variants[full].reaches) {
    const auto same = std::find_if(found.begin(), found.end(), [&](const FoundReach& one) {
      return std::abs(one.reach.height - of_file.height) < 1e-6;
    });
    ASSERT_NE(same, found.end());
    EXPECT_NEAR(same->reach.from, of_file.from, 0.03);
    EXPECT_NEAR(same->reach.to, of_file.to, 0.03);
  }
}

TEST(Leaps, ReachesOfAFileAreRefusedWhereTheyCannotBe) {
  EXPECT_EQ(fault_of(leaper()), "no error");
  v1::Gait gait = leaper();
  gait.mutable_variants(0)->mutable_reaches(1)->set_to_m(-3);
  EXPECT_THAT(fault_of(gait), HasSubstr("variants[0].reaches[1].to_m"));
  gait = leaper();
  gait.mutable_variants(0)->set_size(1.5);
  EXPECT_THAT(fault_of(gait), HasSubstr("variants[0].size"));
  gait = leaper();
  v1::GaitVariant& again = *gait.add_variants() = gait.variants(0);
  again.set_name("again");
  EXPECT_THAT(fault_of(gait), HasSubstr("a size that no leap before it has"));
  again.set_size(0.11);
  EXPECT_EQ(fault_of(gait), "no error");
  again.clear_reaches();
  again.clear_recovery();
  again.set_use(v1::GaitVariant::MIX);
  EXPECT_THAT(fault_of(gait), HasSubstr("nothing, as only a LEAP has a size"));
  gait = leaper();
  gait.mutable_variants(0)->set_use(v1::GaitVariant::MIX);
  EXPECT_THAT(fault_of(gait), HasSubstr("variants[0].reaches"));
  gait = leaper();
  gait.mutable_variants(0)->set_recovery(101);
  EXPECT_THAT(fault_of(gait), HasSubstr("variants[0].recovery"));
  gait = leaper();
  while (gait.variants(0).reaches_size() < 65) {
    *gait.mutable_variants(0)->add_reaches() = gait.variants(0).reaches(0);
  }
  EXPECT_THAT(fault_of(gait), HasSubstr("up to 64"));
}

TEST(Leaps, OfEverySizeAreTheOnesThatAreNearestAndKeepTheLampUp) {
  const trial::GaitTrial trial = trial_of_lamp();
  const auto gait = shipped().gaits().find(kLeaper)->gait;
  double before = 0;
  for (const double size : {0.2, 0.4, 0.6, 0.8, 1.0}) {
    const int leap = gait->leap_of(size + 0.03);
    ASSERT_GE(leap, 0);
    EXPECT_EQ(gait->variants[std::size_t(leap)].size, size);
    trial::GaitDeeds deeds;
    deeds.leap_at = 4.1;
    deeds.leap_size = size - 0.03;
    const trial::GaitMeasures run = trial.run(gait, {10, 2}, 77, deeds);
    EXPECT_EQ(run.end, trial::GaitEnd::kWentOn) << size;
    EXPECT_GT(run.flight.length, before + 0.05) << size;
    before = run.flight.length;
  }
}

TEST(Leaps, OfAnotherSizeAreSearchedBesideThoseOfTheFile) {
  v1::GaitSearch search;
  search.set_creature("luxo");
  *search.mutable_from() = leaper();
  search.set_part(v1::GaitSearch::VARIANT);
  search.set_use(v1::GaitVariant::LEAP);
  search.set_states(std::uint32_t(leaper().chain_size()));
  search.set_size(0.33);
  v1::GaitTerm& term = *search.mutable_objective()->add_terms();
  term.set_figure("leap");
  term.set_weight(1);
  term.set_target(0.9);
  const auto problem = GaitProblem::make(search, shipped(), {});
  ASSERT_TRUE(problem.ok()) << problem.error().text();
  const v1::Gait file = problem->space().message(problem->start());
  ASSERT_EQ(file.variants_size(), leaper().variants_size() + 1);
  EXPECT_EQ(file.variants(file.variants_size() - 1).name(), "leap_33");
  EXPECT_EQ(file.variants(file.variants_size() - 1).size(), 0.33);
  EXPECT_EQ(file.variants(0).reaches_size(), leaper().variants(0).reaches_size());
  // One of a size that the file has takes its place.
  search.set_size(1);
  const auto full = GaitProblem::make(search, shipped(), {});
  ASSERT_TRUE(full.ok()) << full.error().text();
  EXPECT_EQ(full->space().message(full->start()).variants_size(), leaper().variants_size());
  search.add_weights(0.5);
  const auto mixed = GaitProblem::make(search, shipped(), {});
  ASSERT_FALSE(mixed.ok());
  EXPECT_THAT(mixed.error().text(), HasSubstr("a leap is gone through in full"));
  search.clear_weights();
  search.set_use(v1::GaitVariant::LEFT);
  const auto turn = GaitProblem::make(search, shipped(), {});
  ASSERT_FALSE(turn.ok());
  EXPECT_THAT(turn.error().text(), HasSubstr("only a LEAP has a size"));
}

TEST(Leaps, AreSearchedWithAChainOfAsManyPosesAsAsked) {
  v1::GaitSearch search;
  search.set_creature("luxo");
  *search.mutable_from() = leaper();
  search.set_part(v1::GaitSearch::VARIANT);
  search.set_use(v1::GaitVariant::LEAP);
  search.set_states(5);
  search.set_period_s(1.2);
  v1::GaitTerm& term = *search.mutable_objective()->add_terms();
  term.set_figure("cleared");
  term.set_weight(1);
  const auto problem = GaitProblem::make(search, shipped(), {});
  ASSERT_TRUE(problem.ok()) << problem.error().text();
  EXPECT_EQ(problem->dimension(), 5 * 3);
  EXPECT_EQ(problem->space().period(), 1.2);
  const v1::Gait file = problem->space().message(problem->start());
  EXPECT_EQ(file.chain_size(), 5);
  EXPECT_EQ(file.variants(0).chain_size(), 5);
  EXPECT_EQ(file.variants(0).reaches_size(), 0) << "they were of another chain";
  EXPECT_EQ(file.variants_size(), 1) << "so were the leaps of other sizes";
  search.set_strides(19);
  const auto brief = GaitProblem::make(search, shipped(), {});
  ASSERT_FALSE(brief.ok()) << "it would end before some of its leaps";
  EXPECT_THAT(brief.error().text(), HasSubstr("strides"));
  search.set_strides(0);
  search.set_hurdle_m(11);
  const auto high = GaitProblem::make(search, shipped(), {});
  ASSERT_FALSE(high.ok());
  EXPECT_THAT(high.error().text(), HasSubstr("hurdle_m"));
}

}  // namespace
}  // namespace promenade::search
