#include "physics/constraints/touched_links.h"

#include <algorithm>
#include <bit>

#include "physics/dynamics/link_response.h"

namespace promenade::physics {

void TouchedLinks::make_room(std::size_t bodies) {
  if (members.capacity() >= bodies) return;
  const std::size_t room = std::bit_ceil(bodies);
  members.reserve(room);
  touched.reserve(room * kMaxLinks);
  impulses.reserve(room * kMaxLinks);
  responses.reserve(room * kMaxLinks * kMaxLinks);
}

void TouchedLinks::fill(std::span<ArticulatedBody* const> bodies) {
  members.resize(bodies.size());
  touched.clear();
  std::size_t used = 0;  // of `responses`, which keeps what it had: all that is used is written
  for (std::size_t a = 0; a < bodies.size(); ++a) {
    const ArticulatedBody::Work& w = bodies[a]->work();
    Member& m = members[a];
    m.group = static_cast<int>(a);
    m.stiffness_scale = m.damping_scale = 1;
    m.size = 0;
    m.heaviest = 0;
    m.thinnest = std::numeric_limits<double>::infinity();
    m.at.fill(-1);
    std::array<int, kMaxLinks> links;
    m.first = static_cast<int>(touched.size());
    m.count = 0;
    m.responses = used;
    if (w.asleep) continue;
    for (std::size_t i = 0; i < w.links.size(); ++i) {
      if (!(w.touched >> i & 1)) continue;
      m.at[i] = static_cast<int>(touched.size());
      links[std::size_t(m.count++)] = static_cast<int>(i);
      touched.push_back(
          {link_velocity(w, static_cast<int>(i)), static_cast<int>(a), static_cast<int>(i), 0});
    }
    if (m.count == 0) continue;
    const auto count = static_cast<std::size_t>(m.count);
    used += count * count;
    if (responses.size() < used) responses.resize(used);
    respond(w, {links.data(), count}, responses.data() + m.responses);
  }
  impulses.assign(touched.size(), Spatial());
}

void TouchedLinks::join(int a, int b) {
  const int one = group_of(a), two = group_of(b);
  members[std::size_t(std::max(one, two))].group = std::min(one, two);
}

void TouchedLinks::apply(std::span<ArticulatedBody* const> bodies) const {
  for (std::size_t a = 0; a < bodies.size(); ++a) {
    const Member& m = members[a];
    if (m.count == 0) continue;
    std::array<int, kMaxLinks> links;
    for (int t = 0; t < m.count; ++t) {
      links[std::size_t(t)] = touched[std::size_t(m.first + t)].link;
    }
    const auto count = static_cast<std::size_t>(m.count);
    apply_impulses(bodies[a]->work(), {links.data(), count}, {impulses.data() + m.first, count});
  }
}

}  // namespace promenade::physics
