#include "study/trial/rig/ground.h"

#include <cmath>
#include <vector>

#include "math/random.h"
#include "math/rotation.h"

namespace promenade::trial {
namespace {

constexpr double kThick = 0.5;  // m, half of a slope's slab
constexpr double kBehindStart = -3,
                 kFlat = 2;  // m along x: where a way begins and where a slope does

// A slab whose top passes through `edge` at its low-x end and runs `length` m along its own x.
physics::GroundBlock slab(const Vec3& edge, double length, double half_width,
                          const Quat& rotation) {
  physics::GroundBlock box;
  box.half = Vec3(0.5 * length, half_width, kThick);
  box.pose.rotation = rotation;
  box.pose.position = edge + rotation * Vec3(0.5 * length, 0, -kThick);
  return box;
}

// A level box on the plane from x = `from` to `to`, its top at `height` m.
physics::GroundBlock podium(double from, double to, double height) {
  constexpr double kHalfWidth = 5;  // m
  physics::GroundBlock box;
  box.half = Vec3(0.5 * (to - from), kHalfWidth, 0.5 * height);
  box.pose.position = Vec3(0.5 * (from + to), 0, 0.5 * height);
  return box;
}

}  // namespace

std::shared_ptr<const physics::Ground> rough_track(double roughness, std::uint64_t seed) {
  Random random = Random::stream(seed, 0x6207ULL);
  std::vector<physics::GroundBlock> tiles;
  for (int i = 0; i < 36; ++i) {
    for (int j = -2; j <= 2; ++j) {
      physics::GroundBlock tile;
      tile.half = Vec3(0.25, 0.3, 0.5 * random.uniform(0.002, roughness));
      tile.pose.position = Vec3(1.5 + 0.5 * i, 0.6 * j, tile.half.z());
      tiles.push_back(tile);
    }
  }
  return std::make_shared<const physics::Ground>(std::move(tiles));
}

std::shared_ptr<const physics::Ground> long_slope(double angle) {
  constexpr double kLength = 20, kHalfWidth = 5;  // m
  // Downhill begins on a platform; the plane z = 0 is under everything.
  const double height = angle < 0 ? kLength * std::sin(-angle) : 0;
  std::vector<physics::GroundBlock> parts;
  if (height > 0) parts.push_back(podium(kBehindStart, kFlat, height));
  parts.push_back(slab(Vec3(kFlat, 0, height), kLength, kHalfWidth, rotation_y(-angle)));
  return std::make_shared<const physics::Ground>(std::move(parts));
}

std::shared_ptr<const physics::Ground> hillside(double angle) {
  constexpr double kHalfWidth = 8, kLength = 40, kBehind = 4;  // m
  const double height = kHalfWidth * std::sin(angle);
  return std::make_shared<const physics::Ground>(std::vector<physics::GroundBlock>{
      slab(Vec3(-kBehind, 0, height), kLength, kHalfWidth, rotation_x(angle))});
}

std::shared_ptr<const physics::Ground> kerb(double height, double edge) {
  return stairs(height, 1, 0, edge);
}

std::shared_ptr<const physics::Ground> stairs(double rise, int steps, double tread, double edge) {
  constexpr double kLevel = 20;  // m, after the last step
  std::vector<physics::GroundBlock> parts;
  const double end = edge + tread * (steps - 1);
  for (int i = 0; i < steps && rise != 0; ++i) {
    const double face = edge + tread * i;
    parts.push_back(rise > 0 ? podium(face, end + kLevel, rise * (i + 1))
                             : podium(kBehindStart, face, -rise * (steps - i)));
  }
  return std::make_shared<const physics::Ground>(std::move(parts));
}

std::shared_ptr<const physics::Ground> gaps(double width, std::uint64_t seed) {
  constexpr double kFrom = 2, kTo = 22, kEnd = 60, kHalfWidth = 5;  // m
  Random random = Random::stream(seed, 0x9a95ULL);
  physics::GroundPlan plan;
  plan.plane = false;
  const auto island = [&](double from, double to) {
    plan.blocks.push_back(slab(Vec3(from, 0, 0), to - from, kHalfWidth, Quat::Identity()));
  };
  island(kBehindStart, kFrom);
  double x = kFrom + width;
  while (x < kTo) {
    const double length = random.uniform(0.4, 1.2);
    island(x, x + length);
    x += length + width;
  }
  island(x, kEnd);
  return std::make_shared<const physics::Ground>(std::move(plan));
}

std::shared_ptr<const physics::Ground> stepping_stones(const Stones& stones, double step,
                                                       double scatter, std::uint64_t seed) {
  constexpr double kFrom = 2, kTo = 22, kEnd = 60, kHalfWidth = 5;  // m
  Random random = Random::stream(seed, 0x57035ULL);
  physics::GroundPlan plan;
  plan.plane = false;
  const auto flat = [&](double from, double to, double y, double half_width) {
    plan.blocks.push_back(slab(Vec3(from, y, 0), to - from, half_width, Quat::Identity()));
  };
  flat(kBehindStart, kFrom, 0, kHalfWidth);
  const int count = std::max(0, int(std::ceil((kTo - kFrom) / step)) - 1);
  for (int i = 0; i < count; ++i) {
    const double along = kFrom + (i + 1) * step + random.uniform(-scatter, scatter);
    const double side = i % 2 == 0 ? stones.beside : -stones.beside;
    const double aside = side + random.uniform(-0.5, 0.5) * scatter;
    flat(along - 0.5 * stones.length, along + 0.5 * stones.length, aside, 0.5 * stones.across);
  }
  flat(kFrom + (count + 1) * step, kEnd, 0, kHalfWidth);
  return std::make_shared<const physics::Ground>(std::move(plan));
}

std::shared_ptr<const physics::Ground> with_friction(const physics::Ground& ground,
                                                     double friction) {
  physics::GroundPlan plan = ground.plan();
  plan.material.friction = friction;
  return std::make_shared<const physics::Ground>(std::move(plan));
}

std::shared_ptr<const physics::Ground> patch_across(const physics::Material& material, double from,
                                                    double length) {
  constexpr double kWidth = 10;  // m
  physics::GroundPlan plan;
  physics::Patch patch;
  patch.center = Vec2(from + 0.5 * length, 0);
  patch.size = Vec2(length, kWidth);
  patch.material = material;
  plan.patches.push_back(patch);
  return std::make_shared<const physics::Ground>(std::move(plan));
}

std::shared_ptr<const physics::Ground> walkway(const Vec2& surface) {
  constexpr double kFrom = 2, kLength = 8, kHalfWidth = 3, kHigh = 0.01;  // m
  physics::GroundPlan plan;
  physics::GroundBlock belt;
  belt.half = Vec3(0.5 * kLength, kHalfWidth, kHigh);
  belt.pose.position = Vec3(kFrom + 0.5 * kLength, 0, 0);
  auto motion = std::make_shared<physics::BlockMotion>();
  motion->surface = surface;
  belt.motion = motion;
  plan.blocks.push_back(belt);
  return std::make_shared<const physics::Ground>(std::move(plan));
}

std::shared_ptr<const physics::Ground> swaying_bridge(double amplitude, double period) {
  constexpr double kFrom = 2, kLength = 6, kHalfWidth = 1, kBank = 20, kJoint = 0.01;  // m
  physics::GroundPlan plan;
  plan.plane = false;
  plan.blocks.push_back(
      slab(Vec3(kBehindStart, 0, 0), kFrom - kBehindStart, kBank, Quat::Identity()));
  plan.blocks.push_back(slab(Vec3(kFrom + kLength, 0, 0), kBank, kBank, Quat::Identity()));
  physics::GroundBlock bridge =
      slab(Vec3(kFrom + kJoint, 0, 0), kLength - 2 * kJoint, kHalfWidth, Quat::Identity());
  bridge.pose.position.y() = -amplitude;
  auto motion = std::make_shared<physics::BlockMotion>();
  motion->path = {bridge.pose.position + Vec3(0, 2 * amplitude, 0)};
  motion->speed = 4 * amplitude / period;
  bridge.motion = motion;
  plan.blocks.push_back(bridge);
  return std::make_shared<const physics::Ground>(std::move(plan));
}

}  // namespace promenade::trial
