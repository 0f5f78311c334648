#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "control/posegraph/gait.h"
#include "control/posegraph/mirror.h"
#include "math/random.h"
#include "objectives.h"
#include "schema/message.h"
#include "search/gaits/entry_search.h"
#include "search/gaits/gait_problem.h"
#include "search/run.h"
#include "study/trial/gait/change_trial.h"

namespace promenade::search {
namespace {

using ::testing::HasSubstr;

v1::GaitSearch search_of(const std::string& json) {
  v1::GaitSearch out;
  schema::Source source;
  const auto error = schema::message_from_json(json, &out, &source);
  EXPECT_FALSE(error) << error->text();
  return out;
}

const std::string kPace = R"("objective": {"terms": [{"figure": "pace", "weight": 1}]})";

schema::Result<GaitProblem> problem_for(const std::string& fields) {
  return GaitProblem::make(search_of("{" + fields + (fields.empty() ? "" : ", ") + kPace + "}"),
                           shipped(), {});
}

std::string fault_for(const std::string& json) {
  const auto problem = GaitProblem::make(search_of(json), shipped(), {});
  return problem ? "no error" : problem.error().text();
}

v1::SearchStart start_with(const std::string& method, int population = 8) {
  v1::SearchStart start;
  start.set_method(method);
  start.set_population(std::uint32_t(population));
  start.set_seed(3);
  start.set_sigma(0.2);
  start.set_global(16);
  return start;
}

struct Done {
  SearchResult result;
  std::vector<v1::SearchGeneration> generations;
};

Done searched(const GaitProblem& problem, const v1::SearchStart& start, std::uint64_t budget,
              int threads = 2, std::span<const v1::SearchGeneration> past = {}) {
  Done done;
  RunOptions options;
  options.budget = budget;
  options.threads = threads;
  options.log = [&](const v1::SearchLogLine& line) {
    done.generations.push_back(line.generation());
    return std::nullopt;
  };
  auto result = run_search(problem, start, past, options);
  EXPECT_TRUE(result.ok()) << result.error().text();
  done.result = *std::move(result);
  return done;
}

std::string text_of(std::span<const v1::SearchGeneration> generations) {
  std::string text;
  for (const auto& generation : generations) text += schema::message_to_json(generation) + "\n";
  return text;
}

// As a server follows the search of another process.
TEST(Course, ComesToTheSameFromTheLogAlone) {
  const auto problem = problem_for(R"("creature": "simple_cat", "symmetry": "OUT_OF_PHASE")");
  ASSERT_TRUE(problem.ok());
  for (const char* method : {"global-cma-es", "greedy", "map-elites"}) {
    const v1::SearchStart start = start_with(method);
    const Done done = searched(*problem, start, 60);
    Course course(*problem, start);
    for (const v1::SearchGeneration& generation : done.generations) {
      const auto wrong = course.take(generation);
      ASSERT_FALSE(wrong) << method << ": " << wrong->text();
    }
    const SearchResult& followed = course.result();
    EXPECT_EQ(followed.best, done.result.best);
    EXPECT_EQ(followed.best_trial, done.result.best_trial);
    EXPECT_EQ(followed.best_score, done.result.best_score);
    EXPECT_EQ(followed.ends, done.result.ends);
    ASSERT_EQ(followed.archive.elites().size(), done.result.archive.elites().size());
    for (const auto& [cell, elite] : done.result.archive.elites()) {
      const Archive::Elite& same = followed.archive.elites().at(cell);
      EXPECT_EQ(same.point, elite.point);
      EXPECT_EQ(same.label, elite.label);
      EXPECT_FALSE(same.label.empty());
    }
    v1::SearchGeneration other = done.generations.back();
    other.set_generation(other.generation() + 1);
    other.clear_scores();
    EXPECT_TRUE(course.take(other)) << "it has no scores";
  }
}

TEST(GaitSpace, SearchesHalfAsManyNumbersWithASymmetry) {
  const auto none = problem_for(R"("creature": "cat")");
  const auto in_phase = problem_for(R"("creature": "cat", "symmetry": "IN_PHASE")");
  const auto out_of_phase = problem_for(R"("creature": "cat", "symmetry": "OUT_OF_PHASE")");
  ASSERT_TRUE(none.ok() && in_phase.ok() && out_of_phase.ok());
  EXPECT_EQ(none->dimension(), 2 * out_of_phase->dimension());
  EXPECT_LT(in_phase->dimension(), none->dimension() * 2 / 3);
}

// What was scored is what a file holds, and the file passes the checks of its symmetry.
TEST(GaitSpace, WritesFilesThatAreTheGaitsThatWereTried) {
  for (const char* symmetry : {"NONE", "IN_PHASE", "OUT_OF_PHASE"}) {
    for (const char* name : {"cat", "ant", "giant_ant", "human"}) {
      const auto problem = problem_for(std::string(R"("creature": ")") + name +
                                       R"(", "symmetry": ")" + symmetry + "\"");
      ASSERT_TRUE(problem.ok()) << problem.error().text();
      Random random(7);
      Vector point = problem->start();
      for (double& value : point) value = random.uniform();
      v1::Gait message = problem->space().message(point);
      message.set_name("test");
      v1::Gait read;
      ASSERT_FALSE(schema::message_from_json(schema::message_to_json(message), &read));
      const auto gait =
          control::posegraph::build_gait(read, problem->space().creature(), schema::Source{});
      ASSERT_TRUE(gait.ok()) << name << symmetry << gait.error().text();
      const control::posegraph::Graph tried = problem->space().graph(point);
      ASSERT_EQ((*gait)->graph.cycle.size(), tried.cycle.size());
      for (std::size_t i = 0; i < tried.cycle.size(); ++i) {
        EXPECT_EQ((*gait)->graph.cycle[i].duration, tried.cycle[i].duration);
        EXPECT_EQ((*gait)->graph.cycle[i].pose, tried.cycle[i].pose);
      }
    }
  }
}

TEST(GaitSpace, BeginsAtAGaitWhereItHasOne) {
  const auto plain = problem_for(R"("creature": "cat", "symmetry": "OUT_OF_PHASE")");
  ASSERT_TRUE(plain.ok());
  Vector point = Vector::Constant(plain->dimension(), 0.3);
  v1::GaitSearch search =
      search_of(R"({"creature": "cat", "symmetry": "OUT_OF_PHASE", )" + kPace + "}");
  *search.mutable_from() = plain->space().message(point);
  search.mutable_from()->set_name("one");
  const auto problem = GaitProblem::make(search, shipped(), {});
  ASSERT_TRUE(problem.ok()) << problem.error().text();
  const auto here = problem->values(problem->start()), there = plain->values(point);
  ASSERT_EQ(here.size(), there.size());
  for (std::size_t i = 0; i < here.size(); ++i) EXPECT_NEAR(here[i], there[i], 2e-4) << i;
}

v1::GaitSearch part_of_gait(const std::string& gait, v1::GaitSearch::Part part) {
  v1::GaitSearch search = search_of("{" + kPace + R"(, "starts": 1, "strides": 3})");
  *search.mutable_from() = shipped().gaits().find(gait)->message;
  search.mutable_from()->clear_variants();
  search.mutable_from()->clear_feedback();
  search.mutable_from()->clear_chain();
  search.set_creature(search.from().creature());
  search.set_part(part);
  return search;
}

Vector random_point(int dimension) {
  Random random(7);
  Vector point(dimension);
  for (double& value : point) value = random.uniform();
  return point;
}

void expect_same(const std::vector<control::posegraph::State>& a,
                 const std::vector<control::posegraph::State>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_NEAR(a[i].duration, b[i].duration, 1e-12);
    for (std::size_t k = 0; k < a[i].pose.size(); ++k) {
      EXPECT_LT((a[i].pose[k] - b[i].pose[k]).norm(), 1e-12) << i << " " << k;
    }
  }
}

// A gait that turns left is the one that turns right in a mirror, half a cycle later.
TEST(GaitVariant, ThatTurnsBringsItsMirrorImage) {
  v1::GaitSearch search = part_of_gait("monster_walk", v1::GaitSearch::VARIANT);
  search.set_use(v1::GaitVariant::LEFT);
  const auto problem = GaitProblem::make(search, shipped(), {});
  ASSERT_TRUE(problem.ok()) << problem.error().text();
  const Vector point = random_point(problem->dimension());
  const auto gait = control::posegraph::build_gait(problem->space().message(point),
                                                   problem->space().creature(), {});
  ASSERT_TRUE(gait.ok()) << gait.error().text();
  ASSERT_EQ((*gait)->variants.size(), 2u);
  expect_same((*gait)->variants[0].graph.cycle, problem->space().graph(point).cycle);
  const int right = (*gait)->variant_for(v1::GaitVariant::RIGHT);
  ASSERT_EQ(right, 1);
  // Mirrored once more it is the first again.
  v1::Gait twice = (*gait)->message;
  v1::GaitVariant& again = *twice.add_variants();
  again.set_name("again");
  again.set_mirror_of("right");
  const auto both = control::posegraph::build_gait(twice, problem->space().creature(), {});
  ASSERT_TRUE(both.ok()) << both.error().text();
  expect_same((*both)->variants[2].graph.cycle, (*gait)->variants[0].graph.cycle);
}

TEST(GaitVariant, OfWeightZeroIsTheGaitAndOfWeightOneTheVariant) {
  v1::GaitSearch search = part_of_gait("cat_trot", v1::GaitSearch::VARIANT);
  search.set_symmetry(v1::Gait::OUT_OF_PHASE);
  search.set_use(v1::GaitVariant::FAST);
  const auto problem = GaitProblem::make(search, shipped(), {});
  ASSERT_TRUE(problem.ok()) << problem.error().text();
  const Vector point = random_point(problem->dimension());
  expect_same(problem->space().gait(point, 1)->graph.cycle, problem->space().graph(point).cycle);
  expect_same(problem->space().gait(point, 0)->graph.cycle, problem->space().from()->graph.cycle);
}

TEST(GaitVariant, ThatLeapsChangesTheChainAlone) {
  v1::GaitSearch search = part_of_gait("luxo_hop", v1::GaitSearch::VARIANT);
  search.set_use(v1::GaitVariant::LEAP);
  search.set_strides(20);
  const auto problem = GaitProblem::make(search, shipped(), {});
  ASSERT_TRUE(problem.ok()) << problem.error().text();
  const auto& cycle = problem->space().from()->graph.cycle;
  const auto graph = problem->space().graph(random_point(problem->dimension()));
  expect_same(graph.cycle, cycle);
  EXPECT_EQ(graph.chain.size(), 2 * cycle.size());
  // Before it is searched the chain is the cycle twice.
  const auto& chain = problem->space().from()->graph.chain;
  expect_same({chain.begin(), chain.begin() + std::ptrdiff_t(cycle.size())}, cycle);
}

// What a creature does about a shove to the left is the mirror image of what it does about one to
// the right.
TEST(GaitFeedback, IsTheSameInTheMirror) {
  using control::posegraph::Feedback;
  const auto problem =
      GaitProblem::make(part_of_gait("monster_walk", v1::GaitSearch::FEEDBACK), shipped(), {});
  ASSERT_TRUE(problem.ok()) << problem.error().text();
  const Vector point = random_point(problem->dimension());
  const auto gait = problem->space().gait(point);
  const Creature& creature = problem->space().creature();
  const auto mirror = control::posegraph::mirror_of(creature);
  ASSERT_FALSE(gait->feedback.gains.empty());
  for (const Feedback::Gain& one : gait->feedback.gains) {
    for (const Feedback::Gain& other : gait->feedback.gains) {
      if (other.link != mirror->other[std::size_t(one.link)]) continue;
      if (other.coordinate != one.coordinate || other.bearing != one.bearing) continue;
      for (std::size_t k = 0; k < control::posegraph::kSenses; ++k) {
        const double lateral =
            control::posegraph::is_lateral(control::posegraph::Sense(k)) ? -1 : 1;
        const double turned = mirror->sign[std::size_t(one.link)][one.coordinate];
        EXPECT_EQ(other.of[k], lateral * turned * one.of[k]);
      }
    }
  }
  const auto read = control::posegraph::build_gait(problem->space().message(point), creature, {});
  ASSERT_TRUE(read.ok()) << read.error().text();
  ASSERT_EQ((*read)->feedback.gains.size(), gait->feedback.gains.size());
  for (std::size_t i = 0; i < gait->feedback.gains.size(); ++i) {
    EXPECT_EQ((*read)->feedback.gains[i].of, gait->feedback.gains[i].of);
  }
}

TEST(GaitSearch, OfPartsIsTheSameWithAnyNumberOfThreadsAndAfterAStop) {
  v1::GaitSearch left = part_of_gait("monster_walk", v1::GaitSearch::VARIANT);
  left.set_use(v1::GaitVariant::LEFT);
  v1::GaitTerm& term = *left.mutable_objective()->add_terms();
  term.set_figure("off_course");
  term.set_weight(-1);
  v1::GaitSearch leap = part_of_gait("luxo_hop", v1::GaitSearch::VARIANT);
  leap.set_use(v1::GaitVariant::LEAP);
  leap.set_strides(20);
  v1::GaitSearch feedback = part_of_gait("monster_walk", v1::GaitSearch::FEEDBACK);
  feedback.set_shove(0.2);
  for (const v1::GaitSearch& search : {left, leap, feedback}) {
    const auto problem = GaitProblem::make(search, shipped(), {});
    ASSERT_TRUE(problem.ok()) << problem.error().text();
    v1::SearchStart start = start_with("cma-es");
    start.set_sigma(0.03);
    const Done whole = searched(*problem, start, 25, 1);
    EXPECT_EQ(text_of(searched(*problem, start, 25, 2).generations), text_of(whole.generations));
    const auto past = std::span(whole.generations).first(2);
    const Done rest = searched(*problem, start, 25, 2, past);
    EXPECT_EQ(text_of(past) + text_of(rest.generations), text_of(whole.generations));
  }
}

TEST(GaitSearch, FindsAGaitForACat) {
  const auto problem = problem_for(R"("creature": "cat", "symmetry": "OUT_OF_PHASE", "starts": 1)");
  ASSERT_TRUE(problem.ok());
  v1::SearchStart start = start_with("global-cma-es", 12);
  start.set_global(120);
  const Done done = searched(*problem, start, 400);
  EXPECT_GT(-done.result.best_score, 0.15);
  EXPECT_GT(done.result.archive.elites().size(), 5u);
  const trial::GaitMeasures m = problem->run(done.result.best, 0);
  EXPECT_EQ(m.end, trial::GaitEnd::kWentOn);
  EXPECT_GT(m.speed, 0.2);
  EXPECT_EQ(done.result.ends.size(), 4u);
}

TEST(GaitSearch, IsTheSameWithAnyNumberOfThreadsAndAfterEachStop) {
  const auto problem = problem_for(R"("creature": "luxo", "starts": 1, "strides": 3)");
  ASSERT_TRUE(problem.ok()) << problem.error().text();
  for (const char* method : {"greedy", "global-cma-es", "map-elites"}) {
    const Done whole = searched(*problem, start_with(method), 65, 1);
    ASSERT_EQ(whole.generations.size(), 9u) << method;
    EXPECT_EQ(text_of(searched(*problem, start_with(method), 65, 3).generations),
              text_of(whole.generations));
    for (std::size_t cut = 1; cut < whole.generations.size(); ++cut) {
      const auto past = std::span(whole.generations).first(cut);
      const Done rest = searched(*problem, start_with(method), 65, 2, past);
      EXPECT_EQ(text_of(past) + text_of(rest.generations), text_of(whole.generations))
          << method << cut;
      EXPECT_EQ(rest.result.archive.elites().size(), whole.result.archive.elites().size());
      EXPECT_EQ(rest.result.ends, whole.result.ends);
    }
  }
}

// Candidates are stepped side by side, and take each other's places as they end.
TEST(GaitSearch, ScoresACandidateAsItsTrialsAlone) {
  const auto problem =
      problem_for(R"("creature": "cat", "symmetry": "OUT_OF_PHASE", "strides": 3)");
  ASSERT_TRUE(problem.ok()) << problem.error().text();
  Random random(3);
  std::vector<Vector> points(13, problem->start());
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (double& value : points[i]) value += random.uniform(-1, 1) * 0.04 * double(i);
  }
  int done = 0;
  const auto outcomes = problem->evaluate(points, {}, 2, [&](int now, int all) {
    EXPECT_EQ(now, ++done);
    EXPECT_EQ(all, 13);
  });
  EXPECT_EQ(done, 13);
  int fell = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    double worst = 1e9;
    for (int start = 0; start < 2 && worst > -9; ++start) {
      const trial::GaitMeasures m = problem->run(points[i], start);
      const double height = problem->space().creature().standing_com_height;
      const double pace = m.speed / std::sqrt(physics::kGravity * height);
      const bool up = m.end == trial::GaitEnd::kWentOn;
      worst = std::min(worst, up ? pace : GaitProblem::kFallen + m.share);
    }
    EXPECT_EQ(outcomes[i].score, -worst) << i;
    if (worst < -5) ++fell;
  }
  EXPECT_GT(fell, 1);
  EXPECT_LT(fell, 12);
}

TEST(GaitTrial, FromManyStartsIsAsFromEachAlone) {
  const auto problem = problem_for(R"("creature": "luxo")");
  ASSERT_TRUE(problem.ok()) << problem.error().text();
  const auto gait = shipped().gaits().find("luxo_hop")->gait;
  const std::vector<std::uint64_t> seeds{1, 2, 3, 14, 15, 16};
  const auto all = problem->trial().run_all(gait, {6, 1}, seeds, 2);
  ASSERT_EQ(all.size(), seeds.size());
  for (std::size_t i = 0; i < seeds.size(); ++i) {
    const trial::GaitMeasures alone = problem->trial().run(gait, {6, 1}, seeds[i]);
    EXPECT_EQ(all[i].end, alone.end) << i;
    EXPECT_EQ(all[i].share, alone.share) << i;
    EXPECT_EQ(all[i].speed, alone.speed) << i;
    EXPECT_EQ(all[i].effort, alone.effort) << i;
    EXPECT_GT(all[i].speed, 0.3) << i;
  }
  EXPECT_NE(all[0].speed, all[1].speed);
}

TEST(GaitSearch, RefusesWhatCannotBeSearched) {
  const auto fault = [](const std::string& fields) {
    return fault_for("{" + fields + ", " + kPace + "}");
  };
  EXPECT_EQ(fault(R"("creature": "cat")"), "no error");
  EXPECT_THAT(fault(R"("creature": "unicorn")"), HasSubstr("unicorn"));
  EXPECT_THAT(fault(R"("creature": "luxo", "symmetry": "OUT_OF_PHASE")"), HasSubstr("luxo has"));
  EXPECT_THAT(fault(R"("creature": "cat", "symmetry": "OUT_OF_PHASE", "states": 3)"),
              HasSubstr("an even number"));
  EXPECT_THAT(fault(R"("creature": "cat", "states": 17)"), HasSubstr("states"));
  EXPECT_THAT(fault(R"("creature": "cat", "period_s": -1)"), HasSubstr("period_s"));
  EXPECT_THAT(fault(R"("creature": "cat", "reach_rad": 9)"), HasSubstr("reach_rad"));
  EXPECT_THAT(fault(R"("creature": "cat", "strides": 1)"), HasSubstr("strides"));
  EXPECT_THAT(fault_for(R"({"creature": "cat"})"), HasSubstr("objective.terms"));
  EXPECT_THAT(fault_for(R"({"creature": "cat", "objective": {"terms": [{"figure": "sped"}]}})"),
              HasSubstr("one of speed"));
  EXPECT_THAT(fault_for(R"({"creature": "cat", "objective": {"terms": [{"figure": "speed"}]}})"),
              HasSubstr("weight"));
}

TEST(GaitSearch, RefusesPartsOfNoGait) {
  EXPECT_THAT(fault_for(R"({"creature": "cat", "part": "VARIANT", )" + kPace + "}"),
              HasSubstr("the gait of which"));
  EXPECT_THAT(fault_for(R"({"creature": "cat", "part": "FEEDBACK", )" + kPace + "}"),
              HasSubstr("the gait of which"));
  v1::GaitSearch search = part_of_gait("monster_walk", v1::GaitSearch::VARIANT);
  search.add_weights(1.5);
  const auto problem = GaitProblem::make(search, shipped(), {});
  ASSERT_FALSE(problem.ok());
  EXPECT_THAT(problem.error().text(), HasSubstr("weights[0]"));
}

TEST(GaitEntries, AreTheMomentsAfterWhichMostStartsGoOn) {
  const GaitLibrary& gaits = shipped().gaits();
  const auto trot = gaits.find("cat_trot")->gait, rack = gaits.find("cat_rack")->gait;
  const auto problem = problem_for(R"("creature": "cat")");
  ASSERT_TRUE(problem.ok());
  const auto up_after = [&](const control::posegraph::Gait::Entry& entry) {
    auto to = std::make_shared<control::posegraph::Gait>(*rack);
    to->entries = {entry};
    int up = 0;
    for (std::uint64_t i = 0; i < 4; ++i) {
      up += trial::goes_on_after_change(problem->trial(), trot, to, 4, 100 + i);
    }
    return up;
  };
  const FoundEntry found = find_entry(problem->trial(), trot, rack, 4, 2, 0, 2);
  EXPECT_EQ(found.entry.from, "cat_trot");
  EXPECT_EQ(found.up, 2);
  EXPECT_EQ(up_after(found.entry), 4) << "from starts that it did not try, too";
  // Not every moment will do, or there would be nothing to search.
  int least = 4;
  for (std::size_t enter = 0; enter < 4; ++enter) {
    least = std::min(least, up_after({"cat_trot", 0, enter}));
  }
  EXPECT_LT(least, 4);
  const FoundEntry again = find_entry(problem->trial(), trot, rack, 4, 2, 0, 1);
  EXPECT_EQ(again.entry.leave, found.entry.leave);
  EXPECT_EQ(again.entry.enter, found.entry.enter);
}

// Their files say how fast they are and what they are: what the search saw.
TEST(ShippedGaits, AreWhatTheirSearchesFound) {
  const GaitLibrary& gaits = shipped().gaits();
  EXPECT_GE(gaits.names().size(), 9u);
  for (const std::string& name : gaits.names()) {
    const GaitLibrary::Entry& entry = *gaits.find(name);
    const v1::GaitOrigin& origin = entry.message.origin();
    ASSERT_TRUE(origin.has_search()) << name;
    const auto problem = GaitProblem::make(origin.search(), shipped(), {});
    ASSERT_TRUE(problem.ok()) << name << problem.error().text();
    const auto time =
        trial::time_for(entry.gait->graph.period(), double(origin.search().strides()));
    // The gait as it was found, before variants and feedback.
    auto gait = std::make_shared<control::posegraph::Gait>(*entry.gait);
    gait->variants.clear();
    gait->feedback = {};
    const trial::GaitMeasures m = problem->trial().run(gait, time, 0);
    EXPECT_EQ(m.end, trial::GaitEnd::kWentOn) << name;
    EXPECT_NEAR(m.speed, origin.speed_mps(), 0.2 * origin.speed_mps()) << name;
    EXPECT_EQ(problem->name_of(m), origin.kind()) << name;
  }
}

}  // namespace
}  // namespace promenade::search
