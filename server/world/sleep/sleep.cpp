#include "world/sleep/sleep.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "physics/touching.h"
#include "world/ties/room_tie.h"

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

void Sleep::wake(Occupant& one) {
  auto* prop = dynamic_cast<Prop*>(&one);
  if (!prop) return;
  if (!prop->asleep) {
    prop->quiet_s = 0;
    return;
  }
  const std::vector<CharacterId> lay_on = std::move(prop->supports);
  prop->wake();
  changed_ = true;
  for (const CharacterId id : lay_on) {
    if (Prop* below = occupants_.find_prop(id); below && below->asleep) below->forget_load();
  }
  for (const auto& other : occupants_.props) {
    const auto& on = other->supports;
    if (other->asleep && std::binary_search(on.begin(), on.end(), one.id)) wake(*other);
  }
}

void Sleep::wake_around(const Occupant& one) {
  const Eigen::AlignedBox3d near = inflated(one.physics.bounds(), kClose);
  for (const auto& prop : occupants_.props) {
    if (prop != &one && prop->asleep && near.intersects(prop->physics.bounds())) wake(*prop);
  }
}

void Sleep::wake_on_moving_ground(const TickView& now) {
  const double time = now.time();
  std::vector<Islands::Pair> found;
  for (std::size_t b = 0; b < now.ground.blocks().size(); ++b) {
    const physics::GroundBlock& block = now.ground.blocks()[b];
    if (!block.motion) continue;
    const physics::BlockNow at = now.ground.block_at(b, time);
    const double speed = at.velocity.norm() + std::abs(at.spin) * block.half.norm();
    if (speed == 0 && block.motion->surface.isZero(0)) continue;
    const Vec3 half = at.pose.rotation.toRotationMatrix().cwiseAbs() * block.half;
    const Eigen::AlignedBox3d box(at.pose.position - half, at.pose.position + half);
    sleepers_.find(0, inflated(box, kClose + speed * now.dt), found);
  }
  for (const auto& [none, sleeper] : found)
    wake(*occupants_.props[sleeper - occupants_.entities.size()]);
}

void Sleep::build_sleepers() {
  if (!changed_) return;
  std::vector<Sleepers::Sleeper> all;
  for (std::size_t i = 0; i < occupants_.props.size(); ++i) {
    if (!occupants_.props[i]->asleep) continue;
    all.push_back(
        {std::uint32_t(occupants_.entities.size() + i), occupants_.props[i]->physics.bounds()});
  }
  sleepers_.build(std::move(all));
  changed_ = false;
}

void Sleep::gather_awakened(std::vector<Eigen::AlignedBox3d>& boxes,
                            std::vector<Islands::Pair>& joined) {
  for (std::size_t i = 0; i < occupants_.props.size(); ++i) {
    const std::size_t k = occupants_.entities.size() + i;
    if (occupants_.props[i]->asleep || !boxes[k].isEmpty()) continue;
    boxes[k] = occupants_.props[i]->physics.bounds();
    sleepers_.find(std::uint32_t(k), boxes[k], joined);
  }
}

// A fast body wakes a sleeper before it arrives: otherwise it would bounce off as from a wall.
void Sleep::join(const TickView& now, std::vector<Eigen::AlignedBox3d>& boxes,
                 std::vector<Islands::Pair>& joined) {
  build_sleepers();
  wake_on_moving_ground(now);
  for (std::uint32_t i = 0; i < boxes.size(); ++i) sleepers_.find(i, boxes[i], joined);
  gather_awakened(boxes, joined);
  const std::size_t found = joined.size();
  for (std::size_t k = 0; k < found; ++k) {
    const auto [mover, sleeper] = joined[k];
    Prop& prop = *occupants_.props[sleeper - occupants_.entities.size()];
    if (!prop.asleep) continue;
    const Occupant& one = occupants_.at(mover);
    double speed = one.physics.fastest_point();
    Eigen::AlignedBox3d swept = one.physics.bounds();
    // Boxes of things that lie slantwise in a heap overlap already: there the blow itself wakes,
    // and a jammed thing whose tip is fast for a tick arrives nowhere.
    const bool beside =
        mover >= occupants_.entities.size() && swept.intersects(prop.physics.bounds());
    if (beside)
      speed = std::min(speed, occupants_.props[mover - occupants_.entities.size()]->drift());
    if (speed < (beside ? 20 : 5) * prop.rest_speed()) continue;
    const double reach = 0.005 + speed * now.dt;
    swept.min().array() -= reach;
    swept.max().array() += reach;
    if (!swept.intersects(prop.physics.bounds())) continue;
    wake(prop);
    gather_awakened(boxes, joined);
  }
  std::erase_if(joined, [](const Islands::Pair& pair) { return pair.first == pair.second; });
}

// If a body broke, places in islands mean nothing: it was left out of the last steps.
bool Sleep::somebody_broke() const {
  const auto broke = [](const auto& one) { return one->broke; };
  return std::any_of(occupants_.props.begin(), occupants_.props.end(), broke) ||
         std::any_of(occupants_.entities.begin(), occupants_.entities.end(), broke);
}

void Sleep::wake_the_disturbed(const Islands& islands) {
  const auto first = std::uint32_t(occupants_.entities.size());
  if (somebody_broke()) return;
  constexpr std::uint8_t kNobody = 0, kAtRest = 1, kMoving = 2;
  touched_by_.assign(occupants_.props.size(), kNobody);
  for (int i = 0; i < islands.count(); ++i) {
    const auto island = islands.members(i);
    for (const std::uint32_t member : island) {
      const bool rests = member >= first && occupants_.props[member - first]->quiet_s > 0;
      for (const int partner : physics::partners(occupants_.at(member).physics)) {
        const std::uint32_t with = partner < 0 ? 0 : island[std::size_t(partner)];
        if (partner < 0 || with < first) continue;
        touched_by_[with - first] = std::max(touched_by_[with - first], rests ? kAtRest : kMoving);
      }
    }
  }
  for (int i = 0; i < islands.count(); ++i) {
    for (const std::uint32_t member : islands.members(i)) {
      if (member < first) continue;
      Prop& prop = *occupants_.props[member - first];
      const std::uint8_t touched = touched_by_[member - first];
      // Its load may have left it. A light touch that comes and goes is no load.
      const bool left = touched == kNobody && prop.load > 0;
      if (prop.asleep && prop.is_disturbed(touched == kMoving || left)) wake(prop);
    }
  }
}

// By the contacts of this tick.
void Sleep::find_supports(const Islands& islands) {
  const auto first = std::uint32_t(occupants_.entities.size());
  for (int i = 0; i < islands.count(); ++i) {
    const auto island = islands.members(i);
    for (const std::uint32_t member : island) {
      Occupant& one = occupants_.at(member);
      const auto contacts = one.physics.contacts();
      const auto partners = physics::partners(one.physics);
      for (std::size_t p = 0; p < partners.size(); ++p) {
        if (partners[p] < 0) continue;
        const std::uint32_t with = island[std::size_t(partners[p])];
        const Occupant& other = occupants_.at(with);
        const Holding held =
            holding(contacts[p].force, std::min(one.body->total_mass, other.body->total_mass));
        if (member >= first && with >= first) {
          if (held.first_on_second) supports_.push_back({member - first, with - first});
          if (held.second_on_first) supports_.push_back({with - first, member - first});
        } else if (member >= first && held.first_on_second) {
          may_sleep_[member - first] = 0;
        } else if (with >= first && held.second_on_first) {
          may_sleep_[with - first] = 0;
        }
      }
    }
  }
}

// Two things that are tied lie on each other.
void Sleep::find_tied(const IdList<RoomTie>& ties) {
  const auto& props = occupants_.props;
  for (const auto& tie : ties) {
    if (tie->over) continue;
    const bool a = props.find(tie->a) != nullptr, b = props.find(tie->b) != nullptr;
    const auto at_a = std::uint32_t(props.place_of(tie->a));
    const auto at_b = std::uint32_t(props.place_of(tie->b));
    const bool restless =
        tie->source == RoomTie::Source::kDrag || (!a && tie->a != 0) || (!b && tie->b != 0);
    if (a && restless) may_sleep_[at_a] = 0;
    if (b && restless) may_sleep_[at_b] = 0;
    if (!a || !b || tie->a == tie->b) continue;
    supports_.push_back({at_a, at_b});
    supports_.push_back({at_b, at_a});
  }
}

void Sleep::put_to_sleep(const Islands& islands, const IdList<RoomTie>& ties, std::uint64_t tick) {
  may_sleep_.assign(occupants_.props.size(), 0);
  bool any = false;
  for (std::size_t i = 0; i < occupants_.props.size(); ++i) {
    Prop& prop = *occupants_.props[i];
    if (prop.quiet_s >= kQuietTime && !prop.asleep && prop.gathers_speed()) prop.quiet_s = 0;
    // A thing let go a moment ago is fast already, but not yet by its mean velocity.
    may_sleep_[i] = !prop.asleep && !prop.broke && prop.quiet_s >= kQuietTime &&
                    prop.pushes.empty() && prop.physics.fastest_point() < kCalm * prop.rest_speed();
    any = any || may_sleep_[i];
  }
  if (!any || somebody_broke()) return;
  supports_.clear();
  find_supports(islands);
  find_tied(ties);
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto& [thing, on] : supports_) {
      if (!may_sleep_[thing] || may_sleep_[on] || occupants_.props[on]->asleep) continue;
      may_sleep_[thing] = 0;
      changed = true;
    }
  }
  for (const auto& [thing, on] : supports_) {
    if (may_sleep_[thing]) occupants_.props[thing]->supports.push_back(occupants_.props[on]->id);
    // The thing that it lay on carries it in its sleep without feeling it.
    if (may_sleep_[thing] && occupants_.props[on]->asleep) occupants_.props[on]->forget_load();
  }
  for (std::size_t i = 0; i < occupants_.props.size(); ++i) {
    if (!may_sleep_[i]) continue;
    Prop& prop = *occupants_.props[i];
    std::sort(prop.supports.begin(), prop.supports.end());
    prop.supports.erase(std::unique(prop.supports.begin(), prop.supports.end()),
                        prop.supports.end());
    prop.fall_asleep(tick);
    changed_ = true;
  }
}

}  // namespace promenade::world
