#include "search/run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

#include "objectives.h"
#include "schema/message.h"
#include "search/log.h"
#include "search/walking/evaluation.h"

namespace promenade::search {
namespace {

using ::testing::HasSubstr;

// Short: two runs of 4 s a candidate, one of them with fresh seeds.
constexpr const char* kTiny = R"({"seeds": 1, "fresh_seeds": 1,
 "parameters": [{"path": "gbwc.speed.sagittal_gain", "factor": 3, "log": true},
                {"path": "gbwc.placement.forward_gain", "low": 0.8, "high": 1.2}],
 "trials": [{"name": "walk", "walk": {"forward_mps": 0.8, "seconds": 4, "settle_s": 1},
  "terms": [{"figure": "speed", "target": 0.8, "scale": 0.1}]}]})";

v1::SearchStart tiny_start(const std::string& method = "cma-es") {
  v1::SearchStart start;
  start.set_family("gbwc");
  start.set_objective(kTiny);
  start.set_seed(5);
  start.set_method(method);
  start.set_population(4);
  start.set_sigma(0.2);
  return start;
}

const WalkingProblem& tiny() {
  static const auto problem = problem_of(kTiny);
  return *problem;
}

struct Done {
  SearchResult result;
  std::vector<v1::SearchGeneration> generations;
};

Done searched(const v1::SearchStart& start, std::uint64_t budget, int threads = 2,
              std::span<const v1::SearchGeneration> past = {}) {
  Done done;
  RunOptions options;
  options.budget = budget;
  options.threads = threads;
  options.log = [&](const v1::SearchLogLine& line) {
    done.generations.push_back(line.generation());
    return std::nullopt;
  };
  auto result = run_search(tiny(), start, past, options);
  EXPECT_TRUE(result.ok()) << result.error().text();
  done.result = *std::move(result);
  return done;
}

std::string text_of(std::span<const v1::SearchGeneration> generations) {
  std::string text;
  for (const auto& generation : generations) text += schema::message_to_json(generation) + "\n";
  return text;
}

TEST(Search, IsTheSameWithAnyNumberOfThreads) {
  const Done one = searched(tiny_start(), 9, 1);
  ASSERT_EQ(one.generations.size(), 3u);
  EXPECT_EQ(one.result.evaluations, 9u);
  EXPECT_LE(one.result.best_score, one.result.start_score);
  for (const int threads : {2, 4}) {
    EXPECT_EQ(text_of(searched(tiny_start(), 9, threads).generations), text_of(one.generations));
  }
  v1::SearchStart other = tiny_start();
  other.set_seed(6);
  EXPECT_NE(text_of(searched(other, 5).generations), text_of(std::span(one.generations).first(2)));
}

TEST(Search, ThatGoesOnIsTheOneThatWasNotInterrupted) {
  for (const char* method : {"cma-es", "de"}) {
    const Done whole = searched(tiny_start(method), 13);
    ASSERT_EQ(whole.generations.size(), 4u);
    const std::span<const v1::SearchGeneration> past = std::span(whole.generations).first(2);
    const Done rest = searched(tiny_start(method), 13, 2, past);
    EXPECT_EQ(text_of(past) + text_of(rest.generations), text_of(whole.generations)) << method;
    EXPECT_EQ(rest.result.best, whole.result.best);
    EXPECT_EQ(rest.result.centre, whole.result.centre);
    EXPECT_EQ(rest.result.best_score, whole.result.best_score);
    EXPECT_EQ(rest.result.evaluations, whole.result.evaluations);
    EXPECT_EQ(rest.result.best_terms.at(0).value(), whole.result.best_terms.at(0).value());
  }
}

TEST(Search, RefusesToGoOnWhereTheScoresWouldBeOthers) {
  const Done whole = searched(tiny_start(), 5);
  const auto fault_of_past = [&](auto change) {
    std::vector<v1::SearchGeneration> past = whole.generations;
    change(past);
    RunOptions options;
    options.budget = 5;
    const auto result = run_search(tiny(), tiny_start(), past, options);
    return result.ok() ? "no error" : result.error().text();
  };
  EXPECT_EQ(fault_of_past([](auto&) {}), "no error");
  EXPECT_THAT(fault_of_past([](auto& past) { past[0].set_scores(0, 0.25); }),
              HasSubstr("the program or its data have changed"));
  EXPECT_THAT(fault_of_past([](auto& past) { past[1].mutable_scores()->RemoveLast(); }),
              HasSubstr("has 3 scores, not 4"));
  EXPECT_THAT(fault_of_past([](auto& past) { past[1].set_best(0, 0.123); }),
              HasSubstr("another best point"));
  EXPECT_THAT(fault_of_past([](auto& past) { past[1].clear_best(); }),
              HasSubstr("not of a search for 2 parameters"));
}

TEST(Search, EndsBetweenGenerationsWhenItIsAskedTo) {
  RunOptions options;
  int asked = 0;
  options.stop = [&] { return ++asked > 1; };
  const auto result = run_search(tiny(), tiny_start(), {}, options);
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->generations, 1u);
  EXPECT_EQ(result->evaluations, 5u);
}

TEST(Search, SeedsOfAGenerationAreSharedAndSomeOfThemFresh) {
  const Objective& objective = tiny().objective;
  const Seeds one = seeds_of(objective, 5, 1), two = seeds_of(objective, 5, 2);
  const Seeds held = held_out_seeds(objective, 5, 3);
  ASSERT_EQ(one.at(0).size(), 2u);
  EXPECT_EQ(one[0][0], two[0][0]);
  EXPECT_NE(one[0][1], two[0][1]);
  const std::set<std::uint64_t> all{one[0][0],  one[0][1],  two[0][1],
                                    held[0][0], held[0][1], held[0][2]};
  EXPECT_EQ(all.size(), 6u);
  EXPECT_NE(seeds_of(objective, 6, 1), one);
}

class LogFile : public ::testing::Test {
 protected:
  LogFile() {
    std::filesystem::remove(path_);
    v1::SearchLogLine line;
    *line.mutable_start() = tiny_start();
    auto writer = LogWriter::create(path_);
    EXPECT_TRUE(writer.ok()) << writer.error().text();
    EXPECT_FALSE(writer->write(line));
    v1::SearchGeneration& generation = *line.mutable_generation();
    generation.add_scores(0.1);
    generation.add_scores(1.0 / 3);
    EXPECT_FALSE(writer->write(line));
  }
  ~LogFile() override { std::filesystem::remove(path_); }

  void append(const std::string& text) const {
    std::ofstream(path_, std::ios::binary | std::ios::app) << text;
  }
  std::string fault() const {
    const auto log = read_log(path_);
    return log.ok() ? "no error" : log.error().text();
  }

  const std::filesystem::path path_ =
      std::filesystem::path(::testing::TempDir()) /
      (std::string("search-") + ::testing::UnitTest::GetInstance()->current_test_info()->name() +
       ".log");
};

TEST_F(LogFile, KeepsEveryBitOfTheScores) {
  const auto log = read_log(path_);
  ASSERT_TRUE(log.ok()) << log.error().text();
  EXPECT_EQ(log->start.objective(), kTiny);
  ASSERT_EQ(log->generations.size(), 1u);
  EXPECT_EQ(log->generations[0].scores(1), 1.0 / 3);
}

TEST_F(LogFile, GoesOnAfterALineThatWasCutOff) {
  const auto whole = std::filesystem::file_size(path_);
  append(R"({"generation": {"gener)");
  auto log = read_log(path_);
  ASSERT_TRUE(log.ok()) << log.error().text();
  EXPECT_EQ(log->bytes, whole);
  auto writer = LogWriter::go_on(path_, log->bytes);
  ASSERT_TRUE(writer.ok());
  v1::SearchLogLine next;
  next.mutable_generation()->set_generation(1);
  EXPECT_FALSE(writer->write(next));
  log = read_log(path_);
  ASSERT_TRUE(log.ok()) << log.error().text();
  EXPECT_EQ(log->generations.size(), 2u);
}

TEST_F(LogFile, IsNeverOverwritten) {
  const auto writer = LogWriter::create(path_);
  ASSERT_FALSE(writer.ok());
  EXPECT_THAT(writer.error().text(), HasSubstr("exists already"));
}

TEST_F(LogFile, WrongLinesAreNamedByTheirNumber) {
  append("{\"generation\": {\"generation\": 7}}\n");
  EXPECT_EQ(fault(), path_.string() + ":3: generation 7 stands where 1 should");
  std::ofstream(path_) << "{\"generation\": {}}\n";
  EXPECT_EQ(fault(), path_.string() + ":1: is not the log of a search");
  std::ofstream(path_) << "{\"start\": {\"sead\": 1}}\n";
  EXPECT_THAT(fault(), HasSubstr(":1: start.sead: unknown key"));
  std::ofstream(path_).close();
  EXPECT_THAT(fault(), HasSubstr("is not the log of a search"));
}

}  // namespace
}  // namespace promenade::search
