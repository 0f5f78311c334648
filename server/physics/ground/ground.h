#pragma once

#include <Eigen/Geometry>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "math/types.h"
#include "physics/material.h"

// The ground that bodies stand on. World frame, SI; z is up.
namespace promenade::physics {

/// Moves a block along a path, turns it about the vertical, or moves its surface alone. Pose and
/// velocity are functions of the time since the scene was loaded; there is no other state.
/// Law: from one centre to the next, d apart, the block waits for `pause` and then moves for
///      T = d / speed. At t in this time it has gone d (u - sin(2 pi u) / (2 pi)), u = t / T: it
///      starts and stops without a jolt, and `speed` is its mean.
struct BlockMotion {
  std::vector<Vec3> path;       // centres to pass after the block's own; back the same way
  bool closed = false;          // round instead of back
  double speed = 0;             // m/s
  double pause = 0;             // s, wait at each centre, the first included
  double spin = 0;              // rad/s about the vertical through the centre
  Vec2 surface = Vec2::Zero();  // m/s along the block's x and y: a conveyor

  /// Whether the block itself moves, not only its surface.
  bool moves() const { return spin != 0 || (speed > 0 && !path.empty()); }
};

/// A box: a step, a kerb or, pitched, a ramp.
struct GroundBlock {
  Pose pose;                                  // world_from_box, at time 0
  Vec3 half = Vec3::Zero();                   // half extents, m
  std::optional<Material> material;           // none: the ground's
  std::shared_ptr<const BlockMotion> motion;  // null: it stays
};

/// Heights at the points of a grid, bilinear between them. Solid below. A plane that is higher at
/// a point covers it.
struct HeightField {
  Vec3 center = Vec3::Zero();        // heights count from its z
  Vec2 size = Vec2::Ones();          // m, full extents
  double yaw = 0;                    // rad
  int columns = 2, rows = 2;         // points along its x and y, at least 2
  std::vector<float> height;         // m, [rows][columns], from its -x -y corner
  std::optional<Material> material;  // none: the ground's
};

/// A hole in the plane with level edges and upright walls.
struct Pit {
  Vec2 center = Vec2::Zero();
  Vec2 size = Vec2::Ones();  // m, full extents along x and y
  double depth = 0;          // m, of its floor; 0: it has none
};

/// An area in which all ground, whatever it is made of, has this material.
struct Patch {
  Vec2 center = Vec2::Zero();
  Vec2 size = Vec2::Ones();  // m, full extents
  double yaw = 0;            // rad
  bool round = false;        // an ellipse instead of a rectangle
  Material material;
};

/// All that a ground is made of.
struct GroundPlan {
  bool plane = true;  // z = 0
  Material material;
  std::vector<GroundBlock> blocks;
  std::vector<HeightField> fields;
  std::vector<Pit> pits;
  std::vector<Patch> patches;  // where several cover a point, the last one counts
};

/// A point of the ground's surface.
struct GroundPoint {
  bool there = false;  // false: there is no ground, and the other members mean nothing
  double height = 0;   // m
  Vec3 normal = Vec3::UnitZ();
  double friction = 0;
  double restitution = 0;
  Vec3 velocity = Vec3::Zero();  // m/s, of the surface
  double spin = 0;               // rad/s, of the surface about the vertical
};

inline constexpr double kAnyHeight = std::numeric_limits<double>::infinity();

/// The free way of a vertical line above the ground, m: the surface that bears, and the lowest
/// underside of blocks that hang above it.
struct Clearance {
  double floor = 0;
  double ceiling = kAnyHeight;
};

/// Where a block is and how it moves.
struct BlockNow {
  Pose pose;
  Vec3 velocity = Vec3::Zero();  // m/s, of its centre
  double spin = 0;               // rad/s about the vertical
  /// Velocity of the surface at a point of it with this normal. A conveyor's runs along the
  /// surface only.
  Vec3 surface_velocity(const Vec3& at, const Vec3& normal, const BlockMotion& motion) const;
};

/// The ground: a plane, blocks, height fields, pits, patches. Immutable once built, shared by
/// threads.
class Ground {
 public:
  explicit Ground(GroundPlan plan);
  explicit Ground(std::vector<GroundBlock> blocks = {}, double friction = 0.8);
  ~Ground();
  Ground(const Ground&) = delete;
  Ground& operator=(const Ground&) = delete;

  const GroundPlan& plan() const { return plan_; }
  const std::vector<GroundBlock>& blocks() const { return plan_.blocks; }
  /// Whether there is anything but the plane z = 0 to stand on. Of what the plane is made, patches
  /// say besides: level ground may have ice on it.
  bool has_relief() const { return has_relief_; }
  /// Whether a block of it moves, or the surface of one.
  bool has_motion() const { return has_motion_; }
  /// The least friction of all that it is made of.
  double least_friction() const { return least_friction_; }
  /// Height below which there is no ground anywhere, at any time, m; infinity where there is none
  /// at all.
  double lowest() const { return lowest_; }

  /// The highest surface over (x, y) that is not above `below`, at a time in s.
  GroundPoint at(double x, double y, double time = 0, double below = kAnyHeight) const;
  /// Its height alone, m; `missing` where there is none.
  double height(double x, double y, double time = 0, double missing = 0) const {
    return has_relief_ ? height_of_all(x, y, time, missing) : 0;
  }
  /// Blocks whose underside over (x, y) is above `hanging_from` hang, all others bear.
  /// @param missing  the floor where nothing bears
  Clearance clearance(double x, double y, double time, double hanging_from,
                      double missing = 0) const;
  /// The material at a point of a surface that has the material `own`: that of a patch, if one
  /// covers the point.
  Material material_at(double x, double y, const std::optional<Material>& own) const;
  /// @param block  one that has a motion
  BlockNow block_at(std::size_t block, double time) const;

  struct Geometry;
  const Geometry& geometry() const { return *geometry_; }

 private:
  struct Surface;
  double height_of_all(double x, double y, double time, double missing) const;
  struct Span;
  bool span_of_block(std::size_t block, double x, double y, double time, Span& span) const;
  Surface highest(double x, double y, double time, double below) const;
  void make_geometry();
  void find_lowest();

  GroundPlan plan_;
  bool has_relief_ = false;
  bool has_motion_ = false;
  double lowest_ = 0;
  double least_friction_ = 0;
  std::unique_ptr<Geometry> geometry_;
};

class Tops;

/// The ground at a time, as controllers and behaviours query it.
struct GroundNow {
  GroundNow(const Ground& ground_in, double time_in = 0, const Tops* tops_in = nullptr)
      : ground(&ground_in), time(time_in), tops(tops_in) {}

  /// The highest surface over (x, y) that is not above `below`; `there` is false where there is
  /// none.
  GroundPoint at(double x, double y, double below = kAnyHeight) const {
    return ground->at(x, y, time, below);
  }
  /// Height of the highest surface, m; `missing` where there is none.
  double height(double x, double y, double missing = 0) const {
    return ground->height(x, y, time, missing);
  }

  /// The surface that bears at (x, y) and the blocks that hang above it: see Ground::clearance().
  Clearance clearance(double x, double y, double hanging_from, double missing = 0) const {
    return ground->has_relief() ? ground->clearance(x, y, time, hanging_from, missing)
                                : Clearance{};
  }

  /// Whether heights near (x, y) are those of the plane z = 0, with nothing on it to stand on. What
  /// it is made of there, at() says.
  bool is_bare(double x, double y) const {
    return !ground->has_relief() && (tops == nullptr || !has_tops_near(x, y));
  }
  /// The point that bears a foot: at(x, y), or the upper side of a thing that is higher, but not
  /// above `below`.
  GroundPoint bearing(double x, double y, double below) const;

  const Ground* ground;
  double time;       // s since the scene was loaded
  const Tops* tops;  // of things; null: none

 private:
  bool has_tops_near(double x, double y) const;
};

}  // namespace promenade::physics
