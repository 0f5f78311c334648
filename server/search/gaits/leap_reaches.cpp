#include "search/gaits/leap_reaches.h"

#include <algorithm>
#include <array>

#include "math/random.h"
#include "study/trial/gait/mixed_gait.h"
#include "study/trial/rig/parallel.h"

namespace promenade::search {
namespace {

using control::posegraph::Gait;
using control::posegraph::LeapReach;

constexpr std::array kHeights = {0.4, 0.6, 0.8, 1.0, 1.2};  // of `high`
constexpr double kEnough = 0.98;  // of the starts, that stay up after two leaps
constexpr int kMostCycles = 20;   // between two leaps
constexpr double kLeapTime = 3;   // s, of the first of two at most
constexpr double kFar = 1e9;      // m
constexpr int kSizes = 10;        // from a tenth to all
constexpr double kBefore = 3, kAbout = 5, kAfter = 5;  // s: before a leap, more at random, after it

/// One leap.
struct Try {
  double size = 1, height = 0;
  std::uint64_t seed = 0;
};

trial::GaitMeasures leap(const trial::GaitTrial& trial, const std::shared_ptr<const Gait>& gait,
                         const Try& one) {
  trial::GaitDeeds deeds;
  // In any stride: a gait that is even to the eye may still differ from one to the next.
  const double at = kBefore + Random::stream(one.seed, 0x1ea9ULL).uniform(0, kAbout);
  deeds.leap_at = at;
  deeds.leap_size = one.size;
  deeds.leap_over = one.height;
  return trial.run(gait, {at + kAfter, 1}, one.seed, deeds);
}

}  // namespace

std::vector<FoundReach> find_reaches(const trial::GaitTrial& trial,
                                     const std::shared_ptr<const Gait>& gait, double high,
                                     int starts, std::uint64_t seed, int threads) {
  std::vector<LeapReach> reaches;  // [size, height]
  for (int i = 1; i <= kSizes; ++i) {
    for (const double share : kHeights) reaches.push_back({double(i) / kSizes, share * high});
  }
  std::vector<trial::GaitMeasures> leaps(reaches.size() * std::size_t(starts));
  trial::run_parallel(int(leaps.size()), threads, [&](int k) {
    const LeapReach& of = reaches[std::size_t(k / starts)];
    leaps[std::size_t(k)] =
        leap(trial, gait, {of.size, of.height, seed + std::uint64_t(k % starts)});
  });
  std::vector<FoundReach> out;
  for (std::size_t i = 0; i < reaches.size(); ++i) {
    FoundReach one{reaches[i]};
    one.reach.from = -kFar;
    one.reach.to = kFar;
    for (int start = 0; start < starts; ++start) {
      const trial::GaitMeasures& m = leaps[i * std::size_t(starts) + std::size_t(start)];
      if (m.end != trial::GaitEnd::kWentOn) continue;
      ++one.up;
      one.reach.from = std::max(one.reach.from, m.span.from);
      one.reach.to = std::min(one.reach.to, m.span.to);
    }
    if (one.up == 0) one.reach.from = one.reach.to = 0;
    out.push_back(one);
  }
  return out;
}

FoundRecovery find_recovery(const trial::GaitTrial& trial, const std::shared_ptr<const Gait>& gait,
                            int starts, std::uint64_t seed, int threads) {
  const double period = gait->graph.period();
  std::vector<char> up(std::size_t(kMostCycles * starts));  // [cycles - 1, start]
  trial::run_parallel(int(up.size()), threads, [&](int k) {
    const std::uint64_t start = seed + std::uint64_t(k % starts);
    trial::GaitDeeds deeds;
    deeds.leap_at = kBefore + Random::stream(start, 0x1ea9ULL).uniform(0, kAbout);
    deeds.leap_again = (k / starts + 0.5) * period;
    const double seconds = *deeds.leap_at + kLeapTime + *deeds.leap_again + kAfter;
    up[std::size_t(k)] =
        trial.run(gait, {seconds, 1}, start, deeds).end == trial::GaitEnd::kWentOn ? 1 : 0;
  });
  const auto up_at = [&](int cycles) {
    const auto first = up.begin() + std::ptrdiff_t(cycles - 1) * starts;
    return int(std::count(first, first + starts, 1));
  };
  FoundRecovery out{kMostCycles, up_at(kMostCycles)};
  while (out.cycles > 1 && up_at(out.cycles - 1) >= kEnough * starts) --out.cycles;
  out.up = up_at(out.cycles);
  return out;
}

}  // namespace promenade::search
