#include "behaviour/crowd/walkers.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace promenade::behaviour::crowd {
namespace {

constexpr std::size_t kMostWanted = 24;
constexpr std::size_t kMostNear = 32;  // others heeded, with those that are close
constexpr std::size_t kMostWalls = 8;  // walls that one walker heeds at a time
constexpr float kWallReach = 4;        // m: walls further off do not matter
constexpr float kSkin = 0.001f;        // m, gap that is left, for rounding
constexpr float kTurning = 0.035f;  // m, that gap with a lag: turning about another brings it near
constexpr float kHurry = 0.3f;      // m/s, by which an evasion may be faster than the pace
constexpr float kHeldSpeed = 0.3f;  // share of the wish under which a walker is held up
constexpr float kHeldMost = 4;      // s, most that is counted of being held up
constexpr float kCorner = 0.3f;     // m/s, at most, away from one that turns about this disc
constexpr float kLeastHorizon = 0.5f;  // s, least look ahead in a dense crowd
// Numbers of steps for which luck lasts.
constexpr std::uint64_t kWaverSteps = 16, kYieldSteps = 24;

/// A point in the unit square's middle, -1 to 1 each way, that depends on three numbers alone.
Vec2f random_point(std::uint64_t seed, std::uint64_t index, std::uint64_t time) {
  std::uint64_t z = seed + 0x9e3779b97f4a7c15ULL * (index + 1) + 0xd1342543de82ef95ULL * time;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  z ^= z >> 31;
  constexpr float kScale = 1 / 2147483648.f;
  return {float(std::int32_t(z)) * kScale, float(std::int32_t(z >> 32)) * kScale};
}

float part_of(float share, float other) { return share / (share + other); }

}  // namespace

struct Walkers::Planes {
  std::array<HalfPlane, kMostPlanes> list;
  std::size_t count = 0;
  Ranks ranks;
  void add(const HalfPlane& plane) { list[count++] = plane; }
};

void Walkers::set_walls(Walls walls) {
  walls_ = std::move(walls);
  walls_.build(kWallReach);
}

void Walkers::sort(std::uint64_t step) {
  const std::size_t n = discs_.size();
  places_.resize(n);
  sorted_.resize(n);
  widest_ = willing_ = 0;
  for (std::size_t i = 0; i < n; ++i) {
    places_[i] = discs_[i].position + discs_[i].lag * discs_[i].velocity;
    widest_ = std::max(widest_, discs_[i].radius);
    willing_ = std::max(willing_, discs_[i].share);
  }
  grid_.build(places_, law_.range);
  const auto order = grid_.order();
  for (std::size_t slot = 0; slot < n; ++slot) {
    static_cast<Disc&>(sorted_[slot]) = discs_[order[slot]];
    sorted_[slot].ahead = places_[order[slot]];
  }
  steps_ = step;
}

Intention Walkers::intention_of(const Sorted& self, std::span<const DiscGrid::Near> near) const {
  // The intention looks only as far as everybody is known.
  const bool all = near.size() < std::size_t(law_.neighbours);
  const float reach =
      all || near.empty() ? kLook : std::min(kLook, std::sqrt(near.back().distance2));
  Intention intention(self.preferred, reach);
  for (const DiscGrid::Near& one : near) {
    const Sorted& other = sorted_[one.slot];
    const float distance = std::sqrt(one.distance2);
    intention.add({other.ahead - self.ahead, other.preferred, distance,
                   distance - self.radius - other.radius, other.news});
  }
  return intention;
}

Intention::Luck Walkers::luck_of(std::uint32_t index) const {
  return {random_point(law_.seed, index, (steps_ + index * 5) / kWaverSteps),
          random_point(~law_.seed, index, (steps_ + index * 7) / kYieldSteps)};
}

void Walkers::add_walls(const Sorted& self, Planes& planes) const {
  std::array<Walls::Beside, kMostWalls> beside;
  const float far = std::min(
      kWallReach, self.radius + self.fastest * std::max(law_.wall_horizon, self.lag + law_.step));
  const std::size_t count = walls_.size() > 0 ? walls_.near(self.position, far, beside) : 0;
  const float stop = self.lag * self.velocity.norm() + law_.step * self.fastest;
  for (std::size_t i = 0; i < count; ++i) {
    const Walls::Beside& wall = beside[i];
    const float room = wall.distance - self.radius;
    if (room - kSkin < stop) {
      planes.add(keep_apart(wall.away, room > 0 ? std::max(0.f, room - kSkin) : room, self.velocity,
                            self.lag, law_.step));
    }
    if (room > kSkin) {
      planes.add(avoid_outline(walls_.vertices(wall.outline), self.position, self.radius,
                               self.velocity, law_.wall_horizon));
    }
  }
}

void Walkers::add_gait(const Sorted& self, Planes& planes) {
  if (!self.facing.isZero()) {
    const Vec2f left(-self.facing.y(), self.facing.x());
    planes.add({left, -self.sideways});
    planes.add({-left, -self.sideways});
    planes.add({self.facing, -self.backward});
  }
  planes.ranks.walls = planes.ranks.touch = planes.count;
}

void Walkers::add_touches(const Sorted& self, std::span<const DiscGrid::Near> near, float close,
                          Planes& planes) const {
  const float stop = law_.step * self.fastest, skin = self.lag > 0 ? kTurning : kSkin;
  for (const DiscGrid::Near& one : near) {
    if (one.distance2 > close * close) break;
    const Sorted& other = sorted_[one.slot];
    const float reach = self.radius + other.radius;
    const float part = part_of(self.share, other.share);
    const float nearest = reach + skin + stop / part;
    if (one.distance2 > nearest * nearest) continue;
    const float distance = std::sqrt(one.distance2);
    const Vec2f away = distance > 0
                           ? Vec2f((self.ahead - other.ahead) / distance)
                           : Vec2f(self.share < other.share || &self < &other ? 1.f : -1.f, 0);
    float gap = distance - reach;
    if (gap >= 0) gap = std::max(0.f, gap - skin);
    HalfPlane plane = keep_apart(away, part * gap, Vec2f::Zero(), 0, law_.step);
    if (!(other.share > 0)) plane.least += std::max(0.f, away.dot(other.velocity));
    planes.add(plane);
    // Two that turn about each other would cut the corner of it by a little.
    const Vec2f apart = self.position - other.position;
    const float now = apart.norm(), room = now - reach - kSkin;
    if (now == 0 || self.lag == 0 || room * room > stop * stop) continue;
    const float slowed = (self.lag + law_.step) / law_.step;
    const float least = -(part * room * slowed + self.lag * apart.dot(self.velocity) / now);
    planes.add({apart / now, std::clamp(least / law_.step, -self.fastest, kCorner)});
  }
  planes.ranks.touch = planes.count;
}

void Walkers::add_others(const Sorted& self, std::span<const DiscGrid::Near> near, float horizon,
                         Planes& planes) const {
  FourEncounters four;
  for (std::size_t i = 0; i < near.size(); i += 4) {
    for (std::size_t lane = 0; lane < 4; ++lane) {
      // Lanes that are left over repeat the last.
      const Sorted& other = sorted_[near[std::min(i + lane, near.size() - 1)].slot];
      four.offset_x[lane] = other.ahead.x() - self.ahead.x();
      four.offset_y[lane] = other.ahead.y() - self.ahead.y();
      four.relative_x[lane] = self.velocity.x() - other.velocity.x();
      four.relative_y[lane] = self.velocity.y() - other.velocity.y();
      four.reach[lane] = self.radius + other.radius;
      four.share[lane] = part_of(self.share, other.share);
    }
    avoid_four(four, self.velocity, horizon, law_.step, law_.right, &planes.list[planes.count]);
    planes.count += std::min<std::size_t>(4, near.size() - i);
  }
}

void Walkers::choose_one(std::uint32_t slot, std::span<Vec2f> out) {
  const Sorted& self = sorted_[slot];
  const std::uint32_t index = grid_.order()[slot];
  if (!(self.share > 0)) {
    out[index] = self.preferred;
    return;
  }
  std::array<DiscGrid::Near, kMostNear> found;
  const float stop = law_.step * self.fastest;
  const float close = self.radius + widest_ + kTurning + stop / part_of(self.share, willing_);
  const auto wanted = std::size_t(std::clamp(law_.neighbours, 1, int(kMostWanted)));
  const std::size_t count = grid_.nearest(slot, std::max(law_.range, close), wanted, close, found);
  const auto near = std::span<const DiscGrid::Near>(found).first(count);

  Vec2f wish = self.preferred;
  float fastest = self.fastest, horizon = law_.horizon, news = 0;
  if (law_.pace && self.preferred.squaredNorm() > 0) {
    const Intention intention = intention_of(self, near);
    wish = intention.wish(self.held, law_.waver, luck_of(index));
    fastest = std::min(fastest, wish.norm() + kHurry);
    // The denser the crowd, the shorter do people look ahead: over three seconds nothing is free.
    horizon = std::max(horizon * intention.pace(), std::min(horizon, kLeastHorizon));
    news = intention.news();
  } else {
    wish += law_.waver * self.preferred.norm() * luck_of(index).waver;
  }
  Planes planes;
  add_walls(self, planes);
  add_gait(self, planes);
  add_touches(self, near, close, planes);
  add_others(self, near.first(std::min(near.size(), wanted)), horizon, planes);
  out[index] = allowed_velocity(std::span<const HalfPlane>(planes.list).first(planes.count),
                                planes.ranks, wish, fastest);

  Disc& next = discs_[index];
  next.news = news;
  const bool held =
      self.velocity.dot(self.preferred) < kHeldSpeed * wish.norm() * self.preferred.norm();
  next.held = std::clamp(self.held + (held ? law_.step : -2 * law_.step), 0.f, kHeldMost);
}

void Walkers::choose(std::size_t first, std::size_t count, std::span<Vec2f> out) {
  for (std::size_t slot = first; slot < first + count; ++slot) {
    choose_one(std::uint32_t(slot), out);
  }
}

void Walkers::move(std::span<const Vec2f> chosen) {
  for (std::size_t i = 0; i < discs_.size(); ++i) {
    Disc& disc = discs_[i];
    disc.velocity = (disc.lag * disc.velocity + law_.step * chosen[i]) / (disc.lag + law_.step);
    disc.position += law_.step * disc.velocity;
  }
}

void Walkers::visit(StateVisitor& state) {
  constexpr std::size_t kMostDiscs = 1'000'000;
  state(steps_);
  state.length(discs_, kMostDiscs);
  const auto number = [&state](float& value) {
    double wide = value;
    state(wide);
    value = float(wide);
  };
  for (Disc& disc : discs_) {
    for (Vec2f* vector : {&disc.position, &disc.velocity, &disc.preferred}) {
      number(vector->x());
      number(vector->y());
    }
    for (float* value :
         {&disc.radius, &disc.fastest, &disc.share, &disc.lag, &disc.held, &disc.news}) {
      number(*value);
    }
  }
}

}  // namespace promenade::behaviour::crowd
