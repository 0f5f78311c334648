// Steps of islands, whole or in parts.
#include <algorithm>
#include <bit>
#include <cmath>

#include "physics/buffers.h"
#include "physics/dynamics/work.h"

namespace promenade::physics {
namespace {

template <typename Work>
void each_island(std::span<ArticulatedBody* const> bodies, std::span<const int> ends, Work&& work) {
  std::size_t first = 0;
  for (const int end : ends) {
    work(bodies.subspan(first, std::size_t(end) - first));
    first = std::size_t(end);
  }
}

void step_whole(const IslandList& islands, const Terrain& terrain, const StepSettings& settings,
                Workspace& workspace) {
  each_island(islands.bodies, islands.ends, [&](auto island) { collide(island, terrain); });
  prepare_dynamics(islands.bodies, settings, workspace);
  each_island(islands.bodies, islands.ends,
              [&](auto island) { solve_contacts(island, terrain, settings, workspace); });
  integrate(islands.bodies, settings.dt, workspace);
}

/// Adds the contacts of one of `parts` to those of the whole step. Forces are means over all of it,
/// and act where they did in the mean.
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
    }
  }
}

void step_in_parts(const IslandList& islands, int parts, const Terrain& terrain,
                   const StepSettings& settings, Workspace& workspace) {
  StepSettings part = settings;
  part.dt = settings.dt / parts;
  for (int i = 0; i < parts; ++i) {
    step_whole(islands, terrain, part, workspace);
    for (ArticulatedBody* body : islands.bodies) gather_contacts(body->work(), parts);
  }
  for (ArticulatedBody* body : islands.bodies) {
    ArticulatedBody::Work& w = body->work();
    w.points.swap(w.whole);
    w.keys.swap(w.whole_keys);
    w.partner.clear();
    w.partner_link.clear();
    w.whole.clear();
    w.whole_keys.clear();
    w.in_parts = true;
  }
}

/// Whether a tree that is stepped by the middle turns so fast that whole steps show it: the error
/// of a top's precession is about (turn in a step)^2 / 3. Single bodies have no such error.
bool spins_fast(const ArticulatedBody& body, double dt) {
  constexpr double kMost = 0.1;  // rad, in a step
  if (!body.model().by_the_middle || body.model().links.size() == 1) return false;
  return std::any_of(body.links().begin(), body.links().end(), [dt](const LinkMotion& link) {
    return link.omega.squaredNorm() * dt * dt > kMost * kMost;
  });
}

}  // namespace

Workspace::Workspace() : buffers_(std::make_unique<Buffers>()) {}
Workspace::~Workspace() = default;
Workspace::Workspace(Workspace&&) noexcept = default;
Workspace& Workspace::operator=(Workspace&&) noexcept = default;

void IslandList::clear(std::size_t room) {
  bodies.clear();
  ends.clear();
  bodies.reserve(std::bit_ceil(room));
  ends.reserve(std::bit_ceil(room));
}

void IslandList::add(std::span<ArticulatedBody* const> island) {
  bodies.insert(bodies.end(), island.begin(), island.end());
  ends.push_back(static_cast<int>(bodies.size()));
}

void step_islands(std::span<ArticulatedBody* const> bodies, std::span<const int> ends,
                  const Terrain& terrain, const StepSettings& settings, Workspace& workspace) {
  constexpr double kRounding = 1e-6;
  const int parts =
      std::max(1, static_cast<int>(std::ceil(settings.dt / settings.fine_dt - kRounding)));
  IslandList& coarse = workspace.buffers().coarse;
  IslandList& fine = workspace.buffers().fine;
  coarse.clear(bodies.size());
  fine.clear(bodies.size());
  each_island(bodies, ends, [&](auto island) {
    const auto in_parts = [&settings](const ArticulatedBody* body) {
      return body->fine() || spins_fast(*body, settings.dt);
    };
    const bool divided = parts > 1 && std::any_of(island.begin(), island.end(), in_parts);
    (divided ? fine : coarse).add(island);
  });
  for (ArticulatedBody* body : bodies) body->work().in_parts = false;
  step_whole(coarse, terrain, settings, workspace);
  if (!fine.bodies.empty()) step_in_parts(fine, parts, terrain, settings, workspace);
  for (ArticulatedBody* body : bodies) body->work().forces.clear();
}

void step_island(std::span<ArticulatedBody* const> bodies, const Terrain& terrain,
                 const StepSettings& settings, Workspace& workspace) {
  const int end = static_cast<int>(bodies.size());
  step_islands(bodies, {&end, 1}, terrain, settings, workspace);
}

}  // namespace promenade::physics
