#include "control/gbwc/style.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <set>
#include <string>

#include "control/gbwc/style_library.h"
#include "math/rotation.h"
#include "support/paths.h"

namespace promenade {
namespace {

std::filesystem::path styles_dir() { return test::data_dir() / "styles"; }

/// A small style that is right.
v1::Style small() {
  v1::Style style;
  style.set_name("small");
  style.set_step_time_s(0.5);
  style.set_step_width_m(0.12);
  style.set_lean_deg(10);
  v1::JointCurve* curve = style.add_curves();
  curve->set_joint("stance_shoulder");
  curve->set_axis(v1::PITCH);
  for (const auto& [phase, value] : {std::pair{0.0, 30.0}, {0.5, 0.0}, {1.0, -30.0}}) {
    v1::CurvePoint* point = curve->mutable_curve_deg()->add_points();
    point->set_phase(phase);
    point->set_value(value);
  }
  return style;
}

std::string complaint(const std::function<void(v1::Style*)>& spoil) {
  v1::Style style = small();
  spoil(&style);
  const auto built = build_style(style);
  return built.ok() ? "none" : built.error().text();
}

TEST(Style, IsInSiUnits) {
  const auto style = build_style(small());
  ASSERT_TRUE(style.ok()) << style.error().text();
  EXPECT_EQ(style->step_time, 0.5);
  EXPECT_EQ(style->step_width, 0.12);
  EXPECT_NEAR(style->lean, 10 * kPi / 180, 1e-12);
  ASSERT_EQ(style->curves.size(), 1u);
  EXPECT_EQ(style->curves[0].joint, StyleJoint::kStanceShoulder);
  EXPECT_EQ(style->curves[0].axis, 1);
  EXPECT_NEAR(style->curves[0].angle(0), kPi / 6, 1e-12);
  EXPECT_TRUE(style->curves[0].by_speed.empty());
}

TEST(Style, AbsentTimeSpeedAndFootHeightAreTheDefaults) {
  v1::Style message;
  message.set_name("bare");
  const auto style = build_style(message);
  ASSERT_TRUE(style.ok()) << style.error().text();
  EXPECT_EQ(style->title, "bare");
  EXPECT_EQ(style->step_time, Style().step_time);
  EXPECT_EQ(style->speed, Style().speed);
  EXPECT_EQ(style->foot_height(0.5), 0.05);
  EXPECT_EQ(style->step_width, 0);
  EXPECT_EQ(style->arm_swing, 0);
}

TEST(Style, RefusesNumbersOutOfRange) {
  EXPECT_EQ(complaint([](auto* s) { s->set_step_time_s(0.1); }),
            "step_time_s: 0.1 is not allowed, must be from 0.2 to 1.2 s");
  EXPECT_EQ(complaint([](auto* s) { s->set_step_width_m(0.6); }),
            "step_width_m: 0.6 is not allowed, must be from 0 to 0.5 m");
  EXPECT_EQ(complaint([](auto* s) { s->set_lean_deg(-46); }),
            "lean_deg: -46 is not allowed, must be from -45 to 45 degrees");
  EXPECT_EQ(complaint([](auto* s) { s->set_crouch_deg(71); }),
            "crouch_deg: 71 is not allowed, must be from 0 to 70 degrees");
  EXPECT_EQ(complaint([](auto* s) { s->set_twist_deg(41); }),
            "twist_deg: 41 is not allowed, must be from -40 to 40 degrees");
  EXPECT_EQ(complaint([](auto* s) { s->set_speed_mps(-1); }),
            "speed_mps: -1 is not allowed, must be from 0.1 to 3 m/s");
  EXPECT_EQ(complaint([](auto* s) { s->set_arm_swing(std::nan("")); }),
            "arm_swing: nan is not allowed, must be from -3 to 5");
  EXPECT_EQ(complaint([](auto* s) { s->set_name(""); }),
            "name: \"\" is not allowed, must be 1 to 40 of the characters a-z, 0-9, '_' and '-'");
}

TEST(Style, RefusesBadCurves) {
  const auto point = [](v1::Style* style, int i) {
    return style->mutable_curves(0)->mutable_curve_deg()->mutable_points(i);
  };
  EXPECT_EQ(
      complaint([&](auto* s) { point(s, 1)->set_phase(0); }),
      "curves[0].curve_deg.points[1].phase: 0 is not allowed, must be more than the phase of the "
      "point before, 0");
  EXPECT_EQ(complaint([&](auto* s) { point(s, 2)->set_phase(1.1); }),
            "curves[0].curve_deg.points[2].phase: 1.1 is not allowed, must be from 0 to 1");
  EXPECT_EQ(
      complaint([&](auto* s) { point(s, 0)->set_value(std::numeric_limits<double>::infinity()); }),
      "curves[0].curve_deg.points[0].value: inf is not allowed, must be from -170 to 170 "
      "degrees");
  EXPECT_EQ(complaint([](auto* s) { s->mutable_curves(0)->clear_curve_deg(); }),
            "curves[0].curve_deg.points: none is not allowed, must be at least one point");
  EXPECT_EQ(complaint([](auto* s) {
              s->mutable_curves(0)->mutable_by_speed()->add_points()->set_phase(9);
            }),
            "curves[0].by_speed.points[0].phase: 9 is not allowed, must be from -5 to 5 m/s");
  EXPECT_EQ(complaint([](auto* s) { s->mutable_foot_height_m()->add_points()->set_value(1); }),
            "foot_height_m.points[0].value: 1 is not allowed, must be from -0.1 to 0.5 m");
  EXPECT_EQ(complaint([](auto* s) {
              for (int i = 0; i < 100; ++i) *s->add_curves() = s->curves(0);
            }),
            "curves: 101 curves is not allowed, must be at most 64 curves");
}

TEST(Style, RefusesUnknownJointsAndAxesThatTheyLack) {
  EXPECT_EQ(complaint([](auto* s) { s->mutable_curves(0)->set_joint("left_knee"); }),
            "curves[0].joint: \"left_knee\" is not allowed, must be one of pelvis, lower_back, "
            "upper_back, "
            "neck, stance_knee, stance_ankle, swing_ankle, stance_toe, swing_toe, stance_shoulder, "
            "swing_shoulder, stance_elbow, swing_elbow");
  EXPECT_EQ(complaint([](auto* s) { s->mutable_curves(0)->clear_axis(); }),
            "curves[0].axis: nothing is not allowed, must be ROLL or PITCH or YAW for the "
            "joint \"stance_shoulder\"");
  EXPECT_EQ(complaint([](auto* s) {
              s->mutable_curves(0)->set_joint("stance_knee");
              s->mutable_curves(0)->set_axis(v1::YAW);
            }),
            "curves[0].axis: YAW is not allowed, must be PITCH for the joint \"stance_knee\"");
}

TEST(Style, CurvesCountInTheStepsOfTheirSide) {
  v1::Style message = small();
  message.mutable_curves(0)->set_side(v1::LEFT_STEP);
  v1::JointCurve* roll = message.add_curves();
  roll->set_joint("neck");
  roll->set_axis(v1::ROLL);
  roll->set_side(v1::RIGHT_STEP);
  roll->mutable_curve_deg()->add_points()->set_value(10);
  v1::JointCurve* both = message.add_curves();
  *both = *roll;
  both->set_side(v1::BOTH);
  const auto style = build_style(message);
  ASSERT_TRUE(style.ok()) << style.error().text();
  const double one = 10 * kPi / 180;
  EXPECT_NEAR(style->offset(StyleJoint::kStanceShoulder, 1, 0, 0, true), 3 * one, 1e-12);
  EXPECT_EQ(style->offset(StyleJoint::kStanceShoulder, 1, 0, 0, false), 0);
  EXPECT_NEAR(style->offset(StyleJoint::kNeck, 0, 0, 0, true), one, 1e-12);
  EXPECT_NEAR(style->offset(StyleJoint::kNeck, 0, 0, 0, false), -2 * one, 1e-12);
}

TEST(Style, TheFootMayRiseHigherInStepsOnTheRight) {
  v1::Style message = small();
  const auto same = build_style(message);
  ASSERT_TRUE(same.ok());
  EXPECT_EQ(same->foot_height_at(0.5, false), same->foot_height_at(0.5, true));
  message.mutable_right_foot_height_m()->add_points()->set_value(0.2);
  const auto uneven = build_style(message);
  ASSERT_TRUE(uneven.ok());
  EXPECT_EQ(uneven->foot_height_at(0.5, false), 0.2);
  EXPECT_EQ(uneven->foot_height_at(0.5, true), same->foot_height_at(0.5, true));
}

TEST(Style, RefusesUnknownSides) {
  EXPECT_EQ(
      complaint([](auto* s) { s->mutable_curves(0)->set_side(static_cast<v1::CurveSide>(7)); }),
      "curves[0].side: 7 is not allowed, must be BOTH, LEFT_STEP or RIGHT_STEP");
  EXPECT_EQ(
      complaint([](auto* s) { s->mutable_right_foot_height_m()->add_points()->set_value(0.6); }),
      "right_foot_height_m.points[0].value: 0.6 is not allowed, must be from -0.1 to 0.5 m");
}

TEST(Style, KnowsTheNamesOfItsJoints) {
  std::set<std::string> names;
  for (int i = 0; i < static_cast<int>(StyleJoint::kCount); ++i) {
    names.insert(style_joint_name(static_cast<StyleJoint>(i)));
  }
  EXPECT_EQ(names.size(), static_cast<std::size_t>(StyleJoint::kCount));
}

TEST(StyleLibrary, NamesFileLineAndKey) {
  const auto directory = std::filesystem::temp_directory_path() / "promenade_style_library_test";
  std::filesystem::create_directories(directory);
  const auto complaint_of = [&](const std::string& text) {
    std::ofstream(directory / "x.json") << text;
    const auto library = StyleLibrary::load(directory);
    return library.ok() ? "none" : library.error().text();
  };
  const std::string file = (directory / "x.json").string();
  EXPECT_EQ(complaint_of("{\"name\": \"x\",\n\n \"lean_deg\": 50}"),
            file + ":3: lean_deg: 50 is not allowed, must be from -45 to 45 degrees");
  EXPECT_EQ(complaint_of("{\"name\": \"y\"}"),
            file + ":1: name: \"y\" is not allowed, must be \"x\" as the file's name says");
  EXPECT_EQ(complaint_of("{\"name\": \"x\"}"), "none");
  const std::string unknown = complaint_of("{\"name\": \"x\",\n\"len_deg\": 50}");
  EXPECT_TRUE(unknown.starts_with(file + ":2: len_deg: unknown key")) << unknown;
  std::filesystem::remove_all(directory);
  EXPECT_FALSE(StyleLibrary::load(directory).ok());
}

const StyleLibrary& shipped() {
  static const auto library = StyleLibrary::load(styles_dir());
  if (!library) {
    ADD_FAILURE() << library.error().text();
    std::abort();
  }
  return *library;
}

TEST(ShippedStyles, AreAtLeastSixAndNormalIsOne) {
  EXPECT_GE(shipped().size(), 6u);
  EXPECT_NE(shipped().find("normal"), nullptr);
  EXPECT_EQ(shipped().find("nothing"), nullptr);
}

double sum(const Style& style, StyleJoint joint, int axis, double phase, double speed) {
  double angle = 0;
  for (const StyleCurve& curve : style.curves) {
    if (curve.joint != joint || curve.axis != axis) continue;
    angle += curve.angle(phase) * (curve.by_speed.empty() ? 1 : curve.by_speed(speed));
  }
  return angle;
}

// Heights are of the ankle above where it is when a flat foot stands.
TEST(ShippedStyles, LiftTheFootAndPutItDown) {
  for (const std::string& name : shipped().names()) {
    const Style& style = *shipped().find(name);
    const double start = style.foot_height(0), end = style.foot_height(1);
    double highest = 0;
    for (double phase = 0; phase <= 1; phase += 0.01) {
      highest = std::max(highest, style.foot_height(phase));
    }
    EXPECT_GT(highest, std::max(start, end) + 0.02) << name;
    EXPECT_NEAR(start, end, 0.03) << name;
    // At the end the toes are below the ground, so that the foot lands, flat or pointing down.
    constexpr double kAnkleToToes = 0.2;  // m, of a human
    const double down = sum(style, StyleJoint::kSwingAnkle, 1, 1, style.speed);
    EXPECT_LE(end, kAnkleToToes * std::sin(std::max(0.0, down))) << name;
    EXPECT_FALSE(style.description.empty()) << name;
  }
}

// Where a step ends the next begins on the other foot: left and right change places, roll and yaw
// change sign. Trunk and arms must not jump there.
TEST(ShippedStyles, TrunkAndArmsDoNotJumpWhereFeetChange) {
  using J = StyleJoint;
  for (const std::string& name : shipped().names()) {
    const Style& style = *shipped().find(name);
    for (const auto& [before, after] : {std::pair{J::kLowerBack, J::kLowerBack},
                                        {J::kUpperBack, J::kUpperBack},
                                        {J::kNeck, J::kNeck},
                                        {J::kStanceShoulder, J::kSwingShoulder},
                                        {J::kSwingShoulder, J::kStanceShoulder},
                                        {J::kStanceElbow, J::kSwingElbow},
                                        {J::kSwingElbow, J::kStanceElbow}}) {
      for (int axis = 0; axis < 3; ++axis) {
        const double sign = axis == 1 ? 1 : -1;
        for (const double speed : {0.0, style.speed}) {
          EXPECT_NEAR(sum(style, before, axis, 1, speed), sign * sum(style, after, axis, 0, speed),
                      1e-9)
              << name << ' ' << style_joint_name(before) << " axis " << axis;
        }
      }
    }
  }
}

}  // namespace
}  // namespace promenade
