#pragma once

#include <memory>
#include <vector>

#include "control/posegraph/gait.h"
#include "study/trial/gait/gait_trial.h"

namespace promenade::search {

/// Leaps over one height.
struct FoundReach {
  control::posegraph::LeapReach reach;  // what all starts that stayed up pass over; may be empty
  int up = 0;                           // starts that stayed up

  bool empty() const { return reach.to <= reach.from; }
};

/// Measures what a leap of a gait passes over, so that its creature leaps by itself what lies
/// ahead: several heights of a hurdle.
/// @param variant index of one for LEAP
/// @param high    m, above 0: the height of a hurdle about which others are measured
/// @param starts  of each leap
/// @param seed    of the first start; the others follow
/// @return from low hurdles to high ones
std::vector<FoundReach> find_reaches(const trial::GaitTrial& trial,
                                     const std::shared_ptr<const control::posegraph::Gait>& gait,
                                     std::size_t variant, double high, int starts,
                                     std::uint64_t seed, int threads);

inline constexpr double kEnoughUp = 0.98;  // share of starts that must stay up after two leaps

/// Cycles after which one leap can follow another.
struct FoundRecovery {
  int cycles = 0;
  int up = 0;  // starts that stayed up with so many
};
/// Measures after how many cycles a leap can follow one of the same size: the least number from
/// which on, up to 20, the share kEnoughUp of the starts stays up.
/// @param variant, starts, seed, threads  as find_reaches()
FoundRecovery find_recovery(const trial::GaitTrial& trial,
                            const std::shared_ptr<const control::posegraph::Gait>& gait,
                            std::size_t variant, int starts, std::uint64_t seed, int threads);

}  // namespace promenade::search
