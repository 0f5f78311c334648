#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "control/posegraph/gait.h"
#include "objectives.h"
#include "schema/message.h"
#include "search/gaits/gait_problem.h"
#include "search/run.h"

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
    const trial::GaitMeasures m = problem->trial().run(entry.gait, time, 0);
    EXPECT_EQ(m.end, trial::GaitEnd::kWentOn) << name;
    EXPECT_NEAR(m.speed, origin.speed_mps(), 0.2 * origin.speed_mps()) << name;
    EXPECT_EQ(problem->name_of(m), origin.kind()) << name;
  }
}

}  // namespace
}  // namespace promenade::search
