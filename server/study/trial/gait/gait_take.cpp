#include "study/trial/gait/gait_take.h"

namespace promenade::trial {

void TakeRecorder::note(const Rollout& rollout) {
  // More than one frame falls on a step where strides are shorter than the frames.
  while (int(take_.frames.size()) < count_ &&
         rollout.time() >=
             begin_ + take_.frame * double(take_.frames.size()) - 0.5 * rollout.dt()) {
    std::vector<Pose>& links = take_.frames.emplace_back();
    for (const auto& link : rollout.physics().links()) {
      links.push_back({link.position, Quat(link.rotation)});
    }
  }
}

}  // namespace promenade::trial
