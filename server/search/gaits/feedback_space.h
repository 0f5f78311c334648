#pragma once

#include <array>
#include <memory>
#include <vector>

#include "control/posegraph/gait.h"
#include "control/posegraph/mirror.h"
#include "search/optimise/optimiser.h"

namespace promenade::search {

/// The feedbacks that are searched for a gait that is fixed: gains of the joints of left legs, each
/// right leg being the mirror image, and of legs without a pair for what happens in the middle
/// plane. With one pair of legs all their joints are free, with more only the joints to the trunk.
class FeedbackSpace {
 public:
  /// @param gait  of the creature
  FeedbackSpace(std::shared_ptr<const control::posegraph::Gait> gait,
                std::shared_ptr<const Creature> creature);

  int dimension() const { return int(free_.size()); }
  /// [dimension] where all gains are 0.
  Vector start() const { return Vector::Constant(dimension(), 0.5); }
  /// [dimension] gains; they have five decimals, so that a file holds what was scored.
  std::vector<double> values(const Vector& places) const;
  control::posegraph::Feedback feedback(const Vector& places) const;
  std::shared_ptr<const control::posegraph::Gait> gait(const Vector& places) const;
  /// The file of the gait with this feedback.
  v1::Gait message(const Vector& places) const;

 private:
  struct Number {
    std::size_t gain = 0, mirrored = 0;  // indices of gains_; the same without a pair
    std::size_t sense = 0;
    double most = 1;  // greatest gain either way
    double sign = 1;  // of the mirrored gain
  };
  std::shared_ptr<const control::posegraph::Gait> gait_;
  std::shared_ptr<const Creature> creature_;
  std::vector<control::posegraph::Feedback::Gain> gains_;  // zeros
  std::vector<Number> free_;
};

}  // namespace promenade::search
