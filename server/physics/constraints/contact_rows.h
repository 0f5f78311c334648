#pragma once

#include <array>
#include <span>
#include <vector>

#include "physics/constraints/touched_links.h"

// Private to physics/: unilateral contacts with friction.
// Soft contacts: Catto 2011, "Soft constraints", with stiffness and damping a second, not a step;
// how much of the damper is at the end of the step is fitted as for servos: implicit_share.
namespace promenade::physics {

/// What a link has to do with a point: of the normal and of the two tangents.
struct ContactSide {
  Spatial along[3];   // velocity of the point along the direction, over the direction's inertia
  Spatial answer[3];  // change of the link's velocity for a unit impulse
};

/// One point: a unilateral contact with two friction directions.
struct ContactRow {
  int side = 0;  // of a
  std::array<double, 3> impulse{};
  std::array<double, 3> mass{};   // inverse inertia of the directions, the normal's softened
  double keep = 0;                // of the normal impulse, what softness leaves for the next try
  double wanted = 0;              // normal impulse for the wanted velocity
  std::array<double, 2> slip{};   // a normal impulse's part in the tangents' impulses
  std::array<double, 2> drift{};  // what ground that moves asks of the tangents, as impulses
  double friction = 0;
  Vec3 whole = Vec3::Zero();  // impulse, in the end, N s
  Vec3 at = Vec3::Zero();     // m, of a hard body's: in the link's frame
};

/// Rows that follow each other on the same links.
struct ContactRun {
  int group = 0;           // the first body of the group
  int first = 0, end = 0;  // rows
  int a = 0, b = -1;       // touched links; b of the other body, -1 where nothing there moves
  double rolling = 0;      // m, lever of the resistance to rolling: of round hard links
};

struct ContactRows {
  std::vector<ContactRow> rows;    // point after point, body after body
  std::vector<ContactSide> sides;  // of the rows; that of b follows that of a where there is one
  std::vector<ContactRun> runs;    // by group

  void make_room(std::size_t bodies);
  /// Groups bodies that touch.
  static void join(std::span<ArticulatedBody* const> bodies, TouchedLinks& links);
  void make(std::span<ArticulatedBody* const> bodies, const StepSettings& settings,
            TouchedLinks& links);
  /// The impulses of the last step, kept by points that are still there.
  void start_warm(const ContactRun& run, TouchedLinks& links) const;
  /// One step of Gauss-Seidel. @return the greatest change of a point's velocity, m/s
  double solve(const ContactRun& run, TouchedLinks& links);
  /// Slows what is round and rolls, once these are solved.
  /// Law: torque = -lever N along the rates at which the links turn against each other, N the sum
  /// of
  ///      the normal forces; at most what ends the turning
  void resist_rolling(TouchedLinks& links) const;
  /// Adds to the links' impulses, writes forces into points and the memory of the next step.
  void finish(std::span<ArticulatedBody* const> bodies, const StepSettings& settings,
              TouchedLinks& links);
};

}  // namespace promenade::physics
