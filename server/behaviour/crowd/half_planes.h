#pragma once

#include <Eigen/Core>
#include <span>

namespace promenade::behaviour::crowd {

using Vec2f = Eigen::Vector2f;

/// Velocities v that are allowed: normal . v >= least, m/s. The normal has unit length.
struct HalfPlane {
  Vec2f normal;
  float least;
};

/// How many half-planes, from the first, are kept before the ones after them.
struct Ranks {
  std::size_t walls = 0;  // never given up
  std::size_t touch =
      0;  // walls and these, against a touch within a step: given up for walls alone
};

inline constexpr std::size_t kMostPlanes = 112;

/// The velocity nearest to the preferred one that all half-planes allow and that is no faster than
/// `fastest`. Where there is none, the one that is wrong by least in the worst half-plane of the
/// lowest rank that cannot be kept; higher ranks are kept, and lower ranks do not count.
/// Source: van den Berg, Guy, Lin and Manocha, "Reciprocal n-body collision avoidance", 2011, §5:
/// incremental linear programs in two dimensions, and in three where they fail. Ranks are ours.
/// Allocates nothing.
/// @param planes  at most kMostPlanes count
Vec2f allowed_velocity(std::span<const HalfPlane> planes, const Ranks& ranks,
                       const Vec2f& preferred, float fastest);

/// How one disc sees another.
struct Encounter {
  Vec2f offset;    // m, the other's centre from the own one
  Vec2f relative;  // m/s, the own velocity less the other's
  Vec2f own;       // m/s
  float reach;     // m, sum of the radii
  float share;     // of the change of velocity that this disc takes over: 0.5 between equals
};

/// The velocities of a disc without a touch of another for `horizon` s, if both do their share.
/// Source: the same, §4: optimal reciprocal collision avoidance.
/// @param step   s, in which discs that already overlap come apart
/// @param right  sine of the angle by which a way past on the right may be longer and still be
///               taken, by both; for discs that meet head on
HalfPlane avoid_disc(const Encounter& encounter, float horizon, float step, float right);

/// Four encounters of one disc, side by side in the lanes of a vector.
struct FourEncounters {
  float offset_x[4], offset_y[4];
  float relative_x[4], relative_y[4];
  float reach[4], share[4];
};
/// Does avoid_disc() for each of them, several times faster; the last bits may differ.
/// @param own  m/s
/// @param out  [4]
void avoid_four(const FourEncounters& encounters, const Vec2f& own, float horizon, float step,
                float right, HalfPlane* out);

/// The velocities of a disc with which it cannot touch another in one step, whichever they choose,
/// if both keep to theirs: each may come nearer by its share of the gap. Standing still is always
/// allowed, so nobody is ever without a choice.
///
/// Law: n . u >= -(s (d - r) + T n . v) / dt, n unit vector away from the other, d distance, r sum
///   of the radii, s share, T lag of the answer, v velocity now, u the one that is chosen: the
///   stretch that is covered before the disc could stop stays within its part of the gap.
/// Source: buffered Voronoi cells (Zhou, Wang, Bandyopadhyay and Schwager, "Fast, on-line collision
///   avoidance for dynamic vehicles using buffered Voronoi cells", 2017, §III), here a gap shared
///   by any proportion, and with a lag.
/// @param gap      m, that this disc may use up: negative where discs overlap already
/// @param away     unit vector from the other to this disc
/// @param lag      s; a disc's velocity becomes (lag v + step u) / (lag + step) in a step
HalfPlane keep_apart(const Vec2f& away, float gap, const Vec2f& own, float lag, float step);

}  // namespace promenade::behaviour::crowd
