// Steps of islands, whole or in parts.
#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "math/rotation.h"
#include "physics/buffers.h"
#include "physics/dynamics/work.h"

namespace promenade::physics {
namespace {

/// Calls work(bodies, ties) for each.
template <typename Work>
void each_island(const IslandList& islands, Work&& work) {
  const std::span<ArticulatedBody* const> bodies = islands.bodies;
  const std::span<Tie* const> ties = islands.ties;
  std::size_t first = 0, first_tie = 0;
  for (std::size_t i = 0; i < islands.ends.size(); ++i) {
    const auto end = std::size_t(islands.ends[i]), tie_end = std::size_t(islands.tie_ends[i]);
    work(bodies.subspan(first, end - first), ties.subspan(first_tie, tie_end - first_tie));
    first = end;
    first_tie = tie_end;
  }
}

/// Moves the end of a tie in the world on, where it has a velocity.
void move_on(TieEnd& end, double dt) {
  if (end.body != nullptr) return;
  end.frame.position += end.velocity * dt;
  if (end.omega.isZero(0)) return;
  end.frame.rotation =
      (quat_from_rotation_vector(end.omega * dt) * end.frame.rotation).normalized();
}

void step_whole(const IslandList& islands, const Ground& ground, const StepSettings& settings,
                Workspace& workspace) {
  each_island(islands, [&](auto bodies, auto ties) {
    collide(bodies, ties, ground, settings.time, workspace);
  });
  prepare_dynamics(islands.awake, settings, workspace);
  each_island(islands, [&](auto bodies, auto ties) {
    solve_constraints(bodies, ties, settings, workspace);
  });
  integrate(islands.awake, settings.dt, workspace);
  for (Tie* tie : islands.ties) {
    move_on(tie->a, settings.dt);
    move_on(tie->b, settings.dt);
  }
}

/// Adds the contacts of one of `parts` to those of the whole step. A force of the whole step is the
/// mean over its parts, and its place the mean of the places, weighted by force.
void gather_contacts(ArticulatedBody::Work& w, int parts) {
  for (std::size_t p = 0; p < w.points.size(); ++p) {
    ContactPoint point = w.points[p];
    point.force /= parts;
    const auto known = std::find(w.whole_keys.begin(), w.whole_keys.end(), w.keys[p]);
    if (known != w.whole_keys.end()) {
      ContactPoint& before = w.whole[std::size_t(known - w.whole_keys.begin())];
      const double carried = before.force.dot(before.normal), more = point.force.dot(point.normal);
      if (carried > 0) {
        point.position += (before.position - point.position) * (carried / (carried + more));
      }
      point.force += before.force;
      before = point;
    } else if (w.whole.size() < kMaxPoints) {
      w.whole.push_back(point);
      w.whole_keys.push_back(w.keys[p]);
      w.whole_partner.push_back(w.partner[p]);
    }
  }
}

void step_in_parts(const IslandList& islands, int parts, const Ground& ground,
                   const StepSettings& settings, Workspace& workspace) {
  StepSettings part = settings;
  part.dt = settings.dt / parts;
  for (int i = 0; i < parts; ++i) {
    part.time = settings.time + i * part.dt;
    step_whole(islands, ground, part, workspace);
    for (ArticulatedBody* body : islands.awake) gather_contacts(body->work(), parts);
  }
  for (ArticulatedBody* body : islands.awake) {
    ArticulatedBody::Work& w = body->work();
    w.points.swap(w.whole);
    w.keys.swap(w.whole_keys);
    w.partner.swap(w.whole_partner);
    w.partner_link.clear();
    w.whole.clear();
    w.whole_keys.clear();
    w.whole_partner.clear();
  }
}

/// Whether a tree that is stepped by the middle turns too fast for whole steps: the relative error
/// of a top's precession is about (turn in a step)^2 / 3. Single bodies have no such error, unless
/// a tie holds a point of them, whose way bends within the step.
bool spins_fast(ArticulatedBody& body, double dt) {
  if (!body.model().by_the_middle) return false;
  const bool single = body.model().links.size() == 1;
  if (single && !body.work().tied) return false;
  const double most = single ? 0.02 : 0.1;  // rad, in a step
  return std::any_of(body.links().begin(), body.links().end(), [dt, most](const LinkMotion& link) {
    return link.omega.squaredNorm() * dt * dt > most * most;
  });
}

/// Whether a thing gets further in a step than it is thick, and would pass through a thin wall.
bool flies_fast(ArticulatedBody& body, double dt) {
  const ArticulationModel& model = body.model();
  if (!model.hard) return false;
  const double most = model.thinnest / dt;
  return std::any_of(body.links().begin(), body.links().end(), [most](const LinkMotion& link) {
    return link.velocity.squaredNorm() > most * most;
  });
}

/// Prepares a tie for a step.
void start(Tie& tie) {
  tie.force.setZero();
  tie.torque.setZero();
  if (tie.broken) return;
  for (const TieEnd* end : {&tie.a, &tie.b}) {
    if (end->body != nullptr) end->body->work().tied = true;
  }
}

/// Clears what a body keeps for a single step of dt.
void finish(ArticulatedBody::Work& w, double dt) {
  w.forces.clear();
  w.tied = false;
  w.disturbance.force = std::max(w.disturbance.force, w.pressed / dt);
  w.pressed = 0;
}

}  // namespace

Workspace::Workspace() : buffers_(std::make_unique<Buffers>()) {}
Workspace::~Workspace() = default;
Workspace::Workspace(Workspace&&) noexcept = default;
Workspace& Workspace::operator=(Workspace&&) noexcept = default;

void IslandList::clear(std::size_t body_room, std::size_t tie_room) {
  const auto make_room = [](auto& list, std::size_t room) {
    list.clear();
    if (list.capacity() < room) list.reserve(std::bit_ceil(room));
  };
  make_room(bodies, body_room);
  make_room(awake, body_room);
  make_room(ends, body_room);
  make_room(tie_ends, body_room);
  make_room(ties, tie_room);
}

void IslandList::add(std::span<ArticulatedBody* const> island) {
  for (std::size_t i = 0; i < island.size(); ++i) {
    ArticulatedBody::Work& w = island[i]->work();
    w.island = static_cast<int>(ends.size());
    w.place = static_cast<int>(i);
    if (!w.asleep) awake.push_back(island[i]);
  }
  bodies.insert(bodies.end(), island.begin(), island.end());
  ends.push_back(static_cast<int>(bodies.size()));
}

void IslandList::take_ties(std::span<Tie* const> all, bool in_parts) {
  const auto island_of = [in_parts](const Tie& tie) {
    ArticulatedBody* body = tie.a.body != nullptr ? tie.a.body : tie.b.body;
    if (tie.broken || body == nullptr || body->work().in_parts != in_parts) return -1;
    return body->work().island;
  };
  if (all.empty()) {
    tie_ends.assign(ends.size(), 0);
    return;
  }
  // Counting sort: the ties of each island are counted, then each is put at its island's next
  // place.
  tie_ends.assign(ends.size(), 0);
  for (const Tie* tie : all) {
    if (const int island = island_of(*tie); island >= 0) ++tie_ends[std::size_t(island)];
  }
  int sum = 0;
  for (int& end : tie_ends) sum += std::exchange(end, sum);
  ties.resize(std::size_t(sum));
  for (Tie* tie : all) {
    const int island = island_of(*tie);
    if (island >= 0) ties[std::size_t(tie_ends[std::size_t(island)]++)] = tie;
  }
}

void step_islands(std::span<ArticulatedBody* const> bodies, std::span<const int> ends,
                  const Ground& ground, const StepSettings& settings, Workspace& workspace,
                  std::span<Tie* const> ties) {
  constexpr double kRounding = 1e-6;
  const int parts =
      std::max(1, static_cast<int>(std::ceil(settings.dt / settings.fine_dt - kRounding)));
  IslandList& coarse = workspace.buffers().coarse;
  IslandList& fine = workspace.buffers().fine;
  coarse.clear(bodies.size(), ties.size());
  fine.clear(bodies.size(), ties.size());
  for (Tie* tie : ties) start(*tie);
  std::size_t first = 0;
  for (const int end : ends) {
    const auto island = bodies.subspan(first, std::size_t(end) - first);
    first = std::size_t(end);
    const auto in_parts = [&settings](ArticulatedBody* body) {
      return body->fine() || spins_fast(*body, settings.dt) || flies_fast(*body, settings.dt);
    };
    const bool divided = parts > 1 && std::any_of(island.begin(), island.end(), in_parts);
    (divided ? fine : coarse).add(island);
    for (ArticulatedBody* body : island) body->work().in_parts = divided;
  }
  coarse.take_ties(ties, false);
  fine.take_ties(ties, true);
  step_whole(coarse, ground, settings, workspace);
  if (!fine.bodies.empty()) step_in_parts(fine, parts, ground, settings, workspace);
  for (ArticulatedBody* body : bodies) finish(body->work(), settings.dt);
  for (Tie* tie : ties) {
    tie->force /= settings.dt;
    tie->torque /= settings.dt;
  }
}

void step_island(std::span<ArticulatedBody* const> bodies, const Ground& ground,
                 const StepSettings& settings, Workspace& workspace, std::span<Tie* const> ties) {
  const int end = static_cast<int>(bodies.size());
  step_islands(bodies, {&end, 1}, ground, settings, workspace, ties);
}

}  // namespace promenade::physics
