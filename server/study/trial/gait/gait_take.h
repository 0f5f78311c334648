#pragma once

#include <vector>

#include "math/types.h"
#include "study/trial/rig/rollout.h"

namespace promenade::trial {

/// Where the links of a creature were, frame after frame.
struct GaitTake {
  double frame = 0;                       // s, from one frame to the next
  std::vector<std::vector<Pose>> frames;  // [frames, links] world frame
};

/// Takes frames of a trial, evenly apart, each at the step that is nearest. The frame at the time
/// at which a trial ends is taken in its last step.
class TakeRecorder {
 public:
  /// @param begin  s, of the first frame; @param seconds  from there to the last frame
  /// @param count  frames, at least 2
  TakeRecorder(double begin, double seconds, int count) : begin_(begin), count_(count) {
    take_.frame = seconds / (count - 1);
  }
  /// To be called after every step.
  void note(const Rollout& rollout);
  const GaitTake& take() const { return take_; }

 private:
  double begin_;  // s
  int count_;
  GaitTake take_;
};

}  // namespace promenade::trial
