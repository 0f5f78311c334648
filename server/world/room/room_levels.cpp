// Levels of detail: which characters are in full physics, and which are moved as pendulums.
#include <algorithm>
#include <cmath>

#include "world/room/room_impl.h"

namespace promenade::world {
namespace {

constexpr std::uint64_t kRankEvery = 6;  // ticks between rankings
constexpr double kKeep = 1.25;           // times as far, until a character is light again
constexpr double kOutOfPicture = 3;      // times as far count characters outside the picture
constexpr double kInPicture = 0.5;       // cosine of half the angle of a view
constexpr double kUntilMeasured =
    30;                          // s, in full physics after an edit; measuring takes 0.3 to 2 s
constexpr double kTouch = 0.15;  // m, between bodies that are about to touch, and
constexpr double kSoon = 0.25;   // s, until they do

}  // namespace

// m, to the nearest eye; more for a place that it does not see.
double Room::Impl::view_distance(const Vec3& place) const {
  double nearest = 1e9;
  const auto look = [&](const View& view) {
    const Vec3 way = place - view.eye, ahead = view.at - view.eye;
    const double distance = way.norm();
    const bool seen = distance < 2 || way.dot(ahead) > kInPicture * distance * ahead.norm();
    nearest = std::min(nearest, (seen ? 1 : kOutOfPicture) * distance);
  };
  if (levels.views.empty()) look(levels.usual);
  for (const View& view : levels.views) look(view);
  return nearest;
}

void Room::Impl::keep_until_measured(Entity& e) {
  if (!may_become_light(*e.family, e.level)) return;
  const auto until = tick_number + view().ticks(kUntilMeasured);
  e.in_physics_until = std::max(e.in_physics_until, until);
}

bool Room::Impl::is_to_be_light(const Entity& e) const {
  if (e.behaviour_kind == behaviour::BehaviourKind::kTasks) return false;
  if (e.level == Level::kAuto) return levels.in_physics > 0 && e.wants_light;
  return e.level == Level::kLight;
}

// Sets which characters want to be in the physics: those of the lowest distances. One that is there
// already counts as nearer, so that nobody changes to and fro.
void Room::Impl::rank_characters() {
  levels.ranked.clear();
  for (std::size_t i = 0; i < occupants.entities.size(); ++i) {
    const Entity& e = *occupants.entities[i];
    if (!e.present() || e.level != Level::kAuto || !e.may_be_light()) continue;
    const Vec2 at = e.position();
    const double distance = view_distance(Vec3(at.x(), at.y(), 1));
    levels.ranked.push_back({e.simplified ? distance : distance / kKeep, std::uint32_t(i)});
  }
  const auto nearer = [](const RoomLevels::Ranked& a, const RoomLevels::Ranked& b) {
    return a.distance != b.distance ? a.distance < b.distance : a.entity < b.entity;
  };
  const std::size_t most = std::min<std::size_t>(levels.in_physics, levels.ranked.size());
  std::nth_element(levels.ranked.begin(), levels.ranked.begin() + std::ptrdiff_t(most),
                   levels.ranked.end(), nearer);
  for (std::size_t i = 0; i < levels.ranked.size(); ++i) {
    occupants.entities[levels.ranked[i].entity]->wants_light = i >= most;
  }
}

// Puts characters into the physics that are about to touch somebody in it, or a moving thing.
void Room::Impl::keep_touched_in_physics() {
  auto& solids = levels.solids;
  solids.clear();
  double widest = 0, fastest = 0;
  const auto add = [&](const Vec2& place, const Vec2& velocity, double radius) {
    solids.push_back({place, velocity, radius});
    widest = std::max(widest, radius);
    fastest = std::max(fastest, velocity.norm());
  };
  for (const auto& e : occupants.entities) {
    // Characters here only because of a touch do not pull in neighbours: a dense crowd stays out.
    const bool chosen = !is_to_be_light(*e) || e->fallen || ties.is_tied(e->id);
    if (e->present() && !e->kinematic() && chosen) add(e->position(), e->smooth_velocity, 0.25);
  }
  for (const auto& prop : occupants.props) {
    if (prop->asleep) continue;
    for (const behaviour::Neighbour& disc : prop->discs()) {
      add(disc.position, disc.velocity, disc.radius);
    }
  }
  std::sort(solids.begin(), solids.end(),
            [](const auto& a, const auto& b) { return a.place.x() < b.place.x(); });
  for (const auto& e : occupants.entities) {
    if (!e->present() || !e->simplified) continue;
    const Vec2 at = e->position();
    const double own = 0.25 * e->body->leg_scale();
    const double far = own + widest + kTouch + kSoon * (fastest + e->smooth_velocity.norm());
    auto solid =
        std::lower_bound(solids.begin(), solids.end(), at.x() - far,
                         [](const RoomLevels::Solid& one, double x) { return one.place.x() < x; });
    for (; solid != solids.end() && solid->place.x() <= at.x() + far; ++solid) {
      const Vec2 way = solid->place - at;
      const double distance = way.norm();
      const double closing =
          distance > 1e-6
              ? std::max(0.0, (e->smooth_velocity - solid->velocity).dot(way) / distance)
              : 0;
      if (distance - own - solid->radius > kTouch + kSoon * closing) continue;
      e->need_physics(tick_number, dt());
      break;
    }
  }
}

void Room::Impl::run_levels() {
  const bool on = levels.in_physics > 0;
  if ((tick_number - scene_tick) % kRankEvery == 0) {
    if (on) rank_characters();
    if (on || std::any_of(occupants.entities.begin(), occupants.entities.end(),
                          [](const auto& e) { return e->simplified; })) {
      keep_touched_in_physics();
    }
  }
  for (const auto& e : occupants.entities) {
    if (!e->present() || e->fallen) continue;
    const bool light = is_to_be_light(*e);
    if (e->simplified) {
      if (!light && e->between_strikes()) e->embody();
      continue;
    }
    if (!light || e->in_physics_until > tick_number || !e->may_be_light()) continue;
    if (!e->between_strikes() || e->down || !e->pushes.empty() || ties.is_tied(e->id)) continue;
    e->simplify(ground_and_tops());
  }
}

}  // namespace promenade::world
