#include "search/walking/objective.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <set>

#include "objectives.h"

namespace promenade::search {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

Trial trial_of(const std::string& text) {
  auto problem = problem_of(with_trial(text));
  EXPECT_TRUE(problem.ok()) << problem.error().text();
  return problem->objective.trials.at(0);
}

TEST(Objective, TheShippedOneIsRight) {
  const auto text = schema::read_file(test::data_dir() / "objectives/speed.json");
  ASSERT_TRUE(text.ok());
  const auto problem = problem_of(*text);
  ASSERT_TRUE(problem.ok()) << problem.error().text();
  EXPECT_EQ(problem->parameters.size(), 6);
  EXPECT_EQ(problem->objective.trials.size(), 3u);
}

TEST(Objective, OfAPersonsWalkIsRight) {
  const auto text = schema::read_file(test::data_dir() / "objectives/walk.json");
  ASSERT_TRUE(text.ok());
  const auto problem = problem_of(*text);
  ASSERT_TRUE(problem.ok()) << problem.error().text();
  EXPECT_GT(problem->parameters.size(), 60);
}

TEST(Objective, MistakesAreNamedWithFileLineAndKey) {
  const std::string walk = R"("walk": {"forward_mps": 0.6})";
  const std::string term = R"("terms": [{"figure": "speed", "target": 1, "scale": 1}])";
  const struct {
    std::string trial, place, said;
  } cases[] = {
      {R"({"name": "a b", )" + walk + ", " + term + "}", "o.json:4: trials[0].name", "a-z"},
      {R"({"name": "a", )" + walk + ", " + term + "},\n  {\"name\": \"a\", " + walk + ", " + term +
           "}",
       "o.json:5: trials[1].name", "a name of its own"},
      {R"({"name": "a", "body": "humen", )" + walk + ", " + term + "}", "o.json:4: trials[0].body",
       "(did you mean human?)"},
      {R"({"name": "a", "body": "crate", )" + walk + ", " + term + "}", "o.json:4: trials[0].body",
       "is not a body that walks"},
      {R"({"name": "a", "style": "sly", )" + walk + ", " + term + "}", "o.json:4: trials[0].style",
       "one of bow_legged"},
      {R"({"name": "a", )" + term + "}", "o.json:4: trials[0]", "neither walk nor push"},
      {R"({"name": "a", )" + walk + R"(, "push": {"force_n": 1}, )" + term + "}",
       "o.json:4: trials[0].push", "cannot be given together with walk"},
      {"{\"name\": \"a\", \"walk\": {\n \"seconds\": 5, \"settle_s\": 3}, " + term + "}",
       "o.json:5: trials[0].walk.seconds", "from 6 to 600"},
      {R"({"name": "a", "push": {"force_n": 0}, )" + term + "}", "o.json:4: trials[0].push.force_n",
       "from 1 to 5000 N"},
      {R"({"name": "a", "ground": {"uneven_m": 0}, )" + walk + ", " + term + "}",
       "o.json:4: trials[0].ground.uneven_m", "0.003 to 0.2"},
      {R"({"name": "a", )" + walk + "}", "o.json:4: trials[0].terms", "1 to 50"},
      {"{\"name\": \"a\", " + walk + ", \"terms\": [\n {\"figure\": \"sped\"}]}",
       "o.json:5: trials[0].terms[0].figure", "(did you mean speed?)"},
      {R"({"name": "a", )" + walk +
           R"(, "terms": [{"figure": "drift", "at_most": 1, "scale": 1}]})",
       "o.json:4: trials[0].terms[0].figure", "is not a figure of a walk"},
      {R"({"name": "a", )" + walk + R"(, "terms": [{"figure": "speed", "scale": 1}]})",
       "o.json:4: trials[0].terms[0]", "target, at_least or at_most"},
      {R"({"name": "a", )" + walk + R"(, "terms": [{"figure": "speed", "target": 1}]})",
       "o.json:4: trials[0].terms[0].scale", "> 0 m/s"},
  };
  for (const auto& wrong : cases) {
    const std::string fault = fault_of_objective(with_trial(wrong.trial));
    EXPECT_THAT(fault, StartsWith(wrong.place)) << wrong.trial;
    EXPECT_THAT(fault, HasSubstr(wrong.said)) << wrong.trial;
  }
  EXPECT_THAT(fault_of_objective(R"({"trials": [], "parameters": []})"), StartsWith("o.json"));
  EXPECT_THAT(fault_of_objective("{\n \"seed\": 1}"), StartsWith("o.json:2: seed: unknown key"));
}

TEST(Term, CountsWhatIsOffOnTheSidesThatItNames) {
  Term term;
  term.wanted = 1;
  term.scale = 0.5;
  EXPECT_DOUBLE_EQ(term.deviation(2), 4);
  EXPECT_DOUBLE_EQ(term.deviation(0), 4);
  term.want = Term::Want::kAtLeast;
  EXPECT_DOUBLE_EQ(term.deviation(2), 0);
  EXPECT_DOUBLE_EQ(term.deviation(0), 4);
  term.want = Term::Want::kAtMost;
  EXPECT_DOUBLE_EQ(term.deviation(2), 4);
  EXPECT_DOUBLE_EQ(term.deviation(0), 0);
}

TEST(Penalty, OfAFallIsWorseThanAnyOtherAndTheWorseTheSooner) {
  constexpr double kWorst = 10;
  EXPECT_NEAR(penalty_of(0.01, kWorst), 0.01, 1e-4);
  double last = 0;
  for (double deviation = 0.1; deviation < 1e6; deviation *= 10) {
    EXPECT_GT(penalty_of(deviation, kWorst), last);
    last = penalty_of(deviation, kWorst);
  }
  EXPECT_LE(last, kWorst);
  EXPECT_LE(penalty_of(std::numeric_limits<double>::quiet_NaN(), kWorst), kWorst);
  for (double share = 1; share >= 0; share -= 0.125) {
    EXPECT_GE(penalty_of_fall(share, kWorst), last);
    last = penalty_of_fall(share, kWorst);
  }
  EXPECT_EQ(last, 2 * kWorst);
}

TEST(Trial, HasTheFiguresOfAWalk) {
  const Trial trial = trial_of(
      R"({"name": "a", "walk": {"forward_mps": 0.6, "seconds": 6, "settle_s": 2},
  "terms": [{"figure": "speed", "target": 0.6, "scale": 0.1},
            {"figure": "survived", "target": 1, "scale": 1},
            {"figure": "clearance", "at_least": 0, "scale": 1}]})");
  const auto terms = trial.run(trial.walker, 3, 10);
  ASSERT_EQ(terms.size(), 3u);
  EXPECT_NEAR(terms[0].value, 0.6, 0.2);
  EXPECT_EQ(terms[1].value, 1);
  EXPECT_EQ(terms[1].penalty, 0);
  EXPECT_GT(terms[2].value, 0.005) << "looks at the steps";
}

TEST(Trial, HoldsAWalkAgainstPeople) {
  const Trial trial = trial_of(
      R"({"name": "a", "walk": {"forward_mps": 1.0, "seconds": 9, "settle_s": 4},
  "terms": [{"figure": "knee_distance", "target": 0, "scale": 1},
            {"figure": "cadence_off", "target": 0, "scale": 0.1},
            {"figure": "cadence", "target": 0, "scale": 1}]})");
  const auto terms = trial.run(trial.walker, 3, 10);
  EXPECT_GT(terms[0].value, 0.1);
  EXPECT_LT(terms[0].value, 3) << "standard deviations";
  EXPECT_NEAR(terms[1].value, terms[2].value / trial::GaitReference::cadence(1.0) - 1, 1e-9);
}

TEST(Trial, APushThatFellsCountsByTheTimeUntilTheFall) {
  const std::string terms =
      R"("terms": [{"figure": "drift", "target": 0, "scale": 1},
                   {"figure": "survived", "target": 1, "scale": 1}]})";
  const Trial trial = trial_of(
      R"({"name": "a", "push": {"standing": true, "force_n": 3000, "watch_s": 3}, )" + terms);
  const auto fell = trial.run(trial.walker, 3, 10);
  EXPECT_FALSE(fell[0].has_value) << "a drift until the fall says nothing";
  EXPECT_TRUE(fell[1].has_value);
  EXPECT_EQ(fell[1].value, 0);
  EXPECT_GT(fell[1].penalty, 10);
  EXPECT_LT(fell[1].penalty, 16) << "it stood for two of five seconds";
}

TEST(Trial, GroundIsAsAskedAndAnotherWithEachSeedWhereItIsUneven) {
  const std::string rest =
      R"(, "walk": {"forward_mps": 0.6, "seconds": 5, "settle_s": 1},
  "terms": [{"figure": "speed", "target": 0.6, "scale": 0.1}]})";
  std::set<double> speeds;
  for (const char* ground :
       {"{}", R"({"slope_deg": 5})", R"({"hillside_deg": 5})", R"({"friction": 0.2})",
        R"({"kerb_m": 0.03, "believed_level": true})"}) {
    const Trial trial = trial_of(R"({"name": "a", "ground": )" + std::string(ground) + rest);
    speeds.insert(trial.run(trial.walker, 3, 10)[0].value);
  }
  EXPECT_EQ(speeds.size(), 5u);
}

TEST(Figures, HaveNamesOfTheirOwnAndSayWhatTheyAre) {
  std::set<std::string> names;
  for (const Figure& figure : figures()) {
    EXPECT_TRUE(names.insert(figure.name).second) << figure.name;
    EXPECT_NE(*figure.meaning, 0) << figure.name;
    EXPECT_EQ(find_figure(figure.name), &figure);
  }
}

}  // namespace
}  // namespace promenade::search
