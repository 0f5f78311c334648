#include "study/trial/task/errands.h"

#include <cmath>

#include "math/random.h"
#include "math/rotation.h"

namespace promenade::trial {
namespace {

constexpr double kLook = 1.0 / 60;  // s, as often as a behaviour decides

// Runs the rollout and counts. A shift is a change from more than six tenths of the load on one
// foot to more than six tenths on the other.
class Account {
 public:
  Account(Rollout& rollout, Errands& out) : rollout_(rollout), out_(out) {
    last_ = rollout.report().com;
  }
  bool look() {
    const bool up = rollout_.run(kLook);
    const control::ControlReport& r = rollout_.report();
    out_.seconds = rollout_.time();
    out_.travelled += (r.com - last_).head<2>().norm();
    last_ = r.com;
    if (!r.standing) {
      heavy_ = -1;
      return up;
    }
    out_.standing += kLook;
    const double both = r.foot_force[0].z() + r.foot_force[1].z();
    for (int side = 0; side < 2; ++side) {
      if (r.foot_force[std::size_t(side)].z() < 0.6 * both || heavy_ == side) continue;
      out_.shifts += heavy_ >= 0;
      heavy_ = side;
    }
    return up;
  }
  bool run(double seconds) {
    for (const double end = rollout_.time() + seconds; rollout_.time() < end;) {
      if (!look()) return false;
    }
    return true;
  }

 private:
  Rollout& rollout_;
  Errands& out_;
  Vec3 last_;
  int heavy_ = -1;
};

}  // namespace

Errands run_errands(const Walker& walker, double seconds, std::uint64_t seed) {
  constexpr double kRadius = 6, kReached = 0.5;  // m, of the disc of way-points; of one
  Errands out;
  Random random = Random::stream(seed, 0xe77aULL);
  Rollout rollout(walker, seed);
  Account account(rollout, out);
  while (rollout.time() < seconds) {
    ++out.commands;
    const double end = rollout.time() + random.uniform(2, 5);
    const double kind = random.uniform();
    if (kind < 0.5) {
      rollout.walk({random.uniform(0.3, 1.3), 0});
      const double angle = random.uniform(-kPi, kPi);
      const Vec2 goal =
          kRadius * std::sqrt(random.uniform()) * Vec2(std::cos(angle), std::sin(angle));
      while (rollout.time() < end) {
        const Vec2 way = goal - rollout.report().com.head<2>();
        if (way.norm() < kReached) break;
        rollout.goal.heading = std::atan2(way.y(), way.x());
        if (!account.look()) return out;
      }
      continue;
    }
    if (kind < 0.65) {
      rollout.walk({random.uniform(0.3, 1.3), 0});
      rollout.goal.heading = wrap_angle(rollout.goal.heading + kPi);
    } else if (kind < 0.8) {
      rollout.walk({random.uniform(-0.6, 1.5), 0});
    } else if (kind < 0.9) {
      rollout.walk({0, random.uniform(-0.3, 0.3)});
    } else {
      rollout.stop();
    }
    if (!account.run(end - rollout.time())) return out;
  }
  out.up = true;
  return out;
}

Errands idle_about(const Walker& walker, double seconds, std::uint64_t seed) {
  Errands out;
  Random random = Random::stream(seed, 0x1d1eULL);
  Rollout rollout(walker, seed);
  Account account(rollout, out);
  while (rollout.time() < seconds) {
    rollout.stop();
    if (!account.run(random.uniform(10, 60))) return out;
    rollout.walk({random.uniform(0.3, 1.2), 0});
    if (random.chance(0.5)) {
      rollout.goal.heading = wrap_angle(rollout.goal.heading + random.uniform(-2, 2));
    }
    ++out.commands;
    if (!account.run(random.uniform(3, 8))) return out;
  }
  out.up = true;
  return out;
}

Errands storm(const Walker& walker, double seconds, std::uint64_t seed) {
  constexpr double kEvery = 0.3;  // s
  Errands out;
  Random random = Random::stream(seed, 0x5702ULL);
  Rollout rollout(walker, seed);
  Account account(rollout, out);
  while (rollout.time() < seconds) {
    const double forward = random.uniform(-0.8, 1.8), left = random.uniform(-0.5, 0.5);
    rollout.walk({forward, left});
    rollout.goal.heading = random.uniform(-kPi, kPi);
    ++out.commands;
    if (!account.run(kEvery)) return out;
  }
  out.up = true;
  return out;
}

}  // namespace promenade::trial
