#include "study/trial/gait/gait_name.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>

#include "math/rotation.h"

namespace promenade::trial {
namespace {

constexpr double kLeastAirborne = 0.02;  // share of the time; with less a single leg shuffles
// Below this likeness a gait is like none.
constexpr double kLeastLikeness = 0.3;

/// 1 where a distance is 0, 0 from `reach` on.
double near(double distance, double reach) { return std::max(0.0, 1 - distance / reach); }
/// 1 where the phase is at `wanted`, 0 from `reach` of a stride on.
double near_phase(double phase, double wanted, double reach = 0.25) {
  return near(phase_distance(phase, wanted), reach);
}
double alternate(const GaitPhases& p) { return near(0.5 - p.spread, 0.3); }
double together(const GaitPhases& p) { return near(p.sides, 0.2); }
/// 1 where feet bear for long, 0 where they hardly bear: walks have more than half.
double bears_long(const GaitPhases& p) { return std::clamp((p.duty - 0.4) / 0.15, 0.0, 1.0); }
double bears_short(const GaitPhases& p) { return 1 - bears_long(p); }

double hop(const GaitPhases& p, std::size_t legs, std::size_t pairs) {
  if (legs == 1) return p.airborne > kLeastAirborne ? 1 : 0;
  return legs == 2 && pairs == 1 ? together(p) : 0;
}
double biped_walk(const GaitPhases& p) { return alternate(p) * bears_long(p); }
double run(const GaitPhases& p, std::size_t legs, std::size_t pairs) {
  return legs == 2 && pairs == 1 ? alternate(p) * bears_short(p) : 0;
}
double skip(const GaitPhases& p, std::size_t legs, std::size_t pairs) {
  return legs == 2 && pairs == 1 ? near(std::abs(p.sides - 0.25), 0.2) : 0;
}
double walk(const GaitPhases& p, std::size_t legs, std::size_t pairs) {
  if (legs == 2 && pairs == 1) return biped_walk(p);
  return legs == 4 && pairs == 2 ? alternate(p) * near_phase(p.lag, 0.25) * bears_long(p) : 0;
}
double amble(const GaitPhases& p, std::size_t legs, std::size_t pairs) {
  return legs == 4 && pairs == 2 ? alternate(p) * near_phase(p.lag, 0.25) * bears_short(p) : 0;
}
double diagonal_walk(const GaitPhases& p, std::size_t legs, std::size_t pairs) {
  return legs == 4 && pairs == 2 ? alternate(p) * near_phase(p.lag, 0.75) : 0;
}
double trot(const GaitPhases& p, std::size_t legs, std::size_t pairs) {
  return legs == 4 && pairs == 2 ? alternate(p) * near_phase(p.lag, 0.5) : 0;
}
double rack(const GaitPhases& p, std::size_t legs, std::size_t pairs) {
  return legs == 4 && pairs == 2 ? alternate(p) * near_phase(p.lag, 0) : 0;
}
double bound(const GaitPhases& p, std::size_t legs, std::size_t pairs) {
  return legs == 4 && pairs == 2 ? together(p) * near_phase(p.lag, 0.5, 0.4) : 0;
}
double pronk(const GaitPhases& p, std::size_t legs, std::size_t pairs) {
  return legs >= 4 && pairs * 2 == legs ? together(p) * near_phase(p.lag, 0, 0.1) : 0;
}
double gallop(const GaitPhases& p, std::size_t legs, std::size_t pairs) {
  if (legs != 4 || pairs != 2) return 0;
  const double front = phase_distance(p.front, 0), back = phase_distance(p.back, 0);
  const auto spread = [](double d) { return near(std::abs(d - 0.18), 0.18); };
  return std::max(spread(front), spread(back)) *
         near(std::max(0.0, std::max(front, back) - 0.3), 0.1);
}
double tripod(const GaitPhases& p, std::size_t legs, std::size_t pairs) {
  return legs == 6 && pairs == 3 ? alternate(p) * near_phase(p.lag, 0.5) : 0;
}
double tetrapod(const GaitPhases& p, std::size_t legs, std::size_t pairs) {
  return legs == 8 && pairs == 4 ? alternate(p) * near_phase(p.lag, 0.5) : 0;
}
double wave(const GaitPhases& p, std::size_t legs, std::size_t pairs) {
  if (legs < 6 || pairs * 2 != legs) return 0;
  return together(p) * (1 - near_phase(p.lag, 0, 0.1));
}
double ripple(const GaitPhases& p, std::size_t legs, std::size_t pairs) {
  if (legs < 6 || pairs * 2 != legs) return 0;
  return alternate(p) * (1 - near_phase(p.lag, 0.5));
}

constexpr std::array<GaitKind, 15> kKinds = {{
    {"hop", "one leg, or both together", hop},
    {"walk", "legs in turn; of four each fore foot a quarter of a stride after its hind foot",
     walk},
    {"amble", "four legs in turn as in a walk, but for less than half of the stride each", amble},
    {"run", "two legs in turn, in the air between", run},
    {"skip", "two legs, the second shortly after the first", skip},
    {"trot", "diagonal legs together", trot},
    {"rack", "the legs of a side together", rack},
    {"diagonal_walk", "each fore foot a quarter of a stride before the hind foot of its side",
     diagonal_walk},
    {"bound", "both hind legs, then both fore legs", bound},
    {"pronk", "all legs at once", pronk},
    {"gallop", "left and right of a pair shortly after each other", gallop},
    {"tripod", "three of six legs at a time, the other three half a stride later", tripod},
    {"tetrapod", "four of eight legs at a time, the other four half a stride later", tetrapod},
    {"wave", "pairs of legs one after the other along the body, left and right together", wave},
    {"ripple", "legs of a side one after the other, the sides half a stride apart", ripple},
}};

}  // namespace

GaitPhases phases_of(const Legs& legs, const Footfalls& footfalls) {
  GaitPhases out;
  out.duty = footfalls.mean_duty();
  out.airborne = footfalls.airborne;
  if (legs.pairs.empty() || footfalls.legs.empty()) return out;
  const auto phase = [&](int leg) { return footfalls.legs[std::size_t(leg)].phase; };
  out.spread = 0.5;
  for (const Legs::Pair& pair : legs.pairs) {
    const double apart = phase_distance(phase(pair.left), phase(pair.right));
    out.sides += apart / double(legs.pairs.size());
    out.spread = std::min(out.spread, apart);
  }
  out.front = phase_lag(phase(legs.pairs.front().left), phase(legs.pairs.front().right));
  out.back = phase_lag(phase(legs.pairs.back().left), phase(legs.pairs.back().right));
  std::complex<double> sum = 0;
  for (std::size_t i = 0; i + 1 < legs.pairs.size(); ++i) {
    for (const auto side : {&Legs::Pair::left, &Legs::Pair::right}) {
      const double lag = phase_lag(phase(legs.pairs[i].*side), phase(legs.pairs[i + 1].*side));
      sum += std::polar(1.0, 2 * kPi * lag);
    }
  }
  if (std::abs(sum) > 1e-9) out.lag = phase_lag(std::arg(sum) / (2 * kPi), 0);
  return out;
}

std::span<const GaitKind> gait_kinds() { return kKinds; }

std::string_view gait_name(const Legs& legs, const Footfalls& footfalls) {
  if (!footfalls.steps()) return "stands";
  const auto in_step = footfalls.in_step();
  if (!in_step) return "shuffle";
  const GaitPhases phases = phases_of(legs, *in_step);
  std::string_view name = "shuffle";
  double most = kLeastLikeness;
  for (const GaitKind& kind : kKinds) {
    const double likeness = kind.likeness(phases, legs.limbs.size(), legs.pairs.size());
    if (likeness <= most) continue;
    most = likeness;
    name = kind.name;
  }
  return name;
}

}  // namespace promenade::trial
