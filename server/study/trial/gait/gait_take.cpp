#include "study/trial/gait/gait_take.h"

namespace promenade::trial {
namespace {

constexpr double kRounding = 1e-9;  // s

}  // namespace

void TakeRecorder::note(const Rollout& rollout) {
  // Of two steps that are equally near the earlier one is taken, by a little more than the error of
  // the sum: the end of a trial lies on a frame, and no step comes after it.
  const double nearest = 0.5 * rollout.dt() + kRounding;
  // More than one frame falls on a step where strides are shorter than the frames.
  while (int(take_.frames.size()) < count_ &&
         rollout.time() >= begin_ + take_.frame * double(take_.frames.size()) - nearest) {
    std::vector<Pose>& links = take_.frames.emplace_back();
    for (const auto& link : rollout.physics().links()) {
      links.push_back({link.position, Quat(link.rotation)});
    }
  }
}

}  // namespace promenade::trial
