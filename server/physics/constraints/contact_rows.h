#pragma once

#include <array>
#include <span>
#include <vector>

#include "physics/constraints/touched_links.h"

// Private to physics/: unilateral contacts with friction.
// Soft contacts: Catto 2011, "Soft constraints", with stiffness and damping in N/m and N s/m, not
// as shares of a step. The share of the damper that acts at the end of the step is fitted as for
// servos: implicit_share.
namespace promenade::physics {

/// One link at a point, along the normal and the two tangents.
struct ContactSide {
  Spatial along[3];   // velocity of the point along the direction, over the direction's inertia
  Spatial answer[3];  // change of the link's velocity for a unit impulse
};

/// One point: a unilateral contact with two friction directions.
struct ContactRow {
  int side = 0;  // of a
  std::array<double, 3> impulse{};
  std::array<double, 3> mass{};   // inverse inertia of the directions, the normal's softened
  double keep = 0;                // share of the last normal impulse that softness keeps
  double wanted = 0;              // normal impulse for the wanted velocity
  std::array<double, 2> slip{};   // change of the tangents' impulses for a unit normal impulse
  std::array<double, 2> drift{};  // velocity of moving ground along the tangents, as impulses
  double friction = 0;
  Vec3 whole = Vec3::Zero();  // the solved impulse, N s, world frame
  Vec3 at = Vec3::Zero();     // m, of a hard body's: in the link's frame
};

/// Rows that follow each other on the same links.
struct ContactRun {
  int group = 0;           // the first body of the group
  int first = 0, end = 0;  // rows
  int a = 0, b = -1;       // touched links; b of the other body, -1 where nothing there moves
  double rolling = 0;      // m, lever of the resistance to rolling; 0 unless round and hard
  bool alone = false;      // of the two bodies nothing else is touched
};

struct ContactRows {
  // Both keep what they had in earlier steps behind what is used now: to clear and to write rows
  // anew costs as much as a tenth of making them.
  std::vector<ContactRow> rows;    // point after point, body after body
  std::vector<ContactSide> sides;  // of the rows; that of b follows that of a where there is one
  std::vector<ContactRun> runs;    // by group

  void make_room(std::size_t bodies);
  /// Groups bodies that touch.
  static void join(std::span<ArticulatedBody* const> bodies, TouchedLinks& links);
  void make(std::span<ArticulatedBody* const> bodies, const StepSettings& settings,
            TouchedLinks& links);
  /// Starts from the impulses of the last step at points that are still there.
  void start_warm(const ContactRun& run, TouchedLinks& links) const;
  /// One sweep of Gauss-Seidel over the runs of a group.
  /// @return the greatest change of a point's velocity, m/s
  double sweep(std::span<const ContactRun> group, TouchedLinks& links);
  /// Slows round links that roll, after the rows are solved.
  /// Law: torque = -lever N against the angular velocity of the links relative to each other, N the
  ///      sum of the normal forces; at most the torque that ends that motion
  void resist_rolling(TouchedLinks& links) const;
  /// Adds to the links' impulses, writes forces into points and the memory of the next step.
  void finish(std::span<ArticulatedBody* const> bodies, const StepSettings& settings,
              TouchedLinks& links);
};

}  // namespace promenade::physics
