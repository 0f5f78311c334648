#include "search/report/found_gaits.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "objectives.h"
#include "study/report/panne1996/shipped_gaits.h"
#include "study/trial/gait/change_trial.h"
#include "study/trial/gait/mixed_gait.h"

namespace promenade::search {
namespace {

const WantedGait& wanted(const std::string& name) {
  static const std::vector<WantedGait> all = wanted_gaits(shipped());
  return *std::find_if(all.begin(), all.end(),
                       [&](const WantedGait& gait) { return gait.name == name; });
}

TEST(WantedGaits, AreThoseOfTheSourcesTable) {
  EXPECT_EQ(wanted_gaits(shipped()).size(), 10u);
  for (const WantedGait& gait : wanted_gaits(shipped())) {
    EXPECT_FALSE(gait.start.gait().has_from()) << gait.name << " begins with nothing";
    EXPECT_EQ(gait.name, gait.start.gait().creature() + "_" + gait.kind);
    EXPECT_NE(find_method(gait.start.method()), nullptr) << gait.name;
  }
}

TEST(WantedGaits, LetTheMonsterHopWithItsLegsInPhase) {
  const WantedGait& hop = wanted("monster_hop");
  EXPECT_EQ(hop.kind, "hop");
  EXPECT_EQ(hop.start.gait().symmetry(), v1::Gait::IN_PHASE);
  const auto& terms = hop.start.gait().objective().terms();
  EXPECT_TRUE(std::any_of(terms.begin(), terms.end(),
                          [](const v1::GaitTerm& term) { return term.figure() == "hop"; }));
}

TEST(FindGait, StopsAtItsBudgetAndAtItsLimit) {
  WantedGait hop = wanted("luxo_hop");
  hop.start.mutable_gait()->set_strides(3);
  hop.start.set_seed(77);
  const auto problem = problem_for(hop, shipped());
  const FoundGait found = find_gait(*problem, hop.start, 30, 1000);
  EXPECT_GE(found.candidates, 30u);
  EXPECT_LT(found.candidates, 60u);
  EXPECT_GT(found.cpu, 0);
  EXPECT_FALSE(found.kind.empty());
  EXPECT_EQ(find_gait(*problem, hop.start, 30, 0).candidates, 1u) << "the start alone";
}

TEST(Resumed, ComesToTheSameLogWhereverItWasCutOff) {
  WantedGait hop = wanted("luxo_hop");
  hop.start.mutable_gait()->set_strides(2);
  hop.start.mutable_gait()->set_starts(1);
  hop.start.set_seed(31);
  hop.start.set_global(12);
  hop.start.set_population(6);
  const auto problem = problem_for(hop, shipped());
  EXPECT_EQ(count_resumed(*problem, hop.start, 40, 6), 6);
}

study::ShippedGait shipped_gait(const std::string& name) {
  const auto all = study::shipped_gaits(shipped());
  return *std::find_if(all.begin(), all.end(),
                       [&](const study::ShippedGait& gait) { return gait.name == name; });
}

// A change begins the new gait at its first pose; one that topples everybody would be none.
TEST(ChangeOfGaits, GoesOnFromABoundToATrot) {
  const study::ShippedGait bound = shipped_gait("cat_bound"), trot = shipped_gait("cat_trot");
  int up = 0;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    up += trial::goes_on_after_change(*bound.trial, bound.gait, trot.gait, 2, seed);
  }
  EXPECT_GE(up, 3);
}

TEST(MixedGait, LiesBetweenTheGaitAndItsVariantAndHasNone) {
  control::posegraph::Gait gait = *shipped_gait("cat_trot").gait;
  control::posegraph::Gait::Variant slow;
  slow.graph = gait.graph;
  for (auto& state : slow.graph.cycle) state.duration *= 3;
  gait.variants = {slow};
  EXPECT_NEAR(trial::mixed(gait, 0, 0.5)->graph.period(), 2 * gait.graph.period(), 1e-12);
  EXPECT_TRUE(trial::mixed(gait, 0, 0.5)->variants.empty());
  EXPECT_EQ(trial::unmixed(gait)->graph.period(), gait.graph.period());
  EXPECT_TRUE(trial::unmixed(gait)->variants.empty());
}

}  // namespace
}  // namespace promenade::search
