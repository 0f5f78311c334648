#include "study/trial/gait/hurdle_trial.h"

#include <algorithm>

#include "math/random.h"

namespace promenade::trial {
namespace {

constexpr double kWide = 1;         // m, half of a hurdle's width
constexpr double kGrazes = 0.02;    // m above the ground: what touches higher touches a hurdle
constexpr double kPatience = 3;     // times the way at the gait's own speed
constexpr double kLeast = 0.05;     // m/s, of that speed
constexpr double kStandsAfter = 2;  // s, for which it has to stay up after the last hurdle

// The middle of each hurdle along x, m.
std::vector<double> drawn_places(const Hurdles& hurdles, std::uint64_t seed) {
  Random random = Random::stream(seed, 0x4bd1eULL);
  std::vector<double> out;
  double at = 0;
  for (int i = 0; i < hurdles.count; ++i) {
    at += random.uniform(hurdles.near, hurdles.far);
    out.push_back(at);
  }
  return out;
}

std::shared_ptr<const physics::Ground> ground_with(const Hurdles& hurdles,
                                                   const std::vector<double>& places) {
  std::vector<physics::GroundBlock> blocks;
  for (const double at : places) {
    physics::GroundBlock block;
    block.pose.position = Vec3(at, 0, hurdles.height / 2);
    block.half = Vec3(hurdles.depth / 2, kWide, hurdles.height / 2);
    blocks.push_back(block);
  }
  return std::make_shared<const physics::Ground>(std::move(blocks));
}

}  // namespace

std::vector<HurdleEnd> run_hurdles(const GaitTrial& trial,
                                   std::shared_ptr<const control::posegraph::Gait> gait,
                                   const Hurdles& hurdles, std::uint64_t seed) {
  const std::vector<double> places = drawn_places(hurdles, seed);
  Walker walker = trial.walker();
  walker.ground = ground_with(hurdles, places);
  const double past = walker.body->height;  // m: wholly over it and on its foot again
  const double way = places.back() + past;
  const double seconds = kPatience * way / std::max(kLeast, gait->speed());
  walker.gait = std::move(gait);
  Rollout rollout(walker, seed);
  rollout.walk(Vec2(1, 0));
  std::vector<bool> touched(places.size());
  double reached = 0, arrived = seconds;  // m, s
  bool up = true;
  while (up && rollout.time() < std::min(seconds, arrived + kStandsAfter)) {
    up = rollout.step();
    for (const physics::ContactPoint& contact : rollout.physics().contacts()) {
      if (contact.position.z() < kGrazes || contact.force.isZero()) continue;
      for (std::size_t i = 0; i < places.size(); ++i) {
        if (std::abs(contact.position.x() - places[i]) < hurdles.depth / 2 + kGrazes) {
          touched[i] = true;
        }
      }
    }
    const Vec3& root = rollout.physics().links()[0].position;
    if (std::abs(root.y()) > kWide) break;  // it would pass beside them
    const double x = root.x();
    if (x > way && reached <= way) arrived = rollout.time();
    reached = std::max(reached, x);
  }
  std::vector<HurdleEnd> out;
  for (std::size_t i = 0; i < places.size(); ++i) {
    // The one that it fell behind is not passed.
    const bool passed =
        up ? reached > places[i] + past : i + 1 < places.size() && reached > places[i + 1];
    out.push_back(!passed      ? HurdleEnd::kNotPassed
                  : touched[i] ? HurdleEnd::kTouched
                               : HurdleEnd::kCleared);
  }
  return out;
}

}  // namespace promenade::trial
