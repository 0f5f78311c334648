// Decides which things of a room sleep. Each falls asleep by itself once it and all that it lies on
// are at rest, so that a heap comes to rest from below; it wakes when it is disturbed or when a
// thing that it lies on wakes.
#include <algorithm>
#include <cmath>

#include "physics/touching.h"
#include "world/room/room_impl.h"

namespace promenade::world {
namespace {

constexpr double kQuietTime = 0.5;  // s of rest before sleep
constexpr double kCalm = 3;         // times the speed of rest: a thing that falls asleep is slower
constexpr double kClose = 0.01;     // m: nearer than this it may be touched

Eigen::AlignedBox3d inflated(Eigen::AlignedBox3d box, double by) {
  box.min().array() -= by;
  box.max().array() += by;
  return box;
}

/// How two bodies hold each other up, by the force on the first of them.
struct Holding {
  bool first_on_second = false, second_on_first = false;
};
Holding holding(const Vec3& force, double lighter) {
  constexpr double kNothing = 0.005;  // share of the weight of the lighter one
  constexpr double kSteep = 0.3;      // share of the force: less is no carrying but leaning
  const double size = force.norm();
  if (size < kNothing * lighter * physics::kGravity) return {};
  return {force.z() > -kSteep * size, force.z() < kSteep * size};
}

}  // namespace

void Room::Impl::wake(Occupant& one) {
  auto* prop = dynamic_cast<Prop*>(&one);
  if (!prop) return;
  if (!prop->asleep) {
    prop->quiet_s = 0;
    return;
  }
  const std::vector<CharacterId> lay_on = std::move(prop->supports);
  prop->wake();
  sleepers_changed = true;
  for (const CharacterId id : lay_on) {
    if (Prop* below = find_prop(id); below && below->asleep) below->forget_load();
  }
  for (const auto& other : props) {
    const auto& on = other->supports;
    if (other->asleep && std::binary_search(on.begin(), on.end(), one.id)) wake(*other);
  }
}

void Room::Impl::wake_around(const Occupant& one) {
  const Eigen::AlignedBox3d near = inflated(one.physics.bounds(), kClose);
  for (const auto& prop : props) {
    if (prop.get() != &one && prop->asleep && near.intersects(prop->physics.bounds())) wake(*prop);
  }
}

void Room::Impl::wake_on_moving_ground() {
  const double time = scene_time();
  std::vector<Islands::Pair> found;
  for (std::size_t b = 0; b < ground->blocks().size(); ++b) {
    const physics::GroundBlock& block = ground->blocks()[b];
    if (!block.motion) continue;
    const physics::BlockNow now = ground->block_at(b, time);
    const double speed = now.velocity.norm() + std::abs(now.spin) * block.half.norm();
    if (speed == 0 && block.motion->surface.isZero(0)) continue;
    const Vec3 half = now.pose.rotation.toRotationMatrix().cwiseAbs() * block.half;
    const Eigen::AlignedBox3d box(now.pose.position - half, now.pose.position + half);
    sleepers.find(0, inflated(box, kClose + speed * dt()), found);
  }
  for (const auto& [none, sleeper] : found) wake(*props[sleeper - entities.size()]);
}

// If a body broke, places in islands mean nothing: it was left out of the last steps.
bool Room::Impl::somebody_broke() const {
  const auto broke = [](const auto& one) { return one->broke; };
  return std::any_of(props.begin(), props.end(), broke) ||
         std::any_of(entities.begin(), entities.end(), broke);
}

void Room::Impl::wake_the_disturbed() {
  const auto first = std::uint32_t(entities.size());
  if (somebody_broke()) return;
  constexpr std::uint8_t kNobody = 0, kAtRest = 1, kMoving = 2;
  touched_by.assign(props.size(), kNobody);
  for (int i = 0; i < islands.count(); ++i) {
    const auto island = islands.members(i);
    for (const std::uint32_t member : island) {
      const bool rests = member >= first && props[member - first]->quiet_s > 0;
      Occupant& one =
          member >= first ? static_cast<Occupant&>(*props[member - first]) : *entities[member];
      for (const int partner : physics::partners(one.physics)) {
        const std::uint32_t with = partner < 0 ? 0 : island[std::size_t(partner)];
        if (partner < 0 || with < first) continue;
        touched_by[with - first] = std::max(touched_by[with - first], rests ? kAtRest : kMoving);
      }
    }
  }
  for (int i = 0; i < islands.count(); ++i) {
    for (const std::uint32_t member : islands.members(i)) {
      if (member < first) continue;
      Prop& prop = *props[member - first];
      const std::uint8_t touched = touched_by[member - first];
      // Its load may have left it. A light touch that comes and goes is no load.
      const bool left = touched == kNobody && prop.load > 0;
      if (prop.asleep && prop.is_disturbed(touched == kMoving || left)) wake(prop);
    }
  }
}

// By the contacts and ties of this tick; things that characters or hands hold may not sleep.
void Room::Impl::find_supports() {
  supports.clear();
  const auto first = std::uint32_t(entities.size());
  const auto add_both = [this](std::uint32_t one, std::uint32_t other) {
    supports.push_back({one, other});
    supports.push_back({other, one});
  };
  for (int i = 0; i < islands.count(); ++i) {
    const auto island = islands.members(i);
    for (const std::uint32_t member : island) {
      Occupant& one =
          member < first ? static_cast<Occupant&>(*entities[member]) : *props[member - first];
      const auto contacts = one.physics.contacts();
      const auto partners = physics::partners(one.physics);
      for (std::size_t p = 0; p < partners.size(); ++p) {
        if (partners[p] < 0) continue;
        const std::uint32_t with = island[std::size_t(partners[p])];
        const Occupant& other =
            with < first ? static_cast<Occupant&>(*entities[with]) : *props[with - first];
        const Holding held =
            holding(contacts[p].force, std::min(one.body->total_mass, other.body->total_mass));
        if (member >= first && with >= first) {
          if (held.first_on_second) supports.push_back({member - first, with - first});
          if (held.second_on_first) supports.push_back({with - first, member - first});
        } else if (member >= first && held.first_on_second) {
          may_sleep[member - first] = 0;
        } else if (with >= first && held.second_on_first) {
          may_sleep[with - first] = 0;
        }
      }
    }
  }
  const auto index_of = [this](CharacterId id) {
    return std::uint32_t(
        std::lower_bound(props.begin(), props.end(), id,
                         [](const auto& prop, CharacterId wanted) { return prop->id < wanted; }) -
        props.begin());
  };
  for (const auto& tie : ties) {
    if (tie->over) continue;
    const bool a = find_prop(tie->a) != nullptr, b = find_prop(tie->b) != nullptr;
    const bool restless =
        tie->source == RoomTie::Source::kDrag || (!a && tie->a != 0) || (!b && tie->b != 0);
    if (a && restless) may_sleep[index_of(tie->a)] = 0;
    if (b && restless) may_sleep[index_of(tie->b)] = 0;
    if (a && b && tie->a != tie->b) add_both(index_of(tie->a), index_of(tie->b));
  }
}

void Room::Impl::put_to_sleep() {
  may_sleep.assign(props.size(), 0);
  bool any = false;
  for (std::size_t i = 0; i < props.size(); ++i) {
    Prop& prop = *props[i];
    if (prop.quiet_s >= kQuietTime && !prop.asleep && prop.gathers_speed()) prop.quiet_s = 0;
    // A thing let go a moment ago is fast already, but not yet by its mean velocity.
    may_sleep[i] = !prop.asleep && !prop.broke && prop.quiet_s >= kQuietTime &&
                   prop.pushes.empty() && prop.physics.fastest_point() < kCalm * prop.rest_speed();
    any = any || may_sleep[i];
  }
  if (!any || somebody_broke()) return;
  find_supports();
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto& [thing, on] : supports) {
      if (!may_sleep[thing] || may_sleep[on] || props[on]->asleep) continue;
      may_sleep[thing] = 0;
      changed = true;
    }
  }
  for (const auto& [thing, on] : supports) {
    if (may_sleep[thing]) props[thing]->supports.push_back(props[on]->id);
    // The thing that it lay on carries it in its sleep without feeling it.
    if (may_sleep[thing] && props[on]->asleep) props[on]->forget_load();
  }
  for (std::size_t i = 0; i < props.size(); ++i) {
    if (!may_sleep[i]) continue;
    Prop& prop = *props[i];
    std::sort(prop.supports.begin(), prop.supports.end());
    prop.supports.erase(std::unique(prop.supports.begin(), prop.supports.end()),
                        prop.supports.end());
    prop.fall_asleep(tick_number);
    sleepers_changed = true;
  }
}

}  // namespace promenade::world
