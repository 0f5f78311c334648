#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "math/spline.h"
#include "promenade/v1/style.pb.h"
#include "schema/error.h"
#include "schema/message.h"

namespace promenade {

/// Joints that a style's curves speak of, by their role in the step.
enum class StyleJoint : int {
  kPelvis,
  kLowerBack,
  kUpperBack,
  kNeck,
  kStanceKnee,
  kStanceAnkle,
  kSwingAnkle,
  kStanceToe,
  kSwingToe,
  kStanceShoulder,
  kSwingShoulder,
  kStanceElbow,
  kSwingElbow,
  kCount
};

/// In which steps a curve counts, by the stance foot.
enum class StepSide : int { kBoth, kLeftStep, kRightStep };

/// A curve added to the target of one axis of one joint, for a step on the left foot. On the right
/// foot roll and yaw change sign.
struct StyleCurve {
  StyleJoint joint = StyleJoint::kLowerBack;
  int axis = 1;         // 0 roll, 1 pitch, 2 yaw
  CatmullRom angle;     // rad over phase
  CatmullRom by_speed;  // factor over forward speed, m/s; empty: 1
  StepSide side = StepSide::kBoth;
};

/// A way of walking, checked and in SI units. Built from a Style message.
struct Style {
  std::string name, title, description;
  double step_time = 0.6;   // s, for a leg of 0.86 m
  double step_width = 0.1;  // m, for a leg of 0.86 m
  double lean = 0;          // rad, forward positive
  double crouch = 0;        // rad, stance knee
  double twist = 0;         // rad, positive bow-legged
  double arm_swing = 1;
  double speed = 0.8;              // m/s, for a human
  CatmullRom foot_height;          // m over phase, for a leg of 0.86 m
  CatmullRom right_foot_height;    // the same in steps on the right foot; empty: as foot_height
  std::vector<StyleCurve> curves;  // by joint and axis, see sort_curves()

  /// Sorts the curves and notes where those of each joint and axis begin. Call it when they are all
  /// there.
  void sort_curves();
  /// What the curves add to a joint's target about an axis, rad. Allocates nothing.
  /// @param axis  0 roll, 1 pitch, 2 yaw
  /// @param speed  forward, m/s
  /// @param left  whether the left foot is the stance foot
  double offset(StyleJoint joint, int axis, double phase, double speed, bool left) const;
  /// Height of the swing ankle above where it stands, m for a leg of 0.86 m.
  double foot_height_at(double phase, bool left) const {
    return left || right_foot_height.empty() ? foot_height(phase) : right_foot_height(phase);
  }

 private:
  static constexpr std::size_t place_of(StyleJoint joint, int axis) {
    return std::size_t(joint) * 3 + std::size_t(axis);
  }
  static constexpr std::size_t kPlaces = std::size_t(StyleJoint::kCount) * 3;
  std::array<std::uint8_t, kPlaces + 1> first_{};  // curves before those of a joint and axis
};

/// File names of the joints: "lower_back", "stance_knee", "swing_shoulder", ...
const char* style_joint_name(StyleJoint joint);

/// The style that a message describes. An absent step time, speed or foot height is that of a
/// default style (0.6 s, 0.8 m/s, 0.05 m at mid step); other absent numbers are 0.
/// @param source  names file and lines in errors; may be empty
schema::Result<Style> build_style(const v1::Style& style, const schema::Source& source = {});

}  // namespace promenade
