#include "world/crowd/levels.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace promenade::world {
namespace {

constexpr std::uint64_t kRankEvery = 6;  // ticks between rankings
constexpr double kKeep = 1.25;           // times as far, until a character is light again
constexpr double kOutOfPicture = 3;      // times as far count characters outside the picture
constexpr double kInPicture = 0.5;       // cosine of half the angle of a view
// s, in full physics after an edit. Measuring takes 0.3 to 2 s; more keeps it there for longer.
constexpr double kUntilMeasured = 30;
constexpr double kTouch = 0.15;  // m, between bodies that are about to touch, and
constexpr double kSoon = 0.25;   // s, until they do

}  // namespace

void Levels::load(const Scene& scene) {
  *this = Levels{};
  in_physics_ = scene.in_physics;
  usual_ = scene.view;
}

void Levels::set_detail(std::uint32_t in_physics, std::vector<View> views) {
  in_physics_ = in_physics;
  views_ = std::move(views);
}

void Levels::visit(StateVisitor& state) {
  state(in_physics_);
  state.length(views_, 16);
  for (View& view : views_) state(view.eye, view.at);
}

// m, to the nearest eye; more for a place that it does not see.
double Levels::view_distance(const Vec3& place) const {
  double nearest = 1e9;
  const auto look = [&](const View& view) {
    const Vec3 way = place - view.eye, ahead = view.at - view.eye;
    const double distance = way.norm();
    const bool seen = distance < 2 || way.dot(ahead) > kInPicture * distance * ahead.norm();
    nearest = std::min(nearest, (seen ? 1 : kOutOfPicture) * distance);
  };
  if (views_.empty()) look(usual_);
  for (const View& view : views_) look(view);
  return nearest;
}

bool Levels::may_become_light(const control::Family& family, Level level) const {
  if (family.light) return true;
  return family.styled && family.walks && (level == Level::kLight || in_physics_ > 0);
}

void Levels::keep_until_measured(Entity& e, const TickView& now) const {
  if (!may_become_light(*e.family, e.level)) return;
  const auto until = now.tick + now.ticks(kUntilMeasured);
  e.in_physics_until = std::max(e.in_physics_until, until);
}

bool Levels::is_to_be_light(const Entity& e) const {
  if (e.follows<behaviour::tasks::Worker>()) return false;
  if (e.level == Level::kAuto) return in_physics_ > 0 && e.wants_light;
  return e.level == Level::kLight;
}

// Sets which characters want to be in the physics: those of the lowest distances. One that is there
// already counts as nearer, so that nobody changes to and fro.
void Levels::rank_characters(Occupants& occupants) {
  ranked_.clear();
  for (std::size_t i = 0; i < occupants.entities.size(); ++i) {
    const Entity& e = *occupants.entities[i];
    if (!e.present() || e.level != Level::kAuto || !e.may_be_light()) continue;
    const Vec2 at = e.position();
    const double distance = view_distance(Vec3(at.x(), at.y(), 1));
    ranked_.push_back({e.simplified ? distance : distance / kKeep, std::uint32_t(i)});
  }
  const auto nearer = [](const Ranked& a, const Ranked& b) {
    return a.distance != b.distance ? a.distance < b.distance : a.entity < b.entity;
  };
  const std::size_t most = std::min<std::size_t>(in_physics_, ranked_.size());
  std::nth_element(ranked_.begin(), ranked_.begin() + std::ptrdiff_t(most), ranked_.end(), nearer);
  for (std::size_t i = 0; i < ranked_.size(); ++i) {
    occupants.entities[ranked_[i].entity]->wants_light = i >= most;
  }
}

void Levels::gather_solids(const Occupants& occupants, const Ties& ties) {
  solids_.clear();
  widest_ = fastest_ = 0;
  const auto add = [this](const Vec2& place, const Vec2& velocity, double radius) {
    solids_.push_back({place, velocity, radius});
    widest_ = std::max(widest_, radius);
    fastest_ = std::max(fastest_, velocity.norm());
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
  std::sort(solids_.begin(), solids_.end(),
            [](const Solid& a, const Solid& b) { return a.place.x() < b.place.x(); });
}

// Puts characters into the physics that are about to touch somebody in it, or a moving thing.
void Levels::keep_touched_in_physics(Occupants& occupants, const TickView& now) {
  for (const auto& e : occupants.entities) {
    if (!e->present() || !e->simplified) continue;
    const Vec2 at = e->position();
    const double own = 0.25 * e->body->leg_scale();
    const double far = own + widest_ + kTouch + kSoon * (fastest_ + e->smooth_velocity.norm());
    auto solid = std::lower_bound(solids_.begin(), solids_.end(), at.x() - far,
                                  [](const Solid& one, double x) { return one.place.x() < x; });
    for (; solid != solids_.end() && solid->place.x() <= at.x() + far; ++solid) {
      const Vec2 way = solid->place - at;
      const double distance = way.norm();
      const double closing =
          distance > 1e-6
              ? std::max(0.0, (e->smooth_velocity - solid->velocity).dot(way) / distance)
              : 0;
      if (distance - own - solid->radius > kTouch + kSoon * closing) continue;
      e->need_physics(now.tick, now.dt);
      break;
    }
  }
}

void Levels::run(Occupants& occupants, const Ties& ties, const TickView& now,
                 const GroundAndTops& ground_and_tops) {
  const bool on = in_physics_ > 0;
  if (now.age() % kRankEvery == 0) {
    if (on) rank_characters(occupants);
    if (on || std::any_of(occupants.entities.begin(), occupants.entities.end(),
                          [](const auto& e) { return e->simplified; })) {
      gather_solids(occupants, ties);
      keep_touched_in_physics(occupants, now);
    }
  }
  for (const auto& e : occupants.entities) {
    if (!e->present() || e->fallen) continue;
    const bool light = is_to_be_light(*e);
    if (e->simplified) {
      if (!light && e->between_strikes()) e->embody();
      continue;
    }
    if (!light || e->in_physics_until > now.tick || !e->may_be_light()) continue;
    if (!e->between_strikes() || e->down || !e->pushes.empty() || ties.is_tied(e->id)) continue;
    e->simplify(ground_and_tops());
  }
}

}  // namespace promenade::world
