#include "search/gaits/entry_search.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "study/trial/gait/change_trial.h"
#include "study/trial/rig/parallel.h"

namespace promenade::search {

using control::posegraph::Gait;

FoundEntry find_entry(const trial::GaitTrial& trial, const std::shared_ptr<const Gait>& from,
                      const std::shared_ptr<const Gait>& to, double seconds, int starts,
                      std::uint64_t seed, int threads) {
  const int leaves = int(from->graph.cycle.size()), enters = int(to->graph.cycle.size());
  std::vector<std::shared_ptr<const Gait>> tried;  // [leave, enter]
  for (int i = 0; i < leaves * enters; ++i) {
    auto gait = std::make_shared<Gait>(*to);
    gait->entries = {{from->name, std::size_t(i / enters), std::size_t(i % enters)}};
    tried.push_back(std::move(gait));
  }
  std::vector<char> up(tried.size() * std::size_t(starts));  // [leave, enter, start]
  trial::run_parallel(int(up.size()), threads, [&](int k) {
    const std::uint64_t start = std::uint64_t(k % starts);
    up[std::size_t(k)] = trial::goes_on_after_change(trial, from, tried[std::size_t(k / starts)],
                                                     seconds, seed + start)
                             ? 1
                             : 0;
  });
  const auto up_at = [&](int leave, int enter) {
    const int moment = (leave + leaves) % leaves * enters + (enter + enters) % enters;
    const auto first = up.begin() + std::ptrdiff_t(moment) * starts;
    return int(std::count(first, first + starts, 1));
  };
  FoundEntry best;
  for (int i = 0; i < leaves * enters; ++i) {
    FoundEntry one{tried[std::size_t(i)]->entries.front(), up_at(i / enters, i % enters)};
    for (int around = 0; around < 9; ++around) {
      if (around == 4) continue;
      one.held += up_at(i / enters + around / 3 - 1, i % enters + around % 3 - 1) == starts;
    }
    if (i == 0 || std::pair(one.up, one.held) > std::pair(best.up, best.held)) best = one;
  }
  return best;
}

}  // namespace promenade::search
