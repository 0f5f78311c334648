#include "search/gaits/leap_reaches.h"

#include <algorithm>
#include <array>

#include "study/trial/gait/starts.h"
#include "study/trial/rig/parallel.h"

namespace promenade::search {
namespace {

using control::posegraph::Gait;
using control::posegraph::LeapReach;

constexpr std::array kHeights = {0.4, 0.6, 0.8, 1.0, 1.2};  // of `high`
constexpr int kMostCycles = 20;                             // between two leaps
constexpr double kFar = 1e9;                                // m
constexpr double kBefore = 10, kAbout = 16,
                 kAfter = 16;  // periods: before a leap, more at random, after it

// When it is asked for: in any stride, as a gait that is even to the eye may still differ from one
// stride to the next.
double moment_of(std::uint64_t seed, double period) {
  return (kBefore + trial::leap_moment(seed) * kAbout) * period;
}

double time_of(const std::vector<control::posegraph::State>& chain) {
  double sum = 0;
  for (const auto& state : chain) sum += state.duration;
  return sum;
}

}  // namespace

std::vector<FoundReach> find_reaches(const trial::GaitTrial& trial,
                                     const std::shared_ptr<const Gait>& gait, std::size_t variant,
                                     double high, int starts, std::uint64_t seed, int threads) {
  const Gait::Variant& leap = gait->variants[variant];
  const double period = gait->graph.period();
  std::vector<LeapReach> reaches;
  reaches.reserve(kHeights.size());
  for (const double share : kHeights) reaches.push_back({share * high, 0, 0});
  std::vector<trial::GaitMeasures> leaps(reaches.size() * std::size_t(starts));
  trial::run_parallel(int(leaps.size()), threads, [&](int k) {
    const std::uint64_t start = seed + std::uint64_t(k % starts);
    trial::GaitDeeds deeds;
    deeds.leap_at = moment_of(start, period);
    deeds.leap_size = leap.size;
    deeds.leap_over = reaches[std::size_t(k / starts)].height;
    const double seconds = *deeds.leap_at + time_of(leap.graph.chain) + kAfter * period;
    leaps[std::size_t(k)] = trial.run(gait, {seconds, 2 * period}, start, deeds);
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
                            std::size_t variant, int starts, std::uint64_t seed, int threads) {
  const Gait::Variant& leap = gait->variants[variant];
  const double period = gait->graph.period();
  std::vector<char> up(std::size_t(kMostCycles * starts));  // [cycles - 1, start]
  trial::run_parallel(int(up.size()), threads, [&](int k) {
    const std::uint64_t start = seed + std::uint64_t(k % starts);
    trial::GaitDeeds deeds;
    deeds.leap_at = moment_of(start, period);
    deeds.leap_size = leap.size;
    const int cycles = k / starts;
    deeds.leap_again = (cycles + 0.5) * period;
    const double seconds =
        *deeds.leap_at + 2 * time_of(leap.graph.chain) + *deeds.leap_again + kAfter * period;
    up[std::size_t(k)] =
        trial.run(gait, {seconds, 2 * period}, start, deeds).end == trial::GaitEnd::kWentOn ? 1 : 0;
  });
  const auto up_at = [&](int cycles) {
    const auto first = up.begin() + std::ptrdiff_t(cycles - 1) * starts;
    return int(std::count(first, first + starts, 1));
  };
  FoundRecovery out{kMostCycles, up_at(kMostCycles)};
  while (out.cycles > 1 && up_at(out.cycles - 1) >= kEnoughUp * starts) --out.cycles;
  out.up = up_at(out.cycles);
  return out;
}

}  // namespace promenade::search
