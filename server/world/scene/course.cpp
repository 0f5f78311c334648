#include "world/scene/course.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "creature/material_message.h"
#include "math/random.h"
#include "math/rotation.h"
#include "schema/refusal.h"
#include "world/command/limits.h"
#include "world/scene/ground.h"

namespace promenade::world {
namespace {

constexpr double kBarThickness = 0.1, kPostThickness = 0.08;  // m, of bars and posts
constexpr double kPieceShare = 0.35;  // share of the part's depth: the longest of strewn pieces

struct CourseBuilder {
  schema::Checker& check;

  template <typename Repeated>
  bool point(const std::string& key, const Repeated& values, Vec2* out) {
    if (!check.count(key, std::size_t(values.size()), 2)) return false;
    for (int i = 0; i < 2; ++i) {
      if (!check.range(schema::indexed(key, i), values[i], -kMaxCoordinate, kMaxCoordinate, " m")) {
        return false;
      }
    }
    *out = Vec2(values[0], values[1]);
    return true;
  }

  /// Least and most.
  template <typename Repeated>
  bool bounds(const std::string& key, const Repeated& values, double low, double high) {
    return check.count(key, std::size_t(values.size()), 2) &&
           check.range(schema::indexed(key, 0), values[0], low, high, " m") &&
           check.range(schema::indexed(key, 1), values[1], values[0], high, " m");
  }

  bool kind(const std::string& key, const v1::CourseObstacle& m) {
    if (!bounds(key + ".height_m", m.height_m(), 0.01, 3)) return false;
    if (!bounds(key + ".depth_m", m.depth_m(), 0.02, 20)) return false;
    check.range(key + ".pieces", m.pieces(), 0, kMaxCoursePieces);
    if (m.bar() && m.pieces() > 0) {
      check.fail(key + ".pieces", std::to_string(m.pieces()), "0 where `bar` is true");
    }
    if (!m.color().empty()) check.color(key + ".color", m.color());
    if (m.has_material()) check_material(&check, key + ".material.", m.material());
    return check.ok();
  }

  /// Blocks that it has at most.
  CoursePlan course(const std::string& key, const v1::Course& m, int* blocks) {
    CoursePlan plan;
    plan.message = m;
    Vec2 to;
    if (!point(key + ".from_m", m.from_m(), &plan.from)) return plan;
    if (!point(key + ".to_m", m.to_m(), &to)) return plan;
    plan.length = (to - plan.from).norm();
    if (!check.range(key + ".to_m", plan.length, 2, 200, " m from from_m")) return plan;
    plan.along = (to - plan.from) / plan.length;
    if (m.width_m() == 0) plan.message.set_width_m(2);
    if (m.gap_m() == 0) plan.message.set_gap_m(2.5);
    check.range(key + ".width_m", plan.message.width_m(), 0.5, 20, " m");
    check.range(key + ".gap_m", plan.message.gap_m(), 0.2, 20, " m");
    check.range(key + ".count", m.count(), 1, kMaxCourseParts);
    if (m.kinds_size() < 1 || m.kinds_size() > kMaxCourseKinds) {
      check.fail(key + ".kinds", std::to_string(m.kinds_size()) + " kinds",
                 "1 to " + std::to_string(kMaxCourseKinds));
    }
    int most = 0;
    for (int i = 0; i < m.kinds_size() && check.ok(); ++i) {
      const std::string field = schema::indexed(key + ".kinds", i);
      const v1::CourseObstacle& one = m.kinds(i);
      if (!kind(field, one)) break;
      most = std::max(most, one.bar() ? 3 : std::max(1, int(one.pieces())));
      const double room = plan.part_length() - plan.message.gap_m();
      if (one.depth_m(1) > room) {
        check.fail(field + ".depth_m[1]", schema::number(one.depth_m(1)) + " m",
                   "up to " + schema::number(std::max(0.0, room)) +
                       " m, so that with gap_m all obstacles find room on the lane");
      }
    }
    *blocks += most * plan.parts();
    return plan;
  }
};

double drawn(const google::protobuf::RepeatedField<double>& bounds, Random& random) {
  return random.uniform(bounds[0], bounds[1]);
}

}  // namespace

Vec2 CoursePlan::place_of(const Vec2& world) const {
  const Vec2 way = world - from;
  return {way.dot(along), along.x() * way.y() - along.y() * way.x()};
}

Vec2 CoursePlan::world_of(const Vec2& place) const {
  return from + place.x() * along + place.y() * Vec2(-along.y(), along.x());
}

std::vector<CoursePlan> build_courses(const v1::Scene& m, schema::Checker& check) {
  std::vector<CoursePlan> out;
  if (m.courses_size() > kMaxCourses) {
    check.fail("courses", std::to_string(m.courses_size()) + " courses",
               "up to " + std::to_string(kMaxCourses));
  }
  if (m.courses_size() > 0 && m.no_plane()) {
    check.fail("courses", std::to_string(m.courses_size()) + " courses",
               "none when no_plane is true");
  }
  CourseBuilder build{check};
  int blocks = m.blocks_size();
  for (int i = 0; i < m.courses_size() && check.ok(); ++i) {
    const std::string key = schema::indexed("courses", i);
    out.push_back(build.course(key, m.courses(i), &blocks));
    if (check.ok() && blocks > kMaxBlocks) {
      check.fail(key + ".count", std::to_string(blocks) + " blocks with all that is before",
                 "up to " + std::to_string(kMaxBlocks));
    }
  }
  return out;
}

std::vector<v1::Block> draw_obstacle(const CoursePlan& course, int part, Random random) {
  const v1::Course& m = course.message;
  const v1::CourseObstacle& kind = m.kinds(int(random.below(std::uint64_t(m.kinds_size()))));
  const double height = drawn(kind.height_m(), random), depth = drawn(kind.depth_m(), random);
  const double free = course.part_length() - m.gap_m() - depth;
  const double middle =
      part * course.part_length() + 0.5 * (m.gap_m() + depth) + random.uniform(0, free);
  const double heading = std::atan2(course.along.y(), course.along.x());
  std::vector<v1::Block> out;
  const auto add = [&](const Vec2& place, double z, const Vec3& size, double yaw = 0) {
    const Vec2 at = course.world_of(place);
    v1::Block& block = out.emplace_back();
    for (const double value : {at.x(), at.y(), z}) block.add_center_m(value);
    for (const double value : size) block.add_size_m(value);
    block.set_yaw_deg(wrap_angle(heading + yaw) / kRadFromDeg);
    block.set_color(kind.color());
    if (kind.has_material()) *block.mutable_material() = kind.material();
    block.set_floor(true);
  };
  if (kind.bar()) {
    add({middle, 0}, height + 0.5 * kBarThickness, {depth, m.width_m(), kBarThickness});
    const double top = height + kBarThickness;
    for (const double side : {-0.5, 0.5}) {
      const double beside = side * (m.width_m() + kPostThickness);
      add({middle, beside}, 0.5 * top, {kPostThickness, kPostThickness, top});
      out.back().set_floor(false);
    }
    return out;
  }
  if (kind.pieces() == 0) {
    add({middle, 0}, 0.5 * height, {depth, m.width_m(), height});
    return out;
  }
  for (std::uint32_t i = 0; i < kind.pieces(); ++i) {
    // A piece does not reach beyond its part, turned in any way.
    const double reach = std::min(kPieceShare * depth, 0.5 * m.width_m());
    const Vec2 size(random.uniform(0.5, 1) * reach, random.uniform(0.5, 1) * reach);
    const double rise = random.uniform(0.4, 1) * height;
    const Vec2 room = Vec2(depth, m.width_m()) - Vec2::Constant(size.norm());
    const Vec2 place(random.uniform(-0.5, 0.5) * room.x(), random.uniform(-0.5, 0.5) * room.y());
    add({middle + place.x(), place.y()}, 0.5 * rise, {size.x(), size.y(), rise},
        random.uniform(-kPi, kPi));
  }
  return out;
}

}  // namespace promenade::world
