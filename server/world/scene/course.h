#pragma once

#include <cstdint>
#include <vector>

#include "math/types.h"
#include "promenade/v1/scene.pb.h"
#include "schema/check.h"

namespace promenade {
class Random;
}

namespace promenade::world {

/// A lane whose obstacles are drawn at random, one in each of its equal parts.
struct CoursePlan {
  v1::Course message;                               // checked, with its defaults
  Vec2 from = Vec2::Zero(), along = Vec2::UnitX();  // along: of length 1
  double length = 0;                                // m

  int parts() const { return int(message.count()); }
  double part_length() const { return length / parts(); }
  /// Metres from where it begins, and to the left of its middle.
  Vec2 place_of(const Vec2& world) const;
  Vec2 world_of(const Vec2& place) const;
};

/// Checks every field about courses.
std::vector<CoursePlan> build_courses(const v1::Scene& scene, schema::Checker& check);

/// Draws a kind, its measures and its place in a part of the lane, such that half the gap stays
/// free at both ends of the part.
std::vector<v1::Block> draw_obstacle(const CoursePlan& course, int part, Random random);

inline constexpr int kMaxCourses = 8;
inline constexpr int kMaxCourseParts = 32;
inline constexpr int kMaxCourseKinds = 16;
inline constexpr int kMaxCoursePieces = 40;

}  // namespace promenade::world
