#include "study/trial/gait/stances.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "math/rotation.h"

namespace promenade::trial {
namespace {

constexpr double kGap = 0.1;           // of a stride: a foot that lifts for less has not lifted
constexpr double kBrief = 1.0 / 16;    // of a stride: one that bears for less has not stepped
constexpr double kMain = 0.6;          // of all that a leg bears, its longest stance
constexpr double kTurns = 1.0 / 3;     // of a stride apart: from here on feet take turns
constexpr double kTogether = 1.0 / 8;  // up to here they come down together
constexpr double kSomeStrides = 0.5;   // share of the strides in which a leg that steps lifts

/// How a leg steps.
struct Step {
  double phase = 0;  // share of the stride at which the middle of its stance is
  double duty = 0;   // share of the stride that its longest stance takes
};

// Without gaps and touches that are too short.
std::vector<Stance> cleaned(const std::vector<Stance>& stances, double gap, double brief) {
  std::vector<Stance> out;
  for (const Stance& one : stances) {
    if (!out.empty() && one.from - out.back().to < gap) {
      out.back().to = one.to;
    } else {
      out.push_back(one);
    }
  }
  std::erase_if(out, [brief](const Stance& one) { return one.to - one.from < brief; });
  return out;
}

// Stances that begin in a stride, on the mean, as a whole number.
int steps_a_stride(const std::vector<Stance>& stances, double period, double from, double to) {
  const auto begun = std::count_if(stances.begin(), stances.end(), [&](const Stance& one) {
    return one.from >= from && one.from < to;
  });
  return int(std::lround(double(begun) * period / (to - from)));
}

// Share of the time that stances take.
double share_of(const std::vector<Stance>& stances, double from, double to) {
  double sum = 0;
  for (const Stance& one : stances) {
    sum += std::max(0.0, std::min(one.to, to) - std::max(one.from, from));
  }
  return sum / (to - from);
}

// The middle one of phases on a circle: that from which the others are least far away.
double median_phase(const std::vector<double>& phases) {
  const auto distance = [&](double from) {
    double sum = 0;
    for (const double phase : phases) sum += phase_distance(phase, from);
    return sum;
  };
  return *std::min_element(phases.begin(), phases.end(),
                           [&](double a, double b) { return distance(a) < distance(b); });
}

// Nothing: the leg hardly lifts, or hardly comes down.
std::optional<Step> step_of(const std::vector<Stance>& stances, double period, double from,
                            double to) {
  const int strides = int(std::floor((to - from) / period + 1e-6));
  std::vector<std::optional<Stance>> longest(std::size_t(std::max(0, strides)));
  for (const Stance& one : stances) {
    const int stride = int(std::floor((one.from - from) / period));
    // One that lasts longer than a stride has none of its own in the next.
    if (stride < 0 || stride >= strides || one.to - one.from >= period) continue;
    auto& best = longest[std::size_t(stride)];
    if (!best || one.to - one.from > best->to - best->from) best = one;
  }
  std::vector<double> phases, duties;
  for (const auto& one : longest) {
    if (!one) continue;
    phases.push_back(phase_lag((0.5 * (one->from + one->to) - from) / period, 0));
    duties.push_back((one->to - one->from) / period);
  }
  if (double(phases.size()) < std::max(1.0, kSomeStrides * strides)) return std::nullopt;
  std::nth_element(duties.begin(), duties.begin() + std::ptrdiff_t(duties.size() / 2),
                   duties.end());
  return Step{median_phase(phases), duties[duties.size() / 2]};
}

/// How the feet of a pair come down after each other.
enum class Pairing { kTurns, kTogether, kNeither };

Pairing pairing_of(const Step& left, const Step& right) {
  const double apart = phase_distance(left.phase, right.phase);
  if (apart > kTurns) return Pairing::kTurns;
  return apart < kTogether ? Pairing::kTogether : Pairing::kNeither;
}

std::string_view name_of_four(Pairing fore, Pairing hind, double lag, double duty) {
  if (fore == Pairing::kTurns && hind == Pairing::kTurns) {
    switch (int(std::floor(4 * phase_lag(lag, -0.125)))) {
      case 0:
        return "rack";
      case 1:
        return duty > 0.5 ? "walk" : "amble";
      case 2:
        return "trot";
      default:
        return "diagonal_walk";
    }
  }
  if (fore == Pairing::kTogether && hind == Pairing::kTogether) {
    return phase_distance(lag, 0) < kTogether ? "pronk" : "bound";
  }
  if (fore == Pairing::kTurns || hind == Pairing::kTurns) return "shuffle";
  return "gallop";
}

std::string_view name_of_many(std::size_t legs, bool turns, bool together, double lag) {
  const bool halves = phase_distance(lag, 0.5) < 0.125;
  if (turns && halves) return legs == 6 ? "tripod" : legs == 8 ? "tetrapod" : "shuffle";
  if (turns) return "ripple";
  if (together) return phase_distance(lag, 0) < kTogether ? "pronk" : "wave";
  return "shuffle";
}

// Mean over neighbours on a side of how much later a leg comes down than the one behind it.
double lag_of(const Legs& legs, const std::vector<Step>& of) {
  double x = 0, y = 0;
  for (std::size_t i = 0; i + 1 < legs.pairs.size(); ++i) {
    for (const auto side : {&Legs::Pair::left, &Legs::Pair::right}) {
      const double lag = of[std::size_t(legs.pairs[i].*side)].phase -
                         of[std::size_t(legs.pairs[i + 1].*side)].phase;
      x += std::cos(2 * kPi * lag);
      y += std::sin(2 * kPi * lag);
    }
  }
  return phase_lag(std::atan2(y, x) / (2 * kPi), 0);
}

}  // namespace

void StanceRecorder::note(const std::vector<bool>& bears, double time, double dt) {
  for (std::size_t i = 0; i < stances_.size(); ++i) {
    if (!bears[i]) continue;
    auto& all = stances_[i];
    const bool goes_on = !all.empty() && all.back().to >= last_ - 0.5 * dt && last_ > 0;
    if (!goes_on) all.push_back({time - dt, time});
    all.back().to = time;
  }
  last_ = time;
}

std::string_view name_by_stances(const Legs& legs, const std::vector<std::vector<Stance>>& stances,
                                 double period, double from, double to) {
  std::vector<std::vector<Stance>> steps;
  std::vector<int> counts;
  for (const auto& leg : stances) {
    steps.push_back(cleaned(leg, kGap * period, kBrief * period));
    counts.push_back(steps_a_stride(steps.back(), period, from, to));
  }
  const auto [fewest, most] = std::minmax_element(counts.begin(), counts.end());
  if (counts.empty() || *fewest == 0) return "stands";
  const bool alike = *fewest == *most;
  if (alike && *most > 2) return "shuffle";
  if (alike) period /= *most;
  std::vector<Step> of;
  double duty = 0;
  for (const auto& leg : steps) {
    const auto step = step_of(leg, period, from, to);
    if (!step) return "stands";
    if (!alike && step->duty < kMain * share_of(leg, from, to)) return "shuffle";
    of.push_back(*step);
    duty += step->duty / double(stances.size());
  }
  if (of.size() == 1) return duty < 1 ? "hop" : "shuffle";
  if (legs.pairs.empty() || legs.pairs.size() * 2 != of.size()) return "shuffle";
  std::vector<Pairing> pairings;
  for (const Legs::Pair& pair : legs.pairs) {
    pairings.push_back(pairing_of(of[std::size_t(pair.left)], of[std::size_t(pair.right)]));
  }
  const auto all = [&](Pairing wanted) {
    return std::all_of(pairings.begin(), pairings.end(),
                       [&](Pairing one) { return one == wanted; });
  };
  if (of.size() == 2) {
    if (all(Pairing::kTurns)) return duty > 0.5 ? "walk" : "run";
    return all(Pairing::kTogether) ? "hop" : "skip";
  }
  const double lag = lag_of(legs, of);
  if (of.size() == 4) return name_of_four(pairings[0], pairings[1], lag, duty);
  return name_of_many(of.size(), all(Pairing::kTurns), all(Pairing::kTogether), lag);
}

std::string footfall_bars(const std::vector<std::string>& names,
                          const std::vector<std::vector<Stance>>& stances, double from, double to,
                          int columns) {
  std::size_t widest = 0;
  for (const std::string& name : names) widest = std::max(widest, name.size());
  std::string out;
  for (std::size_t leg = 0; leg < stances.size(); ++leg) {
    std::string bar(std::size_t(columns), '.');
    for (int i = 0; i < columns; ++i) {
      const double at = from + (i + 0.5) * (to - from) / columns;
      for (const Stance& one : stances[leg]) {
        if (one.from <= at && at < one.to) bar[std::size_t(i)] = '#';
      }
    }
    out += "  " + names[leg] + std::string(widest - names[leg].size() + 1, ' ') + bar + "\n";
  }
  return out;
}

}  // namespace promenade::trial
