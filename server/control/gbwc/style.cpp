#include "control/gbwc/style.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <utility>

#include "math/rotation.h"
#include "schema/check.h"
#include "schema/shown_text.h"

namespace promenade {
namespace {

using schema::Checker;

constexpr auto kJointCount = static_cast<std::size_t>(StyleJoint::kCount);
constexpr int kMostPoints = 64;  // of a curve
constexpr int kMostCurves = 64;  // of a style

/// The name of a joint in styles, and the axes of x, y, z about which it turns.
struct JointInfo {
  const char* name;
  std::array<bool, 3> turns;
};

constexpr std::array<JointInfo, kJointCount> kJoints = {{
    {"pelvis", {true, true, true}},
    {"lower_back", {true, true, true}},
    {"upper_back", {true, true, true}},
    {"neck", {true, true, true}},
    {"stance_knee", {false, true, false}},
    {"stance_ankle", {true, true, false}},
    {"swing_ankle", {true, true, false}},
    {"stance_toe", {false, true, false}},
    {"swing_toe", {false, true, false}},
    {"stance_shoulder", {true, true, true}},
    {"swing_shoulder", {true, true, true}},
    {"stance_elbow", {false, true, false}},
    {"swing_elbow", {false, true, false}},
}};

std::string known_joints() {
  std::string out = "one of ";
  for (const JointInfo& joint : kJoints) {
    if (&joint != &kJoints.front()) out += ", ";
    out += joint.name;
  }
  return out;
}

std::optional<StyleJoint> find_joint(const std::string& name) {
  for (std::size_t i = 0; i < kJointCount; ++i) {
    if (name == kJoints[i].name) return static_cast<StyleJoint>(i);
  }
  return std::nullopt;
}

struct Bounds {
  double low, high;
  const char* unit;
};

/// A checked curve whose values are multiplied by `factor`. Empty if something is wrong.
CatmullRom build_curve(Checker* check, const std::string& key, const v1::Curve& curve,
                       const Bounds& phase, const Bounds& value, double factor) {
  if (curve.points_size() > kMostPoints) {
    check->fail(key + ".points", std::to_string(curve.points_size()) + " points",
                "at most " + std::to_string(kMostPoints) + " points");
  }
  std::vector<CatmullRom::Point> points;
  for (int i = 0; i < curve.points_size() && check->ok(); ++i) {
    const v1::CurvePoint& point = curve.points(i);
    const std::string here = key + "." + schema::indexed("points", i);
    check->range(here + ".phase", point.phase(), phase.low, phase.high, phase.unit);
    check->range(here + ".value", point.value(), value.low, value.high, value.unit);
    if (i > 0 && !(point.phase() > curve.points(i - 1).phase())) {
      check->fail(here + ".phase", schema::number(point.phase()),
                  "more than the phase of the point before, " +
                      schema::number(curve.points(i - 1).phase()));
    }
    points.push_back({point.phase(), point.value() * factor});
  }
  return check->ok() ? CatmullRom(std::move(points)) : CatmullRom();
}

StyleCurve build_joint_curve(Checker* check, const std::string& key, const v1::JointCurve& curve) {
  StyleCurve out;
  const auto joint = find_joint(curve.joint());
  if (!joint) {
    check->fail(key + ".joint", schema::in_quotes(curve.joint()), known_joints());
    return out;
  }
  out.joint = *joint;
  const JointInfo& info = kJoints[static_cast<std::size_t>(*joint)];
  out.axis = static_cast<int>(curve.axis()) - 1;
  if (out.axis < 0 || out.axis > 2 || !info.turns[static_cast<std::size_t>(out.axis)]) {
    std::string allowed;
    for (int axis = 0; axis < 3; ++axis) {
      if (!info.turns[static_cast<std::size_t>(axis)]) continue;
      allowed += (allowed.empty() ? "" : " or ") + v1::Axis_Name(static_cast<v1::Axis>(axis + 1));
    }
    const bool given = curve.axis() != v1::AXIS_UNSPECIFIED;
    check->fail(key + ".axis", given ? v1::Axis_Name(curve.axis()) : "nothing",
                allowed + " for the joint " + schema::in_quotes(curve.joint()));
    return out;
  }
  if (curve.curve_deg().points_size() == 0) {
    check->fail(key + ".curve_deg.points", "none", "at least one point");
    return out;
  }
  if (!v1::CurveSide_IsValid(curve.side())) {
    check->fail(key + ".side", std::to_string(curve.side()), "BOTH, LEFT_STEP or RIGHT_STEP");
    return out;
  }
  out.side = static_cast<StepSide>(curve.side());
  out.angle = build_curve(check, key + ".curve_deg", curve.curve_deg(), {0, 1, ""},
                          {-170, 170, " degrees"}, kRadFromDeg);
  out.by_speed =
      build_curve(check, key + ".by_speed", curve.by_speed(), {-5, 5, " m/s"}, {-20, 20, ""}, 1);
  return out;
}

}  // namespace

const char* style_joint_name(StyleJoint joint) {
  return kJoints[static_cast<std::size_t>(joint)].name;
}

void Style::sort_curves() {
  const auto place = [](const StyleCurve& curve) { return place_of(curve.joint, curve.axis); };
  std::stable_sort(curves.begin(), curves.end(),
                   [&](const StyleCurve& a, const StyleCurve& b) { return place(a) < place(b); });
  first_.fill(0);
  for (const StyleCurve& curve : curves) ++first_[place(curve) + 1];
  std::partial_sum(first_.begin(), first_.end(), first_.begin());
}

double Style::offset(StyleJoint joint, int axis, double phase, double speed, bool left) const {
  const StepSide other = left ? StepSide::kRightStep : StepSide::kLeftStep;
  double sum = 0;
  const std::size_t place = place_of(joint, axis);
  for (std::size_t i = first_[place]; i < first_[place + 1]; ++i) {
    const StyleCurve& curve = curves[i];
    if (curve.side == other) continue;
    sum += curve.angle(phase) * (curve.by_speed.empty() ? 1.0 : curve.by_speed(speed));
  }
  return axis == 1 || left ? sum : -sum;
}

schema::Result<Style> build_style(const v1::Style& style, const schema::Source& source) {
  Checker check(source);
  Style out;
  check.name("name", style.name());
  out.name = style.name();
  out.title = style.title().empty() ? style.name() : style.title();
  out.description = style.description();
  if (const auto fault = schema::text_fault(style.title(), 80)) {
    check.fail("title", fault->value, fault->allowed);
  }
  if (const auto fault = schema::text_fault(style.description(), 400)) {
    check.fail("description", fault->value, fault->allowed);
  }
  const auto number = [&](const char* key, double value, const Bounds& bounds, double factor,
                          double* into) {
    if (check.range(key, value, bounds.low, bounds.high, bounds.unit)) *into = value * factor;
  };
  // Zero is a possible width or lean. As a step time or speed it means the default.
  if (style.step_time_s() != 0) {
    number("step_time_s", style.step_time_s(), {0.2, 1.2, " s"}, 1, &out.step_time);
  }
  if (style.speed_mps() != 0) {
    number("speed_mps", style.speed_mps(), {0.1, 3, " m/s"}, 1, &out.speed);
  }
  number("step_width_m", style.step_width_m(), {0, 0.5, " m"}, 1, &out.step_width);
  number("lean_deg", style.lean_deg(), {-45, 45, " degrees"}, kRadFromDeg, &out.lean);
  number("crouch_deg", style.crouch_deg(), {0, 70, " degrees"}, kRadFromDeg, &out.crouch);
  number("twist_deg", style.twist_deg(), {-40, 40, " degrees"}, kRadFromDeg, &out.twist);
  number("arm_swing", style.arm_swing(), {-3, 5, ""}, 1, &out.arm_swing);
  out.foot_height =
      build_curve(&check, "foot_height_m", style.foot_height_m(), {0, 1, ""}, {-0.1, 0.5, " m"}, 1);
  if (out.foot_height.empty()) out.foot_height = CatmullRom({{0, 0}, {0.5, 0.05}, {1, -0.01}});
  out.right_foot_height = build_curve(&check, "right_foot_height_m", style.right_foot_height_m(),
                                      {0, 1, ""}, {-0.1, 0.5, " m"}, 1);
  if (style.curves_size() > kMostCurves) {
    check.fail("curves", std::to_string(style.curves_size()) + " curves",
               "at most " + std::to_string(kMostCurves) + " curves");
  }
  for (int i = 0; i < style.curves_size() && check.ok(); ++i) {
    out.curves.push_back(build_joint_curve(&check, schema::indexed("curves", i), style.curves(i)));
  }
  if (!check.ok()) return check.error();
  out.sort_curves();
  return out;
}

}  // namespace promenade
