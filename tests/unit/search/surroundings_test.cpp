#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "control/registry.h"
#include "objectives.h"
#include "search/gaits/landscape.h"
#include "search/gaits/variation_search.h"

// What lies about a gait: variations along directions, and a figure over two numbers.
namespace promenade::search {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

v1::Gait shipped_gait(const std::string& name) { return shipped().gaits().find(name)->message; }

schema::Result<GaitSurroundings> about(const v1::Gait& gait) {
  const auto& family = *control::find_family("posegraph");
  const trial::GaitTrial trial(shipped().bodies().find(gait.creature())->body,
                               shipped().controllers().parameters(family));
  schema::Source source;
  source.file = "g.json";
  return GaitSurroundings::make(gait, trial, source);
}

// Few and short trials: whether more would fall is not the matter here.
VariationOptions few() {
  VariationOptions options;
  options.count = 3;
  options.directions = 6;
  options.strides = 3;
  options.starts = 1;
  options.seed = 4;
  options.threads = 2;
  return options;
}

const FoundVariations& of_the_trot() {
  static const FoundVariations found = [] {
    const auto cat = about(shipped_gait("cat_trot"));
    return *find_variations(*cat, few(), {});
  }();
  return found;
}

TEST(FarthestApart, TakesThoseWhoseNearestIsFarthest) {
  const std::vector<std::vector<double>> points = {{1}, {10}, {9}, {-4}, {0.1}};
  EXPECT_THAT(farthest_apart(points, {{0}}, 3, 0), ElementsAre(1, 3, 0));
  EXPECT_THAT(farthest_apart(points, {{0}}, 9, 1), ElementsAre(1, 3, 0, 2));
  EXPECT_THAT(farthest_apart(points, {{0}}, 9, 2), ElementsAre(1, 3));
  EXPECT_TRUE(farthest_apart({}, {{0}}, 2, 0).empty());
}

TEST(Variations, GoOnAtASimilarSpeedAndDiffer) {
  const FoundVariations& found = of_the_trot();
  ASSERT_EQ(found.chosen.size(), 3u);
  EXPECT_EQ(found.explored, 6u);
  std::uint64_t ends = 0;
  for (const std::uint64_t count : found.ends) ends += count;
  EXPECT_EQ(ends, found.explored);
  const double speed = found.nominal.measures.forward;
  const auto cat = about(shipped_gait("cat_trot"));
  for (const FoundVariation& one : found.chosen) {
    EXPECT_EQ(one.look.measures.end, trial::GaitEnd::kWentOn);
    EXPECT_NEAR(one.look.measures.forward, speed, kSimilar * speed);
    EXPECT_GT(one.reach, 0.005);
    EXPECT_GE(distance_of(looks_of(*cat, one.look), looks_of(*cat, found.nominal)), 1);
  }
}

TEST(Variations, DoNotDependOnThreads) {
  const auto cat = about(shipped_gait("cat_trot"));
  VariationOptions options = few();
  const auto text = message_of(*cat, of_the_trot(), options).SerializeAsString();
  options.threads = 1;
  const auto again = find_variations(*cat, options, {});
  EXPECT_EQ(message_of(*cat, *again, options).SerializeAsString(), text);
  options.seed = 5;
  const auto other = find_variations(*cat, options, {});
  EXPECT_NE(message_of(*cat, *other, options).SerializeAsString(), text);
}

TEST(Variations, BecomeVariantsInThePlaceOfEarlierOnes) {
  v1::Gait gait = shipped_gait("cat_trot");
  const int before = gait.variants_size();
  v1::GaitVariant& earlier = *gait.add_variants();
  earlier.set_name(variation_name(99, 7));
  *earlier.mutable_states() = gait.states();
  const auto cat = about(gait);
  const v1::GaitVariations message = message_of(*cat, of_the_trot(), few());
  ASSERT_EQ(message.gait().variants_size(), before + 3);
  for (int i = 0; i < 3; ++i) {
    const v1::GaitVariant& variant = message.gait().variants(before + i);
    EXPECT_EQ(variant.name(), message.variations(i).name());
    EXPECT_TRUE(is_variation(variant.name())) << variant.name();
    EXPECT_EQ(variant.use(), v1::GaitVariant::MIX);
  }
  const auto& cat_body = *shipped().bodies().find("cat")->body;
  EXPECT_TRUE(control::posegraph::build_gait(message.gait(), cat_body, {}));
}

TEST(Variations, TellOfTheDirectionThatComesToThemAgain) {
  const auto cat = about(shipped_gait("cat_trot"));
  VariationOptions options = few();
  options.program = "1.2.3";
  const v1::GaitVariations message = message_of(*cat, of_the_trot(), options);
  const v1::GaitVariant& variant = message.gait().variants(message.gait().variants_size() - 1);
  const v1::GaitOrigin& origin = variant.origin();
  EXPECT_EQ(origin.program(), "1.2.3");
  EXPECT_EQ(origin.method(), kVariationMethod);
  EXPECT_EQ(origin.seed(), few().seed);
  EXPECT_EQ(variant.name(), variation_name(origin.seed(), int(origin.trial())));
  EXPECT_GT(origin.speed_mps(), 0);
  EXPECT_FALSE(origin.search().has_body());
  // From the file with the variations themselves.
  const auto states = states_again(*about(message.gait()), origin, {});
  ASSERT_TRUE(states) << states.error().text();
  v1::GaitVariant again;
  *again.mutable_states() = *states;
  v1::GaitVariant before;
  *before.mutable_states() = variant.states();
  EXPECT_EQ(again.SerializeAsString(), before.SerializeAsString());
  v1::GaitOrigin other = origin;
  other.set_trial(origin.trial() + 1);
  const auto others = states_again(*about(message.gait()), other, {});
  ASSERT_TRUE(others);
  *again.mutable_states() = *others;
  EXPECT_NE(again.SerializeAsString(), before.SerializeAsString());
}

// Twice the poses of the wire's links, and one frame that ends the loop.
TEST(Variations, HaveATakeOfTwoStrides) {
  const auto cat = about(shipped_gait("cat_trot"));
  const v1::GaitLook look = message_of(*cat, of_the_trot().chosen[0].look);
  const v1::GaitTake& take = look.take();
  const std::size_t links = cat->space().creature().link_names.size();
  EXPECT_EQ(take.links(), links);
  EXPECT_EQ(take.poses().size(), 49 * links * 7 * 2);
  EXPECT_NEAR(48 * take.frame_s(), 2 * look.stride_s(), 1e-9);
  const auto number = [&](std::size_t i) {
    const auto byte = [&](std::size_t k) { return std::uint8_t(take.poses()[k]); };
    return std::int16_t(std::uint16_t(byte(2 * i) | byte(2 * i + 1) << 8));
  };
  EXPECT_EQ(number(0), 0);
  EXPECT_EQ(number(1), 0);
  EXPECT_GT(number(2) * take.unit_m(), 0.1);
  const std::size_t last = 48 * links * 7;
  const double went = std::hypot(number(last), number(last + 1)) * take.unit_m();
  EXPECT_NEAR(went, 2 * look.stride_s() * look.speed_mps(), 0.25 * went);  // of a few strides only
  double square = 0;
  for (std::size_t k = 3; k < 7; ++k) square += number(k) * double(number(k));
  EXPECT_NEAR(std::sqrt(square), 32767, 3);
}

TEST(Variations, OfAGaitThatStaysAreRefused) {
  v1::Gait gait = shipped_gait("cat_trot");
  for (v1::GaitState& state : *gait.mutable_states()) state.clear_pose();
  gait.clear_variants();
  const auto found = find_variations(*about(gait), few(), {});
  ASSERT_FALSE(found);
  EXPECT_THAT(found.error().text(), HasSubstr("states: a gait that stays where it is"));
}

TEST(Surroundings, KeepTheGaitItself) {
  const auto cat = about(shipped_gait("cat_trot"));
  const auto gait = shipped().gaits().find("cat_trot")->gait;
  const auto start = cat->space().graph(cat->space().start());
  ASSERT_EQ(start.cycle.size(), gait->graph.cycle.size());
  for (std::size_t i = 0; i < start.cycle.size(); ++i) {
    EXPECT_NEAR(start.cycle[i].duration, gait->graph.cycle[i].duration, 1e-4);
    for (std::size_t k = 0; k < start.cycle[i].pose.size(); ++k) {
      EXPECT_TRUE(start.cycle[i].pose[k].isApprox(gait->graph.cycle[i].pose[k], 1e-3) ||
                  (start.cycle[i].pose[k] - gait->graph.cycle[i].pose[k]).norm() < 1e-3);
    }
  }
}

// A quarter of the stride in one state, or hardly any: no search would begin there.
TEST(Surroundings, KeepStatesThatAreVeryShortOrVeryLong) {
  v1::Gait gait = shipped_gait("cat_trot");
  const double whole = gait.states(0).duration_s() + gait.states(1).duration_s();
  ASSERT_EQ(gait.states_size(), 4);
  for (int i = 0; i < 4; ++i) {
    gait.mutable_states(i)->set_duration_s((i % 2 ? 0.96 : 0.04) * whole);
  }
  gait.clear_variants();
  const auto cat = about(gait);
  ASSERT_TRUE(cat) << cat.error().text();
  const auto start = cat->space().graph(cat->space().start());
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(start.cycle[i].duration, (i % 2 ? 0.96 : 0.04) * whole, 1e-5) << i;
  }
  const std::vector<bool> durations = cat->space().is_duration();
  for (Eigen::Index i = 0; i < cat->space().start().size(); ++i) {
    if (!durations[std::size_t(i)]) continue;
    EXPECT_GT(cat->space().start()[i], 0.01) << "it can be shorter still";
    EXPECT_LT(cat->space().start()[i], 0.99);
  }
}

// The mix of a gait and its variants that goes furthest beyond both.
TEST(Surroundings, KeepAMixThatExtrapolates) {
  const auto& entry = *shipped().gaits().find("cat_trot");
  const control::posegraph::Gait& trot = *entry.gait;
  control::posegraph::Graph mixed;
  const std::vector<double> weights = {1.5, -0.5, 0};
  ASSERT_EQ(trot.variants.size(), weights.size());
  control::posegraph::mix(trot, weights, mixed);
  v1::Gait gait = entry.message;
  gait.clear_variants();
  gait.set_symmetry(v1::Gait::NONE);
  const Creature& body = *shipped().bodies().find("cat")->body;
  for (auto& state : mixed.cycle) {
    for (std::size_t link = 1; link < state.pose.size(); ++link) {
      const auto& model = body.model->links[link];
      for (int k = 0; k < physics::dof_of(model.joint); ++k) {
        state.pose[link][k] = std::clamp(state.pose[link][k], model.lower[k], model.upper[k]);
      }
    }
  }
  gait.clear_states();
  control::posegraph::write_states(mixed.cycle, body, gait.mutable_states());
  const auto cat = about(gait);
  ASSERT_TRUE(cat) << cat.error().text();
  const auto start = cat->space().graph(cat->space().start());
  for (std::size_t i = 0; i < start.cycle.size(); ++i) {
    EXPECT_NEAR(start.cycle[i].duration, mixed.cycle[i].duration, 1e-5);
    for (std::size_t k = 1; k < start.cycle[i].pose.size(); ++k) {
      EXPECT_LT((start.cycle[i].pose[k] - mixed.cycle[i].pose[k]).norm(), 3e-4) << k;
    }
  }
}

// The end of a trial may lie half a step behind its last one, by the error of a sum.
TEST(TakeRecorder, TakesTheFrameThatEndsATrial) {
  const auto lamp = about(shipped_gait("luxo_hop"));
  trial::Walker walker = lamp->trial().walker();
  walker.gait = shipped().gaits().find("luxo_hop")->gait;
  for (int steps = 20; steps < 60; ++steps) {
    const double dt = trial::kRoomStep, end = (steps + 0.5) * dt;
    for (const int count : {4, 7, 49}) {
      const double length = 0.55 * end;  // with 21 steps the sum is rounded up
      trial::TakeRecorder recorder(end - length, length, count);
      trial::Rollout rollout(walker, 0);
      while (rollout.time() < end - 0.5 * dt) {
        rollout.step();
        recorder.note(rollout);
      }
      EXPECT_EQ(recorder.take().frames.size(), std::size_t(count)) << steps;
    }
  }
}

LandscapeOptions small() {
  LandscapeOptions options;
  options.points = 3;
  options.strides = 3;
  options.starts = 1;
  options.threads = 2;
  return options;
}

TEST(Landscape, HasAFigureAndAnEndForEachPoint) {
  const auto lamp = about(shipped_gait("luxo_hop"));
  LandscapeOptions options = small();
  options.axes = {"state1.duration", lamp->space().names()[0]};
  const auto map = landscape_of(*lamp, options, {});
  ASSERT_TRUE(map) << map.error().text();
  ASSERT_EQ(map->values_size(), 9);
  EXPECT_EQ(map->axes(0).unit(), "s");
  EXPECT_EQ(map->axes(1).unit(), "rad");
  EXPECT_EQ(map->figure(), "speed");
  EXPECT_NEAR(map->value(), lamp->run(lamp->space().start(), 1, 3, 0).speed, 1e-6);
  for (int i = 0; i < 9; ++i) {
    Vector places = lamp->space().start();
    const std::vector<std::string> names = lamp->space().names();
    const auto duration = std::find(names.begin(), names.end(), "state1.duration");
    places[duration - names.begin()] = 0.5 * (i % 3);
    places[0] = 0.5 * (i / 3);
    const trial::GaitMeasures m = lamp->run(places, 1, 3, 0);
    EXPECT_EQ(map->ends(i), std::uint32_t(m.end)) << i;
    if (m.end == trial::GaitEnd::kWentOn) {
      EXPECT_NEAR(map->values(i), m.speed, 1e-5) << i;
    }
  }
}

// A number between the ends of its axis belongs to states between: by that the page makes a gait.
TEST(Landscape, HasTheStatesAtTheEndsOfItsAxes) {
  const auto cat = about(shipped_gait("cat_trot"));
  LandscapeOptions options = small();
  options.axes = {"state1.left_fore_knee", "state2.duration"};
  const auto map = landscape_of(*cat, options, {});
  ASSERT_TRUE(map) << map.error().text();
  const v1::LandscapeAxis& knee = map->axes(0);
  const auto at = [](const v1::GaitState& state, const std::string& joint) {
    for (const v1::JointPose& pose : state.pose()) {
      if (pose.joint() == joint) return pose.at_rad(0);
    }
    return 99.0;
  };
  EXPECT_NEAR(at(knee.low_states(0), "left_fore_knee"), knee.low(), 1e-4);
  EXPECT_NEAR(at(knee.high_states(0), "left_fore_knee"), knee.high(), 1e-4);
  // The right one does so half a cycle later.
  EXPECT_NEAR(at(knee.high_states(2), "right_fore_knee"), knee.high(), 1e-4);
  EXPECT_NEAR(map->axes(1).high_states(1).duration_s(), map->axes(1).high(), 1e-5);
}

TEST(Landscape, SaysWhichNumbersThereAre) {
  const auto lamp = about(shipped_gait("luxo_hop"));
  const auto fault = [&](const std::vector<std::string>& axes, const std::string& figure) {
    LandscapeOptions options = small();
    options.axes = axes;
    options.figure = figure;
    const auto map = landscape_of(*lamp, options, {});
    return map ? "no error" : map.error().text();
  };
  const std::string first = lamp->space().names()[0];
  EXPECT_THAT(fault({"state1.nose", first}, "speed"), HasSubstr("axes: \"state1.nose\""));
  EXPECT_THAT(fault({"state1.nose", first}, "speed"), HasSubstr(first));
  EXPECT_THAT(fault({first, first}, "speed"), HasSubstr("twice"));
  EXPECT_THAT(fault({first}, "speed"), HasSubstr("two"));
  EXPECT_THAT(fault({}, "joy"), HasSubstr("figure: \"joy\""));
  // These would be the same everywhere.
  for (const char* figure : {"cleared", "clearing"}) {
    EXPECT_THAT(fault({}, figure), HasSubstr("which is of trials with a leap"));
  }
  EXPECT_THAT(fault({}, "off_course"), HasSubstr("told to head here and there"));
  EXPECT_THAT(fault({}, "off_course"), Not(HasSubstr("cleared")));
}

}  // namespace
}  // namespace promenade::search
