#include "search/walking/parameter_vector.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "objectives.h"

namespace promenade::search {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr const char* kMixed =
    R"({"path": "gbwc.speed.sagittal_gain", "factor": 3, "log": true},
  {"path": "style.normal.step_width_m", "low": 0.05, "high": 0.2},
  {"path": "style.normal.curves[3].curve_deg.points[4].value", "factor": 2},
  {"path": "gbwc.strike.phase"})";

v1::GbwcParameters shipped_gbwc() {
  return schema::load_message<v1::GbwcParameters>(test::data_dir() / "controllers/gbwc.json")
      ->message;
}

v1::Style shipped_normal() {
  return schema::load_message<v1::Style>(test::data_dir() / "styles/normal.json")->message;
}

// The negative number of kMixed.
double last_of_swing_ankle(const v1::Style& style) {
  return style.curves(3).curve_deg().points(4).value();
}

ParameterVector vector_with(const std::string& parameters) {
  auto problem = problem_of(with_parameters(parameters));
  EXPECT_TRUE(problem.ok()) << problem.error().text();
  return std::move(problem->parameters);
}

TEST(ParameterVector, BeginsAtThePresentValuesAndWritesTheSameFiles) {
  const ParameterVector made = vector_with(kMixed);
  ASSERT_EQ(made.size(), 4);
  ASSERT_EQ(made.file_count(), 2);
  EXPECT_EQ(made.file_name(0), "gbwc");
  EXPECT_EQ(made.file_name(1), "style.normal");
  const std::vector<double> values = made.values(made.start());
  EXPECT_EQ(values, (std::vector<double>{
                        shipped_gbwc().speed().sagittal_gain(), shipped_normal().step_width_m(),
                        last_of_swing_ankle(shipped_normal()), shipped_gbwc().strike().phase()}));
  for (const int file : {0, 1}) {
    EXPECT_EQ(made.file_text(file, made.start()), made.file_text(file));
  }
}

TEST(ParameterVector, ReachesTheNumbersOfTasksInTheirGroups) {
  const ParameterVector made = vector_with(
      R"({"path": "tasks.pick_up.lift_s"}, {"path": "tasks.push.gain", "factor": 1.5})");
  ASSERT_EQ(made.file_count(), 1);
  EXPECT_EQ(made.file_name(0), "tasks");
  EXPECT_EQ(made.file_text(0, made.start()), made.file_text(0));
  Vector places = made.start();
  places[0] = 1;
  const auto candidate = made.candidate(places);
  ASSERT_TRUE(candidate.ok());
  ASSERT_NE(candidate->tasks, nullptr);
  EXPECT_EQ(candidate->parameters, nullptr);
  EXPECT_DOUBLE_EQ(candidate->tasks->pick_up().lift_s(), made.high(0));
  EXPECT_DOUBLE_EQ(candidate->tasks->push().gain(), made.value(1, made.start()[1]));
  const auto read = schema::parse_message<v1::TaskParameters>(made.file_text(0, places));
  ASSERT_TRUE(read.ok());
  EXPECT_DOUBLE_EQ(read->pick_up().lift_s(), made.high(0));
}

TEST(ParameterVector, SaysWhichGroupsAndNumbersOfTasksThereAre) {
  const auto error_of = [](const std::string& path) {
    return problem_of(with_parameters(R"({"path": ")" + path + R"("})")).error().text();
  };
  EXPECT_THAT(error_of("tasks.pick_up"), HasSubstr("the path of a number"));
  EXPECT_THAT(error_of("tasks.pick_up.lift"), HasSubstr("lift_s"));
  EXPECT_THAT(error_of("tasks.pickup.lift_s"), HasSubstr("pick_up"));
}

TEST(ParameterVector, RangesAreAFactorAroundThePresentValueWithinTheFamilys) {
  const ParameterVector made = vector_with(kMixed);
  const double gain = shipped_gbwc().speed().sagittal_gain();
  EXPECT_DOUBLE_EQ(made.low(0), gain / 3);
  EXPECT_DOUBLE_EQ(made.high(0), gain * 3);
  EXPECT_EQ(made.low(1), 0.05);
  const double negative = last_of_swing_ankle(shipped_normal());
  ASSERT_LT(negative, 0);
  EXPECT_DOUBLE_EQ(made.low(2), 2 * negative);
  EXPECT_DOUBLE_EQ(made.high(2), 0.5 * negative);
  EXPECT_DOUBLE_EQ(made.high(3),
                   std::min(1.0, 2 * shipped_gbwc().strike().phase()));  // 1: the family's
  EXPECT_NEAR(made.start()[0], 0.5, 1e-12) << "the middle of a logarithmic scale";
}

TEST(ParameterVector, WhatIsWrittenIsWhatWasScored) {
  const ParameterVector made = vector_with(kMixed);
  Vector places(4);
  places << 0.123456789, 0.87654321, 0.3333333, 1;
  const auto candidate = made.candidate(places);
  ASSERT_TRUE(candidate.ok()) << candidate.error().text();
  v1::GbwcParameters gbwc;
  v1::Style style;
  ASSERT_FALSE(schema::message_from_json(made.file_text(0, places), &gbwc));
  ASSERT_FALSE(schema::message_from_json(made.file_text(1, places), &style));
  EXPECT_EQ(gbwc.SerializeAsString(), candidate->parameters->SerializeAsString());
  EXPECT_EQ(style.step_width_m(), made.value(1, places[1]));
  EXPECT_EQ(last_of_swing_ankle(style), made.value(2, places[2]));
  EXPECT_EQ(candidate->styles.at("normal")->step_width, style.step_width_m());
  EXPECT_EQ(gbwc.strike().phase(), made.value(3, 1));
  EXPECT_EQ(gbwc.pelvis().kp_nm(), shipped_gbwc().pelvis().kp_nm()) << "another number of the file";
}

TEST(ParameterVector, ChangesNothingOfAFileButItsNumbers) {
  const ParameterVector made = vector_with(R"({"path": "gbwc.speed.sagittal_gain"})");
  const std::string before = made.file_text(0), after = made.file_text(0, Vector::Ones(1));
  const double gain = shipped_gbwc().speed().sagittal_gain();
  const std::string key = "\"sagittal_gain\": ", was = number_text(gain);
  const std::size_t at = before.find(key + was);
  ASSERT_NE(at, std::string::npos);
  EXPECT_EQ(after, std::string(before).replace(at + key.size(), was.size(),
                                               number_text(rounded(2 * gain))));
}

TEST(ParameterVector, NumbersHaveFourDigitsAndNoExponent) {
  EXPECT_EQ(number_text(rounded(12345.678)), "12350");
  EXPECT_EQ(number_text(rounded(0.000012345678)), "0.00001235");
  EXPECT_EQ(number_text(rounded(-3)), "-3");
  EXPECT_EQ(number_text(rounded(-0.0)), "0");
  EXPECT_EQ(rounded(0.1), 0.1);
}

TEST(ParameterVector, WrongParametersAreNamedWithFileLineAndKey) {
  const struct {
    const char *parameters, *place, *said;
  } cases[] = {
      {R"({"path": "gbwc.speed.sagital_gain"})", "o.json:3: parameters[0].path",
       "(did you mean sagittal_gain?)"},
      {"{\"path\": \"gbwc.hurry.most\"},\n  {\"path\": \"gbwc.hurry.most\"}",
       "o.json:4: parameters[1].path", "is searched already"},
      {R"({"path": "hold.stiffness"})", "o.json:3: parameters[0].path",
       "gbwc.FIELD as in gbwc.pelvis.kp_nm"},
      {R"({"path": "sagittal_gain"})", "o.json:3: parameters[0].path", "gbwc.FIELD"},
      {R"({"path": "style.normal.name"})", "o.json:3: parameters[0].path", "a number"},
      {R"({"path": "style.normal.curves"})", "o.json:3: parameters[0].path", "curves[0]"},
      {R"({"path": "style.normal.curves[99].curve_deg.points[0].value"})",
       "o.json:3: parameters[0].path", "curves[0] to curves["},
      {R"({"path": "style.normal.lean_deg.x"})", "o.json:3: parameters[0].path", "has no fields"},
      {R"({"path": "style.moon.lean_deg"})", "o.json:3: parameters[0].path", "no such file"},
      {R"({"path": "style.../gbwc.lean_deg"})", "o.json:3: parameters[0].path", "style"},
      {R"({"path": "style.march.lean_deg", "low": -9, "high": 20})", "o.json:3: parameters[0].path",
       "no trial has this style"},
      {R"({"path": "gbwc.standing.margin_m"})", "o.json:3: parameters[0]",
       "no factor gives a range"},
      {R"({"path": "gbwc.hurry.most", "low": 0.5})", "o.json:3: parameters[0].low",
       "from 1 to 100"},
      {R"({"path": "gbwc.hurry.most", "low": 3, "high": 4})", "o.json:3: parameters[0]",
       "gbwc.hurry.most is "},
      {R"({"path": "gbwc.hurry.most", "low": 4, "high": 3})", "o.json:3: parameters[0].low",
       "less than high"},
      {R"({"path": "gbwc.hurry.most", "factor": 1})", "o.json:3: parameters[0].factor",
       "1.01 to 1000"},
      {R"({"path": "gbwc.strike.early_phase", "low": 0, "log": true})",
       "o.json:3: parameters[0].low", "> 0 with log"},
      {R"({"path": "style.normal.step_width_m", "low": 0, "high": 50})",
       "o.json:3: parameters[0].high", "step_width_m"},
      {R"({"path": "gbwc.hurry.most", "lower": 1})", "o.json:3: parameters[0].lower",
       "unknown key"},
      {"", "o.json:2: parameters", "1 to 200"},
  };
  for (const auto& wrong : cases) {
    const std::string fault = fault_of_objective(with_parameters(wrong.parameters));
    EXPECT_THAT(fault, StartsWith(wrong.place));
    EXPECT_THAT(fault, HasSubstr(wrong.said));
  }
}

TEST(ParameterVector, PointsOfACurveThatChangeTheirOrderAreAnErrorOfTheCandidate) {
  const ParameterVector made = vector_with(
      R"({"path": "style.normal.foot_height_m.points[1].phase", "low": 0.1, "high": 0.5},
  {"path": "style.normal.curves[1].curve_deg.points[1].phase", "low": 0.1, "high": 0.45},
  {"path": "style.normal.curves[1].curve_deg.points[2].phase", "low": 0.42, "high": 0.9})");
  EXPECT_TRUE(made.candidate(made.start()).ok());
  Vector crossed = made.start();
  crossed[1] = 1;
  crossed[2] = 0;
  EXPECT_FALSE(made.candidate(crossed).ok());
}

}  // namespace
}  // namespace promenade::search
