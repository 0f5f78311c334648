#pragma once

#include <Eigen/Core>
#include <span>

namespace promenade::behaviour::crowd {

using Vec2f = Eigen::Vector2f;

/// Velocities v that are allowed: normal . v >= least, m/s. The normal has unit length.
struct HalfPlane {
  Vec2f normal = Vec2f::UnitX();
  float least = 0;
};

/// The velocity nearest to the preferred one that all half-planes allow and that is no faster than
/// `fastest`. Where there is none, the one that is wrong by least in the worst half-plane; the
/// first `firm` half-planes, of walls, are kept as long as they leave anything.
/// Source: van den Berg, Guy, Lin and Manocha, "Reciprocal n-body collision avoidance", 2011, §5:
/// incremental linear programs in two dimensions, and in three where they fail.
/// @param planes  reordered by nobody; at most kMostPlanes count
Vec2f allowed_velocity(std::span<const HalfPlane> planes, std::size_t firm, const Vec2f& preferred,
                       float fastest);
inline constexpr std::size_t kMostPlanes = 48;

/// What a disc lets another do so that they do not touch for `horizon` s, if both do their share.
/// Source: the same, §4: optimal reciprocal collision avoidance.
/// @param offset    m, centre of the other from one's own
/// @param relative  m/s, one's own velocity less the other's
/// @param own       m/s
/// @param reach     m, sum of the radii
/// @param share     of the change of velocity that one takes over: 0.5 between equals
/// @param step      s, in which discs that already overlap come apart
HalfPlane avoid_disc(const Vec2f& offset, const Vec2f& relative, const Vec2f& own, float reach,
                     float horizon, float share, float step);

/// What a wall allows: not to be reached within `horizon` s.
/// @param offset  m, nearest point of the wall from one's own centre
HalfPlane avoid_wall(const Vec2f& offset, float radius, float horizon);

}  // namespace promenade::behaviour::crowd
