#pragma once

#include <array>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "physics/dynamics/spatial.h"
#include "physics/dynamics/work.h"

// Private to physics/: the unknowns of the solver. The points of one rigid link act through its six
// coordinates alone, so the unknowns are the velocities of the links that constraints touch.
namespace promenade::physics {

/// A link that a constraint touches. Spatial vectors are about the root's origin of its body.
struct TouchedLink {
  Spatial velocity;
  int body = 0;  // index in the island
  int link = 0;
  int pressed = 0;  // points of it that overlap
};

/// The touched links of an island, their response to impulses, and which bodies hang together.
struct TouchedLinks {
  /// The part of it that belongs to one body. A sleeping body has no touched links: nothing moves
  /// it.
  struct Member {
    int first = 0, count = 0;   // its touched links
    std::size_t responses = 0;  // [count][count], where they begin
    int group = 0;              // a body of its group that comes before it, or itself
    // In the entry of a group's first body, the greatest of the group: see ArticulationModel.
    double stiffness_scale = 1, damping_scale = 1, size = 0;
    double heaviest = 0;                                        // kg, of the group's bodies
    double thinnest = std::numeric_limits<double>::infinity();  // m, of its hard bodies
    std::array<int, kMaxLinks> at{};  // [links] index in `touched`, -1 where nothing touches
  };
  std::vector<Member> members;       // [bodies]
  std::vector<TouchedLink> touched;  // body after body
  std::vector<SpatialMatrix> responses;
  std::vector<Spatial> impulses;  // [touched] of all constraints, about the body's origin

  /// Makes room for all contacts that so many bodies can have; allocates only for more bodies than
  /// ever before. The room is large, but pages that are never written to use no physical memory.
  void make_room(std::size_t bodies);
  /// Fills it for an island, each body a group of its own.
  void fill(std::span<ArticulatedBody* const> bodies);
  /// Makes one group of the groups of two bodies.
  void join(int a, int b);
  /// The first body of the group.
  int group_of(int body) const {
    while (members[std::size_t(body)].group != body) body = members[std::size_t(body)].group;
    return body;
  }
  /// Index of a link in `touched`, -1 where its body sleeps.
  int at(int body, int link) const { return members[std::size_t(body)].at[std::size_t(link)]; }
  /// Whether it is the only touched link of its body.
  bool is_alone(int at) const {
    return members[std::size_t(touched[std::size_t(at)].body)].count == 1;
  }
  /// Velocity of `on` for a unit impulse on `from`, both of this member.
  const SpatialMatrix& response(const Member& m, int on, int from) const {
    return responses[m.responses + std::size_t(on - m.first) * std::size_t(m.count) +
                     std::size_t(from - m.first)];
  }
  const SpatialMatrix& own_response(int at) const {
    return response(members[std::size_t(touched[std::size_t(at)].body)], at, at);
  }
  /// Passes an impulse on one touched link on to the velocities of the body's other touched links.
  void hand_on(int from, const Spatial& impulse) {
    const Member& m = members[std::size_t(touched[std::size_t(from)].body)];
    for (int on = m.first; on < m.first + m.count; ++on) {
      if (on != from) touched[std::size_t(on)].velocity += response(m, on, from) * impulse;
    }
  }
  /// The same for all touched links of the body, the one itself included.
  void give(int to, const Spatial& impulse) {
    touched[std::size_t(to)].velocity += own_response(to) * impulse;
    hand_on(to, impulse);
  }
  /// Hands `impulses` to the bodies' dynamics.
  void apply(std::span<ArticulatedBody* const> bodies) const;
};

inline Vec3 velocity_at(const LinkMotion& link, const Vec3& point) {
  return link.velocity + link.omega.cross(point - link.position);
}

}  // namespace promenade::physics
