#include "study/trial/gait/change_trial.h"

#include <utility>

#include "math/random.h"

namespace promenade::trial {
namespace {

constexpr double kSettle = 3;  // s, until it is on its limit cycle

}  // namespace

bool goes_on_after_change(const GaitTrial& trial,
                          std::shared_ptr<const control::posegraph::Gait> from,
                          std::shared_ptr<const control::posegraph::Gait> to, double seconds,
                          std::uint64_t seed) {
  const double phase = Random::stream(seed, 0xc4a6eULL).uniform();
  const double begin = kSettle + phase * from->graph.period();
  Walker walker = trial.walker();
  walker.gait = std::move(from);
  Rollout rollout(walker, seed);
  rollout.walk(Vec2(1, 0));
  if (!rollout.run(begin)) return false;
  rollout.gait_player()->set_gait(std::move(to));
  return rollout.run(seconds);
}

}  // namespace promenade::trial
