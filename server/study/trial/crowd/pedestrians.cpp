#include "study/trial/crowd/pedestrians.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <vector>

#include "math/random.h"

namespace promenade::trial {
namespace {

using behaviour::crowd::AvoidanceLaw;
using behaviour::crowd::DiscGrid;
using behaviour::crowd::Vec2f;
using behaviour::crowd::Walkers;
using behaviour::crowd::Walls;

constexpr float kStream = 5;      // m, width of a stream
constexpr double kApart = 20;     // m, from one stream to the other at the start
constexpr float kArrived = 0.3f;  // m
constexpr float kBorder = 3;      // m, within which those beyond an edge are seen
constexpr double kFreeMean = 1.34, kFreeSpread = 0.26;  // m/s (Weidmann 1993)

/// A crowd on its way, and what is measured of it.
class Scene {
 public:
  explicit Scene(const PedestrianOptions& options)
      : options_(options), random_(Random::stream(options.seed, 31)), walkers_(law_of(options)) {}

  Random& random() { return random_; }
  Walkers& walkers() { return walkers_; }
  std::size_t size() const { return size_; }
  double time() const { return time_; }
  PedestrianRun& run() { return run_; }

  void add(const Vec2f& place, const Vec2f& way) {
    Walkers::Disc disc;
    disc.position = place;
    disc.radius = float(options_.radius);
    disc.lag = float(options_.lag);
    disc.preferred = way * float(free_speed());
    disc.fastest = 1.3f * disc.preferred.norm();
    walkers_.discs().push_back(disc);
    size_ = walkers_.discs().size();
  }
  /// Opposite edges are one, along x and, if `both`, along y, from 0 to these.
  void repeat(float x, float y, bool both) {
    period_ = {x, y};
    both_ = both;
  }
  void step() {
    add_ghosts();
    chosen_.resize(walkers_.discs().size());
    walkers_.sort();
    walkers_.choose(0, walkers_.discs().size(), chosen_);
    walkers_.discs().resize(size_);
    walkers_.move(std::span(chosen_).first(size_));
    wrap();
    time_ += walkers_.law().step;
    look_for_overlaps();
  }

 private:
  static AvoidanceLaw law_of(const PedestrianOptions& options) {
    AvoidanceLaw law;
    law.seed = options.seed;
    return law;
  }
  double free_speed() {
    return std::clamp(kFreeMean + kFreeSpread * random_.normal(), kFreeMean - 2 * kFreeSpread,
                      kFreeMean + 2 * kFreeSpread);
  }
  // Those near an edge stand beyond the opposite one, too.
  void add_ghosts() {
    auto& discs = walkers_.discs();
    for (int axis = 0; axis < (both_ ? 2 : 1); ++axis) {
      if (!(period_[axis] > 0)) continue;
      for (std::size_t i = 0, n = discs.size(); i < n; ++i) {
        const float at = discs[i].position[axis];
        for (const float shift :
             {at < kBorder ? 1.f : 0.f, at > period_[axis] - kBorder ? -1.f : 0.f}) {
          if (shift == 0) continue;
          Walkers::Disc ghost = discs[i];
          ghost.position[axis] += shift * period_[axis];
          discs.push_back(ghost);
        }
      }
    }
  }
  void wrap() {
    for (Walkers::Disc& disc : walkers_.discs()) {
      for (int axis = 0; axis < (both_ ? 2 : 1); ++axis) {
        if (!(period_[axis] > 0)) continue;
        float& at = disc.position[axis];
        at -= period_[axis] * std::floor(at / period_[axis]);
      }
    }
  }
  void look_for_overlaps() {
    add_ghosts();
    const auto& discs = walkers_.discs();
    places_.resize(discs.size());
    for (std::size_t i = 0; i < discs.size(); ++i) places_[i] = discs[i].position;
    const float reach = 2 * float(options_.radius);
    grid_.build(places_, 4 * reach);
    std::array<DiscGrid::Near, 16> near;
    for (std::uint32_t slot = 0; slot < places_.size(); ++slot) {
      if (grid_.order()[slot] >= size_) continue;
      const std::size_t count = grid_.nearest(slot, reach, 16, 0, near);
      for (std::size_t k = 0; k < count; ++k) {
        const bool counted = grid_.order()[near[k].slot] < grid_.order()[slot];
        const double deep = reach - std::sqrt(double(near[k].distance2));
        run_.overlaps += counted && deep > 0;
        run_.deepest = std::max(run_.deepest, deep);
      }
    }
    walkers_.discs().resize(size_);
    std::array<Walls::Beside, 4> beside;
    for (const Walkers::Disc& disc : walkers_.discs()) {
      if (walkers_.walls().size() == 0) break;
      const std::size_t count = walkers_.walls().near(disc.position, disc.radius, beside);
      for (std::size_t k = 0; k < count; ++k) {
        run_.into_wall = std::max(run_.into_wall, double(disc.radius - beside[k].distance));
      }
    }
  }

  PedestrianOptions options_;
  Random random_;
  Walkers walkers_;
  std::size_t size_ = 0;  // without those that stand in for others
  std::vector<Vec2f> chosen_;
  Vec2f period_ = Vec2f::Zero();
  bool both_ = false;
  double time_ = 0;
  PedestrianRun run_;
  DiscGrid grid_;
  std::vector<Vec2f> places_;
};

/// Steps until all have arrived or the time is over.
/// @param update   before each step
/// @param arrived  whether this one has; asked until it is so
void run_until_through(Scene& scene, double seconds, const std::function<void()>& update,
                       const std::function<bool(std::size_t)>& arrived) {
  std::vector<double> when(scene.size(), -1);
  std::size_t there = 0;
  while (scene.time() < seconds && there < scene.size()) {
    update();
    scene.step();
    for (std::size_t i = 0; i < scene.size(); ++i) {
      if (when[i] >= 0 || !arrived(i)) continue;
      when[i] = scene.run().last_s = scene.time();
      ++there;
    }
  }
  scene.run().through = double(there) / double(scene.size());
}

/// People at random in a rectangle at 1 / m^2, in rows so that none overlap.
/// @param front      m, middle of the edge nearest to where they go
/// @param way, left  unit vectors
void add_stream(Scene& scene, int count, const Vec2f& front, const Vec2f& way, const Vec2f& left) {
  const int columns = int(kStream);
  for (int i = 0; i < count; ++i) {
    const int row = i / columns;
    const float back = float(row) + 0.5f + float(scene.random().uniform(-0.2, 0.2));
    const float side =
        float(i % columns) + 0.5f - kStream / 2 + float(scene.random().uniform(-0.2, 0.2));
    scene.add(front - back * way + side * left, way);
  }
}

/// A triangular lattice of that density in a rectangle from 0, with the next row to the other side,
/// filled in random order up to `count`.
std::vector<Vec2f> lattice(Random& random, int count, float width, float height) {
  int rows = 1, columns = 1;
  while (rows * columns < count) {
    // One more where they are further apart; rows of a triangular lattice are sqrt(3) / 2 apart.
    if (width / float(columns) > 1.1547f * height / float(rows))
      ++columns;
    else
      rows += 2;
  }
  std::vector<Vec2f> places;
  for (int i = 0; i < rows * columns; ++i) {
    const int row = i / columns;
    const float shift = row % 2 ? 0.5f : 0;
    places.push_back({(float(i % columns) + 0.25f + shift) * width / float(columns),
                      (float(row) + 0.5f) * height / float(rows)});
  }
  for (std::size_t i = places.size(); i > 1; --i) std::swap(places[i - 1], places[random.below(i)]);
  places.resize(std::size_t(count));
  return places;
}

double mean_along(const std::vector<Walkers::Disc>& discs) {
  double sum = 0;
  for (const Walkers::Disc& disc : discs) sum += disc.velocity.dot(disc.preferred.normalized());
  return sum / double(discs.size());
}

/// See run_lanes(): directions are those of x.
double lane_order(const std::vector<Walkers::Disc>& discs) {
  constexpr float kSide = 0.375f;  // m
  double sum = 0;
  for (const Walkers::Disc& one : discs) {
    int same = 0, other = 0;
    for (const Walkers::Disc& two : discs) {
      if (std::abs(two.position.y() - one.position.y()) > kSide) continue;
      ++((two.preferred.x() > 0) == (one.preferred.x() > 0) ? same : other);
    }
    const double order = double(same - other) / double(same + other);
    sum += order * order;
  }
  return sum / double(discs.size());
}

}  // namespace

PedestrianRun run_circle(int count, const PedestrianOptions& options) {
  Scene scene(options);
  const double radius = 0.6 * count / (2 * M_PI);
  std::vector<Vec2f> goals;
  for (int i = 0; i < count; ++i) {
    const double angle = 2 * M_PI * i / count;
    const Vec2f place(float(radius * std::cos(angle)), float(radius * std::sin(angle)));
    scene.add(place, -place.normalized());
    goals.push_back(-place);
  }
  std::vector<float> speeds;
  for (const auto& disc : scene.walkers().discs()) speeds.push_back(disc.preferred.norm());
  const auto to_goal = [&](std::size_t i) -> Vec2f {
    return goals[i] - scene.walkers().discs()[i].position;
  };
  run_until_through(
      scene, options.seconds,
      [&] {
        for (std::size_t i = 0; i < scene.size(); ++i) {
          const float left = to_goal(i).norm();
          scene.walkers().discs()[i].preferred =
              to_goal(i) * (speeds[i] / std::max(left, speeds[i]));
        }
      },
      [&](std::size_t i) { return to_goal(i).norm() < kArrived; });
  return scene.run();
}

PedestrianRun run_crossing(int each, const PedestrianOptions& options) {
  Scene scene(options);
  const Vec2f x = Vec2f::UnitX(), y = Vec2f::UnitY();
  add_stream(scene, each, -float(kApart) / 2 * x, x, y);
  add_stream(scene, each, -float(kApart) / 2 * y, y, -x);
  run_until_through(
      scene, options.seconds, [] {},
      [&](std::size_t i) {
        const auto& disc = scene.walkers().discs()[i];
        return disc.position.dot(disc.preferred.normalized()) > kApart / 2;
      });
  return scene.run();
}

PedestrianRun run_head_on(int each, const PedestrianOptions& options) {
  Scene scene(options);
  const Vec2f x = Vec2f::UnitX(), y = Vec2f::UnitY();
  add_stream(scene, each, -float(kApart) / 2 * x, x, y);
  add_stream(scene, each, float(kApart) / 2 * x, -x, y);
  Walls walls;
  for (const float side : {-1.f, 1.f})
    walls.add(Vec2f(-500, side * kStream / 2), Vec2f(500, side * kStream / 2));
  scene.walkers().set_walls(std::move(walls));
  const float end = float(kApart) / 2 + float(each) / kStream;
  run_until_through(
      scene, options.seconds, [] {},
      [&](std::size_t i) {
        const auto& disc = scene.walkers().discs()[i];
        return disc.position.x() * (disc.preferred.x() > 0 ? 1.f : -1.f) > end;
      });
  return scene.run();
}

PedestrianRun run_door(int count, double width, const PedestrianOptions& options) {
  Scene scene(options);
  const float half = float(width) / 2, thick = 0.4f, room = 6;
  for (int i = 0; i < count; ++i) {
    const int row = i / 12;
    const float back = 0.7f * float(row) + 0.7f, side = 0.7f * (float(i % 12) - 5.5f);
    scene.add({-thick - back - float(scene.random().uniform(0, 0.1)),
               side + float(scene.random().uniform(-0.05, 0.05))},
              Vec2f::UnitX());
  }
  Walls walls;
  const float far = 0.7f * float(count) / 12 + 3;
  for (const float side : {-1.f, 1.f}) {
    walls.add(std::array<Vec2f, 4>{Vec2f(-thick, side * half), Vec2f(0, side * half),
                                   Vec2f(0, side * room), Vec2f(-thick, side * room)});
    walls.add(Vec2f(-thick, side * room), Vec2f(-far, side * room));
  }
  scene.walkers().set_walls(std::move(walls));
  std::vector<float> speeds;
  for (const auto& disc : scene.walkers().discs()) speeds.push_back(disc.preferred.norm());
  std::vector<double> out;
  // Everybody goes to the nearest point of the opening that a disc can pass, then on.
  const float clear = half - float(options.radius) - 0.02f;
  run_until_through(
      scene, options.seconds,
      [&] {
        for (std::size_t i = 0; i < scene.size(); ++i) {
          auto& disc = scene.walkers().discs()[i];
          const Vec2f& p = disc.position;
          const Vec2f to(0.3f, std::clamp(p.y(), -clear, clear));
          const Vec2f way = p.x() > 0 ? Vec2f(1, 0.3f * (p.y() > 0 ? 1.f : -1.f)) : Vec2f(to - p);
          disc.preferred = speeds[i] * way.normalized();
        }
      },
      [&](std::size_t i) {
        const bool is_out = scene.walkers().discs()[i].position.x() > 0;
        if (is_out) out.push_back(scene.time());
        return is_out;
      });
  const std::size_t from = out.size() / 10, to = out.size() * 9 / 10;
  if (to > from) scene.run().flow = double(to - from) / (out[to] - out[from]) / width;
  return scene.run();
}

PedestrianRun run_one_way(double density, const PedestrianOptions& options) {
  Scene scene(options);
  constexpr float kSide = 12;  // m
  const int count = int(std::lround(density * kSide * kSide));
  for (const Vec2f& place : lattice(scene.random(), count, kSide, kSide)) {
    scene.add(place, Vec2f::UnitX());
  }
  scene.repeat(kSide, kSide, true);
  double sum = 0;
  int steps = 0;
  while (scene.time() < options.seconds) {
    scene.step();
    if (scene.time() < options.seconds / 2) continue;
    sum += mean_along(scene.walkers().discs());
    ++steps;
  }
  scene.run().speed = sum / std::max(1, steps);
  scene.run().flow = scene.run().speed * density;
  return scene.run();
}

PedestrianRun run_lanes(double density, const PedestrianOptions& options) {
  Scene scene(options);
  constexpr float kLength = 30;  // m
  const float inside = kStream - 2 * float(options.radius) - 0.1f;
  const int count = int(std::lround(density * kLength * kStream));
  int i = 0;
  for (const Vec2f& place : lattice(scene.random(), count, kLength, inside)) {
    const Vec2f at = place + Vec2f(0, float(options.radius) + 0.05f);
    scene.add(at, (i++ % 2 ? 1.f : -1.f) * Vec2f::UnitX());
  }
  Walls walls;
  for (const float y : {0.f, kStream}) walls.add(Vec2f(-10, y), Vec2f(kLength + 10, y));
  scene.walkers().set_walls(std::move(walls));
  scene.repeat(kLength, 0, false);
  scene.run().order_at_start = lane_order(scene.walkers().discs());
  double order = 0, speed = 0;
  int steps = 0;
  while (scene.time() < options.seconds) {
    scene.step();
    if (scene.time() < 0.75 * options.seconds) continue;
    order += lane_order(scene.walkers().discs());
    speed += mean_along(scene.walkers().discs());
    ++steps;
  }
  scene.run().order = order / std::max(1, steps);
  scene.run().speed = speed / std::max(1, steps);
  return scene.run();
}

}  // namespace promenade::trial
